import type { Asker } from '../src/platform/turns.ts';

/** The member who asks, for tests in which any member will do. */
export const asker: Asker = { owner: 1n };
