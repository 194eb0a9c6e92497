import { valueOfScore } from '../../../../../client/src/score-value.ts';
import { parseAsWritten, WrittenNumber } from '../../../../../client/src/written-number.ts';

/** A record as a row of a table: values by column, as they were written. */
export type ExportRow = Record<string, unknown>;

/** Columns that each row has, so that a file without records has a header too. */
export const firstColumns = ['id', 'run', 'testcase', 'created'] as const;
/** Columns of the marks of a testcase, in files that have some. */
export const markColumns = { split: 'testcase.split', tags: 'testcase.tags' } as const;

type Score = { reasoning?: string | null };
type Detail = {
  id: string;
  runId: string;
  testcaseId: string | null;
  createdAt: string;
  tags: string[];
  measures: Record<'latencyMs' | 'inputTokens' | 'outputTokens' | 'costUsd', unknown> | null;
  scoreStates: { metricName: string; score: Score | null; reason: string | null }[];
} & Record<'inputs' | 'expected' | 'outputs', Record<string, unknown>>;

const parts = ['inputs', 'expected', 'outputs'] as const;
const measured = ['latencyMs', 'inputTokens', 'outputTokens', 'costUsd'] as const;

/** Reads a record as a row: fields by their part, scores and their reasons by their metric. `dokima import` reads the same columns. */
export const rowOf = (body: string): ExportRow => {
  const record = parseAsWritten(body) as Detail;
  const { id, runId: run, testcaseId: testcase, createdAt: created } = record;
  const row: ExportRow = { id, run, testcase, created };
  if (record.tags.length > 0) row.tags = record.tags;
  for (const part of parts)
    for (const [name, value] of Object.entries(record[part])) row[`${part}.${name}`] = value;
  for (const { metricName, score, reason } of record.scoreStates) {
    const name = `scores.${metricName}`;
    // A run may hold several configurations of a metric: one that has a value counts.
    if (row[name] !== undefined && row[name] !== null) continue;
    row[name] = valueOfScore(score) ?? null;
    row[`reasoning.${metricName}`] = score?.reasoning ?? reason;
  }
  for (const name of measured) {
    const value = record.measures?.[name] ?? null;
    if (value !== null) row[name] = value;
  }
  return row;
};

/** The text of a value in a column of texts. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value instanceof WrittenNumber ? value.source : JSON.stringify(value);
};
