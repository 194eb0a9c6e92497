import { Type } from 'typebox';
import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { type App, bodyOf, requireOne } from '../../platform/http/http.ts';
import { type RecordKey, recordIdOf, recordKey } from '../../platform/http/ids.ts';
import { pathParam, wholeOf } from '../../platform/http/openapi.ts';
import { getRoute, listRoute, type Resource, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ref } from '../../platform/named-schema.ts';
import type { Masking } from '../masking/masking.ts';
import { findProject } from '../projects/queries.ts';
import { lockRecord } from '../records/queries.ts';
import { project, record } from '../resources.ts';
import { deleteTag, listProjectTags, listTags, mostUsedTag, upsertTag } from './queries.ts';
import { maxTagLength, ProjectTag, RecordTag, TagCreate, TagsDeleted } from './schema.ts';

const tags = ['Tags'];
const tagParams = Type.Object({
  recordId: pathParam('record'),
  text: Type.String({ description: 'The tag.' }),
});
const tag: Resource<typeof tagParams, RecordKey & { text: string }> = {
  name: 'tag',
  params: tagParams,
  keyOf: ({ recordId, text }) => ({ ...recordKey(recordId), text }),
  idOf: ({ text }) => text,
};

/** Throws 400 for a tag that `tags=a,b` could not name because of a comma, or that a URL could not end in: "." and "..". */
const readTag = (text: string): string => {
  const tag = text.trim();
  // Counted in characters, as JSON Schema does: an emoji is one, but two units of UTF-16.
  const { length } = [...tag];
  if (length === 0 || length > maxTagLength)
    throw invalid('/text', `must be 1 to ${maxTagLength} characters`);
  if (tag.includes(',')) throw invalid('/text', 'must not contain a comma');
  if (tag === '.' || tag === '..')
    throw invalid('/text', `must not be ${tag}, because a URL cannot contain it`);
  return tag;
};

type TagDeps = RouteDeps & { masking: Masking };

export const tagRoutes = (app: App, { masking, ...deps }: TagDeps): void => {
  /** Returns a tag as it is stored: without personal data, if the project masks it. */
  const asStored = async (scope: Scope, { runId }: RecordKey, text: string, tx?: Sql): Promise<string> => {
    const masker = await masking.of(scope, { runId }, tx);
    return masker ? masker.text(text) : text;
  };

  listRoute(app, deps, '/projects/:projectId/tags', {
    operationId: 'listProjectTags',
    summary: 'List the tags of a project, most used first.',
    tags,
    of: project,
    parent: findProject,
    item: ref(ProjectTag),
    first: mostUsedTag,
    rows: listProjectTags,
  });

  getRoute(app, deps, '/records/:recordId/tags', {
    operationId: 'listRecordTags',
    summary: 'List the tags of a record, oldest first.',
    tags,
    of: record,
    response: wholeOf(ref(RecordTag), 'All tags of the record.'),
    find: listTags,
    by: 'lookUp',
  });

  writeRoute(app, deps, 'POST', '/records/:recordId/tags', {
    operationId: 'createRecordTag',
    summary: 'Add a tag to a record.',
    description: 'An existing tag is returned unchanged.',
    tags,
    of: record,
    body: TagCreate,
    status: 201,
    response: ref(RecordTag),
    read: ({ text }, _, { scope, key }) => asStored(scope, key, readTag(text)),
    work: async (tx, scope, key, text) => {
      requireOne(await lockRecord(tx, scope, key), 'record', recordIdOf(key));
      return bodyOf(await upsertTag(tx, scope, key, text), 'tag', text);
    },
  });

  writeRoute(app, deps, 'DELETE', '/records/:recordId/tags/:text', {
    config: { ignoresBody: true },
    operationId: 'deleteRecordTag',
    summary: 'Remove a tag from a record.',
    description: 'It is not an error if the record does not have it.',
    tags,
    of: tag,
    response: TagsDeleted,
    work: async (tx, scope, { text, ...key }) => {
      requireOne(await lockRecord(tx, scope, key), 'record', recordIdOf(key));
      // PostgreSQL's text can't hold NUL, so no tag has one.
      const stored = await asStored(scope, key, text.trim(), tx);
      const deleted = text.includes('\0') ? 0 : (await deleteTag(tx, scope, key, stored)).count;
      return `{"deleted":${deleted}}`;
    },
  });
};
