import { type Answer, apiQuery } from '../../api.ts';

export type Conversation = Answer<'getRecordConversation'>;

/** A span's own data never changes; only its record can. */
export const spanQuery = (projectId: string, traceId: string, spanId: string) => ({
  ...apiQuery('getSpan', projectId, traceId, spanId),
  staleTime: 300_000,
});

/** The search for the traces of a session in their order. */
export const sessionSearch = (sessionId: string): string =>
  `session:${JSON.stringify(sessionId)} sort:started`;

/** The first traces of a session. */
export const sessionQuery = (projectId: string, sessionId: string) =>
  apiQuery('listTraces', projectId, { q: sessionSearch(sessionId), limit: 100 });
