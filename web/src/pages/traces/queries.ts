import type { Trace } from '../../types.ts';

/** The query of a search of traces, as the list and the page of a trace read it. */
export const tracesQuery = (q: string) => (q ? { q } : {});

export const traceIdOf = ({ traceId }: Trace): string => traceId;
