import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api.ts';
import type { Run, RunProgress } from '../types.ts';
import { executionsQuery, progressQuery, runQuery } from './queries.ts';

/** Statistics are made anew from all scores: not with every score that comes. */
const refreshMs = 2_000;

/** While nothing but people is waited for, no event comes. */
const moving = new Set<Run['status']>(['awaiting_execution', 'running_execution', 'running_scoring']);

/** A run's progress as its events say it, while machines work on it; the run itself is read anew as it moves. */
export const useRunProgress = (run: Run): RunProgress | undefined => {
  const queries = useQueryClient();
  const { data } = useQuery(progressQuery(run.id));
  const isWorking = moving.has(run.status);
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
