import { objectText } from '../json-text.ts';
import { parsed, paths } from './format.ts';
import type { Importing } from './importing.ts';
import { elementTexts, linesOf, type Members, pick } from './lines.ts';

/** Of annotations whose span is not there. */
export const onRecord = 'on spans that are not there: on the record now.';

/** The comment of an annotation below the passage that it was on. */
export const quoted = (annotation: Members): string => {
  const passage = parsed<{ text: string } | null>(annotation, 'passage');
  const comment = parsed<string>(annotation, 'comment');
  return passage ? `> ${passage.text.replaceAll('\n', '\n> ')}\n\n${comment}`.trimEnd() : comment;
};

/**
 * Annotates a record, or its span where that is there. Else the record, quoting what was marked, so that the comment can still
 * be understood; `onQuoted` hears of it.
 */
const restoreAnnotation = (
  post: Importing['post'],
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

/** Restores the annotations of an archive of version 1 or 2 with their replies, and which of them are settled. */
export const restoreAnnotations = async ({ client, files, post, ids, count }: Importing): Promise<void> => {
  const made = new Map<string, string>();
  for (const annotation of linesOf(files, paths.annotations)) {
    const recordId = ids.record.get(parsed<string>(annotation, 'recordId'));
    if (!recordId) continue;
    const path = `/records/${recordId}/annotations`;
    const answer = await restoreAnnotation(post, path, annotation, () => count('annotation', onRecord));
    made.set(parsed<string>(annotation, 'id'), `${path}/${parsed<string>(answer, 'id')}`);
  }
  for (const thread of linesOf(files, paths.threads)) {
    const path = made.get(parsed<string>(thread, 'annotationId'));
    if (path === undefined) continue;
    for (const reply of elementTexts(thread, 'replies'))
      await post(`${path}/replies`, objectText(pick(reply, 'comment')));
    if (parsed(thread, 'resolvedAt') !== null)
      await client.send({ method: 'PUT', path: `/api/v2${path}/resolution`, rawBody: '{"resolved":true}' });
  }
};
