import type { ResolvedModel } from '../../engine/models/provider.ts';
import { asJson } from '../../platform/db/text.ts';
import type { Judge, JudgeOptions } from '../../scoring/judges/judge.ts';
import type { JudgeOutcome, StoredVerdict } from '../../scoring/judges/judge-evidence.ts';
import type { JudgeConfig, JudgedTexts } from '../../scoring/judges/judge-prompt.ts';

/** Criterion for comparing two outputs. */
export type ComparedPair = { inputs: string; expected: string; outputsA: string; outputsB: string };

/**
 * The question, as a metric that rates the two outputs from 1 to 5, as Arena-Hard asks (Li et al. 2024, arXiv 2406.11939): so that
 * everything else works as for every metric, including the marks around the texts of systems.
 */
const template = (
  hasExpected: boolean,
): string => `Two AI systems answered the same inputs. Compare their outputs by this criterion, and by it alone:

{{ guidelines }}

The inputs:
{{ allInputs }}
${hasExpected ? '\nWhat was expected:\n{{ allExpected }}\n' : ''}
The first output:
{{ outputs.first }}

The second output:
{{ outputs.second }}

Which of the two is better? Neither their order nor their length is a reason. intScore is:
1: the first is clearly better
2: the first is slightly better
3: both are equally good, or equally bad
4: the second is slightly better
5: the second is clearly better`;

export const comparison = (criterion: string, modelName: string, expected: string): JudgeConfig => ({
  outputType: 'int',
  promptTemplate: template(!/^\s*\{\s*\}\s*$/.test(expected)),
  guidelines: criterion,
  evalModelName: modelName,
  temperature: 0,
  judgeRepeats: 1,
});

export const dataOf = (
  { inputs, expected, outputsA, outputsB }: ComparedPair,
  criterion: string,
  order: 'shown' | 'swapped',
): JudgedTexts => {
  const [first, second] = order === 'shown' ? [outputsA, outputsB] : [outputsB, outputsA];
  return { inputs, expected, outputs: `{"first":${first},"second":${second}}`, guidelines: criterion };
};

/** Verdicts of a model on both orders. */
export type Compared =
  | {
      state: 'compared';
      preferred: 'a' | 'b' | null;
      ratings: [number, number];
      comment: string;
      evidence: string;
      costUsd: number;
    }
  | {
      state: 'open';
      outcome: Exclude<JudgeOutcome, { state: 'scored' }>;
      costUsd: number;
      partialVerdict: StoredVerdict | null;
    };

/** Not stored: the prompt contains both records and would outlive them, and it can be made again while they exist. */
const withoutPrompt = ({ evidence: { prompt: _, ...rest } }: StoredVerdict) => rest;

/**
 * Asks a model about a pair twice, with the outputs swapped. An output is preferred if the model prefers it in both orders; anything else
 * is a tie, including a verdict that follows the position (Zheng et al. 2023, arXiv 2306.05685, §3.4). Equal outputs tie without a
 * question.
 */
export const comparePair = async (
  judge: Judge,
  model: ResolvedModel,
  { criterion, modelName }: { criterion: string; modelName: string },
  pair: ComparedPair,
  { partialVerdict, ...options }: JudgeOptions & { partialVerdict: StoredVerdict | null },
): Promise<Compared> => {
  if (pair.outputsA === pair.outputsB)
    return {
      state: 'compared',
      preferred: null,
      ratings: [3, 3],
      comment: 'The outputs are the same.',
      evidence: '{}',
      costUsd: 0,
    };
  const config = comparison(criterion, modelName, pair.expected);
  let costUsd = 0;
  const said: StoredVerdict[] = [];
  for (const order of ['shown', 'swapped'] as const) {
    const outcome = await judge.ask(config, dataOf(pair, criterion, order), model, {
      ...options,
      // The verdict on the first order was paid for before the second one failed.
      ...(partialVerdict && {
        reuse: async (hash: string) =>
          partialVerdict.evidence.inputHash === hash ? partialVerdict : undefined,
      }),
    });
    costUsd += outcome.spent?.costUsd ?? 0;
    if (outcome.state !== 'scored')
      return { state: 'open', outcome, costUsd, partialVerdict: said[0] ?? partialVerdict };
    said.push({ verdict: outcome.verdict, evidence: outcome.evidence });
  }
  const [shown, swapped] = said as [StoredVerdict, StoredVerdict];
  const ratings: [number, number] = [Number(shown.verdict.value), Number(swapped.verdict.value)];
  const [one, other] = ratings;
  return {
    state: 'compared',
    preferred: one < 3 && other > 3 ? 'a' : one > 3 && other < 3 ? 'b' : null,
    ratings,
    comment: `${shown.verdict.reasoning}\n\nWith the outputs swapped: ${swapped.verdict.reasoning}`,
    evidence: asJson({ shown: withoutPrompt(shown), swapped: withoutPrompt(swapped) }),
    costUsd,
  };
};
