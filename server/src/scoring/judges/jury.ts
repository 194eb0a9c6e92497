import { createHash } from 'node:crypto';
import type { Criterion } from '../../../../client/src/criteria.ts';
import type { Scale } from '../../evaluation/metrics/scale.ts';
import { criterionUnscored } from '../../evaluation/scores/score-criteria.ts';
import { omit } from '../../platform/omit.ts';
import { combined as combinedVotes } from './ballots.ts';
import { unscoredIn } from './judge-criteria.ts';
import { type JudgeEvidence, type JudgeOutcome, type Juror, type Spent, sum } from './judge-evidence.ts';

type JurorOutcome = { modelName: string; outcome: JudgeOutcome };

const totalOf = (all: readonly Spent[]): Spent => ({
  inputTokens: sum(all.map(({ inputTokens }) => inputTokens)),
  outputTokens: sum(all.map(({ outputTokens }) => outputTokens)),
  costUsd: sum(all.map(({ costUsd }) => costUsd)),
});

const jurorsOf = (outcomes: readonly JurorOutcome[]): Juror[] =>
  outcomes.flatMap(({ modelName, outcome }): Juror[] => {
    if (!outcome.evidence) return [];
    const { evidence } = outcome;
    if (outcome.state === 'scored') return [{ modelName, verdict: outcome.verdict, evidence }];
    const reason = outcome.state === 'unscored' ? outcome.reason : outcome.error;
    return [{ modelName, verdict: null, reason, evidence }];
  });

/** The evidence of the whole jury: sums of the costs, and the evidence of each model. */
const evidenceOf = (jury: Juror[]): JudgeEvidence | undefined => {
  const [first] = jury;
  if (!first) return undefined;
  const all = jury.map(({ evidence }) => evidence);
  return {
    ...omit(first.evidence, 'votes', 'unreadable', 'disagreement', 'error'),
    ...totalOf(all),
    latencyMs: all.reduce((total, { latencyMs }) => total + latencyMs, 0),
    attempts: all.reduce((total, { attempts }) => total + attempts, 0),
    rawReply: all.map(({ modelAsked, rawReply }) => `[${modelAsked}]\n${rawReply}`).join('\n\n'),
    // Different from the hash of each model alone, so that no verdict of one model is taken for the jury's.
    inputHash: createHash('sha256')
      .update(JSON.stringify(all.map(({ inputHash }) => inputHash)))
      .digest('hex'),
    jury,
  };
};

/** The verdict of a model of the jury on the same question in an earlier attempt that another model ended. It was paid for. */
export const saidBefore = (jury: readonly Juror[], inputHash: string): JudgeOutcome | undefined => {
  const juror = jury.find(({ verdict, evidence }) => verdict !== null && evidence.inputHash === inputHash);
  if (!juror?.verdict) return undefined;
  const spent = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  return { state: 'scored', verdict: juror.verdict, evidence: juror.evidence, spent };
};

/**
 * One verdict of several models: the majority or the median of those that gave one, if they are more than half. If a model fails, the score
 * has no verdict; the verdicts of the others stay in the evidence, and count when the score is retried.
 */
export const juryOutcome = (
  outcomes: readonly JurorOutcome[],
  asked: {
    numModels: number;
    scale: Scale;
    criteria?: readonly Criterion[] | undefined;
    before?: readonly Juror[] | undefined;
  },
): JudgeOutcome => {
  const { numModels, before = [] } = asked;
  const now = jurorsOf(outcomes);
  const jury = [
    ...now,
    ...before.filter(({ modelName }) => !now.some((juror) => juror.modelName === modelName)),
  ];
  const evidence = evidenceOf(jury);
  const spent = totalOf(outcomes.flatMap(({ outcome }) => (outcome.spent ? [outcome.spent] : [])));
  const failed = outcomes.find(({ outcome }) => outcome.state === 'failed')?.outcome;
  if (failed) return { ...failed, ...(evidence && { evidence }), spent } as JudgeOutcome;
  if (!evidence) return outcomes[0]!.outcome;
  const verdicts = jury.flatMap(({ verdict }) => (verdict ? [verdict] : []));
  const combined = verdicts.length * 2 > numModels ? combinedVotes(verdicts, asked) : undefined;
  if (combined) {
    const { verdict, disagreement } = combined;
    const open = unscoredIn(verdict);
    if (open.length > 0) {
      const said = { ...evidence, disagreement, criteria: verdict.criteria! };
      return { state: 'unscored', reason: criterionUnscored(open), evidence: said, spent };
    }
    return { state: 'scored', verdict, evidence: { ...evidence, disagreement }, spent };
  }
  const reason =
    verdicts.length * 2 > numModels
      ? 'no_majority'
      : (jury.find(({ verdict }) => !verdict)?.reason ?? 'invalid_judge_output');
  return { state: 'unscored', reason, evidence, spent };
};
