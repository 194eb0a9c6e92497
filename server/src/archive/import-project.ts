import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { AttachmentStore } from '../evaluation/attachments/store.ts';
import type { Masking } from '../evaluation/masking/masking.ts';
import type { SchemaChecker } from '../evaluation/testsets/json-schema.ts';
import { type Database, isDeadlock, type Sql } from '../platform/db/database.ts';
import { retry } from '../platform/db/retry.ts';
import { conflict, invalid } from '../platform/errors.ts';
import { insertAuditEvent } from '../platform/http/audit.ts';
import { bodyOf } from '../platform/http/http.ts';
import type { Scope } from '../platform/http/scope.ts';
import { attachments, beginUpload, type Upload } from './attachments.ts';
import { columnsOf, listColumns } from './columns.ts';
import { archiveVersion } from './export-project.ts';
import { withChildren } from './part.ts';
import { parts } from './parts.ts';
import {
  beginImport,
  type Counts,
  completeImport,
  findImport,
  type Position,
  requirePosition,
  updateImport,
} from './queries.ts';
import { isText, isUuid, type Line, linesOf, onLine, readLine, readRow } from './read-lines.ts';
import { type Item, type Person, storeRows, WrongRow } from './store-rows.ts';

/** About how many rows and bytes one transaction stores. */
const maxRows = 2_000;
const maxBytes = 4_000_000;
/** Most bytes of rows that must be in one transaction, to bound the memory. */
const maxJoinedBytes = 64_000_000;

const allParts = [...parts.flatMap(withChildren), attachments];
const partOf = new Map(allParts.map((part) => [part.table, part]));

type Deps = { db: Database; store: AttachmentStore; schemas: SchemaChecker; masking: Masking };
/** Takes the memory of a line that has so many bytes until now, in place of that of the line before. Throws 503 if it is not free. */
type HoldLine = (bytes: number) => Promise<void>;

const auditImport = (tx: Sql, scope: Scope, projectId: bigint, details: object) =>
  insertAuditEvent(tx, scope, { operation: 'importProject', resource: 'Projects', projectId, details });

/** Stores lines in their order. Each transaction stores some lines and the position that they reach. */
// Long: its steps share the position and the rows that wait
const openImport = async (
  { db, store, schemas, masking }: Deps,
  scope: Scope,
  projectId: bigint,
  before: Position & { counts: Counts },
) => {
  const columns = columnsOf(allParts, await db.read(scope, (sql) => listColumns(sql, allParts)));
  const masker = await masking.of(scope, { projectId });
  let { counts } = before;
  let items: Item[] = [];
  let people: Person[] = [];
  let bytes = 0;
  let stored: Position = before;
  let upload: { line: number; file: Upload } | undefined;

  /** Commits what `work` stores of the lines up to `to`. */
  const commit = async (to: Position, work: (tx: Sql, counts: Counts) => Promise<void>): Promise<void> => {
    const attempt = () =>
      db.transaction(scope, async (tx) => {
        await requirePosition(tx, scope, projectId, stored);
        const after = structuredClone(counts);
        await work(tx, after);
        // Written with the first lines of a request: an import that breaks off has written rows too.
        if (stored === before)
          await auditImport(tx, scope, projectId, { state: 'started', rows: after.rows });
        await updateImport(tx, scope, projectId, to, after);
        return after;
      });
    counts = await retry(isDeadlock, attempt);
    stored = to;
  };
  /** Stores the rows up to `to`. */
  const flush = async (to: Position): Promise<void> => {
    if (to.lines === stored.lines) return;
    const commitRows = (atATime: number) =>
      commit(to, (tx, counts) =>
        storeRows(tx, { scope, projectId, columns, counts, masker }, items, people, atATime),
      );
    await commitRows(Number.POSITIVE_INFINITY).catch((error) => {
      if (!(error instanceof WrongRow)) throw error;
      return commitRows(1);
    });
    [items, people, bytes] = [[], [], 0];
  };
  /** Stores the attachment whose lines end at `to`, if there is one. */
  const endUpload = async (to: Position): Promise<void> => {
    if (!upload) return;
    const { line, file } = upload;
    const storeFile = await file.finish().catch((error) => {
      throw onLine(line, error);
    });
    upload = undefined;
    await commit(to, async (tx, { rows }) => {
      await storeFile(tx);
      rows.attachment = (rows.attachment ?? 0) + 1;
    });
  };

  const takeRow = async (line: Line, size: number, reached: Position): Promise<void> => {
    const part = partOf.get(line.name);
    if (!part) throw invalid('/part', 'must name a part of an archive');
    const row = readRow(part, columns.get(part)!, line);
    const number = reached.lines + 1;
    if (part === attachments) {
      await flush(reached);
      upload = { line: number, file: await beginUpload({ db, store }, scope, projectId, row) };
      return;
    }
    if (part.table === 'testset')
      await schemas.requireSchema(row.json_schema!, { owner: scope.organizationId });
    const isFull = items.length + people.length >= maxRows || bytes >= maxBytes;
    if (isFull && !part.joined) await flush(reached);
    if (bytes >= maxJoinedBytes)
      throw invalid('', `must come with at most ${maxJoinedBytes} bytes of rows that need each other`);
    items.push({ part, line: number, row, score: line.value.score as Item['score'] });
    bytes += size;
  };

  /** Takes the line after `reached`. Resolves to its part. */
  const takeLine = async (text: Buffer, reached: Position): Promise<string> => {
    const line = readLine(text);
    const { name, value } = line;
    if ((name === 'archive') !== (reached.lines === 0))
      throw invalid('/part', 'must be "archive" in the first line, and only there');
    if (name === 'archive') {
      if (!(Number(value.version) <= archiveVersion))
        throw invalid('/version', `must be at most ${archiveVersion}: a newer Dokima wrote this archive`);
    } else if (name === 'bytes') {
      if (!upload || typeof value.base64 !== 'string') throw invalid('/part', 'must follow an attachment');
      await upload.file.write(value.base64);
    } else {
      await endUpload(reached);
      if (name === 'member') {
        const { id, email } = value as Person;
        if (!isUuid(id, '') || !isText(email, ''))
          throw invalid('', 'must have the id and the email of a member');
        if (people.length >= maxRows) await flush(reached);
        people.push({ id, email });
      } else if (name === 'end') await flush(reached);
      else await takeRow(line, text.length, reached);
    }
    return name;
  };

  return {
    take: (text: Buffer, reached: Position): Promise<string> =>
      takeLine(text, reached).catch((error) => {
        throw onLine(reached.lines + 1, error);
      }),
    complete: (to: Position) =>
      commit(to, async (tx, { rows }) => {
        await completeImport(tx, scope, projectId);
        await auditImport(tx, scope, projectId, { state: 'complete', rows });
      }),
    abort: () => upload?.file.abort(),
  };
};

const otherArchive = (projectId: bigint) =>
  conflict('The project is imported from another archive. Send that one, or import into a new project.', {
    projectId: String(projectId),
  });

/**
 * Imports an archive into an empty project, or continues its import. Resolves to the state of the import as JSON. A transaction stores
 * some lines together with their number and hash. When the same archive is sent again, these lines are skipped.
 * Throws notFound; conflict if the project has other content; 400 with its number for a line that no export writes.
 */
export const importProject = async (
  deps: Deps & { holdLine?: HoldLine },
  scope: Scope,
  projectId: bigint,
  body: Readable,
): Promise<string> => {
  const { db } = deps;
  const before = await db.transaction(scope, (tx) => beginImport(tx, scope, projectId));
  const importing = await openImport(deps, scope, projectId, before);
  let reached: Position = { lines: 0, digest: Buffer.alloc(0) };
  let isWhole = before.isComplete;
  try {
    for await (const bytes of linesOf(body, { hold: deps.holdLine })) {
      const digest = createHash('sha256').update(reached.digest).update(bytes).digest();
      const next = { lines: reached.lines + 1, digest };
      if (next.lines > before.lines) {
        if (isWhole)
          throw before.isComplete ? otherArchive(projectId) : invalid('', 'must end with its last line');
        isWhole = (await importing.take(bytes, reached)) === 'end';
      } else if (next.lines === before.lines && !digest.equals(before.digest)) throw otherArchive(projectId);
      reached = next;
    }
    if (!isWhole || reached.lines < before.lines)
      throw invalid(
        '',
        'must have all lines of the archive. Send it again from its first line to continue the import',
      );
    if (!before.isComplete) await importing.complete(reached);
  } finally {
    importing.abort();
  }
  return bodyOf(
    await db.read(scope, (sql) => findImport(sql, scope, projectId)),
    'project',
    String(projectId),
  );
};
