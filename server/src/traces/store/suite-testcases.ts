import { insertTestcases, insertTestset, takeTestcaseNumbers } from '../../evaluation/testsets/queries.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { TraceRow } from './queries.ts';
import type { TraceUpdate } from './trace-update.ts';

/** Field of the testcases of a suite that has the name of the test. */
const field = 'test';

/** Makes requests with tests of a suite take turns: each test gets one testcase. */
const lockSuite = (tx: Sql, projectId: bigint, suite: string) => tx`
  select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(['suite testset', String(projectId), suite])}::text, 0))`;

const findSuiteTestset = (tx: Sql, scope: Scope, projectId: bigint, suite: string) => tx<{ id: bigint }[]>`
  select id from testset
  where organization_id = ${scope.organizationId} and project_id = ${projectId} and name = ${suite}
    and input_fields = array[${field}]
  order by id limit 1`;

/** Finds the testcases of tests by name. Reads the testset's testcases: a suite has few. */
const findTests = (tx: Sql, scope: Scope, testsetId: bigint, names: string[]) => tx<
  { n: number; name: string }[]
>`
  select n, json_data ->> ${field} as name from testcase
  where organization_id = ${scope.organizationId} and testset_id = ${testsetId} and json_data ->> ${field} = any(${names})
  order by n desc`;

const testsetOf = async (tx: Sql, scope: Scope, projectId: bigint, suite: string): Promise<bigint> => {
  const [found] = await findSuiteTestset(tx, scope, projectId, suite);
  if (found) return found.id;
  await insertTestset(tx, scope, projectId, {
    name: suite,
    description: 'Tests that traces name',
    jsonSchema: JSON.stringify({
      type: 'object',
      properties: { [field]: { type: 'string' } },
      required: [field],
    }),
    inputs: [field],
    expected: [],
    metadata: [],
  });
  return (await findSuiteTestset(tx, scope, projectId, suite))[0]!.id;
};

/** Returns the numbers of the testcases of tests by name, and makes those that are missing. */
const testcasesOf = async (
  tx: Sql,
  scope: Scope,
  testsetId: bigint,
  names: string[],
): Promise<Map<string, number>> => {
  const found = await findTests(tx, scope, testsetId, names);
  const numbers = new Map(found.map(({ name, n }) => [name, n]));
  const missing = names.filter((name) => !numbers.has(name));
  if (missing.length === 0) return numbers;
  const [taken] = await takeTestcaseNumbers(tx, scope, testsetId, missing.length);
  const first = taken!.last - missing.length + 1;
  const from = { firstN: first, edition: taken!.edition };
  const documents = missing.map((name) => JSON.stringify({ [field]: name }));
  await insertTestcases(
    tx,
    scope,
    testsetId,
    from,
    documents,
    documents.map(() => []),
  );
  for (const [i, name] of missing.entries()) numbers.set(name, first + i);
  return numbers;
};

/** Returns the testset of a suite and the numbers of the testcases of these tests by name. Makes what is missing. */
export const takeTests = async (
  tx: Sql,
  scope: Scope,
  { projectId, suite, names }: { projectId: bigint; suite: string; names: string[] },
): Promise<{ testsetId: bigint; numbers: Map<string, number> }> => {
  await lockSuite(tx, projectId, suite);
  const testsetId = await testsetOf(tx, scope, projectId, suite);
  return { testsetId, numbers: await testcasesOf(tx, scope, testsetId, [...new Set(names)]) };
};

/**
 * Gives traces of tests the testcases of these tests, in a testset with the name of the suite, so that executions of a suite can be compared
 * test by test. Traces that name a testcase keep it.
 */
export const nameTestcases = async (
  tx: Sql,
  scope: Scope,
  changes: { update: TraceUpdate; after: TraceRow }[],
): Promise<void> => {
  const named = changes.filter(({ update, after }) => update.suite?.test && after.testcaseId === null);
  const suites = Map.groupBy(named, ({ update, after }) =>
    JSON.stringify([String(after.projectId), update.suite!.name]),
  );
  // In one order everywhere, so that requests wait for each other in turn.
  for (const [, tests] of [...suites].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { projectId } = tests[0]!.after;
    const suite = tests[0]!.update.suite!.name;
    const names = tests.map(({ update }) => update.suite!.test);
    const { testsetId, numbers } = await takeTests(tx, scope, { projectId, suite, names });
    for (const { update, after } of tests)
      after.testcaseId = `${testsetId}-${numbers.get(update.suite!.test)!}`;
  }
};
