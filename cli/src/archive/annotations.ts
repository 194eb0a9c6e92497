import type { Client } from '../../../client/src/main.ts';
import { type JsonText, objectText } from '../json-text.ts';
import { parsed, paths } from './format.ts';
import { elementTexts, type Files, type Ids, linesOf, type Members, pick } from './lines.ts';

/** What an import goes on with: how it makes things, the records that it made, and what it has to say at its end. */
export type Going = {
  post: (path: string, rawBody: JsonText) => Promise<Members>;
  records: Ids;
  notes: string[];
};

/** The comment of an annotation below the passage that it was on. */
const quoted = (annotation: Members): string => {
  const passage = parsed<{ text: string } | null>(annotation, 'passage');
  const comment = parsed<string>(annotation, 'comment');
  return passage ? `> ${passage.text.replaceAll('\n', '\n> ')}\n\n${comment}`.trimEnd() : comment;
};

/**
 * Annotates a record, or its span where that is there. Else the record, quoting what was marked, so that the comment can still
 * be understood; `onQuoted` hears of it.
 */
const restoreAnnotation = (
  post: Going['post'],
  path: string,
  annotation: Members,
  onQuoted: () => void,
): Promise<Members> => {
  const fields = pick(annotation, 'rating', 'comment', 'passage');
  if (parsed(annotation, 'spanId') === null) return post(path, objectText(fields));
  const onSpan = objectText({ ...fields, spanId: annotation.get('spanId') });
  return post(path, onSpan).catch((error: { code?: string }) => {
    if (error.code !== 'VALIDATION_ERROR') throw error;
    onQuoted();
    return post(path, objectText({ rating: fields.rating, comment: JSON.stringify(quoted(annotation)) }));
  });
};

/** Restores annotations with their replies, and which of them are settled. */
export const restoreAnnotations = async (
  client: Client,
  files: Files,
  { post, records, notes }: Going,
): Promise<void> => {
  const made = new Map<string, string>();
  let onRecords = 0;
  for (const annotation of linesOf(files, paths.annotations)) {
    const recordId = records.get(parsed<string>(annotation, 'recordId'));
    if (!recordId) continue;
    const path = `/records/${recordId}/annotations`;
    const answer = await restoreAnnotation(post, path, annotation, () => onRecords++);
    made.set(parsed<string>(annotation, 'id'), `${path}/${parsed<string>(answer, 'id')}`);
  }
  if (onRecords > 0)
    notes.push(`${onRecords} annotations were on spans that are not there; they are on the record now.`);
  for (const thread of linesOf(files, paths.threads)) {
    const path = made.get(parsed<string>(thread, 'annotationId'));
    if (path === undefined) continue;
    for (const reply of elementTexts(thread, 'replies'))
      await post(`${path}/replies`, objectText(pick(reply, 'comment')));
    if (parsed(thread, 'resolvedAt') !== null)
      await client.send({ method: 'PUT', path: `/api/v2${path}/resolution`, rawBody: '{"resolved":true}' });
  }
};
