import type { Passage } from '../../types.ts';

/** The possible targets of an annotation, apart from the whole record. */
export type AnnotationTarget = {
  spanId?: string | null;
  /** Trace of the span. */
  traceId?: string | undefined;
  passage?: Passage | undefined;
};

/** Returns a name of the span of a target; null for the record. Ids of spans are unique only within a trace. */
export const spanKey = ({ spanId, traceId }: AnnotationTarget): string | null =>
  spanId ? `${traceId ?? ''} ${spanId}` : null;

/** Returns the span that spanKey named. */
export const spanOfKey = (key: string | null): Pick<AnnotationTarget, 'spanId' | 'traceId'> => {
  if (key === null) return { spanId: null };
  const [traceId, spanId] = key.split(' ') as [string, string];
  return { spanId, ...(traceId && { traceId }) };
};

/** Returns a key for the target: annotations with the same key form one thread. */
export const targetKey = ({ passage, ...of }: AnnotationTarget): string =>
  JSON.stringify([spanKey(of), passage && [passage.path, passage.start, passage.text]]);

/** A member's name as a JSON Pointer has it. */
export const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
