import { type TSchema, Type } from 'typebox';
import type { Fragment, Sql } from '../platform/db/database.ts';
import type { Scope } from '../platform/http/scope.ts';
import { type Column, col, maybe } from './columns.ts';

/** What a part of an archive belongs to. */
export type Noun = 'project' | 'testset' | 'run' | 'metric' | 'monitor';

/** A table whose rows an archive carries as they are. */
export type Part = {
  noun: Noun;
  /** Its words in operations, where those of its path would be another's. */
  operation?: string;
  /** Its word in paths: `/runs/{runId}/export/tags`. */
  path: string;
  /** What one row is called in the API: `ExportedTag`. */
  row: string;
  tag: string;
  about: string;
  table: string;
  /** Columns, and what they are, in whose order it is read page by page. An index begins with the noun and these. */
  order: [string, 'integer' | 'bigint' | 'float' | 'text' | 'uuid'][];
  columns: Record<string, Column>;
  /** Which of the rows the caller may see, of the table `t`; default all. */
  visible?: (sql: Sql, scope: Scope) => Fragment;
  /** Columns that follow from a row, which is `item`. */
  derived?: Record<string, (sql: Sql) => Fragment>;
  /**
   * The column by which a row is known that the importer has made already, and that is given here what it had; a row of any
   * other part is made.
   */
  made?: string;
  /** The column by which a row that is there is replaced; rows of any other part stay. */
  replaces?: string;
  /** The column that holds the number which a score comes to by the configuration of its row. */
  value?: string;
};

export const oneOf = (values: readonly string[], description: string): TSchema =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { description },
  );
export const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description });

export const atLeast0 = Type.Number({ minimum: 0, description: 'In US dollars.' });
export const issues = Type.Array(
  Type.Object({
    path: Type.String({ description: 'Where: a JSON Pointer.' }),
    message: Type.String({ description: 'What must stand there instead.' }),
  }),
  { description: 'What does not fit, and where.' },
);

export const recordId = col('record', 'n', 'Id of the record.');
export const metricConfigId = col('config', 'metric_config_id', 'Configuration of a metric.');
export const createdAt = col('time', 'created_at', 'When it was made.');
export const updatedAt = col('time', 'updated_at', 'When it last changed.');
export const cost = {
  costUsd: maybe('float', 'cost_usd', 'What it cost, as far as it is known.'),
  inputTokens: maybe('integer', 'input_tokens', 'Tokens of what was asked.'),
  outputTokens: maybe('integer', 'output_tokens', 'Tokens of what was answered.'),
};
export const attempts = col('integer', 'attempts', 'Tries so far.', { schema: count('Tries so far.') });
export const scoreStates = ['pending', 'scored', 'unscored', 'failed'];
