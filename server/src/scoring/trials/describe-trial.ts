import { compareRuns } from '../../engine/statistics/compare.ts';
import type { Verdict } from '../../engine/statistics/comparison-schema.ts';
import { type JudgedTwice, testEquivalence } from '../../engine/statistics/equivalence.ts';
import { holm } from '../../engine/statistics/holm.ts';
import { defaultLevel } from '../../engine/statistics/intervals.ts';
import { defaultPower } from '../../engine/statistics/paired-proportions.ts';
import { testPairs } from '../../engine/statistics/paired-tests.ts';
import type { Equivalence } from '../../engine/statistics/trial-schema.ts';
import { verdictOf } from '../../engine/statistics/verdict.ts';
import type { CandidateRow, RunVerdict, Spent, TrialLabel, TrialRow } from './queries.ts';

/** Agreement with people, of a candidate beside the judge in use. */
const agreementOf = (records: readonly JudgedTwice[]) => {
  const decided = records.filter(({ after }) => after !== null);
  const before = Float64Array.from(decided, ({ human, before }) => Number(before === human));
  const after = Float64Array.from(decided, ({ human, after }) => Number(after === human));
  const codes = new Map<string, number>();
  const groups = Int32Array.from(decided, ({ group }, i) => {
    const name = group ?? `record ${i}`;
    codes.set(name, codes.get(name) ?? codes.size);
    return codes.get(name)!;
  });
  const tested = testPairs(
    {
      before,
      after,
      differences: after.map((value, i) => value - before[i]!),
      groups: codes.size < decided.length ? groups : null,
    },
    {
      boolean: true,
      level: defaultLevel,
      power: defaultPower,
      seed: 1,
      test: 'fixed',
      bounds: { low: 0, high: 1 },
    },
  );
  const share = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [shareBefore, shareAfter] = decided.length > 0 ? [share(before), share(after)] : [null, null];
  return {
    n: decided.length,
    before: shareBefore,
    now: shareAfter,
    difference: shareAfter === null ? null : shareAfter - shareBefore!,
    ...{ interval: tested.interval, reason: tested.reason, p: tested.p },
    minimumDetectable: tested.minimumDetectable,
  };
};

const concludeAgreement = (
  measured: ReturnType<typeof agreementOf>,
  adjustedP: number | null,
): { verdict: Verdict; sentence: string } =>
  verdictOf({ ...measured, p: adjustedP, level: defaultLevel, boolean: true });

type Decision = { verdict: Verdict; sentence: string };

const decide = (
  verdicts: readonly RunVerdict[],
  side: 'before' | 'after',
  [first, second]: [string, string],
): Decision => {
  const of = (runId: string) =>
    verdicts
      .filter((one) => one.runId === runId)
      .map((one) => ({ testcase: one.testcase, group: one.group, score: one[side] }));
  const { verdict, sentence } = compareRuns(of(first), of(second), { boolean: true });
  return { verdict, sentence };
};

/** Pairs of runs that are compared: each with the baseline that its gate named if that was tried too, else with the first run. */
const pairsOf = (
  runIds: readonly string[],
  baselines: ReadonlyMap<string, string | null>,
): [string, string][] => {
  const [first, ...later] = runIds;
  const named = (runId: string) => {
    const baseline = baselines.get(runId);
    return baseline && baseline !== runId && runIds.includes(baseline) ? baseline : null;
  };
  const pairs = later.map((runId): [string, string] => [named(runId) ?? first!, runId]);
  const ofFirst = first && named(first);
  return ofFirst ? [[ofFirst, first], ...pairs] : pairs;
};

export type Trial = {
  row: TrialRow;
  labels: readonly TrialLabel[];
  candidates: readonly CandidateRow[];
  reference: Spent;
  runVerdicts: readonly RunVerdict[];
  baselines: ReadonlyMap<string, string | null>;
};

const joinVerdicts = (labels: readonly TrialLabel[], { places, passed }: CandidateRow): JudgedTwice[] => {
  const verdicts = new Map(places.map((place, i) => [place, passed[i]!]));
  return labels.map(({ place, human, reference, group }) => ({
    human,
    before: reference,
    after: verdicts.get(place) ?? null,
    group,
  }));
};

type Tested = {
  equivalence: Equivalence;
  agreement: ReturnType<typeof agreementOf> & Decision & { adjustedP: number | null };
};

/** Tests the candidates that have all their verdicts together: Holm's adjustment is over all candidates of the trial. */
const testAll = ({ row, labels, candidates }: Trial): Tested[] => {
  const heldOut = labels.filter((label) => label.heldOut);
  const joined = candidates.map((candidate) => joinVerdicts(heldOut, candidate));
  const equivalences = testEquivalence(joined, row.margin);
  const agreements = joined.map(agreementOf);
  const adjusted = holm(agreements.map(({ p }) => p));
  return equivalences.map((equivalence, i) => {
    const adjustedP = adjusted[i] ?? null;
    const measured = agreements[i]!;
    return { equivalence, agreement: { ...measured, adjustedP, ...concludeAgreement(measured, adjustedP) } };
  });
};

/** Sorts the cheaper first, then the faster. An unknown cost comes last. */
const byCost = (a: Spent, b: Spent): number => {
  const [x, y] = [a.costUsd ?? Number.POSITIVE_INFINITY, b.costUsd ?? Number.POSITIVE_INFINITY];
  if (x !== y) return x - y;
  return (a.latencyMs ?? Number.POSITIVE_INFINITY) - (b.latencyMs ?? Number.POSITIVE_INFINITY);
};

type Described = CandidateRow & Partial<Tested>;

const propose = (
  kind: TrialRow['kind'],
  described: readonly Described[],
): { proposedConfigId: string | null; sentence: string } => {
  if (described.some(({ pending }) => pending > 0))
    return { proposedConfigId: null, sentence: 'verdicts are still pending' };
  if (kind === 'succession') {
    const [best] = described.filter(({ equivalence }) => equivalence?.verdict === 'equivalent').sort(byCost);
    return best
      ? {
          proposedConfigId: best.configId,
          sentence: `${best.evalModelName} is the cheapest candidate that is equivalent`,
        }
      : { proposedConfigId: null, sentence: 'no candidate was shown to be equivalent' };
  }
  const [best] = described
    .filter(({ agreement }) => agreement?.verdict === 'better')
    .sort((a, b) => b.agreement!.now! - a.agreement!.now!);
  return best
    ? {
        proposedConfigId: best.configId,
        sentence: `the candidate by ${best.how} agrees with people more often, on labels that were held out`,
      }
    : {
        proposedConfigId: null,
        sentence: 'no candidate was shown to agree with people more often on the labels held out',
      };
};

/** Returns a trial as the API shows it. */
export const describeTrial = (trial: Trial) => {
  const { row, labels, candidates, reference, runVerdicts, baselines } = trial;
  const isDone = candidates.every(({ pending }) => pending === 0);
  const tested = isDone ? testAll(trial) : [];
  const described: Described[] = candidates.map((candidate, i) => ({ ...candidate, ...tested[i] }));
  const pairs = pairsOf(row.runIds, baselines);
  const heldOut = labels.filter((label) => label.heldOut);
  return {
    number: row.n,
    kind: row.kind,
    metricConfigId: row.configId,
    evalModelName: row.evalModelName,
    margin: row.margin,
    level: defaultLevel,
    seed: row.seed,
    runIds: row.runIds,
    createdByUserId: row.createdBy,
    createdAt: row.createdAt,
    labels: {
      n: heldOut.length,
      humanPasses: heldOut.filter(({ human }) => human).length,
      forTuning: labels.length - heldOut.length,
    },
    costUsd: reference.costUsd,
    latencyMs: reference.latencyMs,
    candidates: described.map(
      ({ configId, trial: _, places: __, passed: ___, passingThreshold: ____, ...candidate }) => {
        const own = runVerdicts.filter(({ checkRunId }) => checkRunId === candidate.runId);
        const gates = isDone
          ? pairs.map(([baseline, runId]) => {
              const [now, then] = [
                decide(own, 'before', [baseline, runId]),
                decide(own, 'after', [baseline, runId]),
              ];
              return {
                baselineRunId: baseline,
                runId,
                judge: now,
                candidate: then,
                changes: now.verdict !== then.verdict,
              };
            })
          : [];
        return {
          metricConfigId: configId,
          ...candidate,
          equivalence: candidate.equivalence ?? null,
          agreement: candidate.agreement ?? null,
          gates,
        };
      },
    ),
    ...(row.adoptedConfigId === null && candidates.length > 0
      ? propose(row.kind, described)
      : {
          proposedConfigId: null,
          sentence: row.adoptedConfigId === null ? 'it has no candidates' : 'a candidate was adopted',
        }),
    adopted:
      row.adoptedConfigId === null
        ? null
        : {
            metricConfigId: row.adoptedConfigId,
            byUserId: row.adoptedBy,
            at: row.adoptedAt,
            equivalence: JSON.parse(row.evidence!) as Equivalence,
          },
  };
};
export type DescribedTrial = ReturnType<typeof describeTrial>;
