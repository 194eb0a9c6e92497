import { queryOptions } from '@tanstack/react-query';
import { api, pagedQuery } from '../api.ts';
import type { ConversationEntry, Span, SpanDetail, TreeSpan } from '../types.ts';

type Spans = { data: TreeSpan[]; truncated: boolean };
export type Conversation = {
  data: ConversationEntry[];
  agents: {
    traceId: string;
    spanId: string;
    name: string;
    parentAgentSpanId: string | null;
    error: string | null;
  }[];
  truncated: boolean;
};

/** Whether a record has spans at all: of a big trace one row, not all. */
export const hasSpansQuery = (recordId: string) =>
  queryOptions({
    queryKey: [`/records/${recordId}/spans`, { limit: 1 }],
    queryFn: async ({ signal }) => {
      const { data } = await api.get<Spans>(`/records/${recordId}/spans`, { limit: 1 }, signal);
      return data.length > 0;
    },
  });

export const spansQuery = (recordId: string) =>
  queryOptions({
    queryKey: [`/records/${recordId}/spans`],
    queryFn: ({ signal }) => api.get<Spans>(`/records/${recordId}/spans`, {}, signal),
  });

export const conversationQuery = (recordId: string) =>
  queryOptions({
    queryKey: [`/records/${recordId}/conversation`],
    queryFn: ({ signal }) => api.get<Conversation>(`/records/${recordId}/conversation`, {}, signal),
  });

export const spanQuery = (projectId: string, traceId: string, spanId: string) =>
  queryOptions({
    queryKey: [`/projects/${projectId}/traces/${traceId}/spans/${spanId}`],
    queryFn: ({ signal }) =>
      api.get<SpanDetail>(`/projects/${projectId}/traces/${traceId}/spans/${spanId}`, {}, signal),
    // A span's own data never changes; only its record may.
    staleTime: 300_000,
  });

export const projectSpansQuery = (projectId: string, query: Record<string, string>) =>
  pagedQuery<Span>(`/projects/${projectId}/spans`, query);
