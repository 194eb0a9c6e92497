import type { Fragment, Sql } from '../../platform/db/database.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import type { AttachmentCreate } from './schema.ts';

const attachmentJson = (sql: Sql) => sql`
  json_build_object('id', attachment.id, 'sessionId', attachment.session_id, 'filePath', attachment.file_path,
    'filename', attachment.filename, 'contentType', attachment.content_type, 'sizeBytes', attachment.size_bytes,
    'sha256', attachment.sha256, 'status', attachment.status, 'uploadedAt', iso_time(attachment.uploaded_at),
    'metadata', attachment.metadata)::text`;

/** An attachment as the service needs it to move its bytes; `body` is its JSON text. */
type StoredAttachment = {
  id: string;
  status: 'pending' | 'uploaded';
  sizeBytes: number;
  sha256: string;
  contentType: string;
  filename: string | null;
  body: string;
};

const storedColumns = (sql: Sql) => sql`
  id, status, size_bytes::float8 as "sizeBytes", sha256, content_type as "contentType", filename,
  ${attachmentJson(sql)} as body`;

/**
 * Makes declarations of the same bytes under the same path of a session take turns, so that they get one id. It is a lock because a
 * unique index can't hold a path of 1024 characters.
 */
export const lockDeclaration = (
  tx: Sql,
  scope: Scope,
  { sessionId, filePath, sha256 }: AttachmentCreate,
) => tx`
  select pg_advisory_xact_lock(hashtextextended(
    ${JSON.stringify([String(scope.organizationId), sessionId, filePath, sha256])}::text, 0))`;

/** Finds the newest declaration of the same bytes under the same path of a session. */
export const findTwin = (tx: Sql, scope: Scope, { sessionId, filePath, sha256 }: AttachmentCreate) => tx<
  StoredAttachment[]
>`
  select ${storedColumns(tx)} from attachment
  where organization_id = ${scope.organizationId} and session_id = ${sessionId} and file_path = ${filePath}
    and sha256 = ${sha256}
  order by id desc
  limit 1`;

export const insertAttachment = (
  tx: Sql,
  scope: Scope,
  id: string,
  file: AttachmentCreate,
  metadata: RawJson | null,
) => tx`
  insert into attachment (id, organization_id, session_id, file_path, filename, content_type, size_bytes, sha256, status,
    metadata)
  values (${id}, ${scope.organizationId}, ${file.sessionId}, ${file.filePath}, ${file.filename ?? null},
    ${file.contentType}, ${file.sizeBytes}, ${file.sha256}, 'pending', ${metadata}::text::json)`;

/** Updates a declaration before its upload: one with a wrong size could never be fulfilled. */
export const redeclareAttachment = (
  tx: Sql,
  scope: Scope,
  id: string,
  file: AttachmentCreate,
  metadata: RawJson | null,
) => tx`
  update attachment set filename = ${file.filename ?? null}, content_type = ${file.contentType},
    size_bytes = ${file.sizeBytes}, metadata = ${metadata}::text::json
  where organization_id = ${scope.organizationId} and id = ${id} and status = 'pending'`;

/** Sums the sizes of the organization's attachments, including those that are declared and not uploaded yet. */
export const findUsedBytes = (sql: Sql, scope: Scope) => sql<{ bytes: number }[]>`
  select coalesce(sum(size_bytes), 0)::float8 as bytes from attachment where organization_id = ${scope.organizationId}`;

/** Finds an attachment of any organization, for a link whose signature has been checked. */
export const findSignedAttachment = (sql: Sql, id: string) => sql<(StoredAttachment & Owner)[]>`
  select organization_id as "organizationId", ${storedColumns(sql)} from attachment where id = ${id}`;

export const findAttachment = (sql: Sql, scope: Scope, id: string) => sql<StoredAttachment[]>`
  select ${storedColumns(sql)} from attachment where organization_id = ${scope.organizationId} and id = ${id}`;

/** Finds uploaded attachments whose session belongs to a project: to one of its records or traces. */
export const findAttachedFiles = (
  sql: Sql,
  organizationId: bigint,
  place: { projectId: bigint } | { runId: bigint },
  ids: readonly string[],
) => {
  const project: Fragment =
    'projectId' in place
      ? sql`${place.projectId}::bigint`
      : sql`(select project_id from run where id = ${place.runId} and organization_id = ${organizationId})`;
  return sql<{ id: string; mediaType: string; sizeBytes: number; sha256: string }[]>`
    select id, content_type as "mediaType", size_bytes::float8 as "sizeBytes", sha256 from attachment
    where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and status = 'uploaded' and (
      exists (select from record where record.project_id = ${project} and record.organization_id = ${organizationId}
        and record.session_id = attachment.session_id)
      or exists (select from trace where trace.project_id = ${project} and trace.organization_id = ${organizationId}
        and trace.session_id = attachment.session_id))`;
};

/** Marks an attachment as uploaded, with its real size: it may have been declared again during the upload. */
export const markUploaded = (tx: Sql, owner: Owner, id: string, sizeBytes: number) => tx<{ body: string }[]>`
  update attachment set status = 'uploaded', uploaded_at = coalesce(uploaded_at, now()), size_bytes = ${sizeBytes}
  where organization_id = ${owner.organizationId} and id = ${id}
  returning ${attachmentJson(tx)} as body`;

export const deleteAttachment = (tx: Sql, scope: Scope, id: string) => tx`
  delete from attachment where organization_id = ${scope.organizationId} and id = ${id} returning id`;

/** Lists the attachments of a session, newest first. Reads attachment_session. */
export const listSessionAttachments = (
  sql: Sql,
  scope: Scope,
  sessionId: string,
  before: string,
  count: number,
) =>
  cutToPage(
    sql,
    sql`
    select ${attachmentJson(sql)} as body, attachment.id::text as key,
      row_number() over (order by attachment.id desc) as place
    from attachment
    where attachment.organization_id = ${scope.organizationId} and attachment.session_id = ${sessionId}
      and attachment.id < ${before}
    order by attachment.id desc
    limit ${count}`,
  );
