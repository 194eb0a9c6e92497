import { type Client, mapConcurrently } from '../../../client/src/main.ts';
import { elementsOf, type JsonText, membersOf } from '../json-text.ts';
import { archiveVersion, type Manifest, manifestPath, parsed, paths } from './format.ts';
import { collect, itemTexts, lines } from './lines.ts';
import { writeSamples } from './samples.ts';
import { writePeople, writeScores } from './scores.ts';
import { settingsOf } from './settings.ts';
import { writeSpans } from './spans.ts';
import { type ZipWriter, zipWriter } from './zip-writer.ts';

const api = '/api/v2';

/** Requests under way at a time where each record needs one. */
const atOnce = 16;

/** How much went into an archive. */
export type Exported = {
  testsets: number;
  testcases: number;
  metrics: number;
  systems: number;
  runs: number;
  records: number;
  spans: number;
  annotations: number;
  replies: number;
  monitors: number;
  attachments: number;
};

const idOf = (text: JsonText): string => parsed<string>(membersOf(text), 'id');

/** A run's records, first made first; what hangs on them is collected on the way. */
const writeRecords = async (client: Client, zip: ZipWriter, projectId: string, runId: string) => {
  const records = await collect(itemTexts(client, `${api}/projects/${projectId}/records`, { runId }));
  await zip.add(paths.records(runId), lines(records.reverse()));
  const members = records.map(membersOf);
  const sessions = members.flatMap((record) => parsed<string | null>(record, 'sessionId') ?? []);
  const dataAt = async (path: string) =>
    elementsOf(membersOf(await client.send({ method: 'GET', path })).get('data')!);
  const marked = await mapConcurrently(members, atOnce, async (record) => {
    const path = `${api}/records/${parsed<string>(record, 'id')}`;
    const annotations = await dataAt(`${path}/annotations`);
    return { annotations, threads: annotations.length > 0 ? await dataAt(`${path}/threads`) : [] };
  });
  const annotations = marked.flatMap((record) => record.annotations);
  const threads = marked.flatMap((record) => record.threads);
  return { count: records.length, annotations, threads, sessions };
};

const writeAttachments = async (
  client: Client,
  zip: ZipWriter,
  sessions: Iterable<string>,
): Promise<number> => {
  const texts: JsonText[] = [];
  for (const session of sessions) {
    const path = `${api}/sessions/${encodeURIComponent(session)}/attachments`;
    texts.push(...(await collect(itemTexts(client, path))).reverse());
  }
  await zip.add(paths.attachments, lines(texts));
  for (const text of texts) {
    const { id, downloadUrl } = await client.getAttachment(idOf(text));
    if (downloadUrl === null) continue;
    const response = await fetch(downloadUrl);
    if (!response.ok || !response.body)
      throw new Error(`Attachment ${id} could not be read: ${response.status}.`);
    await zip.add(paths.attachmentBytes(id), response.body as AsyncIterable<Uint8Array>);
  }
  return texts.length;
};

/** Writes a whole project into one archive. */
export const writeArchive = async (
  client: Client,
  projectId: string,
  path: string,
  progress: (text: string) => void,
): Promise<Exported> => {
  const project = await client.send({ method: 'GET', path: `${api}/projects/${projectId}` });
  const ofProject = (noun: string) => collect(itemTexts(client, `${api}/projects/${projectId}/${noun}`));
  const zip = zipWriter(path);
  const manifest: Manifest = { format: 'dokima-project', version: archiveVersion };
  await zip.add(manifestPath, [JSON.stringify(manifest)]);
  await zip.add(paths.project, [project]);

  const testsets = (await ofProject('testsets')).reverse();
  await zip.add(paths.testsets, lines(testsets));
  let testcases = 0;
  for (const id of testsets.map(idOf)) {
    const texts = await collect(itemTexts(client, `${api}/testsets/${id}/testcases`));
    await zip.add(paths.testcases(id), lines(texts));
    testcases += texts.length;
  }
  const metrics = (await ofProject('metrics')).reverse();
  await zip.add(paths.metrics, lines(metrics));

  const systems = await ofProject('systems');
  await zip.add(paths.systems, lines(systems));
  const versionIds = systems.flatMap((system) =>
    parsed<{ id: string }[]>(membersOf(system), 'versions').map((version) => version.id),
  );
  const versions: JsonText[] = [];
  for (const id of versionIds)
    versions.push(await client.send({ method: 'GET', path: `${api}/systems/versions/${id}` }));
  await zip.add(paths.systemVersions, lines(versions));

  const runs = (await ofProject('runs')).reverse();
  await zip.add(paths.runs, lines(runs));
  const notes: JsonText[] = [];
  const annotations: JsonText[] = [];
  const threads: JsonText[] = [];
  const sessions = new Set<string>();
  const people = new Set<string>();
  let records = 0;
  for (const [i, id] of runs.map(idOf).entries()) {
    progress(`run ${i + 1} of ${runs.length}`);
    notes.push(await client.send({ method: 'GET', path: `${api}/runs/${id}/notes` }));
    const written = await writeRecords(client, zip, projectId, id);
    records += written.count;
    await writeSamples(client, zip, id);
    for (const person of await writeScores(client, zip, id)) people.add(person);
    annotations.push(...written.annotations);
    threads.push(...written.threads);
    for (const session of written.sessions) sessions.add(session);
  }
  await zip.add(paths.runNotes, lines(notes));
  await writePeople(client, zip, people);
  progress('traces');
  const spans = await writeSpans(client, zip, projectId);
  await zip.add(paths.annotations, lines(annotations));
  await zip.add(paths.threads, lines(threads));
  const monitors = await ofProject('monitors');
  await zip.add(paths.monitors, lines(monitors));
  const settings = [
    await settingsOf(client, 'projects', projectId),
    ...(await mapConcurrently(testsets, atOnce, (text) => settingsOf(client, 'testsets', idOf(text)))),
    ...(await mapConcurrently(metrics, atOnce, (text) => settingsOf(client, 'metrics', idOf(text)))),
    ...(await mapConcurrently(runs, atOnce, (text) => settingsOf(client, 'runs', idOf(text)))),
  ];
  await zip.add(paths.settings, lines(settings.flat()));
  const attachments = await writeAttachments(client, zip, sessions);
  await zip.close();
  return {
    testsets: testsets.length,
    testcases,
    metrics: metrics.length,
    systems: systems.length,
    runs: runs.length,
    records,
    spans,
    annotations: annotations.length,
    replies: threads.reduce((sum, thread) => sum + parsed<unknown[]>(membersOf(thread), 'replies').length, 0),
    monitors: monitors.length,
    attachments,
  };
};
