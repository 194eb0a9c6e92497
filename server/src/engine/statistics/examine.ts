/** Examines a testset by what stored runs answered to its testcases. */
import { compareRuns } from './compare.ts';
import { countInWords } from './count-in-words.ts';
import type { FindingKind, TestsetExamination } from './examination-schema.ts';
import { type Case, type ExamineJob, list, readCases } from './examined-cases.ts';
import { rateEstimate } from './intervals.ts';
import {
  type Found,
  findByOutcome,
  findDuels,
  findLeaked,
  findTwins,
  findWrongKeys,
  readLabels,
} from './suspects.ts';
import type { Observation } from './testcases.ts';

const observe = (cases: readonly Case[], run: number): Observation[] =>
  cases.flatMap(({ n, trials }) =>
    trials.filter((trial) => trial.run === run).map(({ passed }) => ({ testcase: n, score: passed })),
  );

/** Chooses the pair that is compared: the one asked for, else the newest run and the newest one of another version. */
const pairOf = ({ pair, runs }: ExamineJob): [before: number, after: number] | null => {
  if (pair)
    return [pair.before, pair.after].map((id) => runs.findIndex(({ runId }) => runId === id)) as [
      number,
      number,
    ];
  if (runs.length < 2) return null;
  const other = runs.findIndex(({ voter }) => voter !== runs[0]!.voter);
  return [other === -1 ? 1 : other, 0];
};

const compareTwice = (
  job: ExamineJob,
  cases: readonly Case[],
  suspects: ReadonlySet<Case>,
): TestsetExamination['comparison'] => {
  const pair = pairOf(job);
  if (!pair) return null;
  const [before, after] = pair;
  const compare = (some: readonly Case[]) => {
    const { n, difference, interval, verdict, sentence } = compareRuns(
      observe(some, before),
      observe(some, after),
      {
        boolean: true,
        level: job.level,
      },
    );
    return { n, difference, interval, verdict, sentence };
  };
  const all = compare(cases);
  const withoutSuspects = compare(cases.filter((one) => !suspects.has(one)));
  const changed = all.verdict !== withoutSuspects.verdict;
  const left =
    suspects.size === 0 ? 'as no testcase is a suspect' : `without ${countInWords(suspects.size, 'suspect')}`;
  return {
    before: job.runs[before]!.runId,
    after: job.runs[after]!.runId,
    all,
    withoutSuspects,
    numSuspects: suspects.size,
    changed,
    sentence: changed
      ? `verdict changed ${left}: ${withoutSuspects.sentence}, where all testcases say ${all.sentence}`
      : `verdict unchanged ${left}: ${withoutSuspects.sentence}`,
  };
};

const meanings: Record<FindingKind, string> = {
  wrongKey:
    'Versions that fail agree with each other and not with the expected answer. Of those listed, about 9 of 10 have a wrong key if versions err independently.',
  duel: 'People and the metric disagree about most labelled answers.',
  leaked: 'The text or the expected answer stands in a version of a prompt or in a judge.',
  twin: 'The inputs nearly repeat another testcase, so that it counts twice.',
  flaky: 'The same version passes and fails it.',
  hopeless: 'Each version fails it, so that it tells none apart.',
  dead: 'Each version passes it, so that it tells none apart.',
};

const cardOf = (
  { testset, cases: columns, level }: ExamineJob,
  cases: readonly Case[],
  { numLabelled, agreeing }: Pick<ReturnType<typeof findDuels>, 'numLabelled' | 'agreeing'>,
): TestsetExamination['card'] => {
  const [made, changed] = [list<string>(columns.made), list<string>(columns.changed)];
  const extreme = (times: readonly string[], better: (a: string, b: string) => boolean) =>
    times.reduce<string | null>((best, time) => (best === null || better(time, best) ? time : best), null);
  return {
    numTestcases: cases.length,
    numWithKey: cases.filter(({ key }) => Object.keys(key as object).length > 0).length,
    numAnswered: cases.filter(({ trials }) => trials.length > 0).length,
    numGenerated: cases.filter(({ isGenerated }) => isGenerated).length,
    numRevised: list<number>(columns.revisions).filter((revision) => revision > 1).length,
    numInvalid: list<number>(columns.invalid).filter((one) => one === 1).length,
    numBatches: new Set(made).size,
    firstAt: extreme(made, (a, b) => a < b),
    lastAt: extreme(changed, (a, b) => a > b),
    inputs: testset.inputs,
    expected: testset.expected,
    groupingField: testset.groupingField,
    agreement: numLabelled === 0 ? null : rateEstimate(agreeing, numLabelled, level),
  };
};

const assumptionOf = (numVersions: number, numModels: number): string =>
  `versions err independently${
    numModels < 2
      ? `: ${numVersions < 2 ? 'there is' : 'these name'} one model or none, whose versions share mistakes, so more of the listed keys may be right`
      : ''
  }`;

/** Examines a testset. Each finding is of a testcase as it is now: records of earlier revisions do not count. */
export const examine = (job: ExamineJob): TestsetExamination => {
  const { testset, metric, runs, labels, prompts, level, limit } = job;
  const cases = readCases(job);
  const wrong = findWrongKeys(cases, testset.expected);
  const duels = findDuels(cases, readLabels(job));
  const leaked = findLeaked(cases, prompts);
  const twins = findTwins(cases);
  const suspects = new Set([...wrong.found, ...duels.found, ...leaked, ...twins].map((found) => found.case));
  const outcomes = findByOutcome(cases, new Set(wrong.found.map((found) => found.case)));
  const found: Found[] = [...wrong.found, ...duels.found, ...leaked, ...twins, ...outcomes];
  const byKind = Map.groupBy(found, ({ kind }) => kind);
  const noRuns = runs.length === 0 ? 'no run of this testset has scores' : null;
  const reasons: Partial<Record<FindingKind, string | null>> = {
    wrongKey: noRuns ?? wrong.reason,
    duel: noRuns ?? (labels && duels.numLabelled > 0 ? null : 'people have labelled no record of these runs'),
    leaked: prompts.length === 0 ? 'the project has no prompt and no judge' : null,
    flaky: noRuns,
    hopeless: noRuns,
    dead: noRuns,
  };
  const voters = new Set(runs.map(({ voter }) => voter)).size;
  return {
    testsetId: testset.id,
    metricId: metric?.id ?? null,
    metricName: metric?.name ?? null,
    runs: runs.map(({ runId, version, records }) => ({
      runId,
      version,
      numRecords: list(records).length,
    })),
    numVersions: voters,
    numModels: new Set(job.models).size,
    numRecords: cases.reduce((sum, { trials }) => sum + trials.length, 0),
    kinds: (Object.keys(meanings) as FindingKind[]).map((kind) => ({
      kind,
      numTestcases: byKind.get(kind)?.length ?? 0,
      meaning: meanings[kind],
      reason: reasons[kind] ?? null,
    })),
    findings: (Object.keys(meanings) as FindingKind[]).flatMap((kind) =>
      (byKind.get(kind) ?? []).slice(0, limit).map(({ case: one, ...finding }) => ({
        probability: null,
        proposal: null,
        otherTestcaseId: null,
        systemId: null,
        metricId: null,
        ...finding,
        testcaseId: one.id,
      })),
    ),
    assumption: assumptionOf(voters, new Set(job.models).size),
    comparison: compareTwice(job, cases, suspects),
    card: cardOf(job, cases, duels),
    leftOut: job.leftOut,
    level,
  };
};
