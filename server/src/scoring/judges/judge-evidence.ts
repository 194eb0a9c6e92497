import type { CriterionVerdict } from '../../../../client/src/criteria.ts';
import type { Call } from '../../engine/models/ask-accepting.ts';
import type { Failure } from '../../engine/models/failure.ts';
import type { ShownMedia } from '../../engine/models/media.ts';
import { type Prices, priceOf } from '../../engine/models/prices.ts';
import type { ResolvedModel } from '../../engine/models/provider.ts';
import type { TraceEvidence } from '../../traces/read/scored-trace.ts';
import type { Count } from './ballots.ts';
import type { JudgeConfig } from './judge-prompt.ts';
import type { Verdict } from './verdict.ts';
import type { WalkEvidence } from './walk.ts';

/** The verdict of one model of a jury, with its evidence. */
export type Juror = { modelName: string; verdict: Verdict | null; reason?: string; evidence: JudgeEvidence };

/** Stored with each score, so that it can be replayed and audited. */
export type JudgeEvidence = {
  modelAsked: string;
  modelAnswered: string | null;
  /** The system message and the user message as sent; a label replaces each file. */
  prompt: string;
  /** Files that were shown to the model, in the order of their labels; missing if there were none. */
  media?: ShownMedia[];
  /** Every reply, in the order they came. */
  rawReply: string;
  /** Why the last reply ended: \`length` when it was cut off. Null without a reply. */
  finishReason: string | null;
  /** Whether the last request enforced the verdict's schema; otherwise the schema was only described in words. */
  schemaSent: boolean;
  /** Why the last reply is not a verdict, in words; missing if it is one. */
  error?: string;
  /** Null if the model did not accept one. */
  temperatureSent: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Cost of all calls; null if a price or a number of tokens is not known. */
  costUsd: number | null;
  latencyMs: number;
  /** Requests to the provider. 0 for a verdict that was reused. */
  attempts: number;
  /** SHA-256 over all input of the verdict. */
  inputHash: string;
  /** Each verdict, if the metric asks for several; including those of earlier attempts. */
  votes?: Verdict[];
  /** Number of replies that were not a verdict, if the metric asks for several. */
  unreadable?: number;
  /** Spread of the votes: 0 if all are the same, 1 if they are as far apart as possible. */
  disagreement?: number;
  /** Set if the output seems to address its judge: the signs, and the vote of the question that warns of them; null without one. */
  addressed?: { found: string[]; framing: string; second: Verdict | null };
  /** Each model's verdict and evidence, if the metric has a jury. */
  jury?: Juror[];
  /** The verdicts on criteria of a score that has no value, because one of them is unscored. */
  criteria?: CriterionVerdict[];
  /** The verdict is an earlier one of the same input hash. */
  reused?: true;
  /** The parts of the record's trace that were read, if the template names them. */
  trace?: TraceEvidence;
  /** The calls of the tools with which the judge read a long trace. */
  walk?: WalkEvidence;
};

/** Cost of one attempt. Its evidence counts earlier attempts as well. */
export type Spent = Pick<JudgeEvidence, 'inputTokens' | 'outputTokens' | 'costUsd'>;

export type StoredVerdict = { verdict: Verdict; evidence: JudgeEvidence };

export type JudgeOutcome =
  | { state: 'scored'; verdict: Verdict; evidence: JudgeEvidence; spent: Spent }
  /**
   * The record or the model gave no verdict: `missing_placeholder: outputs.x`, `invalid_judge_output`, `judge_refused`, `no_majority`,
   * `judge_addressed`, `media_refused`, `media_limit: …`, `media_unsupported: …`, `media_missing: …`, `evidence_not_found`,
   * `walk_unfinished`, `no_criteria: …`, `criteria_invalid: …`, `criterion_unscored: ids`.
   */
  | { state: 'unscored'; reason: string; evidence?: JudgeEvidence; spent?: Spent }
  /** The model was not asked, or the request failed. */
  | ({ state: 'failed'; evidence?: JudgeEvidence; spent?: Spent } & Failure);

/** A question that is being put to a model. */
export type Asked = {
  config: JudgeConfig;
  resolved: ResolvedModel;
  system: string;
  prompt: string;
  media: ShownMedia[];
  inputHash: string;
  startedAt: number;
  trace: TraceEvidence | undefined;
  /** Set if the judge reads the trace with tools; it notes its calls there. */
  walk: WalkEvidence | undefined;
  /** Evidence of the attempt before, if it asked the same question. */
  earlier: JudgeEvidence | undefined;
  /** Signs that the output addresses its judge. */
  found: string[];
  /** All requests so far. */
  calls: Call[];
};

/** The sum; unknown if one of the counts is unknown. */
export const sum = (counts: (number | null)[]): number | null =>
  counts.includes(null) ? null : counts.reduce<number>((total, count) => total + (count ?? 0), 0);

const spentOn = ({ calls, resolved }: Asked, prices: Prices): Spent => ({
  inputTokens: sum(calls.map((call) => call.inputTokens)),
  outputTokens: sum(calls.map((call) => call.outputTokens)),
  costUsd: sum(calls.map((call) => priceOf(prices, resolved, call))),
});

/** The evidence after the calls so far, and their cost. */
export const evidenceOf = (
  asked: Asked,
  { votes, unreadable }: Count,
  { prices, clock }: { prices: () => Prices; clock: () => number },
): { evidence: JudgeEvidence; spent: Spent } => {
  const { config, earlier, calls } = asked;
  const spent = spentOn(asked, prices());
  const replies = calls.flatMap(({ text }) => (text === null ? [] : [text]));
  const last = calls.at(-1);
  const error = unreadable.at(-1)?.error;
  const total = (name: keyof Spent) => (earlier ? sum([earlier[name], spent[name]]) : spent[name]);
  const evidence: JudgeEvidence = {
    modelAsked: config.evalModelName,
    modelAnswered: calls.findLast((call) => call.modelAnswered !== null)?.modelAnswered ?? null,
    prompt: asked.system === '' ? asked.prompt : `[system]\n${asked.system}\n\n[user]\n${asked.prompt}`,
    ...(asked.media.length > 0 && { media: asked.media }),
    rawReply: [...(earlier?.rawReply ? [earlier.rawReply] : []), ...replies].join('\n\n'),
    finishReason: last?.finishReason ?? null,
    schemaSent: last?.schemaSent ?? false,
    temperatureSent: last?.temperatureSent ?? null,
    inputTokens: total('inputTokens'),
    outputTokens: total('outputTokens'),
    costUsd: total('costUsd'),
    latencyMs: Math.round(clock() - asked.startedAt),
    attempts: (earlier?.attempts ?? 0) + calls.length,
    inputHash: asked.inputHash,
    ...(error !== undefined && { error }),
    ...((config.judgeRepeats > 1 || asked.found.length > 0) && { votes }),
    ...(config.judgeRepeats > 1 && unreadable.length > 0 && { unreadable: unreadable.length }),
    ...(asked.trace && { trace: asked.trace }),
    ...(asked.walk && { walk: asked.walk }),
  };
  return { evidence, spent };
};
