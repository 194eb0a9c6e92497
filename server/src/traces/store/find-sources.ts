import { createHash } from 'node:crypto';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { ensureSources } from './queries.ts';
import { type Source, type Span, sourceText } from './span.ts';

/** A span or an event, the project that it goes to, and whether it names that. */
export type Placed<T> = { span: T; projectId: bigint; isNamed: boolean };
export type ProjectSpan = Placed<Span>;

/**
 * Returns the function that finds the ids of the sources of spans, and inserts the sources that are new. A request has few
 * sources: each is written out, hashed and asked for once.
 */
export const sourceFinder = (tx: Sql, scope: Scope) => {
  const texts = new Map<Source, { hash: string; content: string }>();
  const ids = new Map<string, bigint>();

  const textOf = (source: Source) => {
    const known = texts.get(source);
    if (known) return known;
    const content = sourceText(source);
    const text = { hash: createHash('sha256').update(content).digest('hex'), content };
    texts.set(source, text);
    return text;
  };
  const nameOf = ({ span, projectId }: ProjectSpan) => `${projectId} ${textOf(span.source).hash}`;

  return async (items: ProjectSpan[]): Promise<(item: ProjectSpan) => bigint> => {
    const missing = new Map(
      items
        .filter((item) => !ids.has(nameOf(item)))
        .map((item) => [nameOf(item), { projectId: item.projectId, ...textOf(item.span.source) }]),
    );
    if (missing.size > 0)
      for (const { id, projectId, hash } of await ensureSources(tx, scope, [...missing.values()]))
        ids.set(`${projectId} ${hash}`, id);
    return (item) => ids.get(nameOf(item))!;
  };
};
