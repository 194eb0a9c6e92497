import type { SealedAnswer } from '../../engine/statistics/ladder.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';

/** A metric of a seal: its copy in the vault, and the run that its figure rests on. */
export type SealMetric = {
  metricId: string;
  metricName: string;
  vaultMetricId: string;
  difference: number;
  bestRunId: string | null;
};

/** How testcases were chosen. The seed of traffic is secret: with it, anyone could find the drawn records. */
export type SealSource = {
  traffic?: { size: number; days: number; seed: number; numRecords: number };
  probability?: number;
  [field: string]: unknown;
};

export type SealKey = { organizationId: bigint; sealId: string };

export type LockedSeal = {
  id: string;
  projectId: bigint;
  testsetId: bigint;
  split: string;
  state: 'sealed' | 'opening' | 'opened';
  metrics: SealMetric[];
  alpha: number;
  margin: number;
  maxLooks: number;
  numLooks: number;
  vaultId: bigint;
  vaultProjectId: bigint;
  vaultTestsetId: bigint;
  vaultSystemId: string;
  vaultBaselineRunId: bigint | null;
  baselineVersionId: string;
  createdBy: string;
  source: SealSource;
};

const looksOf = (sql: Sql, { organizationId }: Owner) => sql`(
  select count(*)::int from sealed_look look where look.seal_id = seal.id and look.organization_id = ${organizationId})`;

const plural = (sql: Sql, n: Fragment, one: string) =>
  sql`${n} || ' ' || ${one}::text || case when ${n} = 1 then '' else 's' end`;

const sealJson = (sql: Sql, owner: Owner) => sql`
  json_build_object('id', seal.id, 'testsetId', seal.testset_id::text, 'state', seal.state, 'split', seal.split,
    'numTestcases', seal.num_testcases, 'probability', seal.source -> 'probability', 'numSeen', seal.num_seen, 'baselineVersionId', seal.baseline_version_id,
    'metrics', (
      select json_agg(json_build_object('metricId', one ->> 'metricId', 'metricName', one ->> 'metricName', 'difference', one -> 'difference'))
      from json_array_elements(seal.metrics) one),
    'alpha', seal.alpha, 'margin', seal.margin, 'maxLooks', seal.max_looks, 'numLooks', ${looksOf(sql, owner)},
    'openedProjectId', seal.opened_project_id::text, 'createdByUserId', seal.created_by, 'createdAt', iso_time(seal.created_at),
    'openedAt', iso_time(seal.opened_at), 'sentence', (
      case seal.state when 'sealed' then 'Sealed: ' else 'Opened: ' end
      || ${plural(sql, sql`seal.num_testcases`, 'testcase')} || ', '
      || case when seal.state = 'sealed'
        then (seal.max_looks - ${looksOf(sql, owner)})::text || ' of ' || ${plural(sql, sql`seal.max_looks`, 'look')} || ' left'
        else ${plural(sql, looksOf(sql, owner), 'look')} end
      || case when seal.num_seen = 0 then '.'
        else '. ' || seal.num_seen || ' of them were in runs before they were sealed.' end))`;

export const findSeal = (sql: Sql, scope: Scope, sealId: string) => sql<{ body: string }[]>`
  select ${sealJson(sql, scope)}::text as body from seal
  where seal.organization_id = ${scope.organizationId} and seal.id = ${sealId}`;

export const listSeals = (sql: Sql, scope: Scope, testsetId: bigint, before: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select ${sealJson(sql, scope)}::text as body, seal.id::text as key, row_number() over (order by seal.id desc) as place
    from seal
    where seal.organization_id = ${scope.organizationId} and seal.testset_id = ${testsetId} and seal.id < ${before}
    order by seal.id desc
    limit ${count}`,
  );

/** Locks a seal until the commit: its looks take turns. */
export const lockSeal = (tx: Sql, { organizationId }: Owner, sealId: string) => tx<LockedSeal[]>`
  select seal.id, seal.project_id as "projectId", seal.testset_id as "testsetId", seal.split, seal.state, seal.metrics,
    seal.alpha, seal.margin, seal.max_looks as "maxLooks", ${looksOf(tx, { organizationId })} as "numLooks",
    seal.vault_id as "vaultId", seal.vault_project_id as "vaultProjectId", seal.vault_testset_id as "vaultTestsetId",
    seal.vault_system_id as "vaultSystemId", seal.vault_baseline_run_id as "vaultBaselineRunId",
    seal.baseline_version_id as "baselineVersionId", seal.created_by as "createdBy",
    seal.source
  from seal where seal.organization_id = ${organizationId} and seal.id = ${sealId} for no key update`;

export type NewSeal = Omit<LockedSeal, 'state' | 'numLooks' | 'vaultBaselineRunId'> & {
  numTestcases: number;
  numSeen: number;
};

export const insertSeal = (tx: Sql, { organizationId }: Owner, seal: NewSeal) => tx`
  insert into seal (id, organization_id, project_id, testset_id, split, source, num_testcases, num_seen, baseline_version_id,
    metrics, alpha, max_looks, margin, vault_id, vault_project_id, vault_testset_id, vault_system_id, created_by)
  values (${seal.id}, ${organizationId}, ${seal.projectId}, ${seal.testsetId}, ${seal.split},
    ${JSON.stringify(seal.source)}::text::json, ${seal.numTestcases}, ${seal.numSeen}, ${seal.baselineVersionId},
    ${JSON.stringify(seal.metrics)}::text::json, ${seal.alpha}, ${seal.maxLooks}, ${seal.margin}, ${seal.vaultId},
    ${seal.vaultProjectId}, ${seal.vaultTestsetId}, ${seal.vaultSystemId}, ${seal.createdBy})`;

export const updateSeal = (
  tx: Sql,
  { organizationId }: Owner,
  sealId: string,
  {
    state,
    metrics,
    baselineRunId,
  }: { state?: LockedSeal['state']; metrics?: SealMetric[]; baselineRunId?: bigint },
) => tx`
  update seal set state = coalesce(${state ?? null}::text, state),
    metrics = coalesce(${metrics ? JSON.stringify(metrics) : null}::text::json, metrics),
    vault_baseline_run_id = coalesce(${baselineRunId ?? null}::bigint, vault_baseline_run_id)
  where organization_id = ${organizationId} and id = ${sealId}`;

export const closeSeal = (
  tx: Sql,
  { organizationId }: Owner,
  sealId: string,
  openedProjectId: bigint | null,
) => tx`
  update seal set state = 'opened', opened_at = now(), opened_project_id = ${openedProjectId}::bigint
  where organization_id = ${organizationId} and id = ${sealId}`;

/** The answer of a look by metric, as the API gives it. */
export type MetricAnswer = {
  metricId: string;
  metricName: string;
  answer: SealedAnswer;
  difference: number;
  improved: boolean;
};

const lookJson = (sql: Sql) => sql`
  json_build_object('sealId', look.seal_id, 'number', look.n, 'numLeft', seal.max_looks - look.n,
    'systemVersionId', look.system_version_id, 'level', look.level, 'answer', look.answer, 'reason', look.reason,
    'metrics', coalesce(look.metrics, '[]'), 'userId', look.member_id, 'createdAt', iso_time(look.created_at),
    'answeredAt', iso_time(look.answered_at), 'sentence',
      'Look ' || look.n || ' of ' || seal.max_looks || ', tested at ' || round((look.level * 100)::numeric, 3) || ' %: '
      || coalesce(look.answer, 'the version is called and scored') || coalesce('. ' || look.reason, '') || '.')`;

export const listSealedLooks = (sql: Sql, scope: Scope, sealId: string, before: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select ${lookJson(sql)}::text as body, look.n::text as key, -look.n as place
    from sealed_look look join seal on seal.id = look.seal_id and seal.organization_id = ${scope.organizationId}
    where look.organization_id = ${scope.organizationId} and look.seal_id = ${sealId} and look.n < ${before}
    order by look.n desc
    limit ${count}`,
  );

export const findSealedLook = (sql: Sql, scope: Owner, sealId: string, n: number) => sql<{ body: string }[]>`
  select ${lookJson(sql)}::text as body
  from sealed_look look join seal on seal.id = look.seal_id and seal.organization_id = ${scope.organizationId}
  where look.organization_id = ${scope.organizationId} and look.seal_id = ${sealId} and look.n = ${n}`;

/** The look at a version, if there was one. */
export const findLookAt = (tx: Sql, { organizationId }: Owner, sealId: string, versionId: string) => tx<
  { n: number }[]
>`
  select n from sealed_look
  where organization_id = ${organizationId} and seal_id = ${sealId} and system_version_id = ${versionId}`;

export const insertSealedLook = (
  tx: Sql,
  scope: Scope,
  look: { sealId: string; n: number; systemVersionId: string; level: number; vaultRunId: bigint },
) => tx`
  insert into sealed_look (organization_id, seal_id, n, system_version_id, level, vault_run_id, member_id)
  values (${scope.organizationId}, ${look.sealId}, ${look.n}, ${look.systemVersionId}, ${look.level}, ${look.vaultRunId},
    ${scope.memberId})`;

export type OpenLook = SealKey & {
  n: number;
  level: number;
  vaultId: bigint;
  vaultRunId: bigint;
  baselineRunId: bigint;
};

/** Looks without an answer, of all organizations, the oldest first. Looks at one split are answered in their order. */
export const listOpenLooks = (sql: Sql) => sql<OpenLook[]>`
  select distinct on (look.seal_id) look.organization_id as "organizationId", look.seal_id as "sealId", look.n, look.level,
    seal.vault_id as "vaultId", look.vault_run_id as "vaultRunId", seal.vault_baseline_run_id as "baselineRunId"
  from sealed_look look join seal on seal.id = look.seal_id
  where look.answer is null
  order by look.seal_id, look.n`;

/** Whether a run has nothing left to do, and lacks nothing: each testcase has a record, and each record its scores. */
export const findRunState = (sql: Sql, { organizationId }: Owner, runId: bigint) => sql<
  { isDone: boolean; isWhole: boolean }[]
>`
  select not exists (
      select from execution where run_id = run.id and organization_id = ${organizationId} and state = 'pending')
    and not exists (
      select from score where run_id = run.id and organization_id = ${organizationId} and state = 'pending') as "isDone",
    run.num_expected_records = (
      select count(*) from record where run_id = run.id and organization_id = ${organizationId})
    and run.num_expected_records * (
      select count(*) from run_metric where run_id = run.id and organization_id = ${organizationId}) = (
      select count(*) from score where run_id = run.id and organization_id = ${organizationId} and state = 'scored') as "isWhole"
  from run where run.id = ${runId} and run.organization_id = ${organizationId}`;

export const storeAnswer = (
  tx: Sql,
  { organizationId, sealId, n }: OpenLook,
  { answer, reason, metrics }: { answer: SealedAnswer; reason: string | null; metrics: MetricAnswer[] },
) => tx`
  update sealed_look set answer = ${answer}, reason = ${reason}, metrics = ${JSON.stringify(metrics)}::text::json,
    answered_at = now()
  where organization_id = ${organizationId} and seal_id = ${sealId} and n = ${n} and answer is null`;

/** Seals that open now, of all organizations. Each of their looks has its answer. */
export const listOpening = (sql: Sql) => sql<SealKey[]>`
  select organization_id as "organizationId", id as "sealId" from seal
  where state = 'opening' and not exists (select from sealed_look where seal_id = seal.id and answer is null)
  order by id`;
