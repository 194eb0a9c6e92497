import { apiQuery } from '../../api.ts';

/** What a tree of spans and a conversation are of: a record with all its traces, or one trace. */
export type SpanSource = {
  projectId: string;
  /** The record that annotations belong to; null while it does not exist. */
  recordId: string | null;
  /** One trace; undefined for all traces of the record. */
  traceId?: string;
};

export const treeQuery = ({ projectId, recordId, traceId }: SpanSource) =>
  traceId === undefined
    ? apiQuery('listRecordSpans', recordId ?? '')
    : apiQuery('listTraceSpans', projectId, traceId);

export const conversationQuery = ({ projectId, recordId, traceId }: SpanSource) =>
  traceId === undefined
    ? apiQuery('getRecordConversation', recordId ?? '')
    : apiQuery('getTraceConversation', projectId, traceId);
