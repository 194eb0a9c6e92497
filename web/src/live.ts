import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from './api.ts';
import { untilStored } from './shown-at-once.ts';

/**
 * What changed in a project: its runs, each with the records that did (`recordIds` is null where it is the run itself or many of
 * them), and the nouns beside them, such as `metrics`, or `members` of the organization. `'anything'`: the stream was away, so
 * whatever is shown may be out of date.
 */
export type Changes = { runs: { runId: string; recordIds: string[] | null }[]; nouns: string[] } | 'anything';

type Listener = (changes: Changes) => void;
type Stream = { listeners: Set<Listener>; source: EventSource | undefined };

/** What is followed: a project and its organization, or beside all projects the organization alone. */
type Followed = string | undefined;

const streams = new Map<Followed, Stream>();

/**
 * What a page shows was read before its stream is there, up to a query's `staleTime` (routes.tsx) before: what was committed in
 * so many seconds before is told too.
 */
const pastSeconds = 20;

/** What was followed and no longer is: what is kept of it, some of it for good, may have grown old unheard. */
const left = new Set<Followed>();

const connect = (projectId: Followed, stream: Stream): void => {
  const path = projectId === undefined ? '/events' : `/projects/${projectId}/events`;
  const source = api.events(path, { pastSeconds });
  const tell = (changes: Changes) => {
    for (const listener of stream.listeners) listener(changes);
  };
  let wasReady = left.delete(projectId);
  source.addEventListener('ready', () => {
    if (wasReady) tell('anything');
    wasReady = true;
  });
  source.addEventListener('changed', ({ data }) => tell(JSON.parse(data)));
  source.addEventListener('deleted', () => source.close());
  stream.source = source;
};

// A browser opens six connections to a service and no more: a tab that nobody looks at gives its stream up.
const onVisibility = (): void => {
  for (const [projectId, stream] of streams) {
    stream.source?.close();
    if (document.hidden) continue;
    connect(projectId, stream);
    for (const listener of stream.listeners) listener('anything');
  }
};
document.addEventListener('visibilitychange', onVisibility);

const listen = (projectId: Followed, listener: Listener): (() => void) => {
  const stream = streams.get(projectId) ?? { listeners: new Set(), source: undefined };
  if (!streams.has(projectId)) {
    streams.set(projectId, stream);
    if (!document.hidden) connect(projectId, stream);
  }
  stream.listeners.add(listener);
  return () => {
    stream.listeners.delete(listener);
    if (stream.listeners.size > 0) return;
    stream.source?.close();
    streams.delete(projectId);
    left.add(projectId);
  };
};

/** Hears what changes in a project, or in the organization, while the component is shown; all who ask share one stream. */
export const useChanges = (projectId: Followed, onChange: Listener): void => {
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => listen(projectId, (changes) => latest.current(changes)), [projectId]);
};

/** Of a project, what its runs and records show in. The table of records has a better way than to read all of it again. */
const summaries = /^\/projects\/(\d+)\/(runs|trends|tags|reviews)\b/;

/** What is told noun by noun. */
const nouns = /^(?:\/projects\/(\d+))?\/(metrics|testsets|views|monitors)\b/;

/** Of the organization. Who somebody is, and may do, is a member too. */
const organizationNouns: Record<string, string> = {
  '/members': 'members',
  '/me': 'members',
  '/providers': 'providers',
  '/projects': 'projects',
};

/** Whether what is kept under this path speaks of something that changed. */
const isTouched = (path: string, projectId: Followed, changes: Changes): boolean => {
  const ofOrganization = organizationNouns[path];
  if (ofOrganization) return changes === 'anything' || changes.nouns.includes(ofOrganization);
  if (projectId === undefined) return false;
  const [, of = projectId, told] = nouns.exec(path) ?? [];
  if (told) return of === projectId && (changes === 'anything' || changes.nouns.includes(told));
  if (changes !== 'anything' && changes.runs.length === 0) return false;
  if (summaries.exec(path)?.[1] === projectId) return true;
  const [, noun, id = ''] = path.split('/');
  if (noun !== 'runs' && noun !== 'records') return false;
  if (changes === 'anything' || id === 'compare') return true;
  return changes.runs.some(({ runId, recordIds }) =>
    noun === 'runs' ? runId === id : (recordIds?.includes(id) ?? id.startsWith(`${runId}-`)),
  );
};

/** Testcases that somebody has gone far down are not read anew, page by page, for each cell that is written. */
const mostPages = 5;
const isFarDown = (path: string, data: unknown): boolean =>
  path.endsWith('/testcases') &&
  ((data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) > mostPages;

const invalidate = (queries: QueryClient, projectId: Followed, changes: Changes): void =>
  void queries.invalidateQueries({
    predicate: ({ queryKey: [path], state: { data } }) =>
      isTouched(String(path), projectId, changes) &&
      (changes === 'anything' || !isFarDown(String(path), data)),
  });

/**
 * Keeps what is shown of a project and its organization up to date: reads again what a change is about, if it is shown. The
 * service tells changes once a second, so there is no more to hold back.
 */
export const useLive = (projectId: Followed): void => {
  const queries = useQueryClient();
  useChanges(
    projectId,
    (changes) => void untilStored(queries).then(() => invalidate(queries, projectId, changes)),
  );
};
