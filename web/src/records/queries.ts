import { queryOptions } from '@tanstack/react-query';
import { api, pagedQuery } from '../api.ts';
import type { Annotation, Attachment, RecordDetail, Review, ScoreDetail, Thread } from '../types.ts';

export const recordsQuery = (projectId: string, query: Record<string, string | string[]>) =>
  pagedQuery<RecordDetail>(`/projects/${projectId}/records`, query);

export const recordQuery = (recordId: string) =>
  queryOptions({
    queryKey: [`/records/${recordId}`],
    queryFn: ({ signal }) => api.get<RecordDetail>(`/records/${recordId}`, {}, signal),
  });

export const annotationsQuery = (recordId: string) =>
  queryOptions({
    queryKey: [`/records/${recordId}/annotations`],
    queryFn: async ({ signal }) =>
      (await api.get<{ data: Annotation[] }>(`/records/${recordId}/annotations`, {}, signal)).data,
  });

export const attachmentsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [`/sessions/${sessionId}/attachments`],
    queryFn: async ({ signal }) =>
      (
        await api.get<{ data: Attachment[] }>(
          `/sessions/${encodeURIComponent(sessionId)}/attachments`,
          { limit: 100 },
          signal,
        )
      ).data,
  });

export const tagsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [`/projects/${projectId}/tags`],
    queryFn: async ({ signal }) =>
      (
        await api.get<{ data: { text: string; numRecords: number }[] }>(
          `/projects/${projectId}/tags`,
          {},
          signal,
        )
      ).data,
    staleTime: 60_000,
  });

/** One score with what went into it, and what it replaced. */
export const scoreQuery = (recordId: string, metricConfigId: string) =>
  queryOptions({
    queryKey: [`/records/${recordId}/scores/${metricConfigId}`],
    queryFn: ({ signal }) =>
      api.get<ScoreDetail>(`/records/${recordId}/scores/${metricConfigId}`, {}, signal),
  });

/** What people said of a record, as far as the reader may see it. */
export const reviewsQuery = (recordId: string, metricConfigId: string) =>
  queryOptions({
    queryKey: [`/records/${recordId}/reviews/${metricConfigId}`],
    queryFn: ({ signal }) =>
      api.get<{ data: Review[]; reviewers: number; numReviews: number }>(
        `/records/${recordId}/reviews/${metricConfigId}`,
        {},
        signal,
      ),
  });

export const threadsQuery = (recordId: string) =>
  queryOptions({
    queryKey: [`/records/${recordId}/threads`],
    queryFn: async ({ signal }) =>
      (await api.get<{ data: Thread[] }>(`/records/${recordId}/threads`, {}, signal)).data,
  });
