import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { chainEvents } from '../src/accounts/audit/chain.ts';
import { removeDeletedBytes } from '../src/evaluation/attachments/remove-bytes.ts';
import { openStore } from '../src/evaluation/attachments/store.ts';
import { indexTexts } from '../src/evaluation/records/index-texts.ts';
import { system } from '../src/platform/db/database.ts';
import { purgeRecords } from '../src/traces/retention/purge-records.ts';
import { purgeTraces } from '../src/traces/retention/purge-traces.ts';
import { exportLines } from './archive-lines.ts';
import { createMetric, ok } from './fixtures.ts';
import type { Organization } from './harness.ts';
import { openApp } from './opened.ts';
import { newTraceId, post, requestOf } from './otlp.ts';
import { tenantTables } from './rows.ts';

/** A marker is written wherever a client can write a text, and is looked for everywhere after each way of deleting. */

const { app } = await openApp();
let url: string;
beforeAll(async () => {
  url = await app.url();
});

let count = 0;

/** One marker for each resource that can be deleted with what is in it. */
type Markers = Record<'project' | 'testset' | 'run' | 'record', string>;

/**
 * Creates a project whose resources hold their markers, each created with an Idempotency-Key. `byPeople`: also what retention keeps.
 */
const write = async (own: Organization, markers: Markers, byPeople: boolean) => {
  const marker = markers.record;
  const create = (path: string, body: object) =>
    own.api('POST', path, body, { headers: { 'idempotency-key': `${++count}-of-a-test` } });
  const made = (path: string, body: object, status: 200 | 201 = 201) => ok(create(path, body), status);
  const project = await made('/projects', { name: markers.project, description: markers.project });
  const metric = await createMetric(own.api, project.id, {
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: '',
  });
  const testset = await made(`/projects/${project.id}/testsets`, {
    name: markers.testset,
    description: markers.testset,
    jsonSchema: {},
    fieldMapping: { inputs: [], expected: [], metadata: [] },
  });
  await made(`/testsets/${testset.id}/testcases`, {
    items: [{ jsonData: { text: markers.testset } }],
  });
  const run = await made(`/projects/${project.id}/runs`, { metricIds: [metric.id], notes: markers.run });
  await ok(
    own.api('PATCH', `/runs/${run.id}/details`, {
      notes: `${markers.run} again`,
      name: markers.run,
      tags: [markers.run],
    }),
  );
  const content = {
    inputs: { [marker]: 1, text: marker },
    outputs: { text: marker },
    expected: { text: marker },
  };
  const sessionId = `session ${marker}`;
  const recordBody = {
    ...content,
    sessionId,
    otelLinkId: `link ${marker}`,
  };
  const keyOfRecord = `${count + 1}-of-a-test`;
  const record = await made(`/runs/${run.id}/records`, recordBody);
  if (byPeople) {
    const annotation = await made(`/records/${record.id}/annotations`, { rating: true, comment: marker });
    await made(`/records/${record.id}/annotations/${annotation.id}/replies`, { comment: marker });
    await made(`/records/${record.id}/tags`, { text: marker });
  }
  const score = { score: { binaryScore: true, reasoning: marker } };
  for (const reasoning of [marker, `${marker} again`])
    await ok(
      own.api('PUT', `/records/${record.id}/scores/${run.metricVersionIds[0]}`, {
        score: { ...score.score, reasoning },
      }),
    );
  const attributes = {
    'session.id': sessionId,
    'user.id': marker,
    'gen_ai.request.model': marker,
    [marker]: marker,
  };
  const resource = { 'dokima.project_id': project.id, 'service.name': marker, 'host.name': marker };
  const traceId = newTraceId();
  const sent = await post(app, own.key, requestOf([{ traceId, n: 1, name: marker, attributes }], resource));
  expect(sent.status).toBe(200);
  const file = await made('/attachments', {
    sessionId,
    filePath: marker,
    filename: marker,
    metadata: { text: marker },
    sha256: createHash('sha256').update(marker).digest('hex'),
    sizeBytes: marker.length,
    contentType: 'text/plain',
  });
  const link = `${url}${file.uploadUrl.slice(file.uploadUrl.indexOf('/api/v2'))}`;
  expect((await fetch(link, { method: 'PUT', body: marker })).status).toBe(200);
  const repeat = () =>
    own.api('POST', `/runs/${run.id}/records`, recordBody, {
      headers: { 'idempotency-key': keyOfRecord },
    });
  return { project, testset, run, record, repeat };
};
type Written = Awaited<ReturnType<typeof write>>;

/** Names of the tables and files that hold a text. */
const placesOf = async (own: Organization, marker: string): Promise<string[]> => {
  const tables = await app.db.read(system, tenantTables);
  const holding = await app.db.transaction(system, (tx) =>
    Promise.all(
      tables.map(async ({ name }) => {
        const [found] = await tx.unsafe<{ n: number }[]>(
          `select count(*)::int as n from "${name}" t where t::text ilike $1 or t::text ilike $2`,
          [`%${marker}%`, `%${Buffer.from(marker).toString('hex')}%`],
        );
        return found!.n > 0 ? [name] : [];
      }),
    ),
  );
  const directory = join(app.config.DOKIMA_DATA_DIR, 'attachments');
  const names = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    names
      .filter((entry) => entry.isFile())
      .map(async (entry) =>
        (await readFile(join(entry.parentPath, entry.name))).includes(marker) ? [`file ${entry.name}`] : [],
      ),
  );
  const { data } = await ok(own.api('GET', '/projects?limit=100'));
  const archives = await Promise.all(
    data.map(async ({ id }: { id: string }) =>
      (await exportLines(own.api, id)).includes(marker) ? ['archive'] : [],
    ),
  );
  return [...holding, ...files, ...archives].flat().sort();
};

/** Does what background jobs do: retention, and the bytes of deleted attachments. */
const finishJobs = async () => {
  await app.db.transaction(system, async (tx) => void (await purgeTraces(tx)));
  for (let done = 1; done > 0; ) done = await app.db.transaction(system, (tx) => purgeRecords(tx));
  await removeDeletedBytes(app.db, await openStore(app.config));
};

/** The ids of all records of a project: of its run and of its traces. */
const recordsOf = async (own: Organization, { project }: Written): Promise<string[]> =>
  (await ok(own.api('GET', `/projects/${project.id}/records`))).data.map(({ id }: { id: string }) => id);

type Deletion = {
  /** The resources whose markers must be gone. */
  ofMarkers: (keyof Markers)[];
  remove: (own: Organization, written: Written) => Promise<unknown>;
};
const deletions: Record<string, Deletion> = {
  'the project': {
    ofMarkers: ['project', 'testset', 'run', 'record'],
    remove: (own, { project }) => ok(own.api('DELETE', `/projects/${project.id}`)),
  },
  'the testset': {
    ofMarkers: ['testset'],
    remove: (own, { testset }) => ok(own.api('DELETE', `/testsets/${testset.id}`)),
  },
  'the runs': {
    ofMarkers: ['run', 'record'],
    remove: async (own, written) => {
      const runIds = new Set((await recordsOf(own, written)).map((id) => id.split('-')[0]));
      for (const id of runIds) await ok(own.api('DELETE', `/runs/${id}`));
    },
  },
  'the records': {
    ofMarkers: ['record'],
    remove: async (own, written) => {
      for (const id of await recordsOf(own, written)) await ok(own.api('DELETE', `/records/${id}`));
    },
  },
  'what is older than the retention': {
    ofMarkers: ['run', 'record'],
    remove: async (own, { project }) => {
      await app.db.transaction(system, async (tx) => {
        for (const table of ['record', 'run', 'trace'])
          await tx`
            update ${tx(table)} set created_at = now() - interval '40 days'
            where project_id = ${project.id}::text::bigint`;
      });
      await ok(own.api('PATCH', `/projects/${project.id}/settings`, { recordDays: 30, traceDays: 30 }));
    },
  },
};

describe('a marker is nowhere after the deletion of', () => {
  it.each(Object.keys(deletions))('%s', async (name) => {
    const { ofMarkers, remove } = deletions[name]!;
    const own = await app.organization();
    const markerOf = (resource: string) =>
      `zqx${createHash('sha256').update(`${name} ${resource}`).digest('hex').slice(0, 12)}`;
    const markers: Markers = {
      project: markerOf('project'),
      testset: markerOf('testset'),
      run: markerOf('run'),
      record: markerOf('record'),
    };
    const written = await write(own, markers, !name.includes('retention'));
    await app.db.transaction(system, (tx) => indexTexts(tx, 100));
    while ((await app.db.transaction(system, (tx) => chainEvents(tx))) > 0);
    for (const resource of ofMarkers)
      expect(await placesOf(own, markers[resource])).toEqual(expect.arrayContaining(['archive', resource]));
    await remove(own, written);
    await finishJobs();
    for (const resource of ofMarkers)
      expect([resource, await placesOf(own, markers[resource])]).toEqual([resource, []]);
    while ((await app.db.transaction(system, (tx) => chainEvents(tx))) > 0);
    expect(await ok(own.api('GET', '/audit-events/verify'))).toMatchObject({ intact: true });
    // Requests that are repeated learn that what they wrote is gone.
    if (ofMarkers.includes('record')) expect((await written.repeat()).status).toBe(404);
  });
});
