/** Reads the testcases of a testset with what stored runs answered to each. */
import { parseAsWritten, WrittenNumber } from '../../../../client/src/written-number.ts';
import type { Prompt } from './leaks.ts';
import { answerPart } from './read-answer.ts';

/** Columns are JSON arrays, so that the thread that serves requests need not read them. */
export type ExaminedRun = {
  runId: string;
  /** What answered: runs of one version err alike, so they have one vote. */
  voter: string;
  version: string | null;
  /** Number of each record, its testcase, whether it passed, and, if it failed, the start of its outputs. */
  records: string;
  testcases: string;
  passed: string;
  outputs: string;
};
export type ExamineJob = {
  /** What was not read, in sentences. */
  leftOut: string[];
  testset: {
    id: string;
    inputs: string[];
    expected: string[];
    groupingField: string | null;
  };
  /** JSON arrays of the testcases: number, data as text (null if it is long), revision, when made and changed, whether it fits the schema. */
  cases: {
    numbers: string;
    data: string;
    revisions: string;
    made: string;
    changed: string;
    invalid: string;
  };
  metric: { id: string; name: string } | null;
  runs: ExaminedRun[];
  models: string[];
  /** Verdicts of people beside the metric's own, as JSON arrays. */
  labels: { testcases: string; records: string; metric: string; people: string } | null;
  prompts: Prompt[];
  pair: { before: string; after: string } | null;
  level: number;
  limit: number;
};

export type Trial = { record: string; voter: string; run: number; passed: boolean; outputs: string | null };
export type Case = {
  n: number;
  id: string;
  isGenerated: boolean;
  inputs: string;
  key: unknown;
  keyText: string;
  trials: Trial[];
};

/** Parses a JSON array. */
export const list = <T>(json: string): T[] => JSON.parse(json) as T[];

const picked = (data: unknown, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = (data as Record<string, unknown> | null)?.[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );

export const textsIn = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value !== null && typeof value === 'object' && !(value instanceof WrittenNumber)
      ? Object.values(value).map(textsIn).join('\n')
      : String(value ?? '');

export const readCases = ({ testset, cases, runs }: ExamineJob): Case[] => {
  const data = list<string | null>(cases.data);
  const found = list<number>(cases.numbers).map((n, i): Case => {
    const document: unknown = data[i] == null ? {} : parseAsWritten(data[i]);
    const key = picked(document, testset.expected);
    return {
      n,
      id: `${testset.id}-${n}`,
      // Drafts of a model that a person accepted.
      isGenerated: (document as { origin?: unknown } | null)?.origin === 'generated',
      inputs: textsIn(picked(document, testset.inputs)),
      key,
      keyText: answerPart(key, testset.expected),
      trials: [],
    };
  });
  const byNumber = new Map(found.map((one) => [one.n, one]));
  for (const [run, { runId, voter, ...columns }] of runs.entries()) {
    const [records, passed] = [list<number>(columns.records), list<number>(columns.passed)];
    const outputs = list<string | null>(columns.outputs);
    for (const [i, n] of list<number>(columns.testcases).entries())
      byNumber.get(n)?.trials.push({
        record: `${runId}-${records[i]}`,
        voter,
        run,
        passed: passed[i] === 1,
        outputs: outputs[i] ?? null,
      });
  }
  return found;
};
