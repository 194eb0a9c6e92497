import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Page } from '../api.ts';
import type { Annotation, AnnotationCreate, RecordDetail } from '../types.ts';
import { sayError } from '../ui/toast.tsx';
import { annotationsQuery, recordQuery } from './queries.ts';

type Change = (record: RecordDetail) => RecordDetail;

const changePages = (data: InfiniteData<Page<RecordDetail>> | undefined, id: string, change: Change) =>
  data && {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      data: page.data.map((record) => (record.id === id ? change(record) : record)),
    })),
  };

const isRecordList = (key: readonly unknown[]) => /^\/projects\/\d+\/records$/.test(String(key[0]));

/** Changes a record wherever it is shown: on its page and in every list that holds it. */
const show = (queries: QueryClient, id: string, change: Change): void => {
  queries.setQueryData<RecordDetail>(recordQuery(id).queryKey, (record) => record && change(record));
  queries.setQueriesData<InfiniteData<Page<RecordDetail>>>(
    { predicate: ({ queryKey }) => isRecordList(queryKey) },
    (data) => changePages(data, id, change),
  );
};

/** Reads a record again after a write, so that what is shown is what is stored. */
const refresh = async (queries: QueryClient, id: string): Promise<void> => {
  const record = await api.get<RecordDetail>(`/records/${id}`);
  queries.setQueryData(recordQuery(id).queryKey, record);
  show(queries, id, () => record);
};

type Write = { id: string; change: Change; send: () => Promise<unknown> };

/**
 * Shows a change at once and sends it; when the service refuses, the record is shown as it is stored and the refusal in
 * the service's words.
 */
export const useRecordWrites = () => {
  const queries = useQueryClient();
  const { mutate, mutateAsync } = useMutation({
    mutationFn: ({ send }: Write) => send(),
    onMutate: ({ id, change }) => show(queries, id, change),
    onError: (error) => sayError(error),
    onSettled: (_data, _error, { id }) =>
      Promise.all([
        refresh(queries, id),
        queries.invalidateQueries({ queryKey: annotationsQuery(id).queryKey }),
      ]),
  });

  return {
    addTag: (id: string, text: string) =>
      mutateAsync({
        id,
        change: (record) => ({ ...record, tags: [...new Set([...record.tags, text])] }),
        send: () => api.post(`/records/${id}/tags`, { text }),
      }),
    removeTag: (id: string, text: string) =>
      mutate({
        id,
        change: (record) => ({ ...record, tags: record.tags.filter((tag) => tag !== text) }),
        send: () => api.delete(`/records/${id}/tags/${encodeURIComponent(text)}`),
      }),
    assign: (id: string, userId: string) =>
      mutateAsync({
        id,
        change: (record) => ({
          ...record,
          assigneeUserIds: [...new Set([...record.assigneeUserIds, userId])],
        }),
        send: () => api.post(`/records/${id}/assignees`, { assigneeUserId: userId }),
      }),
    unassign: (id: string, userId: string) =>
      mutate({
        id,
        change: (record) => ({
          ...record,
          assigneeUserIds: record.assigneeUserIds.filter((user) => user !== userId),
        }),
        send: () => api.delete(`/records/${id}/assignees/${userId}`),
      }),
    setScore: (id: string, metricConfigId: string, score: Record<string, unknown>) =>
      mutate({
        id,
        change: (record) => record,
        send: () => api.put(`/records/${id}/scores/${metricConfigId}`, { score }),
      }),
    annotate: (id: string, annotation: AnnotationCreate) =>
      mutateAsync({
        id,
        change: (record) => record,
        send: () => api.post(`/records/${id}/annotations`, annotation),
      }),
    updateAnnotation: (id: string, annotation: Annotation, changes: { rating?: boolean; comment?: string }) =>
      mutateAsync({
        id,
        change: (record) => record,
        send: () => api.patch(`/records/${id}/annotations/${annotation.id}`, changes),
      }),
    deleteAnnotation: (id: string, annotationId: string) =>
      mutate({
        id,
        change: (record) => record,
        send: () => api.delete(`/records/${id}/annotations/${annotationId}`),
      }),
  };
};

export type RecordWrites = ReturnType<typeof useRecordWrites>;
