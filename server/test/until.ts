import { vi } from 'vitest';

/**
 * What `look` finds, once it finds something. Asks politely: a loop without a pause takes the processor from what it waits for.
 * Rejects when `look` does, or after a minute.
 */
export const until = async <T>(look: () => Promise<T | undefined>): Promise<T> =>
  (await vi.waitUntil(look, { timeout: 60_000, interval: 20 })) as T;
