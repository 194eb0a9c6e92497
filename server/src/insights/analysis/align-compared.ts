import { alignRuns, firstOfInputs, type RunColumns, type RunScores, withOwnScores } from './run-scores.ts';
import { type RecordLabels, takeSlice } from './slices.ts';
import { type Traffic, weighRuns } from './weights.ts';

/** What a comparison of runs needs beside them. */
export type Further = {
  /** More runs of the first one's system, whose scores count as its trials. */
  pooled: RunColumns[];
  /** Other runs of the testset: the best run was chosen among them too. */
  tries: RunColumns[];
  /** The slice that is compared, with the labels of each run's records; null compares all records. */
  slice: { by: string; value: string; labels: RecordLabels[] } | null;
  /** What the testcases stand for; null if each counts the same. */
  traffic: Traffic | null;
};

/** Aligns runs so that testcases come in the order of the run at `first`: a test of a growing run takes them as the later run got them. */
const alignInOrder = (runs: RunColumns[], first: number): RunScores[] => {
  const aligned = alignRuns([runs[first]!, ...runs.toSpliced(first, 1)]);
  return aligned.slice(1).toSpliced(first, 0, aligned[0]!);
};

/** Aligns the compared runs, more runs of the baseline and other tries, and takes what is compared of them. */
export const alignCompared = (
  columns: RunColumns[],
  { pooled, tries, slice, traffic, test }: Further & { test: 'fixed' | 'sequential' | 'planned' },
) => {
  const grows = test !== 'fixed';
  const inOrder = alignInOrder([...columns, ...pooled, ...tries], grows ? columns.length - 1 : 0);
  const all = weighRuns(inOrder, traffic);
  const aligned = all.slice(0, columns.length);
  const further = all.slice(columns.length).map(withOwnScores);
  const [more, others] = [further.slice(0, pooled.length), further.slice(pooled.length)];
  const parts = aligned.map((run, i) =>
    slice ? takeSlice(run, slice.labels[i]!, slice.value) : { run, numRecords: run.numbers.length },
  );
  const runs = parts.map(({ run }) => withOwnScores(grows ? firstOfInputs(run) : run));
  return { aligned, more, others, parts, runs };
};
