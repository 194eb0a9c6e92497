import type { Client } from '../../../client/src/main.ts';
import type { JsonText } from '../json-text.ts';
import { parsed, paths } from './format.ts';
import type { Importing } from './importing.ts';
import { inBatches, itemTexts, lines, linesOf, withMembers } from './lines.ts';
import type { ZipWriter } from './zip-writer.ts';

/** Spans are most of an archive: in files of about this length, so that each is read whole on the way back. */
const partLength = 8_000_000;
const maxSpansAtOnce = 1_000;

/** Writes the spans of a project, earliest first. Returns how many there are. */
export const writeSpans = async (client: Client, zip: ZipWriter, projectId: string): Promise<number> => {
  let count = 0;
  let parts = 0;
  let part: JsonText[] = [];
  let length = 0;
  const flush = async () => {
    if (part.length > 0) await zip.add(paths.spans(++parts), lines(part));
    part = [];
    length = 0;
  };
  for await (const span of itemTexts(client, `/api/v2/projects/${projectId}/export/spans`)) {
    count++;
    part.push(span);
    length += span.length;
    if (length >= partLength) await flush();
  }
  await flush();
  return count;
};

/** Gives a project the spans of an archive, each at its record; again and again the same. Returns how many. */
export const restoreSpans = async (importing: Importing): Promise<number> => {
  const { client, files, projectId, ids, lostSpans } = importing;
  let restored = 0;
  const path = `/api/v2/projects/${projectId}/import/spans`;
  for (let part = 1; files.has(paths.spans(part)); part++) {
    const items = linesOf(files, paths.spans(part)).flatMap((span) => {
      const before = parsed<string | null>(span, 'recordId');
      if (before === null) return [{ span, body: withMembers(span, {}) }];
      const after = ids.record.get(before);
      // A record that was deleted while the project was exported took its trace along.
      return after === undefined
        ? []
        : [{ span, body: withMembers(span, { recordId: JSON.stringify(after) }) }];
    });
    for (const batch of inBatches(items, maxSpansAtOnce)) {
      const rawBody = `{"items":[${batch.map(({ body }) => body).join(',')}]}`;
      await client.send({ method: 'POST', path, rawBody }).then(
        () => {
          restored += batch.length;
        },
        (error: { code?: string }) => {
          if (error.code !== 'PAYLOAD_TOO_LARGE' || batch.length > 1) throw error;
          lostSpans.add(parsed<string>(batch[0]!.span, 'spanId'));
          importing.count('span', 'larger than a request may be: left out.');
        },
      );
    }
  }
  return restored;
};
