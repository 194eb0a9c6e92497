import type {
  CreateRecordsBody,
  CreateTestcasesBody,
  Operations,
  Testcase,
  UpsertScoresBody,
} from './generated.ts';
import type { CallOptions } from './types.ts';

/** A body stays well below the service's 15 MB, so that escapes and the frame around the items have room. */
const maxBatchBytes = 8 * 1024 * 1024;
const maxRecords = 1_000;
const maxScores = 1_000;
const maxTestcases = 100;

/** The items in batches of at most `maxItems` and about `maxBytes` of JSON, in order. */
export const batches = <Item>(
  items: readonly Item[],
  maxItems: number,
  maxBytes = maxBatchBytes,
): Item[][] => {
  const result: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    // At most 3 bytes of UTF-8 for a UTF-16 unit; counting exactly would cost a copy.
    const size = JSON.stringify(item).length * 3;
    const last = result.at(-1);
    if (!last || last.length >= maxItems || bytes + size > maxBytes) {
      result.push([item]);
      bytes = size;
    } else {
      last.push(item);
      bytes += size;
    }
  }
  return result;
};

type Single = Omit<CallOptions, 'idempotencyKey'>;

/** The calls that take any number of items and split them into as many requests as are needed, one after the other. */
export const bulkCalls = (api: Operations) => ({
  /** Creates testcases and returns them in the order given. Each request is all or nothing; the whole is not. */
  createAllTestcases: async (
    testsetId: string,
    items: CreateTestcasesBody['items'],
    options?: Single,
  ): Promise<Testcase[]> => {
    const made: Testcase[] = [];
    for (const batch of batches(items, maxTestcases)) {
      made.push(...(await api.createTestcases(testsetId, { items: batch }, options)).items);
    }
    return made;
  },

  /** Creates records and returns their ids in the order given. Each request is all or nothing; the whole is not. */
  createAllRecords: async (
    runId: string,
    items: CreateRecordsBody['items'],
    options?: Single,
  ): Promise<string[]> => {
    const ids: string[] = [];
    for (const batch of batches(items, maxRecords)) {
      ids.push(...(await api.createRecords(runId, { items: batch }, options)).ids);
    }
    return ids;
  },

  /** Stores scores of a run's records and returns what does not fit its metric, in the order given. */
  upsertAllScores: async (runId: string, items: UpsertScoresBody['items'], options?: Single) => {
    const stored: Awaited<ReturnType<Operations['upsertScores']>>['items'] = [];
    for (const batch of batches(items, maxScores)) {
      stored.push(...(await api.upsertScores(runId, { items: batch }, options)).items);
    }
    return stored;
  },
});
