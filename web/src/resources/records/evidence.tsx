import type { FactPair } from '../../ui/fact.tsx';
import { countOf, countText, durationText, notAvailable, usdText } from '../../ui/format.ts';
import { LongText } from '../../ui/long-text.tsx';
import { dataFileText } from '../../ui/media.ts';
import { reasonText } from './score-value.tsx';

/** Input and output of a judge's verdict (docs/judges.md). */
export type Evidence = {
  modelAsked?: string;
  modelAnswered?: string | null;
  prompt?: string;
  /** The files that the model was shown, by their labels in the prompt. */
  media?: { mediaType: string; sizeBytes: number; sha256: string; attachmentId?: string }[];
  rawReply?: string;
  temperatureSent?: number | null;
  inputTokens?: number | null;
  outputTokens?: number | null;
  costUsd?: number | null;
  latencyMs?: number;
  attempts?: number;
  votes?: { value: boolean | number | string; reasoning: string }[];
  disagreement?: number;
  /** Verdict of each model of a jury. */
  jury?: {
    modelName: string;
    verdict: { value: boolean | number | string; reasoning: string } | null;
    reason?: string | null;
    error?: string | null;
    evidence?: { error?: string };
  }[];
  /** Why the last reply is not a verdict, or the provider's message about files that it refused. */
  error?: string;
  reused?: true;
  /** The calls with which the judge read a long trace. */
  walk?: { numSpans: number; calls: { tool: string; argument: string; from: number }[]; numNotFound: number };
  addressed?: { found: string[]; second: { value: boolean | number | string } | null };
};

const modelText = ({ modelAsked, modelAnswered }: Evidence): string => {
  if (!modelAsked || !modelAnswered || modelAnswered === modelAsked)
    return modelAnswered ?? modelAsked ?? notAvailable;
  return `${modelAsked}, answered by ${modelAnswered}`;
};

/** The model, the tokens, the cost and the latency of a verdict; only the latency for code. */
export const evidenceFacts = (evidence: Evidence): FactPair[] => {
  const { attempts, temperatureSent, disagreement, reused, addressed } = evidence;
  // A preview does not name the model that it asked for. The evidence of code is its latency alone.
  const isJudged = evidence.modelAsked !== undefined || evidence.inputTokens !== undefined;
  const judged: FactPair[] = [
    evidence.jury
      ? ['Models', evidence.jury.map(({ modelName }) => modelName).join(', ')]
      : ['Model', modelText(evidence)],
    ['Tokens', `${countText(evidence.inputTokens)} in, ${countText(evidence.outputTokens)} out`],
    ['Cost', usdText(evidence.costUsd)],
    ['Latency', durationText(evidence.latencyMs)],
  ];
  const facts: (FactPair | undefined | false)[] = [
    ...(isJudged ? judged : []),
    attempts !== undefined && ['Requests to the model', countText(attempts)],
    temperatureSent !== undefined && ['Temperature', temperatureSent ?? 'not sent'],
    evidence.media !== undefined && [
      'Files that the judge saw',
      evidence.media
        .map((file, i) => `${i + 1}: ${dataFileText(file)}, SHA-256 ${file.sha256.slice(0, 8)}…`)
        .join('; '),
    ],
    disagreement !== undefined && [
      `Disagreement of the ${evidence.jury ? 'models' : 'votes'}`,
      `${countText(disagreement)} (0 to 1)`,
    ],
    evidence.walk !== undefined && [
      'Read with tools',
      `${countOf(evidence.walk.calls.length, 'call')} in a trace of ${countOf(evidence.walk.numSpans, 'span')}`,
    ],
    !!evidence.walk?.numNotFound && [
      'Quotes that are not in the trace',
      countText(evidence.walk.numNotFound),
    ],
    evidence.error !== undefined && ['What was wrong', evidence.error],
    addressed !== undefined && ['The output addresses its judge', addressed.found.join(', ')],
    reused && ['Reused', 'an earlier verdict on the same input, at no cost'],
  ];
  return facts.filter((fact) => fact !== undefined && fact !== false);
};

const voteText = (value: boolean | number | string): string => {
  if (typeof value === 'number') return countText(value);
  return value ? 'Pass' : 'Fail';
};

type Voted = { name: string; value: string; reasoning: string };

const Votes = ({ label, votes }: { label: string; votes: readonly Voted[] }) => (
  <ol aria-label={label} className="flex flex-col gap-1">
    {votes.map(({ name, value, reasoning }) => (
      <li key={name} className="flex gap-2">
        <span className="shrink-0 font-medium">
          {name}: {value}
        </span>
        <span className="min-w-0 break-words whitespace-pre-wrap text-soft" dir="auto">
          {reasoning}
        </span>
      </li>
    ))}
  </ol>
);

const toolWords: { [tool: string]: string } = {
  list_spans: 'List spans',
  read_span: 'Read span',
  search_spans: 'Search',
};

/** The calls of a judge that read a long trace, in their order. */
const Walk = ({ calls }: NonNullable<Evidence['walk']>) => (
  <details className="rounded-md border px-3 py-2">
    <summary className="font-medium select-none">What the judge read</summary>
    <ol aria-label="Calls of the judge" className="mt-2 flex list-inside list-decimal flex-col gap-1">
      {calls.map(({ tool, argument, from }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same call may come twice, and the list never changes.
        <li key={i} className="break-words">
          {toolWords[tool] ?? tool} {argument && <code dir="auto">{argument}</code>}{' '}
          {from > 1 && <span className="text-soft">from {countText(from)}</span>}
        </li>
      ))}
    </ol>
  </details>
);

/** The votes, the calls of tools, the prompt and the raw reply. */
export const EvidenceTexts = ({ prompt, rawReply, votes, jury, walk }: Evidence) => (
  <>
    {jury && (
      <Votes
        label="Models of the jury"
        votes={jury.map(({ modelName, verdict, reason, error, evidence }) => ({
          name: modelName,
          value: verdict ? voteText(verdict.value) : 'No verdict',
          reasoning:
            verdict?.reasoning ??
            [reason && reasonText(reason), error ?? evidence?.error].filter(Boolean).join(': '),
        }))}
      />
    )}
    {votes && votes.length > 1 && (
      <Votes
        label="Votes"
        votes={votes.map(({ value, reasoning }, i) => ({
          name: `Vote ${i + 1}`,
          value: voteText(value),
          reasoning,
        }))}
      />
    )}
    {walk && walk.calls.length > 0 && <Walk {...walk} />}
    {prompt !== undefined && <LongText title="Prompt as sent" text={prompt} />}
    {rawReply !== undefined && <LongText title="Raw reply" text={rawReply} />}
  </>
);
