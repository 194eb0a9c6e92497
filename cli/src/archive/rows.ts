import type { Client } from '../../../client/src/main.ts';
import { elementsOf, type JsonText, objectText } from '../json-text.ts';
import { onRecord, quoted } from './annotations.ts';
import { parsed, paths } from './format.ts';
import { type Importing, type Kind, postItems } from './importing.ts';
import { collect, inBatches, itemTexts, lines, linesOf, type Members, text } from './lines.ts';
import { viewOf } from './views.ts';
import type { ZipWriter } from './zip-writer.ts';

/**
 * The parts of an archive that are rows as they are stored: read under `…/export/…`, put back under `…/import/…`. Of each
 * noun in the order that they are put back in: what a row names comes before it.
 */
export const rowParts = {
  projects: ['testsets', 'runs', 'systems', 'monitors', 'views'],
  testsets: ['testcases'],
  runs: [
    'records',
    'tags',
    'assignments',
    'annotations',
    'replies',
    'metrics',
    'judging',
    'executions',
    'skips',
    'sample-origins',
    'rescorings',
    'proposals',
  ],
  metrics: ['pinned-set', 'pinned-labels', 'drift-checks'],
  monitors: ['draws'],
} as const;
export type RowNoun = keyof typeof rowParts;
export type RowPart = { [N in RowNoun]: (typeof rowParts)[N][number] }[RowNoun];

const maxRowsAtOnce = 1_000;

/** What the fields of rows are ids of; those of people end in `userId`. */
const kindOf: Record<string, Kind> = {
  recordId: 'record',
  testsetId: 'testset',
  metricId: 'metric',
  metricConfigId: 'config',
  beforeConfigId: 'config',
  annotationId: 'annotation',
  rescoringId: 'rescoring',
  sampleId: 'sample',
  systemId: 'system',
  monitorId: 'monitor',
  runId: 'run',
};
const isPerson = (name: string): boolean => /userId$/i.test(name);
/** The rows that have new ids which others name. */
const named: Partial<Record<RowPart, Kind>> = { annotations: 'annotation', rescorings: 'rescoring' };

/** Ids of the people that a row names. */
export const peopleIn = (row: Members): string[] =>
  [...row.keys()].filter(isPerson).flatMap((name) => parsed<string | null>(row, name) ?? []);

/** Writes the rows of one thing, and returns them by their part. */
export const writeRows = async (
  client: Client,
  zip: ZipWriter,
  noun: RowNoun,
  id: string,
): Promise<Map<RowPart, JsonText[]>> => {
  const written = new Map<RowPart, JsonText[]>();
  for (const part of rowParts[noun]) {
    const rows = await collect(itemTexts(client, `/api/v2/${noun}/${id}/export/${part}`));
    written.set(part, rows);
    if (rows.length > 0) await zip.add(paths.rows(noun, id, part), lines(rows));
  }
  return written;
};

/** What of a row's fields names somebody, as they are called here. Nothing where the row can be of nobody else. */
const personOf = (importing: Importing, part: RowPart, name: string, before: string): string | undefined => {
  const { people, notes, count } = importing;
  const isAssignee = name === 'assigneeUserId';
  const member = isAssignee ? people.anyMemberOf(before) : people.memberOf(before);
  if (member !== undefined) return member;
  if (isAssignee) {
    const note = `Assignments to ${before} stay out: no member of this organization.`;
    if (!notes.includes(note)) notes.push(note);
    return undefined;
  }
  if (part === 'skips') {
    count('review', "skipped by people who can't be named here: left out.");
    return undefined;
  }
  count('mark', "of people who can't be named here: yours now, annotations, tags and what else they made.");
  return people.me;
};

/** A row with the ids that things have here; undefined where it names what is not there. */
const rowOf = (importing: Importing, part: RowPart, row: Members): Map<string, JsonText> | undefined => {
  const { ids } = importing;
  const after = new Map(row);
  for (const [name, value] of row) {
    if (value === 'null') continue;
    const id = (): string => JSON.parse(value) as string;
    let here: string | undefined;
    if (isPerson(name)) here = personOf(importing, part, name, id());
    else if (name === 'testcaseId') here = testcaseOf(importing, id());
    else if (name in kindOf) here = ids[kindOf[name]!].get(id());
    else if (name === 'recordIds') {
      const there = elementsOf(value).flatMap((one) => ids.record.get(JSON.parse(one)) ?? []);
      after.set(name, text(there));
      continue;
    } else continue;
    if (here === undefined) return undefined;
    after.set(name, text(here));
  }
  return after;
};

/** A testcase keeps its number, whether it is there or not. */
const testcaseOf = ({ ids }: Importing, id: string): string | undefined => {
  const [testsetId, n] = id.split('-') as [string, string];
  const after = ids.testset.get(testsetId);
  return after && `${after}-${n}`;
};

/** What of a row is not as it was, beyond its ids. */
const changedRow = (importing: Importing, part: RowPart, row: Map<string, JsonText>): void => {
  if (part === 'views') viewOf(importing, row);
  if (part === 'executions' && parsed(row, 'state') === 'pending') {
    row.set('state', text('cancelled'));
    importing.count('call', 'of systems still to be made then: cancelled. Retry them where you want them.');
  }
  const spanId = part === 'annotations' ? parsed<string | null>(row, 'spanId') : null;
  if (spanId !== null && importing.lostSpans.has(spanId)) {
    row.set('comment', text(quoted(row)));
    row.set('passage', 'null');
    row.set('spanId', 'null');
    importing.count('annotation', onRecord);
  }
};

/** Gives what was made of an archive's thing the rows of one part that this had. Returns how many. */
export const restoreRows = async (
  importing: Importing,
  noun: RowNoun,
  part: RowPart,
  of: { before: string; after: string },
): Promise<number> => {
  const { files, ids } = importing;
  const items = linesOf(files, paths.rows(noun, of.before, part)).flatMap((row) => {
    const after = rowOf(importing, part, row);
    if (!after) return [];
    changedRow(importing, part, after);
    return [{ id: row.get('id'), body: objectText(Object.fromEntries(after)) }];
  });
  const kind = named[part];
  for (const batch of inBatches(items, maxRowsAtOnce)) {
    const path = `/${noun}/${of.after}/import/${part}`;
    const answer = await postItems(importing, path, batch, `One of the ${part} of ${noun} ${of.before}`);
    if (!answer || !kind) continue;
    const given = parsed<string[]>(answer, 'ids');
    batch.forEach(({ id }, i) => {
      ids[kind].set(JSON.parse(id!), given[i]!);
    });
  }
  return items.length;
};
