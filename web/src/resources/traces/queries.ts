import { type Answer, apiQuery } from '../../api.ts';

export type Conversation = Answer<'getRecordConversation'>;

/** A span's own data never changes; only its record can. */
export const spanQuery = (projectId: string, traceId: string, spanId: string) => ({
  ...apiQuery('getSpan', projectId, traceId, spanId),
  staleTime: 300_000,
});
