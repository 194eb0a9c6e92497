import type { Asker } from '../src/platform/turns.ts';

/** Who asks in tests for which it makes no difference. */
export const asker: Asker = { owner: 1n };
