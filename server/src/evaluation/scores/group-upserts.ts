import { type Database, isDeadlock, type Sql } from '../../platform/db/database.ts';
import { retry } from '../../platform/db/retry.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { type ApiError, notFound } from '../../platform/errors.ts';
import { groupWrites } from '../../platform/group-writes.ts';
import { newUuid, recordIdOf } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import type { ScoreKey } from '../resources.ts';
import type { Stated } from './made-by.ts';
import { openOutputTypes } from './output-types.ts';
import { replaceScore, type StoredScore, storedColumns, storedRow } from './queries.ts';
import { fitOf } from './validate-score.ts';

type Upsert = { scope: Scope; runId: bigint; score: StoredScore };

/**
 * Stores scores of one run that several members sent, each with its entry in the audit log, and returns which records there are.
 * No two are of the same record and configuration. Locks the records against deletion.
 */
const upsertTogether = (tx: Sql, runId: bigint, upserts: Upsert[]) => {
  const { organizationId } = upserts[0]!.scope;
  const rows = upserts.map(({ scope, score }) => ({
    ...scope,
    ...storedRow(scope, score),
    eventId: newUuid(),
  }));
  return tx<{ n: number }[]>`
    with given as materialized (
      select * from ${rowsOf(tx, rows, {
        ...storedColumns,
        member_id: 'uuid',
        key_id: 'uuid',
        sign_in_id: 'uuid',
        address: 'text',
        event_id: 'uuid',
      })}),
    found as materialized (
      select n, project_id from record
      where run_id = ${runId} and n in (select n from given) and organization_id = ${organizationId}
      for key share),
    audited as (
      insert into audit_event (id, organization_id, at, operation, resource, resource_id, project_id, member_id, key_id,
        sign_in_id, address)
      select dated_now(event_id), ${organizationId}, now(), 'upsertScore', 'Scores', config_id::text,
        project_id, member_id, key_id, sign_in_id, address
      from given join found using (n)),
    stored as (
      insert into score (organization_id, run_id, n, metric_config_id, state, score, value, validation_errors, scored_by,
        in_session, made_by)
      select ${organizationId}, ${runId}, n, config_id, 'scored', given.score::json, value, validation_errors::json, member_id,
        sign_in_id is not null, made_by
      from given join found using (n)
      order by n, config_id
      ${replaceScore(tx)})
    select n from found`;
};

const bodyOf = ({ scope, runId, score }: Upsert): string => {
  const { madeBy } = storedRow(scope, score);
  const maker = madeBy == null ? '' : `,"madeBy":"${madeBy}"`;
  const errors = score.validationErrors === null ? '' : `,"validationErrors":${score.validationErrors}`;
  return `{"recordId":"${runId}-${score.n}","metricConfigId":"${score.configId}","score":${score.score}${errors},"userId":"${scope.memberId}"${maker}}`;
};

/** Larger scores are written one by one, because their record may get too many. */
export const longestScore = 100_000;

/**
 * Single scores of one run that arrive together are written together, in one batch. Resolves to undefined if a score needs more than one
 * batch: it is large, or its configuration is not known to belong to the run's project.
 */
export const groupUpserts = (db: Database) => {
  const outputTypes = openOutputTypes(db);
  const write = async (upserts: Upsert[]): Promise<(string | ApiError)[]> => {
    const { scope, runId } = upserts[0]!;
    const upsert = () => db.batch(scope, (tx) => upsertTogether(tx, runId, upserts).execute());
    const found = new Set((await retry(isDeadlock, upsert)).map(({ n }) => n));
    return upserts.map((each) =>
      found.has(each.score.n) ? bodyOf(each) : notFound('record', recordIdOf({ runId, n: each.score.n })),
    );
  };
  const grouped = groupWrites({ write, keyOf: ({ score }) => `${score.n} ${score.configId}` });
  return async (
    scope: Scope,
    key: ScoreKey,
    given: { score: Record<string, unknown>; raw: RawJson; madeBy?: Stated | undefined },
  ): Promise<string | undefined> => {
    if (given.raw.length > longestScore) return undefined;
    const { runId, n, configId } = key;
    const types = await outputTypes(scope, runId, [configId]);
    if (!types) return undefined;
    const { madeBy } = given;
    const score = { n, configId, score: given.raw, madeBy, ...fitOf(types.get(configId)!, given.score) };
    return grouped(`${scope.organizationId} ${runId}`, { scope, runId, score });
  };
};
