import { countOf } from '../figures.ts';
import type { Import, Row } from './rows.ts';

/** Sorts the names of objects, so that equal values are one text. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const caseText = ({ inputs, expected }: Row): string => JSON.stringify([inputs, expected], inOrder);
const rowText = (row: Row): string =>
  JSON.stringify([caseText(row), row.outputs, row.scores, row.tags], inOrder);

/** Rows of a run with one id: the first, and once there is a second their texts and the number of the last id that was given. */
type SameId = { first: Row; texts?: Set<string>; last: number };

/** Returns what is known about the rows of a run by their id. Millions of rows share few runs, so the run is no part of a key. */
const sameIds = () => {
  const runs = new Map<string, Map<string, SameId>>();
  return ({ run }: Row): Map<string, SameId> => {
    const ids = runs.get(run) ?? new Map<string, SameId>();
    runs.set(run, ids);
    return ids;
  };
};

const idsOf = (rows: readonly Row[]): Set<string> => {
  const ids = new Set<string>();
  for (const { id, caseId } of rows) ids.add(id).add(caseId);
  return ids;
};

/**
 * Gives each answer a separate id. Tools repeat ids: an equal row is one record, another answer to the same question is a trial, and
 * another question is a separate case. Without this, a score would stand beside the answer of another row.
 */
export const separateIds = (imported: Import): Import => {
  let taken: Set<string> | undefined;
  const knownIn = sameIds();
  const rows: Row[] = [];
  const repeated = new Set<string>();
  let equal = 0;
  for (const row of imported.rows) {
    const known = knownIn(row);
    const same = known.get(row.id);
    if (!same) {
      known.set(row.id, { first: row, last: 1 });
      rows.push(row);
      continue;
    }
    same.texts ??= new Set([rowText(same.first)]);
    const text = rowText(row);
    if (same.texts.has(text)) {
      equal++;
      continue;
    }
    same.texts.add(text);
    repeated.add(row.id);
    taken ??= idsOf(imported.rows);
    let id: string;
    do id = `${row.id} ${++same.last}`;
    while (taken.has(id));
    taken.add(id);
    rows.push({ ...row, id, caseId: caseText(same.first) === caseText(row) ? row.caseId : id });
  }
  const notes = [...imported.notes];
  if (equal > 0) notes.push(`${countOf(equal, 'row')} left out: each is there before with the same content.`);
  if (repeated.size > 0)
    notes.push(
      `${countOf(repeated.size, 'id')} with several contents, each stored as a separate record: ${[...repeated].slice(0, 5).join(', ')}`,
    );
  return { ...imported, rows, notes };
};
