import type { Sql } from '../../platform/db/database.ts';
import { requireOne } from '../../platform/http/http.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { members, type RawJson } from '../../platform/json/json.ts';

type Source = { inputs: RawJson; outputs: RawJson; inputFields: string[]; expectedFields: string[] };

const findSource = (sql: Sql, scope: Scope, { runId, n }: RecordKey, testsetId: bigint) => sql<Source[]>`
  select r.inputs::text as inputs, r.outputs::text as outputs, testset.input_fields as "inputFields",
    testset.expected_fields as "expectedFields"
  from record r join testset on testset.project_id = r.project_id
  where r.run_id = ${runId} and r.n = ${n} and testset.id = ${testsetId}
    and r.organization_id = ${scope.organizationId} and testset.organization_id = ${scope.organizationId}`;

/**
 * Returns a testcase's data from a record: the record's inputs under the testset's input fields, its outputs under the expected
 * fields, each as it was sent. The first field may also take the `input` or `output` of a record that was made for a trace.
 * Throws 404 for a testset of another project.
 */
export const testcaseOfRecord = async (
  sql: Sql,
  scope: Scope,
  key: RecordKey,
  testsetId: bigint,
): Promise<RawJson> => {
  const { inputs, outputs, inputFields, expectedFields } = requireOne(
    await findSource(sql, scope, key, testsetId),
    'testset',
    String(testsetId),
  );
  const document = new Map<string, RawJson>();
  const put = (fields: string[], from: Map<string, RawJson>, tracesKey: string) => {
    for (const [i, field] of fields.entries()) {
      const value = from.get(field) ?? (i === 0 ? from.get(tracesKey) : undefined);
      if (value !== undefined) document.set(field, value);
    }
  };
  put(inputFields, members(inputs), 'input');
  put(expectedFields, members(outputs), 'output');
  return `{${[...document].map(([field, value]) => `${JSON.stringify(field)}:${value}`).join(',')}}`;
};
