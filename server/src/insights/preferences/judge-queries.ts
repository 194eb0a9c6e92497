import type { Sql } from '../../platform/db/database.ts';
import { asJson, asText } from '../../platform/db/text.ts';
import type { Owner } from '../../platform/http/scope.ts';
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

/** Makes each pair due of which the model gave no verdict. */
export const makeDue = (tx: Sql, { organizationId }: Owner, id: string) => tx`
  update preference_pair set state = 'pending', reason = null, attempts = 0, due_at = now()
  where study_id = ${id} and organization_id = ${organizationId}
    and (state in ('unasked', 'unscored', 'failed') or (state = 'pending' and due_at = 'infinity'))`;

/** Takes back what another model than the given one said. */
export const forgetOtherJudge = (tx: Sql, { organizationId }: Owner, id: string, modelName: string) => tx`
  with other as (
    select id from preference_study
    where id = ${id} and organization_id = ${organizationId} and judge_model <> ${modelName}),
  forgotten as (
    delete from preference_vote vote using other
    where vote.study_id = other.id and vote.member_id is null and vote.organization_id = ${organizationId})
  update preference_pair set state = 'unasked', heard = null, fence = fence + 1 from other
  where study_id = other.id and organization_id = ${organizationId}`;

export type DueStudy = { id: string; organizationId: bigint; criterion: string; modelName: string };

/** Finds the study whose pair has been due longest, of all organizations. Reads preference_pair_due. */
export const findDueStudy = (sql: Sql, busy: string[]) => sql<DueStudy[]>`
  select study.id, study.organization_id as "organizationId", study.criterion, study.judge_model as "modelName"
  from preference_pair pair
  join preference_study study on study.id = pair.study_id
  where pair.state = 'pending' and pair.due_at <= now() and study.id <> all(${busy}::uuid[])
  order by pair.due_at
  limit 1`;

export type DuePair = {
  n: number;
  fence: number;
  attempts: number;
  runA: number;
  runB: number;
  /** Null where a record was deleted. */
  inputs: string | null;
  expected: string | null;
  outputsA: string | null;
  outputsB: string | null;
  heard: string | null;
};

/** Takes pairs of a study that are due, until the lease ends. A pair whose record was deleted can't be asked about, and goes back. */
export const claimPairs = (
  tx: Sql,
  { id, organizationId }: DueStudy,
  { count, leaseMs }: { count: number; leaseMs: number },
) => tx<DuePair[]>`
  with due as (
    select n from preference_pair
    where study_id = ${id} and organization_id = ${organizationId} and state = 'pending' and due_at <= now()
    order by due_at, n
    limit ${count}
    for update skip locked),
  taken as (
    update preference_pair pair set fence = fence + 1, due_at = now() + ${leaseMs}::int * interval '1 millisecond'
    from due where pair.study_id = ${id} and pair.n = due.n and pair.organization_id = ${organizationId}
    returning pair.*)
  select taken.n, taken.fence, taken.attempts, taken.run_a as "runA", taken.run_b as "runB", taken.heard::text as heard,
    a.inputs::text as inputs, a.expected::text as expected, a.outputs::text as "outputsA", b.outputs::text as "outputsB"
  from taken
  left join preference_run run_a on run_a.study_id = taken.study_id and run_a.position = taken.run_a
    and run_a.organization_id = ${organizationId}
  left join preference_run run_b on run_b.study_id = taken.study_id and run_b.position = taken.run_b
    and run_b.organization_id = ${organizationId}
  left join record a on a.run_id = run_a.run_id and a.n = taken.n_a and a.organization_id = ${organizationId}
  left join record b on b.run_id = run_b.run_id and b.n = taken.n_b and b.organization_id = ${organizationId}
  order by taken.n`;

/** Moves the end of a lease. Returns the pairs that are still held. */
export const renewPairs = (
  tx: Sql,
  { id, organizationId }: DueStudy,
  pairs: DuePair[],
  leaseMs: number,
) => tx<{ n: number }[]>`
  update preference_pair pair set due_at = now() + ${leaseMs}::int * interval '1 millisecond'
  from unnest(${pairs.map(({ n }) => n)}::int[], ${pairs.map(({ fence }) => fence)}::int[]) as held (n, fence)
  where pair.study_id = ${id} and pair.organization_id = ${organizationId} and pair.n = held.n and pair.fence = held.fence
    and pair.state = 'pending'
  returning pair.n`;

/** The budget of a study, and what its model has cost. */
export const findSpent = (sql: Sql, { id, organizationId }: DueStudy) => sql<
  { budgetUsd: number | null; spentUsd: number }[]
>`
  select budget_usd as "budgetUsd", (
    select coalesce(sum(cost_usd), 0) from preference_pair where study_id = study.id and organization_id = ${organizationId}
  )::float8 as "spentUsd"
  from preference_study study where study.id = ${id} and study.organization_id = ${organizationId}`;

/** Locks the model and the budget of a study until the transaction ends. */
export const holdJudge = (tx: Sql, { id, organizationId }: DueStudy) => tx`
  select from preference_study where id = ${id} and organization_id = ${organizationId} for share`;

export type PairOutcome = {
  state: 'pending' | 'scored' | 'unscored' | 'failed';
  reason: string | null;
  attempts: number;
  costUsd: number;
  /** Null: not again, until someone asks for it; for a pair that waits, until the budget is raised. */
  retryInMs: number | null;
  heard: StoredVerdict | null;
};

/** Writes what came of a pair, unless its lease was lost. */
export const endPair = (
  tx: Sql,
  { id, organizationId }: DueStudy,
  { n, fence }: DuePair,
  { state, reason, attempts, costUsd, retryInMs, heard }: PairOutcome,
) => tx<{ n: number }[]>`
  update preference_pair set state = ${state}, reason = ${reason}, attempts = ${attempts}, cost_usd = cost_usd + ${costUsd},
    heard = ${heard === null ? null : asJson(heard)}::text::json, fence = fence + 1,
    due_at = case when ${state} <> 'pending' then null
      else coalesce(now() + ${retryInMs}::float8 * interval '1 millisecond', 'infinity') end
  where study_id = ${id} and organization_id = ${organizationId} and n = ${n} and fence = ${fence} and state = 'pending'
  returning n`;

/** Adds what a pair cost whose lease was lost: it was paid for. */
export const addPairCost = (tx: Sql, { id, organizationId }: DueStudy, { n }: DuePair, costUsd: number) => tx`
  update preference_pair set cost_usd = cost_usd + ${costUsd}
  where study_id = ${id} and organization_id = ${organizationId} and n = ${n}`;

export const insertJudgeVote = (
  tx: Sql,
  { id, organizationId }: DueStudy,
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
