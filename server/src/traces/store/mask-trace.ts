import { createHash } from 'node:crypto';
import { maskJson } from '../../engine/masking/mask-json.ts';
import type { Masker } from '../../engine/masking/masker.ts';
import type { Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { readPacks, rewritePack } from './contents.ts';
import { ensureSources, type TraceRow } from './queries.ts';
import { maxName } from './span-row.ts';

/** Masks a name as it is stored. One that was cut is left out: half of an account number at its end would not be found. */
const maskName = (masker: Masker, name: string): string => (name.length >= maxName ? '' : masker.text(name));

type StoredSpan = { id: string; name: string; link: string | null; service: string };

/** Masks the packs of a trace, one at a time. Versions of spans that are no longer stored are left out. */
const maskContents = async (tx: Sql, scope: Scope, { id }: TraceRow, masker: Masker): Promise<void> => {
  for await (const { chunk, spans } of readPacks(tx, scope, id)) {
    const masked = spans.map(({ spanId, content }) => ({
      traceId: id,
      spanId,
      content: maskJson(content, masker),
    }));
    await rewritePack(tx, scope, { traceId: id, chunk }, masked);
  }
};

/** Masks the sources of a trace's spans: others may share a source, so a masked one is another row. */
const maskSources = async (
  tx: Sql,
  scope: Scope,
  { id, projectId }: TraceRow,
  masker: Masker,
): Promise<void> => {
  const sources = await tx<{ id: bigint; content: string }[]>`
    select id, content::text as content from span_source
    where organization_id = ${scope.organizationId} and id in (
      select source_id from span where trace_id = ${id} and organization_id = ${scope.organizationId})`;
  for (const source of sources) {
    const content = maskJson(source.content, masker);
    if (content === source.content) continue;
    const hash = createHash('sha256').update(content).digest('hex');
    const [masked] = await ensureSources(tx, scope, [{ projectId, hash, content }]);
    await tx`
      update span set source_id = ${masked!.id}
      where trace_id = ${id} and source_id = ${source.id} and organization_id = ${scope.organizationId}`;
  }
};

/**
 * Masks a stored trace by the rules of the project that it is about to join: the project that took its spans first may mask nothing.
 * Returns its row as it is then.
 */
export const maskTrace = async (
  tx: Sql,
  scope: Scope,
  trace: TraceRow,
  masker: Masker,
): Promise<TraceRow> => {
  const spans = await tx<StoredSpan[]>`
    select encode(span_id, 'hex') as id, name, link, service from span
    where trace_id = ${trace.id} and organization_id = ${scope.organizationId}`;
  const masked = spans.map(({ id, name, link, service }) => ({
    id,
    name: maskName(masker, name),
    link: link && masker.id(link),
    service: maskName(masker, service),
  }));
  await tx`
    update span set name = item.name, link = item.link, service = item.service
    from ${rowsOf(tx, masked, { id: 'bytea', name: 'text', link: 'text', service: 'text' }, { as: 'item' })}
    where span.trace_id = ${trace.id} and span.span_id = item.id
      and span.organization_id = ${scope.organizationId}`;
  await maskContents(tx, scope, trace, masker);
  await maskSources(tx, scope, trace, masker);
  const links = await tx<{ link: string }[]>`
    delete from trace_link where trace_id = ${trace.id} and organization_id = ${scope.organizationId} returning link`;
  const newLinks = [...new Set(links.map(({ link }) => masker.id(link)))];
  await tx`
    insert into trace_link (organization_id, project_id, link, trace_id)
    select ${scope.organizationId}, ${trace.projectId}, link, ${trace.id} from unnest(${newLinks}::text[]) as given (link)`;
  const { sessionId, userId, name, service, model } = trace;
  return {
    ...trace,
    sessionId: sessionId && masker.id(sessionId),
    userId: userId && masker.id(userId),
    name: name && maskName(masker, name),
    service: service && maskName(masker, service),
    model: model && maskName(masker, model),
  };
};
