import type { Passage } from '../types.ts';

/** What an annotation may be on beside the record as a whole. */
export type AnnotationTarget = { spanId?: string | null; passage?: Passage | undefined };

/** Tells targets apart: annotations with the same one are one thread. */
export const targetKey = ({ spanId, passage }: AnnotationTarget): string =>
  JSON.stringify([spanId ?? null, passage && [passage.path, passage.start, passage.text]]);

/** A member's name as a JSON Pointer has it. */
export const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
