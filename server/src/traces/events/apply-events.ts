import { maskJson } from '../../engine/masking/mask-json.ts';
import type { Masking } from '../../evaluation/masking/masking.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { addEvents } from '../store/add-events.ts';
import type { ArrivedTrace } from '../store/arrived.ts';
import { applyResults } from './apply-results.ts';
import { type FoundEvent, takeDetails, takeResults } from './queries.ts';

/** Masks events that waited in a project with other rules than those of their trace's project. */
const maskMoved = async <T extends FoundEvent>(
  tx: Sql,
  scope: Scope,
  masking: Masking,
  events: T[],
): Promise<T[]> => {
  const masked: T[] = [];
  for (const event of events) {
    const masker = event.hasMoved ? await masking.of(scope, event, tx) : undefined;
    masked.push(masker ? { ...event, content: maskJson(event.content, masker) } : event);
  }
  return masked;
};

/**
 * Applies the events that waited for these traces: details of calls become events of their spans, results of evaluations scores of their
 * records. Returns the ids of the events that were taken, and the traces that got details.
 */
export const applyEvents = async (
  tx: Sql,
  scope: Scope,
  traces: Pick<ArrivedTrace, 'id' | 'projectId'>[],
  { now, masking }: { now: Date; masking: Masking },
): Promise<{ applied: Set<string>; changed: ArrivedTrace[] }> => {
  if (traces.length === 0) return { applied: new Set(), changed: [] };
  const ids = traces.map(({ id }) => id);
  const details = await takeDetails(tx, scope, ids);
  const changed = await addEvents(tx, scope, await maskMoved(tx, scope, masking, details), now);
  const results = await takeResults(tx, scope, ids);
  await applyResults(tx, scope, await maskMoved(tx, scope, masking, results));
  return { applied: new Set([...details, ...results].map(({ id }) => id)), changed };
};
