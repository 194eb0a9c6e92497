import { type Client, mapConcurrently } from '../../../client/src/main.ts';
import { type JsonText, membersOf } from '../json-text.ts';
import { archiveVersion, type Manifest, manifestPath, parsed, paths } from './format.ts';
import { collect, itemTexts, lines } from './lines.ts';
import { peopleIn, type RowNoun, type RowPart, writeRows } from './rows.ts';
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
  rescorings: number;
  monitors: number;
  views: number;
  attachments: number;
};

const idOf = (text: JsonText): string => parsed<string>(membersOf(text), 'id');

/** A run's records, first made first; the sessions that they are of. */
const writeRecords = async (client: Client, zip: ZipWriter, projectId: string, runId: string) => {
  const records = await collect(itemTexts(client, `${api}/projects/${projectId}/records`, { runId }));
  await zip.add(paths.records(runId), lines(records.toReversed()));
  const sessions = records.flatMap((record) => parsed<string | null>(membersOf(record), 'sessionId') ?? []);
  return { count: records.length, sessions };
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

  const people = new Set<string>();
  const counts = new Map<RowPart, number>();
  /** Writes the rows of one thing, noting whom they name. */
  const rowsOf = async (noun: RowNoun, id: string) => {
    for (const [part, rows] of await writeRows(client, zip, noun, id)) {
      counts.set(part, (counts.get(part) ?? 0) + rows.length);
      for (const row of rows) for (const person of peopleIn(membersOf(row))) people.add(person);
    }
  };

  progress('testsets, metrics, systems');
  const testsets = (await ofProject('testsets')).reverse();
  await zip.add(paths.testsets, lines(testsets));
  for (const id of testsets.map(idOf)) await rowsOf('testsets', id);
  const metrics = await ofProject('export/metrics');
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
  const sessions = new Set<string>();
  let records = 0;
  for (const [i, id] of runs.map(idOf).entries()) {
    progress(`run ${i + 1} of ${runs.length}`);
    notes.push(await client.send({ method: 'GET', path: `${api}/runs/${id}/notes` }));
    const written = await writeRecords(client, zip, projectId, id);
    records += written.count;
    await writeSamples(client, zip, id);
    for (const person of await writeScores(client, zip, id)) people.add(person);
    await rowsOf('runs', id);
    for (const session of written.sessions) sessions.add(session);
  }
  await zip.add(paths.runNotes, lines(notes));
  progress('traces');
  const spans = await writeSpans(client, zip, projectId);
  progress('monitors, views, settings, attachments');
  const monitors = await ofProject('monitors');
  await zip.add(paths.monitors, lines(monitors));
  for (const id of metrics.map(idOf)) await rowsOf('metrics', id);
  for (const id of monitors.map(idOf)) await rowsOf('monitors', id);
  await rowsOf('projects', projectId);
  await writePeople(client, zip, people);
  const settings = [
    await settingsOf(client, 'projects', projectId),
    ...(await mapConcurrently(testsets, atOnce, (text) => settingsOf(client, 'testsets', idOf(text)))),
    ...(await mapConcurrently(runs, atOnce, (text) => settingsOf(client, 'runs', idOf(text)))),
  ];
  await zip.add(paths.settings, lines(settings.flat()));
  const attachments = await writeAttachments(client, zip, sessions);
  await zip.close();
  return {
    testsets: testsets.length,
    testcases: counts.get('testcases') ?? 0,
    metrics: metrics.length,
    systems: systems.length,
    runs: runs.length,
    records,
    spans,
    annotations: counts.get('annotations') ?? 0,
    replies: counts.get('replies') ?? 0,
    rescorings: counts.get('rescorings') ?? 0,
    monitors: monitors.length,
    views: counts.get('views') ?? 0,
    attachments,
  };
};
