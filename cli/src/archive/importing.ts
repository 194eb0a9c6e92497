import { createHash } from 'node:crypto';
import type { Client } from '../../../client/src/main.ts';
import { countOf } from '../figures.ts';
import { type JsonText, membersOf } from '../json-text.ts';
import { parsed } from './format.ts';
import { type Files, type Ids, linesOf, type Members } from './lines.ts';
import { type People, readPeople } from './scores.ts';

const kinds = [
  'testset',
  'testcase',
  'metric',
  'config',
  'system',
  'version',
  'run',
  'record',
  'annotation',
  'rescoring',
  'sample',
  'monitor',
] as const;
/** What an import gives new ids. */
export type Kind = (typeof kinds)[number];

/** An import of an archive into a project: how it makes things, the ids that it gave out, and what it has to say at its end. */
export type Importing = {
  client: Client;
  files: Files;
  projectId: string;
  /** Sends a request once, however often the archive is imported. */
  post: (path: string, rawBody: JsonText) => Promise<Members>;
  keyOf: (path: string, body: JsonText) => { idempotencyKey: string };
  /** Whether the archive is of version 1 or 2, which has no rows and one configuration of each metric. */
  isEarlier: boolean;
  /** Of such an archive, the configuration that each of its metrics has here. */
  onlyConfigs: Ids;
  /** Runs of the archive that are drift checks. */
  checkRuns: ReadonlySet<string>;
  ids: Record<Kind, Ids>;
  people: People;
  notes: string[];
  /** Spans of the archive that had to stay out. */
  lostSpans: Set<string>;
  /** Says at the end how many of something there were. */
  count: (noun: string, said: string) => void;
  countsText: () => string[];
};

/**
 * Idempotency keys that are the same each time an archive is imported: an import that broke off goes through what it had
 * written, and is given the answers of then. Equal requests count.
 */
const keysOf = (importKey: string) => {
  const times = new Map<string, number>();
  return (path: string, body: JsonText) => {
    const request = createHash('sha256').update(`${importKey}\n${path}\n${body}`).digest('hex');
    const count = (times.get(request) ?? 0) + 1;
    times.set(request, count);
    return { idempotencyKey: createHash('sha256').update(`${request}\n${count}`).digest('hex') };
  };
};

/** The runs that metrics were checked by for drift. */
const checkRunsOf = (files: Files): ReadonlySet<string> => {
  const checks = [...files.keys()].filter((path) => path.endsWith('/drift-checks.jsonl'));
  return new Set(
    checks.flatMap((path) => linesOf(files, path).map((check) => parsed<string>(check, 'runId'))),
  );
};

/** Begins an import, or goes on with one. */
export const beginImport = async (
  client: Client,
  files: Files,
  projectId: string,
  importKey: string,
  version: number,
): Promise<Importing> => {
  const keyOf = keysOf(importKey);
  const counts = new Map<string, { noun: string; said: string; n: number }>();
  return {
    client,
    files,
    projectId,
    keyOf,
    notes: [],
    lostSpans: new Set<string>(),
    isEarlier: version < 3,
    onlyConfigs: new Map<string, string>(),
    checkRuns: checkRunsOf(files),
    post: async (path, rawBody) =>
      membersOf(await client.send({ method: 'POST', path: `/api/v2${path}`, rawBody }, keyOf(path, rawBody))),
    ids: Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as Record<Kind, Ids>,
    people: await readPeople(client, files),
    count: (noun, said) => {
      const key = `${noun} ${said}`;
      counts.set(key, { noun, said, n: (counts.get(key)?.n ?? 0) + 1 });
    },
    countsText: () => [...counts.values()].map(({ noun, said, n }) => `${countOf(n, noun)} ${said}`),
  };
};

/** Sends items in one request. One that alone is larger than a request may be stays out and is named: then nothing comes back. */
export const postItems = (
  { post, notes }: Importing,
  path: string,
  items: { body: JsonText }[],
  name: string,
): Promise<Members | undefined> =>
  post(path, `{"items":[${items.map(({ body }) => body).join(',')}]}`).catch((error: { code?: string }) => {
    if (error.code !== 'PAYLOAD_TOO_LARGE' || items.length > 1) throw error;
    notes.push(`${name} is larger than a request may be; it stays out.`);
    return undefined;
  });
