import type { Fragment, Sql } from '../../platform/db/database.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { maySee, mayWrite } from '../access/queries.ts';
import type { AttachmentCreate } from './schema.ts';

const attachmentFields = (
  sql: Sql,
) => sql`'id', attachment.id, 'sessionId', attachment.session_id, 'filePath', attachment.file_path,
    'filename', attachment.filename, 'contentType', attachment.content_type, 'sizeBytes', attachment.size_bytes,
    'sha256', attachment.sha256, 'status', attachment.status, 'uploadedAt', iso_time(attachment.uploaded_at),
    'metadata', attachment.metadata`;

const attachmentJson = (sql: Sql) => sql`json_build_object(${attachmentFields(sql)})::text`;

/**
 * Whether the file of table `attachment` is not hidden: its project is not being deleted in slices, nor the run of the only records that
 * still have its session.
 */
const isShown = (sql: Sql): Fragment => sql`
  not exists (
    select from deletion where deletion.organization_id = attachment.organization_id and (
      deletion.root = 'project' and deletion.id = attachment.project_id
      or deletion.root = 'run'
        and exists (select from record where ${isOfSession(sql, 'record')} and record.run_id = deletion.id)
        and not exists (select from record where ${isOfSession(sql, 'record')} and record.run_id not in (
          select other.id from deletion other where other.organization_id = attachment.organization_id and other.root = 'run'))
        and not exists (select from trace where ${isOfSession(sql, 'trace')})))`;

/** Whether a row of `record` or `trace` has the session and the project of table `attachment`. */
const isOfSession = (sql: Sql, table: 'record' | 'trace'): Fragment => sql`
  (${sql(table)}.project_id = attachment.project_id and ${sql(table)}.session_id = attachment.session_id
    and ${sql(table)}.organization_id = attachment.organization_id)`;

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

const sessionLock = (sql: Sql, scope: Owner, sessionId: Fragment) => sql`
  hashtextextended(json_build_array('files', ${String(scope.organizationId)}::text, ${sessionId})::text, 0)`;

/**
 * Makes declarations of files of a session take turns with each other, so that the same file gets one id, and with writers of records
 * and traces of the session, so that either the declaration sees their project or they see the file. The lock ends with the transaction.
 */
export const lockDeclarations = (tx: Sql, scope: Scope, sessionId: string) => tx`
  select pg_advisory_xact_lock(${sessionLock(tx, scope, tx`${sessionId}::text`)})`;

/**
 * Finds up to two of the projects in which the session has a record or a trace and the member may write; the default project of the
 * key first.
 */
export const findSessionProjects = (tx: Sql, scope: Scope, sessionId: string) => tx<
  { id: bigint; isDefault: boolean }[]
>`
  select project.id, key.id is not null as "isDefault" from project
  left join api_key key on key.default_project_id = project.id and key.id = ${scope.keyId}
    and key.organization_id = ${scope.organizationId}
  where project.organization_id = ${scope.organizationId} and ${mayWrite(tx, scope)} and (
    exists (select from record where record.project_id = project.id and record.organization_id = ${scope.organizationId}
      and record.session_id = ${sessionId})
    or exists (select from trace where trace.project_id = project.id and trace.organization_id = ${scope.organizationId}
      and trace.session_id = ${sessionId}))
  order by key.id is null, project.id
  limit 2`;

/**
 * Gives the files that the member declared for sessions, and that have no project, to the projects of the sessions. `held` selects
 * the `project_id` and `session_id` of records or traces that were just written in this transaction.
 */
export const claimAttachments = (tx: Sql, scope: Owner & Pick<Scope, 'memberId'>, held: Fragment) =>
  // Two statements, sent together: the second must see the declarations for which the first waited.
  Promise.all([
    tx`
    select pg_advisory_xact_lock_shared(key)
    from (select distinct ${sessionLock(tx, scope, tx`held.session_id`)} as key from (${held}) held order by 1) locks`.execute(),
    tx`
    update attachment set project_id = held.project_id from (${held}) held
    where attachment.organization_id = ${scope.organizationId} and attachment.session_id = held.session_id
      and attachment.project_id is null and attachment.member_id = ${scope.memberId}`.execute(),
  ]);

/** Finds the newest declaration of the same bytes under the same path of a session: in the project, or without one by the member. */
export const findTwin = (
  tx: Sql,
  scope: Scope,
  projectId: bigint | null,
  { sessionId, filePath, sha256 }: AttachmentCreate,
) => tx<StoredAttachment[]>`
  select ${storedColumns(tx)} from attachment
  where organization_id = ${scope.organizationId} and session_id = ${sessionId} and file_path = ${filePath}
    and sha256 = ${sha256} and project_id is not distinct from ${projectId}
    and (project_id is not null or member_id = ${scope.memberId})
  order by id desc
  limit 1`;

export const insertAttachment = (
  tx: Sql,
  scope: Scope,
  projectId: bigint | null,
  id: string,
  file: AttachmentCreate,
  metadata: RawJson | null,
) => tx`
  insert into attachment (id, organization_id, project_id, session_id, file_path, filename, content_type, size_bytes,
    sha256, status, metadata, member_id)
  values (${id}, ${scope.organizationId}, ${projectId}, ${file.sessionId}, ${file.filePath}, ${file.filename ?? null},
    ${file.contentType}, ${file.sizeBytes}, ${file.sha256}, 'pending', ${metadata}::text::json, ${scope.memberId})`;

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
  select organization_id as "organizationId", ${storedColumns(sql)} from attachment
  where id = ${id} and ${isShown(sql)}`;

/** Whether the member sees table `attachment`: by its project, or, without one, as its declarer or an admin. */
const mayRead = (sql: Sql, scope: Scope): Fragment => {
  const isOwn = scope.role === 'admin' ? sql`true` : sql`attachment.member_id = ${scope.memberId}`;
  if (!scope.isLimited) return sql`((attachment.project_id is not null or ${isOwn}) and ${isShown(sql)})`;
  return sql`(${isShown(sql)} and case when attachment.project_id is null then ${isOwn} else exists (
    select from project where project.id = attachment.project_id and project.organization_id = ${scope.organizationId}
      and ${maySee(sql, scope)}) end)`;
};

export const findAttachment = (sql: Sql, scope: Scope, id: string) => sql<StoredAttachment[]>`
  select ${storedColumns(sql)} from attachment
  where organization_id = ${scope.organizationId} and id = ${id} and ${mayRead(sql, scope)}`;

/** Finds uploaded attachments of a project. */
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
    where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and status = 'uploaded'
      and project_id = ${project}`;
};

/** Marks an attachment as uploaded, with its real size: it may have been declared again during the upload. */
export const markUploaded = (tx: Sql, owner: Owner, id: string, sizeBytes: number) => tx<{ body: string }[]>`
  update attachment set status = 'uploaded', uploaded_at = coalesce(uploaded_at, now()), size_bytes = ${sizeBytes}
  where organization_id = ${owner.organizationId} and id = ${id}
  returning ${attachmentJson(tx)} as body`;

export const deleteAttachment = (tx: Sql, scope: Scope, id: string) => tx`
  delete from attachment
  where organization_id = ${scope.organizationId} and id = ${id} and ${mayRead(tx, scope)}
  returning id`;

/** Lists the attachments of a session that the member sees, in one project or in all, newest first. Reads attachment_session. */
export const listSessionAttachments = (
  sql: Sql,
  scope: Scope,
  sessionId: string,
  before: string,
  count: number,
  projectId: bigint | undefined,
) =>
  cutToPage(
    sql,
    sql`
    select ${attachmentJson(sql)} as body, attachment.id::text as key,
      row_number() over (order by attachment.id desc) as place
    from attachment
    where attachment.organization_id = ${scope.organizationId} and attachment.session_id = ${sessionId}
      and attachment.id < ${before} and ${mayRead(sql, scope)}
      ${projectId === undefined ? sql`` : sql`and attachment.project_id = ${projectId}`}
    order by attachment.id desc
    limit ${count}`,
  );

/**
 * Lists the files of the organization that no record or trace uses, newest first: those without a project, and those of a session that no
 * record and no trace of the project has. Reads attachment_newest.
 */
export const listOrphanAttachments = (sql: Sql, scope: Scope, before: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select json_build_object(${attachmentFields(sql)}, 'projectId', attachment.project_id::text,
        'createdByUserId', attachment.member_id, 'createdAt', iso_time(attachment.created_at))::text as body,
      attachment.id::text as key, row_number() over (order by attachment.id desc) as place
    from attachment
    where attachment.organization_id = ${scope.organizationId} and attachment.id < ${before} and ${isShown(sql)}
      and not exists (select from record where ${isOfSession(sql, 'record')})
      and not exists (select from trace where ${isOfSession(sql, 'trace')})
    order by attachment.id desc
    limit ${count}`,
  );
