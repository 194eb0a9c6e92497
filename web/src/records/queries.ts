import { queryOptions } from '@tanstack/react-query';
import { api, type Page, pagedQuery } from '../api.ts';
import type { Annotation, Attachment, RecordDetail, Review, ScoreDetail, Thread } from '../types.ts';
import type { RecordsQuery } from './search.ts';

export const recordsQuery = (projectId: string, query: RecordsQuery) =>
  pagedQuery<RecordDetail>(`/projects/${projectId}/records`, query);

export type RecordPage = Page<RecordDetail>;
/** Records of the table that are read at once. */
export const pageSize = 100;
export const recordsPath = (projectId: string) => `/projects/${projectId}/records`;

/**
 * As many records as make a page of the table, where there are so many. Very large ones come fewer at a time; the table counts
 * on as many as it asked for.
 */
export const readRecordPage = async (
  projectId: string,
  query: RecordsQuery,
  signal?: AbortSignal,
): Promise<RecordPage> => {
  let page = await api.get<RecordPage>(recordsPath(projectId), { ...query, limit: pageSize }, signal);
  while (page.hasMore && page.data.length < pageSize) {
    const rest = { cursor: page.nextCursor, offset: undefined, limit: pageSize - page.data.length };
    const next = await api.get<RecordPage>(recordsPath(projectId), { ...query, ...rest }, signal);
    page = { ...next, data: [...page.data, ...next.data] };
  }
  return page;
};

/** The newest records that a search finds: what is shown first. */
export const firstPageQuery = (projectId: string, query: RecordsQuery) =>
  queryOptions({
    queryKey: [recordsPath(projectId), query, 'first'],
    queryFn: ({ signal }) => readRecordPage(projectId, query, signal),
  });

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
