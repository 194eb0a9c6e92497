import type { Fragment, Sql } from '../../platform/db/database.ts';

/**
 * SHA-256 of all that decides how a configuration scores, as SQL: of each column of `metric_config` but its ids and its date. Columns
 * without a value are left out, so that a new column does not change the hash of an old configuration.
 */
export const configHash = (sql: Sql, config: Fragment = sql`config`): Fragment => sql`
  encode(sha256(convert_to((jsonb_strip_nulls(to_jsonb(${config})) - '{id,organization_id,metric_id,created_at}'::text[])::text, 'UTF8')), 'hex')`;
