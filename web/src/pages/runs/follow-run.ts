import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery, keyOf, streams } from '../../api.ts';
import type { RunProgress } from '../../resources/runs/queries.ts';
import type { Run } from '../../types.ts';

/** The run's statistics are computed from all of its scores: they are read again at most this often. */
const refreshMs = 2_000;

/** The states in which machines work. While only people are awaited, no event comes. */
const moving = new Set<Run['status']>(['awaiting_execution', 'running_execution', 'running_scoring']);

/** The progress of a run. Follows its events while machines work on it, and reads the run again as it moves. */
export const useRunProgress = (run: Run): RunProgress | undefined => {
  const queries = useQueryClient();
  const { data } = useQuery(apiQuery('getRunProgress', run.id));
  const isWorking = moving.has(run.status);
  const { id } = run;
  useEffect(() => {
    if (!isWorking) return;
    let refreshedAt = performance.now();
    const refresh = () => {
      refreshedAt = performance.now();
      void queries.invalidateQueries({ queryKey: keyOf('getRun', id) });
      void queries.invalidateQueries({ queryKey: keyOf('getExecutionSummary', id) });
    };
    const events = new EventSource(streams.streamRunProgress(id));
    events.addEventListener('progress', (event: MessageEvent<string>) => {
      queries.setQueryData(apiQuery('getRunProgress', id).queryKey, JSON.parse(event.data) as RunProgress);
      if (performance.now() - refreshedAt > refreshMs) refresh();
    });
    const end = () => {
      events.close();
      refresh();
    };
    events.addEventListener('done', end);
    events.addEventListener('deleted', end);
    return () => {
      events.close();
      // The run may have been read as complete before the events said so: the last of them did not come then.
      void queries.invalidateQueries({ queryKey: keyOf('getRunProgress', id) });
    };
  }, [id, isWorking, queries]);
  return data;
};
