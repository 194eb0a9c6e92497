import { pathOf, type RecordPart, recordParts } from '../../../../client/src/read-fields.ts';
import type { RecordDetail } from '../../types.ts';

type Contents = Pick<RecordDetail, RecordPart>;

/** How many of the records have each field, by its path. */
export const fieldCounts = (records: readonly Contents[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const record of records) {
    for (const part of recordParts) {
      for (const field of Object.keys(record[part])) {
        const path = pathOf(part, field);
        counts.set(path, (counts.get(path) ?? 0) + 1);
      }
    }
  }
  return counts;
};
