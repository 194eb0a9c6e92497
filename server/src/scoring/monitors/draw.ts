import { createHash } from 'node:crypto';

/** Where a trace or session stands among all, from 0 to 1: evenly spread, and the same whenever and wherever it is asked. */
export const placeOf = (id: string): number =>
  createHash('sha256').update(id).digest().readUIntBE(0, 6) / 2 ** 48;

/**
 * Whether a record is drawn at a rate. It hangs on the id of its session, or of its trace, alone: parts, repetitions and other
 * monitors give the same answer, and what is drawn at one rate is drawn at every higher one.
 */
export const isDrawn = (id: string, rate: number): boolean => placeOf(id) < rate;
