import { isDeepStrictEqual } from 'node:util';
import { countOf } from '../figures.ts';
import type { Import, Row } from './rows.ts';

const isSameCase = (a: Row, b: Row): boolean =>
  isDeepStrictEqual([a.inputs, a.expected], [b.inputs, b.expected]);

const isSame = (a: Row, b: Row): boolean =>
  isSameCase(a, b) && isDeepStrictEqual([a.outputs, a.scores, a.tags], [b.outputs, b.scores, b.tags]);

/** Returns a free id: the id with the next number. */
const nextId = (id: string, taken: ReadonlySet<string>): string => {
  for (let n = 2; ; n++) if (!taken.has(`${id} ${n}`)) return `${id} ${n}`;
};

/**
 * Gives each answer a separate id. Tools repeat ids: an equal row is one record, another answer to the same question is a trial, and
 * another question is a separate case. Without this, a score would stand beside the answer of another row.
 */
export const separateIds = (imported: Import): Import => {
  const taken = new Set(imported.rows.flatMap(({ id, caseId }) => [id, caseId]));
  const seen = new Map<string, Row[]>();
  const rows: Row[] = [];
  const repeated = new Set<string>();
  let equal = 0;
  for (const row of imported.rows) {
    const key = JSON.stringify([row.run, row.id]);
    const same = seen.get(key) ?? [];
    seen.set(key, [...same, row]);
    if (same.some((one) => isSame(one, row))) {
      equal++;
      continue;
    }
    let { id, caseId } = row;
    if (same.length > 0) {
      repeated.add(id);
      id = nextId(row.id, taken);
      taken.add(id);
      if (!isSameCase(same[0]!, row)) caseId = id;
    }
    rows.push({ ...row, id, caseId });
  }
  const notes = [...imported.notes];
  if (equal > 0) notes.push(`${countOf(equal, 'row')} left out: each is there before with the same content.`);
  if (repeated.size > 0)
    notes.push(
      `${countOf(repeated.size, 'id')} with several contents, each stored as a separate record: ${[...repeated].slice(0, 5).join(', ')}`,
    );
  return { ...imported, rows, notes };
};
