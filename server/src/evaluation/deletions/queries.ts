import type { Fragment, Sql, Statement } from '../../platform/db/database.ts';
import type { Owner } from '../../platform/http/scope.ts';

/** What is deleted in slices when it is large. */
export type Root = 'project' | 'run' | 'testset';
/** A deletion that is under way: what it deletes is hidden already. */
export type Deletion = Owner & { root: Root; id: bigint };

export const listDeletions = (sql: Sql) => sql<Deletion[]>`
  select organization_id as "organizationId", root, id from deletion order by created_at, root, id`;

/** Ids of what is being deleted, as an array: one look-up for each statement. */
const underDeletion = (sql: Sql, { organizationId }: Owner, root: Root): Fragment => sql`
  array(select deletion.id from deletion where deletion.organization_id = ${organizationId} and deletion.root = ${root})`;

/**
 * A condition for table `project`, `run` or `testset`, or for another column with its id: it is not being deleted. The planner expects
 * `is not null` of nearly all rows; with `<> all` it read a whole project for one page.
 */
export const isKept = (sql: Sql, owner: Owner, root: Root, id = sql`${sql(root)}.id`): Fragment => sql`
  nullif(${id} = any (${underDeletion(sql, owner, root)}), true) is not null`;

/** Notes that something is deleted from now on. Returns no row if it does not exist. */
export const insertDeletion = (tx: Sql, { organizationId }: Owner, root: Root, id: bigint) => tx`
  insert into deletion (organization_id, root, id)
  select organization_id, ${root}, id from ${tx(root)} where organization_id = ${organizationId} and id = ${id}
  on conflict do nothing returning id`;

export const deleteDeletion = (tx: Sql, { organizationId, root, id }: Deletion) =>
  tx`delete from deletion where organization_id = ${organizationId} and root = ${root} and id = ${id}`;

/** Deletes it with everything that is left in it. */
export const deleteRoot = (tx: Sql, { organizationId }: Owner, root: Root, id: bigint) =>
  tx`delete from ${tx(root)} where organization_id = ${organizationId} and id = ${id} returning id`;

/** Deletes at most `most` of the rows that are in a root. */
type Slice = (tx: Sql, owner: Owner, id: bigint, most: number) => Statement<object>;

const records =
  (of: 'project_id' | 'run_id'): Slice =>
  (tx, { organizationId }, id, most) =>
    tx`
    delete from record where (run_id, n) in (
      select run_id, n from record
      where organization_id = ${organizationId} and ${tx(of)} = ${id} limit ${most})`;

const traces: Slice = (tx, { organizationId }, id, most) => tx`
  delete from trace where id in (
    select id from trace where organization_id = ${organizationId} and project_id = ${id} limit ${most})`;

const executions =
  (of: 'project_id' | 'id'): Slice =>
  (tx, { organizationId }, id, most) =>
    tx`
    delete from execution where (run_id, n) in (
      select execution.run_id, execution.n from run join execution on execution.run_id = run.id
      where run.organization_id = ${organizationId} and run.${tx(of)} = ${id} limit ${most})`;

const testcases =
  (of: 'project_id' | 'id'): Slice =>
  (tx, { organizationId }, id, most) =>
    tx`
    delete from testcase where (testset_id, n) in (
      select testcase.testset_id, testcase.n from testset join testcase on testcase.testset_id = testset.id
      where testset.organization_id = ${organizationId} and testset.${tx(of)} = ${id} limit ${most})`;

const pastTestcases =
  (of: 'project_id' | 'id'): Slice =>
  (tx, { organizationId }, id, most) =>
    tx`
    delete from testcase_past where (testset_id, n, edition) in (
      select past.testset_id, past.n, past.edition from testset join testcase_past past on past.testset_id = testset.id
      where testset.organization_id = ${organizationId} and testset.${tx(of)} = ${id} limit ${most})`;

/** What can be many in each root, in the order in which it is deleted: calls of systems end first, and everything locks traces before records. */
export const slicesOf: Record<Root, Slice[]> = {
  project: [
    executions('project_id'),
    traces,
    records('project_id'),
    testcases('project_id'),
    pastTestcases('project_id'),
  ],
  run: [executions('id'), records('run_id')],
  testset: [testcases('id'), pastTestcases('id')],
};

/** Whether a root has more than `most` rows of a kind that can be many. */
export const findIsLarge = (tx: Sql, { organizationId }: Owner, root: Root, id: bigint, most: number) => {
  const more = {
    project: tx`exists (select from trace where project_id = ${id} offset ${most})
      or exists (select from record where project_id = ${id} offset ${most})
      or exists (select from run join execution on execution.run_id = run.id where run.project_id = ${id} offset ${most})
      or exists (select from testset join testcase on testcase.testset_id = testset.id
        where testset.project_id = ${id} offset ${most})`,
    run: tx`exists (select from record where run_id = ${id} offset ${most})
      or exists (select from execution where run_id = ${id} offset ${most})`,
    testset: tx`exists (select from testcase where testset_id = ${id} offset ${most})
      or exists (select from testcase_past where testset_id = ${id} offset ${most})`,
  }[root];
  return tx<{ isLarge: boolean }[]>`
    select (${more}) as "isLarge" from ${tx(root)} where organization_id = ${organizationId} and id = ${id}`;
};
