import { createHash } from 'node:crypto';

/** A number from 0 to 1 that depends on the id of a trace or session alone, evenly distributed. */
export const placeOf = (id: string): number =>
  createHash('sha256').update(id).digest().readUIntBE(0, 6) / 2 ** 48;

/**
 * Whether a record is drawn at a rate. Depends on the id of its session or trace alone: repetitions and other monitors give the same
 * answer, and a record that is drawn at one rate is drawn at every higher rate.
 */
export const isDrawn = (id: string, rate: number): boolean => placeOf(id) < rate;
