import { pairUp } from '../../engine/statistics/compare.ts';
import { emptyColumns, isPresent, type TestcaseColumns, unset } from '../../engine/statistics/testcases.ts';
import type { PageRow } from '../../platform/http/pagination.ts';
import { unitsWith } from './compare-labels.ts';
import { type Measure, testcasesOf } from './measure-scores.ts';
import { alignRuns, nameOf, type RunColumns, type RunScores, scoresOf, withOwnScores } from './run-scores.ts';

export const changes = ['better', 'worse', 'same', 'onlyBefore', 'onlyAfter', 'revised', 'unscored'] as const;
export type Change = (typeof changes)[number];

/** `testcase`: by id. `worst`: the largest losses first. `best`: the largest gains first. */
export const changeOrders = ['testcase', 'worst', 'best'] as const;
export type ChangeOrder = (typeof changeOrders)[number];

export type ChangesJob = {
  before: RunColumns;
  after: RunColumns;
  metricId: string;
  measure: Measure;
  /** The kinds of change that are listed. */
  change: Change[];
  /** Only testcases with these labels of a category in the first run and in the second. */
  labelBefore?: string | undefined;
  labelAfter?: string | undefined;
  order: ChangeOrder;
  afterKey: string;
  count: number;
};

/** Maximum number of record ids of each run that a testcase lists. */
const maxRecords = 20;

/** Returns the sort key of a testcase: testset, number and revision; records without a testcase come last. */
const keyOf = (unit: string): string => {
  const [, testset = '', n = '', revision = ''] = /^(\d+)-(\d+)(?: revision (\d+))?$/.exec(unit) ?? [];
  if (testset) return `1 ${testset.padStart(19, '0')} ${n.padStart(10, '0')} ${revision.padStart(10, '0')}`;
  const [, run = '', record = ''] = /(\d+)-(\d+)$/.exec(unit) ?? [];
  return `2 ${run.padStart(19, '0')} ${record.padStart(10, '0')}`;
};

/**
 * Returns the sort key of a testcase by its difference, as text that sorts like numbers; testcases without a difference come last. Scores
 * are within ±5, so no difference is below −100.
 */
const sizeKey = (difference: number | null, order: ChangeOrder): string => {
  if (order === 'testcase') return '';
  if (difference === null) return 'none ';
  return `${((order === 'worst' ? difference : -difference) + 100).toFixed(9).padStart(14, '0')} `;
};

const testcasesIn = (run: RunScores, metricId: string, measure: Measure): TestcaseColumns => {
  const scores = scoresOf(run, metricId);
  return scores
    ? testcasesOf(run, scores, measure)
    : emptyColumns(run.units.length, run.revisions, run.groups);
};

/** Returns the mean over a testcase's trials; null without a score. */
const meanOf = ({ sums, trials }: TestcaseColumns, place: number): number | null =>
  trials[place]! > 0 ? sums[place]! / trials[place]! : null;

/** Returns the change of each testcase that either run has. */
const classify = (before: TestcaseColumns, after: TestcaseColumns): [place: number, change: Change][] => {
  const { pairs, dropped } = pairUp(before, after);
  const compared = Array.from(pairs, (place): [number, Change] => {
    const difference = meanOf(after, place)! - meanOf(before, place)!;
    return [place, difference > 0 ? 'better' : difference < 0 ? 'worse' : 'same'];
  });
  const rest = (Object.keys(dropped) as (keyof typeof dropped)[]).flatMap((change) =>
    dropped[change].map((place): [number, Change] => [place, change]),
  );
  return [...compared, ...rest];
};

/** Returns the ids of the records that answer these testcases, by testcase. */
const recordIdsOf = ({ runId, numbers, unitOf }: RunScores, testcases: Set<number>) => {
  const records = new Map<number, string[]>();
  for (const [place, unit] of unitOf.entries()) {
    if (!testcases.has(unit)) continue;
    const ids = records.get(unit);
    if (!ids) records.set(unit, [`${runId}-${numbers[place]}`]);
    else if (ids.length < maxRecords) ids.push(`${runId}-${numbers[place]}`);
  }
  return records;
};

/** Returns whether a testcase has the labels that are asked for. */
const labelFilter = (
  [before, after]: readonly RunScores[],
  { metricId, labelBefore, labelAfter }: ChangesJob,
): ((place: number) => boolean) => {
  const unitsOf = (run: RunScores, label: string | undefined): Set<number> | undefined => {
    const scores = label === undefined ? undefined : scoresOf(run, metricId);
    return label === undefined ? undefined : scores ? unitsWith({ run, scores }, label) : new Set();
  };
  const [was, is] = [unitsOf(before!, labelBefore), unitsOf(after!, labelAfter)];
  return (place) => (was?.has(place) ?? true) && (is?.has(place) ?? true);
};

/** Returns one page of the testcases that changed between two runs. */
export const listChanges = (job: ChangesJob): PageRow[] => {
  const runs = alignRuns([job.before, job.after]).map(withOwnScores);
  const units = runs[0]!.units;
  const [before, after] = runs.map((run) => testcasesIn(run, job.metricId, job.measure)) as [
    TestcaseColumns,
    TestcaseColumns,
  ];
  const wanted = new Set(job.change);
  const differenceAt = (place: number): number | null => {
    const [from, to] = [meanOf(before, place), meanOf(after, place)];
    return from === null || to === null ? null : to - from;
  };
  const isLabelled = labelFilter(runs, job);
  const page = classify(before, after)
    .filter(([place, change]) => wanted.has(change) && isLabelled(place))
    .map(([place, change]) => ({
      place,
      change,
      key: `${sizeKey(differenceAt(place), job.order)}${keyOf(nameOf(units, place))}`,
    }))
    .filter(({ key }) => key > job.afterKey)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, job.count);
  const places = new Set(page.map(({ place }) => place));
  const [idsBefore, idsAfter] = runs.map((run) => recordIdsOf(run, places));
  return page.map(({ place, change, key }) => {
    const side = (columns: TestcaseColumns, recordIds: string[] | undefined) => {
      const revision = columns.revisions[place]!;
      return isPresent(columns, place) && recordIds
        ? {
            mean: meanOf(columns, place),
            trials: columns.trials[place]!,
            missing: columns.missing[place]!,
            revision: revision === unset ? null : revision,
            recordIds,
          }
        : null;
    };
    const { testset, n } = units[place]!;
    const body = {
      id: nameOf(units, place),
      testcaseId: testset === null ? null : `${testset}-${n}`,
      change,
      before: side(before, idsBefore!.get(place)),
      after: side(after, idsAfter!.get(place)),
    };
    return { key, body: JSON.stringify(body) };
  });
};
