import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import {
  findTwin,
  insertAttachment,
  lockDeclarations,
  markUploaded,
} from '../evaluation/attachments/queries.ts';
import { receive } from '../evaluation/attachments/receive.ts';
import { AttachmentCreate } from '../evaluation/attachments/schema.ts';
import type { AttachmentStore } from '../evaluation/attachments/store.ts';
import type { Database, Sql } from '../platform/db/database.ts';
import { invalidAll } from '../platform/errors.ts';
import { newIdLike } from '../platform/http/ids.ts';
import type { Scope } from '../platform/http/scope.ts';
import { validator } from '../platform/validation.ts';
import type { Part, Texts } from './part.ts';

/** Attachments of a project. Lines with the bytes of an attachment follow its line. */
export const attachments: Part = {
  table: 'attachment',
  order: 'id',
  without: ['status', 'member_id', 'created_at', 'uploaded_at'],
};

const bytesPerLine = 192 * 1024;

/** Yields the bytes of an attachment as lines. An empty file has an empty line; without an upload there is no line. */
export async function* exportBytes(store: AttachmentStore, id: string): AsyncGenerator<string> {
  const bytes = await store.read(id);
  if (!bytes) return;
  const lineOf = (part: Buffer) => `{"part":"bytes","base64":"${part.toString('base64')}"}\n`;
  let held = Buffer.alloc(0);
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    held = Buffer.concat([held, piece]);
    for (; held.length > bytesPerLine; held = held.subarray(bytesPerLine))
      yield lineOf(held.subarray(0, bytesPerLine));
  }
  yield lineOf(held);
}

const issuesOf = validator(AttachmentCreate);

/** An attachment that is being imported. */
export type Upload = {
  write: (base64: string) => Promise<void>;
  /** Waits until the bytes are stored. Resolves to the function that stores the row. Throws 400 for bytes that differ from the row. */
  finish: () => Promise<(tx: Sql) => Promise<void>>;
  abort: () => void;
};

/** Begins to import an attachment. Does nothing if the project has the same file. Throws 400 for an invalid row. */
export const beginUpload = async (
  { db, store }: { db: Database; store: AttachmentStore },
  scope: Scope,
  projectId: bigint,
  row: Texts,
): Promise<Upload> => {
  const file = {
    sessionId: row.session_id!,
    filePath: row.file_path!,
    sha256: row.sha256!,
    sizeBytes: Number(row.size_bytes),
    contentType: row.content_type!,
    ...(row.filename !== null && { filename: row.filename! }),
  };
  const issues = issuesOf(file);
  if (issues.length > 0) throw invalidAll(issues);
  const [twin] = await db.read(scope, (sql) => findTwin(sql, scope, projectId, file));
  const id = twin?.id ?? newIdLike(row.id!);
  const isThere = twin?.status === 'uploaded';
  const bytes = new PassThrough();
  let received: Promise<void> | undefined;
  return {
    write: async (base64) => {
      if (isThere) return;
      received ??= receive(store, id, bytes, file);
      // `finish` awaits it.
      received.catch(() => {});
      if (!bytes.write(Buffer.from(base64, 'base64'))) await once(bytes, 'drain');
    },
    finish: async () => {
      bytes.end();
      await received;
      return async (tx) => {
        if (isThere) return;
        await lockDeclarations(tx, scope, file.sessionId);
        if (!twin) await insertAttachment(tx, scope, projectId, id, file, row.metadata ?? null);
        if (received) await markUploaded(tx, scope, id, file.sizeBytes);
      };
    },
    abort: () => bytes.destroy(),
  };
};
