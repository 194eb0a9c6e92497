import { searchText } from '../../evaluation/records/search-text.ts';
import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import { type RecordKey, testcaseKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { pick, type RawJson } from '../../platform/json/json.ts';

type Named = RecordKey & { testcaseId: string };

type Found = RecordKey & {
  testsetId: bigint;
  testcaseN: number;
  revision: number;
  jsonData: RawJson;
  expectedFields: string[];
  inputs: RawJson;
  outputs: RawJson;
};

/** Finds the testcases of records that have none yet, in their projects, and locks the records. Reads the keys of all three tables. */
const findTestcases = (tx: Sql, scope: Scope, records: Named[]) => {
  const given = records.map(({ runId, n, testcaseId }) => {
    const testcase = testcaseKey(testcaseId);
    return { runId, n, testsetId: testcase.testsetId, testcaseN: testcase.n };
  });
  return tx<Found[]>`
    select r.run_id as "runId", r.n, testcase.testset_id as "testsetId", testcase.n as "testcaseN", testcase.revision,
      testcase.json_data::text as "jsonData", testset.expected_fields as "expectedFields",
      r.inputs::text as inputs, r.outputs::text as outputs
    from ${rowsOf(tx, given, { run_id: 'bigint', n: 'integer', testset_id: 'bigint', testcase_n: 'integer' })}
    join record r on r.run_id = given.run_id and r.n = given.n and r.organization_id = ${scope.organizationId}
      and r.testset_id is null
    join testcase on testcase.testset_id = given.testset_id and testcase.n = given.testcase_n
      and testcase.organization_id = ${scope.organizationId}
    join testset on testset.id = testcase.testset_id and testset.project_id = r.project_id
      and testset.organization_id = ${scope.organizationId}
    order by r.run_id, r.n, testcase.testset_id, testcase.n
    for no key update of r`;
};

const updateRecords = (tx: Sql, scope: Scope, rows: (Found & { expected: RawJson })[]) => tx`
  with given as materialized (
    select * from ${rowsOf(
      tx,
      rows.map((row) => ({ ...row, content: searchText(row.inputs, row.expected, row.outputs) })),
      {
        run_id: 'bigint',
        n: 'integer',
        testset_id: 'bigint',
        testcase_n: 'integer',
        revision: 'integer',
        expected: 'json text',
        content: 'json text',
      },
    )}),
  texts as (
    update record_text set content = given.content, shape = null from given
    where record_text.run_id = given.run_id and record_text.n = given.n
      and record_text.organization_id = ${scope.organizationId}),
  noted as (
    insert into change (organization_id, project_id, run_id)
    select distinct ${scope.organizationId}::bigint, run.project_id, run.id
    from given join run on run.id = given.run_id and run.organization_id = ${scope.organizationId})
  update record set testset_id = given.testset_id, testcase_n = given.testcase_n, testcase_revision = given.revision,
    expected = given.expected::json
  from given
  where record.run_id = given.run_id and record.n = given.n and record.organization_id = ${scope.organizationId}`;

/**
 * Links records of traces with the testcases that their spans name: they get what the testcase expects. Leaves records that have
 * a testcase, and those whose testcase is not in their project.
 */
export const linkTestcases = async (tx: Sql, scope: Scope, records: Named[]): Promise<void> => {
  if (records.length === 0) return;
  const found = await findTestcases(tx, scope, records);
  // Several traces of a session may name testcases: the first by id counts.
  const first = new Map(found.toReversed().map((row) => [`${row.runId}-${row.n}`, row]));
  if (first.size === 0) return;
  await updateRecords(
    tx,
    scope,
    [...first.values()].map((row) => ({ ...row, expected: pick(row.jsonData, row.expectedFields) })),
  );
};
