import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api.ts';
import type { Run, RunProgress } from '../types.ts';
import { executionsQuery, progressQuery, runQuery } from './queries.ts';

/** Statistics are made anew from all scores: not with every score that comes. */
const refreshMs = 2_000;

/** A run's progress as its events say it, while machines work on it; the run itself is read anew as it moves. */
export const useRunProgress = (run: Run): RunProgress | undefined => {
  const queries = useQueryClient();
  const { data } = useQuery(progressQuery(run.id));
  const isWorking = run.status === 'running_execution' || run.status === 'running_scoring';
  const { id } = run;
  useEffect(() => {
    if (!isWorking) return;
    let refreshedAt = performance.now();
    const refresh = () => {
      refreshedAt = performance.now();
      void queries.invalidateQueries({ queryKey: runQuery(id).queryKey });
      void queries.invalidateQueries({ queryKey: executionsQuery(id).queryKey });
    };
    const events = api.events(`/runs/${id}/events`);
    events.addEventListener('progress', (event: MessageEvent<string>) => {
      queries.setQueryData(progressQuery(id).queryKey, JSON.parse(event.data) as RunProgress);
      if (performance.now() - refreshedAt > refreshMs) refresh();
    });
    const end = () => {
      events.close();
      refresh();
    };
    events.addEventListener('done', end);
    events.addEventListener('deleted', end);
    return () => events.close();
  }, [id, isWorking, queries]);
  return data;
};
