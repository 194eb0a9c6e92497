import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { streams } from '../../api.ts';
import type { Run, RunDetail } from '../../types.ts';
import { type RunProgress, runQuery } from './queries.ts';

/** The run's statistics are computed from all of its scores: they are read again at most this often. */
const refreshMs = 2_000;

/** The states in which machines work. While only people are awaited, no event comes. */
const moving = new Set<Run['status']>(['awaiting_execution', 'running_execution', 'running_scoring']);

/** Follows the events of a run while machines work on it, and reads the run again as it moves. */
export const useFollowedRun = ({ id, status }: Run): void => {
  const queries = useQueryClient();
  const isWorking = moving.has(status);
  useEffect(() => {
    if (!isWorking) return;
    const { queryKey } = runQuery(id);
    let refreshedAt = performance.now();
    const refresh = () => {
      refreshedAt = performance.now();
      void queries.invalidateQueries({ queryKey });
    };
    const events = new EventSource(streams.getRunDetails(id));
    events.addEventListener('progress', ({ data }: MessageEvent<string>) => {
      const progress = JSON.parse(data) as RunProgress;
      queries.setQueryData(queryKey, (run: RunDetail | undefined) => run && { ...run, progress });
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
      void queries.invalidateQueries({ queryKey });
    };
  }, [id, isWorking, queries]);
};
