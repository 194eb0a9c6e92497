import { createHash } from 'node:crypto';
import type {
  FileMetric,
  FileRun,
  FileScore,
  ScoreState,
} from '../../../../client/src/decision-file/file.ts';
import {
  type LabelColumns,
  missingCodes,
  type NearDuplicates,
  type ScoreColumns,
} from '../../insights/analysis/queries.ts';
import { labelPairs, numbersOf, type RunColumns, textsOf } from '../../insights/analysis/run-scores.ts';

const stateOf = new Map<number, ScoreState>(
  Object.entries(missingCodes).map(([state, code]) => [code, state as ScoreState]),
);

/** A label without its text, where only equality counts. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const columnOf = (values: readonly (string | number | null)[]): string | null =>
  values.length === 0 ? null : `{${values.map((value) => value ?? 'NULL').join(',')}}`;

const labelColumns = (pairs: readonly (readonly [number, string])[]): LabelColumns =>
  pairs.length === 0
    ? { numbers: null, values: null }
    : { numbers: columnOf(pairs.map(([n]) => n)), values: JSON.stringify(pairs.map(([, label]) => label)) };

const nullIfNaN = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** The rows of a run's records, without hashes: those come from their texts. */
type PlainRecord = Pick<
  FileRun['records'][number],
  'n' | 'testcase' | 'revision' | 'trial' | 'group' | 'sameInputs'
>;

const recordRows = ({ records, groups }: RunColumns, withTexts: boolean): PlainRecord[] => {
  const [testsets, testcases, revisions, inputs] = [
    records.testsets,
    records.testcases,
    records.revisions,
    records.inputs,
  ].map(textsOf) as [string[], string[], string[], string[]];
  const labels = new Map(
    groups.flatMap((of) => labelPairs(of).map(([n, label]) => [`${of.testsetId}-${n}`, label])),
  );
  const trials = new Map<string, number>();
  const numbers = numbersOf(records.numbers);
  const inOrder = numbers.map((_, i) => i).sort((a, b) => numbers[a]! - numbers[b]!);
  return inOrder.map((i): PlainRecord => {
    const testcase = testsets[i] === 'NULL' ? null : `${testsets[i]}-${testcases[i]}`;
    const trial = testcase === null ? 1 : (trials.get(testcase) ?? 0) + 1;
    if (testcase !== null) trials.set(testcase, trial);
    const label = testcase === null ? undefined : labels.get(testcase);
    return {
      n: numbers[i]!,
      testcase,
      revision: revisions[i] === 'NULL' ? null : Number(revisions[i]),
      trial,
      group: label === undefined ? null : withTexts ? label : hashOf(label),
      sameInputs: inputs[i] === 'NULL' ? null : inputs[i]!,
    };
  });
};

const scoreRows = ({ numbers, values, own }: ScoreColumns): FileScore[] => {
  const given = numbersOf(values);
  const owns = new Map(own ? numbersOf(own.numbers).map((n, i) => [n, numbersOf(own.values)[i]]) : []);
  return numbersOf(numbers)
    .map((n, i): FileScore => {
      const state = stateOf.get(given[i]!);
      return {
        n,
        ...(state ? { state } : { value: given[i]! }),
        ...(owns.has(n) && { own: nullIfNaN(owns.get(n)) }),
      };
    })
    .sort((a, b) => a.n - b.n);
};

const drawRows = ({ draw }: ScoreColumns): FileMetric['draw'] => {
  if (!draw) return null;
  const [strata, chances, drawn] = [draw.strata, draw.chances, draw.drawn].map(numbersOf) as [
    number[],
    number[],
    number[],
  ];
  return numbersOf(draw.numbers).map((n, i) => ({
    n,
    stratum: nullIfNaN(strata[i]),
    chance: chances[i]!,
    drawn: drawn[i] === 1,
  }));
};

/** Writes the columns of a run as rows, one for each record and score. */
export const rowsOfRun = (run: RunColumns, withTexts: boolean) => ({
  runId: run.runId,
  groupedBy: run.groups.map(({ testsetId, field }) => ({ testsetId, field })),
  nearDuplicates: run.nearDuplicates ?? null,
  records: recordRows(run, withTexts),
  metrics: run.scores.map((columns): FileMetric => {
    const { numbers: _, values: __, own: ___, draw: ____, ...config } = columns;
    return { ...config, scores: scoreRows(columns), draw: drawRows(columns) };
  }),
});

const splitTestcase = (testcase: string | null): [string | null, string | null] => {
  if (testcase === null) return [null, null];
  const at = testcase.indexOf('-');
  return [testcase.slice(0, at), testcase.slice(at + 1)];
};

const scoreColumns = ({ scores, draw, ...config }: FileMetric): ScoreColumns => {
  const owns = scores.filter(({ own }) => own !== undefined);
  const codes: Record<string, number> = missingCodes;
  return {
    ...(config as unknown as ScoreColumns),
    numbers: columnOf(scores.map(({ n }) => n)),
    values: columnOf(scores.map(({ value, state }) => (state ? codes[state]! : (value ?? null)))),
    own:
      owns.length === 0
        ? null
        : { numbers: columnOf(owns.map(({ n }) => n)), values: columnOf(owns.map(({ own }) => own ?? null)) },
    draw: draw && {
      numbers: columnOf(draw.map(({ n }) => n)),
      strata: columnOf(draw.map(({ stratum }) => stratum)),
      chances: columnOf(draw.map(({ chance }) => chance)),
      drawn: columnOf(draw.map(({ drawn }) => Number(drawn))),
    },
  };
};

/** Reads rows as the columns that the statistics take. */
export const columnsOfRows = ({
  runId,
  groupedBy,
  nearDuplicates,
  records,
  metrics,
}: FileRun): RunColumns => {
  const places = records.map(({ testcase }) => splitTestcase(testcase));
  return {
    runId,
    records: {
      numbers: columnOf(records.map(({ n }) => n)),
      testsets: columnOf(places.map(([testset]) => testset)),
      testcases: columnOf(places.map(([, n]) => n)),
      revisions: columnOf(records.map(({ revision }) => revision)),
      inputs: columnOf(records.map(({ sameInputs }) => sameInputs)),
    },
    groups: groupedBy.map(({ testsetId, field }) => {
      const labels = new Map(
        records.flatMap(({ group }, i): [number, string][] =>
          group !== null && places[i]![0] === testsetId ? [[Number(places[i]![1]), group]] : [],
        ),
      );
      return { testsetId, field, ...labelColumns([...labels]) };
    }),
    scores: metrics.map(scoreColumns),
    ...(nearDuplicates !== null && { nearDuplicates: nearDuplicates as NearDuplicates }),
  };
};
