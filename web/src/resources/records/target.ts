import type { Passage } from '../../types.ts';

/** The possible targets of an annotation, apart from the whole record. */
export type AnnotationTarget = { spanId?: string | null; passage?: Passage | undefined };

/** Returns a key for the target: annotations with the same key form one thread. */
export const targetKey = ({ spanId, passage }: AnnotationTarget): string =>
  JSON.stringify([spanId ?? null, passage && [passage.path, passage.start, passage.text]]);

/** A member's name as a JSON Pointer has it. */
export const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
