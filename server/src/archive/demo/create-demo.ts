import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { NewOrganization } from '../../accounts/organizations/organizations.ts';
import type { Masking } from '../../evaluation/masking/masking.ts';
import { createMetric } from '../../evaluation/metrics/configure-metric.ts';
import type { MetricCreate } from '../../evaluation/metrics/schema.ts';
import { insertProject } from '../../evaluation/projects/queries.ts';
import { createRecords } from '../../evaluation/records/create-records.ts';
import { updateRun } from '../../evaluation/runs/queries.ts';
import { upsertSystem, upsertSystemVersion } from '../../evaluation/systems/upsert-system.ts';
import { upsertTag } from '../../evaluation/tags/queries.ts';
import type { SchemaChecker } from '../../evaluation/testsets/json-schema.ts';
import { insertTestset } from '../../evaluation/testsets/queries.ts';
import { createTestcases } from '../../evaluation/testsets/write-testcases.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { Issue } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { startRun } from '../../scoring/runs/start-run.ts';
import { createProduction } from './create-production.ts';

type Fields = Record<string, unknown>;

/** Data of the demo: testcases, and the real answers of two versions of a system to each, in the same order. */
type Demo = {
  project: { name: string; description: string };
  testset: {
    name: string;
    description: string;
    jsonSchema: Fields;
    fieldMapping: { inputs: string[]; expected: string[]; metadata: string[] };
  };
  /** Code is a list of lines, so that it can be read in the file. */
  metrics: (Omit<MetricCreate, 'guidelines'> & { guidelines: string[] })[];
  system: { name: string; description: string };
  versions: { name: string; config: Fields; notes: string; outputs: Fields[] }[];
  testcases: Fields[];
  /** What makes a mail hard, with the numbers of the testcases: the records are tagged so, and each run has slices. */
  tags: Record<string, number[]>;
};

const readDemo = async (): Promise<Demo> =>
  JSON.parse(await readFile(new URL('./refund-mails.json', import.meta.url), 'utf8'));

const idOf = (body: string): string => JSON.parse(body).id;
const text = (value: unknown): string => JSON.stringify(value);
const pick = (fields: Fields, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, fields[name]]));

const createTestset = async (tx: Sql, scope: Scope, projectId: bigint, demo: Demo, errors: Issue[][]) => {
  const { name, description, jsonSchema, fieldMapping } = demo.testset;
  const [made] = await insertTestset(tx, scope, projectId, {
    name,
    description,
    jsonSchema: text(jsonSchema),
    ...fieldMapping,
  });
  const id = idOf(made!.body);
  await createTestcases(tx, scope, BigInt(id), demo.testcases.map(text), errors);
  return id;
};

/** A run of one version over all testcases. Its scores are pending: the workers make them like any others. */
const createRun = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { testset: { fieldMapping }, testcases, tags }: Demo,
  { outputs, notes }: Demo['versions'][number],
  body: { testsetId: string; systemVersionId: string; metricIds: string[] },
) => {
  const runId = BigInt(idOf(await startRun(tx, scope, projectId, body)));
  const records = testcases.map((testcase, i) => ({
    testcase: { testsetId: BigInt(body.testsetId), n: i + 1 },
    inputs: text(pick(testcase, fieldMapping.inputs)),
    expected: text(pick(testcase, fieldMapping.expected)),
    outputs: text(outputs[i]),
    otelLinkId: null,
    sessionId: null,
  }));
  await createRecords(tx, scope, runId, { operation: 'createRecords', records });
  for (const [tag, numbers] of Object.entries(tags))
    for (const n of numbers) await upsertTag(tx, scope, { runId, n }, tag);
  await updateRun(tx, scope, runId, { notes });
};

export type DemoDeps = {
  db: Database;
  schemas: Pick<SchemaChecker, 'schemaErrors'>;
  masking: Masking;
  /** Encrypts the URL of the alert. */
  providerKey: KeyObject;
  judgeModel: string | undefined;
  /** The traces are from the six days before. */
  now: Date;
};

/**
 * Creates the whole demo project in one transaction, with the functions that the API uses. It belongs to the organization of the first
 * start, so it is created once.
 */
export const createDemo = async (
  { db, schemas, masking, providerKey, judgeModel, now }: DemoDeps,
  made: NewOrganization,
): Promise<void> => {
  const { organizationId, memberId } = made;
  const scope: Scope = {
    organizationId,
    memberId,
    role: 'admin',
    access: 'full',
    keyId: null,
    signInId: null,
  };
  const demo = await readDemo();
  const errors = await schemas.schemaErrors(text(demo.testset.jsonSchema), demo.testcases.map(text), {
    owner: organizationId,
  });
  await db.transaction(scope, async (tx) => {
    const [project] = await insertProject(tx, scope, demo.project);
    const projectId = BigInt(idOf(project!.body));
    const testsetId = await createTestset(tx, scope, projectId, demo, errors);
    const metricIds: string[] = [];
    for (const { guidelines, ...metric } of demo.metrics) {
      const body = { ...metric, guidelines: guidelines.join('\n') };
      metricIds.push(idOf(await createMetric(tx, scope, projectId, body, judgeModel)));
    }
    for (const version of demo.versions) {
      const raw = text(version.config);
      const systemId = idOf(await upsertSystem(tx, scope, projectId, { ...demo.system, config: raw }));
      const named = { name: version.name, config: raw };
      const systemVersionId = idOf(await upsertSystemVersion(tx, scope, systemId, named));
      await createRun(tx, scope, projectId, demo, version, { testsetId, systemVersionId, metricIds });
    }
    await createProduction(tx, scope, projectId, { providerKey, masking, judgeModel, now });
  });
};
