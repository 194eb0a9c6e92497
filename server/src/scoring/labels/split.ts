import { draw, drawSql } from '../../evaluation/samples/draw.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';

export const sides = ['dev', 'test'] as const;
export type Side = (typeof sides)[number];
export type Split = 'all' | Side;

const share = 0.5;

/**
 * Whether a label is for tuning a judge or for testing it. The same inputs always fall on the same side, even if more is labelled later;
 * without inputs, the same testcase or record does.
 */
export const splitOf = (id: string): Side => (draw(null, `dokima:${id}`) < share ? 'test' : 'dev');

/** The same of the record `r`, as SQL. */
export const splitSql = (sql: Sql): Fragment => sql`
  case when ${drawSql(sql, null, sql`'dokima:' || coalesce('inputs ' || r.inputs_hash, r.testset_id || '-' || r.testcase_n, r.run_id || '-' || r.n)`)} < ${share}::float8
    then 'test' else 'dev' end`;
