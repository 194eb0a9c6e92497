import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Operations, operations } from '../../client/src/generated.ts';
import { apiQuery, keyOf, streams } from './api.ts';
import { doubtConnection, onReturn } from './connection.ts';
import { untilStored } from './optimistic.ts';
import type { Me } from './types.ts';

/**
 * What changed in a project and its organization: the runs with their records (`recordIds` is null for the run itself or many of
 * its records), and other resources such as `metrics`. `'anything'` after a time without a stream.
 */
export type Changes =
  | { runs: { runId: string; recordIds: string[] | null }[]; resources: string[] }
  | 'anything';

const listeners = new Set<(changes: Changes) => void>();

/** Calls back with each change in the project that the shell follows. */
export const useChanges = (onChange: (changes: Changes) => void): void => {
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    const listen = (changes: Changes) => latest.current(changes);
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, []);
};

/** Resources that change together with runs. */
const ofRuns = new Set(['runs', 'trends', 'tags', 'reviews']);

/** Resources that follow from others. */
const sources: Record<string, readonly string[]> = {
  // A metric that people score, or a monitor, is a new use of the project. What a member may do there follows from their role too.
  access: ['access', 'members', 'projects', 'metrics', 'monitors', 'alerts'],
  creators: ['testsets', 'metrics', 'systems'],
};

/** Whether the change concerns a query, by the path of the query's operation. The table of records updates itself. */
const isTouched = ({ queryKey: [name, id] }: Query, projectId: string | undefined, changes: Changes) => {
  // A list of details, such as run-details, shows the same rows as the list.
  const [first, , second] =
    operations[name as keyof Operations]?.path.slice('/api/v2/'.length).replace('-details', 's').split('/') ??
    [];
  if (first === 'runs' || first === 'records') {
    if (changes === 'anything') return true;
    return changes.runs.some(({ runId, recordIds }) => {
      // A comparison names its runs in its query.
      if (typeof id !== 'string') return true;
      return first === 'runs' ? runId === id : (recordIds?.includes(id) ?? id.startsWith(`${runId}-`));
    });
  }
  if (second !== undefined && first === 'projects' && (id !== projectId || second === 'records'))
    return false;
  const resource = first === 'projects' ? (second ?? first) : first === 'me' ? 'members' : first;
  if (resource === undefined) return false;
  if (changes === 'anything') return true;
  if (ofRuns.has(resource)) return changes.runs.length > 0;
  return (sources[resource] ?? [resource]).some((each) => changes.resources.includes(each));
};

/** A long list of testcases is not read again, page by page, after each cell that is written. */
const mostPages = 5;
const isLong = ({ queryKey: [name], state: { data } }: Query): boolean =>
  name === 'listTestcases' && ((data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) > mostPages;

/** What is shown without another read was read at most this long ago: `staleTime` in routes.tsx, and the time of a request. */
const freshMs = 20_000;
/** The service keeps changes for five minutes. */
const keptMs = 4 * 60_000;

type Position = { position: string; at: number };

/** Positions in the streams of changes, oldest first: everything fresh was read after the first one. Undefined before any read. */
let heard: Position[] | undefined;

const hear = (position: string): void => {
  const now = Date.now();
  heard = [...(heard ?? []), { position, at: now }];
  while (heard[1] && heard[1].at < now - freshMs) heard.shift();
};

/** Where a new stream begins so that it misses nothing; undefined if the changes since then are not kept any more. */
const beginning = (): string | undefined => {
  const [first] = heard ?? [];
  return first && Date.now() - first.at < keptMs ? first.position : undefined;
};

/** The member is read before everything else. */
const hearFirst = (queries: QueryClient): void => {
  const me = queries.getQueryState<Me>(apiQuery('getMe').queryKey);
  heard ??= me?.data ? [{ position: me.data.position, at: me.dataUpdatedAt }] : [];
};

/** Follows the changes of a project, or of the organization alone, and reads again what is shown of them. */
export const useLive = (projectId: string | undefined): void => {
  const queries = useQueryClient();
  useEffect(() => {
    let source: EventSource | undefined;
    const onChanges = (changes: Changes): void => {
      for (const listen of listeners) listen(changes);
      void untilStored(queries).then(() =>
        queries.invalidateQueries({
          predicate: (query) =>
            isTouched(query, projectId, changes) && (changes === 'anything' || !isLong(query)),
        }),
      );
    };
    const connect = (): void => {
      source?.close();
      // A browser opens at most six connections to a service: a hidden tab gives its stream up.
      if (document.hidden) return;
      hearFirst(queries);
      const since = beginning();
      source = new EventSource(streams.streamChanges({ projectId, since }));
      // The browser connects again by itself, and the stream goes on where it ended.
      source.addEventListener('ready', () => {
        if (beginning() !== undefined) return;
        heard = [];
        onChanges('anything');
      });
      source.addEventListener('alive', ({ lastEventId }) => hear(lastEventId));
      source.addEventListener('changed', ({ data, lastEventId }) => {
        hear(lastEventId);
        onChanges(JSON.parse(data));
      });
      source.addEventListener('deleted', () => source?.close());
      source.addEventListener('error', () => {
        doubtConnection();
        // The service refused the stream: the session may have ended.
        if (source?.readyState === EventSource.CLOSED)
          void queries.invalidateQueries({ queryKey: keyOf('getMe') });
      });
    };
    connect();
    document.addEventListener('visibilitychange', connect);
    // A browser gives up a stream that a proxy refused.
    const stop = onReturn(() => {
      void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
      connect();
    });
    return () => {
      stop();
      document.removeEventListener('visibilitychange', connect);
      source?.close();
    };
  }, [projectId, queries]);
};
