import { testAgreement } from '../../engine/statistics/agreement-gain.ts';
import { comparableLabels } from '../../engine/statistics/chosen-labels.ts';
import { compareRuns } from '../../engine/statistics/compare.ts';
import { driftReference, judgeDrift } from '../../engine/statistics/drift.ts';
import { type JudgedTwice, testEquivalence } from '../../engine/statistics/equivalence.ts';
import type {
  AgreementGain,
  BatteryVerdict,
  BiasTest,
  Drift,
  Equivalence,
} from '../../engine/statistics/trial-schema.ts';
import { omit } from '../../platform/omit.ts';
import { batteryOf, biasesOf } from './battery/conclude.ts';
import type { CandidateRow, FirstVerdicts, RunVerdict, Spent, TrialLabel, TrialRow } from './queries.ts';
import type { Trial } from './trial.ts';
import { byPlace, withSaved } from './written/saved-verdicts.ts';
import { sentenceOnDev } from './written/sentence.ts';

/** Result of a trial for a candidate: drift of the judge in use, or the comparison of another judge with it. */
type Tested = {
  drift?: Drift | null;
  equivalence?: Equivalence;
  agreement?: AgreementGain;
  bias?: BiasTest;
};
type Described = CandidateRow & Tested;

const joinVerdicts = (
  labels: readonly TrialLabel[],
  { places, passed }: CandidateRow,
): (JudgedTwice & { id: string })[] => {
  const verdicts = new Map(places.map((place, i) => [place, passed[i]!]));
  return labels.map(({ place, ...label }) => ({ ...label, after: verdicts.get(place) ?? null }));
};

/** Returns the labels that the candidates of a trial are tested on: those held out, each with a verdict to compare with. */
const testedLabels = ({
  row: { kind, seed, split },
  labels,
  firstVerdicts,
  saved,
}: Trial): readonly TrialLabel[] => {
  if (split !== null)
    return withSaved(
      labels.filter((label) => label.split === split),
      saved,
      firstVerdicts,
    );
  const heldOut = labels.filter((label) => seed === null || label.heldOut);
  // A battery compares a judge with itself, so it does not matter how the labels were chosen.
  return kind === 'drift' || kind === 'battery'
    ? heldOut
    : comparableLabels(heldOut, firstVerdicts && byPlace(firstVerdicts));
};

/** Drift of a candidate from the reference: the pinned verdicts, or those of the first trial. */
const driftOf = (
  labels: readonly TrialLabel[],
  candidate: CandidateRow,
  firstVerdicts: FirstVerdicts | null,
  level: number,
): Drift => {
  const joined = joinVerdicts(labels, candidate);
  if (!firstVerdicts) return judgeDrift(joined, level);
  if (firstVerdicts.runId === candidate.runId) return driftReference(joined, level);
  const first = byPlace(firstVerdicts);
  return judgeDrift(
    joined.flatMap((record, i) => {
      const before = first.get(labels[i]!.place);
      return before === undefined ? [] : [{ ...record, before }];
    }),
    level,
  );
};

/**
 * Tests all candidates of a trial together: Holm's adjustment covers them. A candidate whose run was deleted has no verdicts to test, only
 * the drift that was stored.
 */
const testAll = (trial: Trial, level: number): ReadonlyMap<CandidateRow, Tested> => {
  const { candidates, firstVerdicts } = trial;
  const { kind, margin } = trial.row;
  const tested = testedLabels(trial);
  if (kind === 'drift')
    return new Map(
      candidates.map((candidate) => {
        const { runId, storedDrift } = candidate;
        const now = () => driftOf(tested, candidate, firstVerdicts, level);
        return [candidate, { drift: runId === null ? JSON.parse(storedDrift ?? 'null') : now() }];
      }),
    );
  if (kind === 'battery')
    return new Map([...biasesOf(trial, tested)].map(([candidate, { test }]) => [candidate, { bias: test }]));
  const present = candidates.filter(({ runId, how }) => runId !== null && how !== 'reference');
  const joined = present.map((candidate) => joinVerdicts(tested, candidate));
  const equivalences = testEquivalence(joined, margin!);
  const agreements = testAgreement(joined);
  return new Map(
    present.map((candidate, i) => [candidate, { equivalence: equivalences[i]!, agreement: agreements[i]! }]),
  );
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

/** Compares the pairs of stored runs by both judges. */
const gatesOf = (verdicts: readonly RunVerdict[], pairs: readonly [string, string][]) => {
  const decide = (side: 'before' | 'after', pair: [string, string]) => {
    const [first, second] = pair.map((runId) =>
      verdicts
        .filter((verdict) => verdict.runId === runId)
        .map((verdict) => ({ testcase: verdict.testcase, group: verdict.group, score: verdict[side] })),
    );
    const { verdict, sentence } = compareRuns(first!, second!, { boolean: true });
    return { verdict, sentence };
  };
  return pairs.map(([baselineRunId, runId]) => {
    const judge = decide('before', [baselineRunId, runId]);
    const candidate = decide('after', [baselineRunId, runId]);
    return { baselineRunId, runId, judge, candidate, changes: judge.verdict !== candidate.verdict };
  });
};

/** Sorts the cheaper first, then the faster. An unknown cost comes last. */
const byCost = (a: Spent, b: Spent): number => {
  const [x, y] = [a.costUsd ?? Number.POSITIVE_INFINITY, b.costUsd ?? Number.POSITIVE_INFINITY];
  if (x !== y) return x - y;
  return (a.latencyMs ?? Number.POSITIVE_INFINITY) - (b.latencyMs ?? Number.POSITIVE_INFINITY);
};

type Proposal = { proposedConfigId: string | null; sentence: string };

/** Returns the candidate to adopt, if there is one, and the conclusion in words. */
const conclude = (
  { kind, outcome, split }: TrialRow,
  candidates: readonly Described[],
  isUntestable: boolean,
  battery: BatteryVerdict | null,
): Proposal => {
  const none = (sentence: string) => ({ proposedConfigId: null, sentence });
  if (outcome === 'adopted') return none('a candidate was adopted');
  const [first] = candidates;
  if (battery) return none(battery.sentence);
  if (!first) return none('it has no candidates');
  if (candidates.some(({ stopped }) => stopped))
    return none(
      'its budget is used up and verdicts are pending: raise the budget of its runs, or discard the trial',
    );
  if (candidates.some(({ numPending }) => numPending > 0)) return none('verdicts are still pending');
  const failed = candidates.find(({ failure, places }) => failure !== null && places.length === 0);
  if (failed)
    return none(`it has no verdicts, because ${failed.failure}. Then retry the failed scores of its runs`);
  if (kind === 'battery') return none('its runs were deleted before it was decided');
  if (kind === 'drift') return none(first.drift?.sentence ?? 'its run was deleted before it was decided');
  if (candidates.every(({ runId }) => runId === null))
    return none('the runs of its candidates were deleted before it was decided');
  if (isUntestable)
    return none(
      'no label can be tested: all were chosen by verdicts that a steady judge would not repeat. Finish a drift trial, which gives the verdicts to compare with',
    );
  if (kind === 'succession') {
    const [best] = candidates.filter(({ equivalence }) => equivalence?.verdict === 'equivalent').sort(byCost);
    if (!best) return none('no candidate was shown to be equivalent');
    const sentence = `${best.evalModelName} is the cheapest candidate that is equivalent`;
    return { proposedConfigId: best.configId, sentence };
  }
  if (split === 'dev') return none(sentenceOnDev(candidates));
  const [best] = candidates
    .filter(({ agreement }) => agreement?.verdict === 'better')
    .sort((a, b) => b.agreement!.now! - a.agreement!.now!);
  if (!best) return none('no candidate was shown to agree with people more often on the labels held out');
  const made = split === null ? `candidate by ${best.how}` : 'edited prompt';
  const sentence = `the ${made} agrees with people more often, on labels that were held out`;
  return { proposedConfigId: best.configId, sentence };
};

/** Returns a trial as the API shows it. `level` is that of the intervals of drift. */
export const describeTrial = (metricId: bigint, trial: Trial, level: number) => {
  const { row, labels, candidates, reference, runVerdicts, baselines } = trial;
  const isDone = candidates.every(({ numPending }) => numPending === 0);
  const tested = isDone ? testAll(trial, level) : null;
  const described = candidates.map((candidate): Described => ({ ...candidate, ...tested?.get(candidate) }));
  const pairs = isDone ? pairsOf(row.runIds, baselines) : [];
  const testable = testedLabels(trial);
  // One that was cancelled has some of its verdicts: what they show is not what a battery shows.
  const isCancelled = row.kind === 'battery' && row.outcome === 'discarded';
  const battery = batteryOf(trial, testable, isDone && !isCancelled);
  return {
    number: row.n,
    metricId: String(metricId),
    kind: row.kind,
    state: row.outcome ?? (isDone ? ('ready' as const) : ('running' as const)),
    metricConfigId: row.configId,
    evalModelName: row.evalModelName,
    margin: row.margin,
    level,
    seed: row.seed,
    split: row.split,
    runIds: row.runIds,
    createdByUserId: row.createdBy,
    createdAt: row.createdAt,
    labels: {
      numTested: testable.length,
      numHumanPasses: testable.filter(({ human }) => human).length,
      numForTuning: labels.filter(({ heldOut, split }) => (row.split === null ? !heldOut : split === 'dev'))
        .length,
    },
    stopped: candidates.some(({ stopped }) => stopped),
    battery,
    ...reference,
    candidates: described.map((candidate) => ({
      drift: null,
      equivalence: null,
      agreement: null,
      bias: null,
      ...omit(
        candidate,
        'trialId',
        'configId',
        'places',
        'passed',
        'storedDrift',
        'stopped',
        'failure',
        'lastAt',
      ),
      metricConfigId: candidate.configId,
      gates: gatesOf(
        runVerdicts.filter(({ candidateRunId }) => candidateRunId === candidate.runId),
        candidate.runId === null ? [] : pairs,
      ),
    })),
    ...(isCancelled && !battery
      ? { proposedConfigId: null, sentence: 'cancelled before all verdicts were in: it shows nothing' }
      : conclude(row, described, testable.length === 0 && labels.some(({ chosen }) => chosen), battery)),
    adopted: row.adoptedConfigId && {
      metricConfigId: row.adoptedConfigId,
      equivalence: JSON.parse(row.evidence!) as Equivalence,
    },
    endedByUserId: row.endedBy,
    endedAt: row.endedAt,
  };
};
export type DescribedTrial = ReturnType<typeof describeTrial>;
