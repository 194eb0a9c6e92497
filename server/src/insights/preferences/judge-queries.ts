import type { Sql } from '../../platform/db/database.ts';
import { asJson, asText } from '../../platform/db/text.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { taking } from '../../platform/jobs/claim.ts';
import { isHeld, type JobTable } from '../../platform/jobs/job.ts';
import { reset, type Settlement, settled, withdrawn } from '../../platform/jobs/settle.ts';
import type { StoredVerdict } from '../../scoring/judges/judge-evidence.ts';

/** Names the model that compares, and its budget. */
export const setJudge = (
  tx: Sql,
  { organizationId }: Owner,
  id: string,
  { modelName, budgetUsd = null }: { modelName: string; budgetUsd?: number | null },
) => tx`
  update preference_study set judge_model = ${modelName}, budget_usd = ${budgetUsd}
  where organization_id = ${organizationId} and id = ${id}`;

/** Queues each pair without a verdict of the model. */
export const queuePairs = (tx: Sql, { organizationId }: Owner, id: string) => tx`
  update preference_pair pair set ${reset(tx, 'pair')}
  where study_id = ${id} and organization_id = ${organizationId} and state in ('unasked', 'unscored', 'failed')`;

/** Deletes the verdicts of any other model. */
export const deleteOtherVerdicts = (tx: Sql, { organizationId }: Owner, id: string, modelName: string) => tx`
  with other as (
    select id from preference_study
    where id = ${id} and organization_id = ${organizationId} and judge_model <> ${modelName}),
  deleted as (
    delete from preference_vote vote using other
    where vote.study_id = other.id and vote.member_id is null and vote.organization_id = ${organizationId})
  update preference_pair pair set state = 'unasked', partial_verdict = null, ${withdrawn(tx, 'pair')} from other
  where study_id = other.id and organization_id = ${organizationId}`;

/** The jobs to have a model compare. Those of a study that has spent its budget wait. Reads preference_pair_due. */
export const pairs: JobTable<'n'> = {
  table: 'preference_pair',
  parent: 'study_id',
  id: 'n',
  idType: 'integer',
  open: (sql) => sql`
    study_id in (select id from preference_study where stopped_at is null)`,
};

/** A study whose pairs a model compares. */
export type JudgedStudy = {
  id: string;
  organizationId: bigint;
  criterion: string;
  modelName: string;
  hasBudget: boolean;
  /** Whether the budget is used up. */
  stopped: boolean;
};

export const findJudgedStudy = (sql: Sql, id: string) => sql<JudgedStudy[]>`
  select id, organization_id as "organizationId", criterion, judge_model as "modelName", budget_usd is not null as "hasBudget",
    stopped_at is not null as stopped
  from preference_study where id = ${id}`;

export type DuePair = {
  n: number;
  fence: number;
  attempts: number;
  runA: number;
  runB: number;
  /** Null if a record was deleted. */
  inputs: string | null;
  expected: string | null;
  outputsA: string | null;
  outputsB: string | null;
  partialVerdict: string | null;
};

/** Takes pairs of a study that are due, with their records. */
export const claimPairs = (
  tx: Sql,
  { id, organizationId }: JudgedStudy,
  lease: { limit: number; leaseMs: number },
) => tx<DuePair[]>`
  with taken as (${taking(tx, pairs, id, lease)})
  select taken.n, taken.fence, taken.attempts, taken.run_a as "runA", taken.run_b as "runB",
    taken.partial_verdict::text as "partialVerdict",
    a.inputs::text as inputs, a.expected::text as expected, a.outputs::text as "outputsA", b.outputs::text as "outputsB"
  from taken
  left join preference_run run_a on run_a.study_id = taken.study_id and run_a.position = taken.run_a
    and run_a.organization_id = ${organizationId}
  left join preference_run run_b on run_b.study_id = taken.study_id and run_b.position = taken.run_b
    and run_b.organization_id = ${organizationId}
  left join record a on a.run_id = run_a.run_id and a.n = taken.n_a and a.organization_id = ${organizationId}
  left join record b on b.run_id = run_b.run_id and b.n = taken.n_b and b.organization_id = ${organizationId}
  order by taken.n`;

/** Outcome of an attempt, with a verdict on the first order if only the second one has failed. */
export type PairOutcome = Settlement<'scored' | 'unscored' | 'failed'> & {
  costUsd: number;
  partialVerdict: StoredVerdict | null;
};

/** Writes the outcome of an attempt, unless its lease was lost. Returns the pair if it was held. */
export const settlePair = (
  tx: Sql,
  { id, organizationId }: JudgedStudy,
  { n, fence }: DuePair,
  outcome: PairOutcome,
) => tx<{ n: number }[]>`
  update preference_pair set ${settled(tx, outcome)},
    partial_verdict = ${outcome.partialVerdict && asJson(outcome.partialVerdict)}::text::json
  where study_id = ${id} and organization_id = ${organizationId} and n = ${n} and ${isHeld(tx, { fence })}
  returning n`;

/** Adds the cost of an attempt to its pair and study, even after its lease was lost: it was paid for. */
export const addPairCost = async (
  tx: Sql,
  { id, organizationId }: JudgedStudy,
  { n }: DuePair,
  costUsd: number,
): Promise<void> => {
  if (costUsd === 0) return;
  await tx`
    update preference_study set spent_usd = spent_usd + ${costUsd}
    where id = ${id} and organization_id = ${organizationId}`;
  await tx`
    update preference_pair set cost_usd = cost_usd + ${costUsd}
    where study_id = ${id} and organization_id = ${organizationId} and n = ${n}`;
};

export const insertJudgeVote = (
  tx: Sql,
  { id, organizationId }: JudgedStudy,
  { n, runA }: DuePair,
  vote: { preferred: number | null; ratings: [number, number]; comment: string; evidence: string },
) => tx`
  insert into preference_vote (study_id, n, organization_id, left_run, preferred, rating_shown, rating_swapped, comment,
    evidence)
  values (${id}, ${n}, ${organizationId}, ${runA}, ${vote.preferred}, ${vote.ratings[0]}, ${vote.ratings[1]}, ${asText(vote.comment)},
    ${vote.evidence}::text::json)
  on conflict (study_id, n, member_id) do update set preferred = excluded.preferred, rating_shown = excluded.rating_shown,
    rating_swapped = excluded.rating_swapped,
    comment = excluded.comment, evidence = excluded.evidence, created_at = now()`;
