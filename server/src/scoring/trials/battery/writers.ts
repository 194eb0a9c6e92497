import type { WrittenRecord } from '../../../engine/statistics/self-preference.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Owner } from '../../../platform/http/scope.ts';

/** The models that wrote the output of a pinned record, by the number of its copy. */
export type Writers = { place: number; models: string[] };

/**
 * Lists the pinned records whose model is known: that of their traces, else that of their run's system version. Reads pinned_label_metric
 * and trace_record.
 */
export const listWriters = (sql: Sql, scope: Owner, metricId: bigint) => sql<Writers[]>`
  select place, models from (
    select p.place, coalesce(
      (select array_agg(distinct trace.model) from trace
        where trace.run_id = p.run_id and trace.n = p.n and trace.organization_id = ${scope.organizationId}
          and trace.model is not null),
      (select array[coalesce(field_text(version.config, 'modelName'), field_text(version.config, 'model'))]
        from run join system_version version on version.id = run.system_version_id
          and version.organization_id = ${scope.organizationId}
        where run.id = p.run_id and run.organization_id = ${scope.organizationId}
          and coalesce(field_text(version.config, 'modelName'), field_text(version.config, 'model')) is not null)) as models
    from pinned_label p
    where p.metric_id = ${metricId} and p.organization_id = ${scope.organizationId}) written
  where models is not null
  order by place`;

/** The name of a model without its provider and without the date of a version: `openai/gpt-4o-2024-08-06` is `gpt-4o`. */
export const bareName = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/[-@:](?:\d{4}-?\d{2}-?\d{2}|\d{3,4}|latest|preview)$/, '');

/** Whether all of a record's models, or none of them, are the judge's own. Null for outputs of both. */
export const isOwn = (models: readonly string[], judges: readonly string[]): boolean | null => {
  const own = new Set(judges.map(bareName));
  const found = models.map((model) => own.has(bareName(model)));
  if (found.every(Boolean)) return true;
  return found.some(Boolean) ? null : false;
};

type Labelled = { place: number; human: boolean; group: string };

/** The labelled records whose writer is known to be the judge's own model or another one. */
export const writtenRecords = (
  labels: readonly Labelled[],
  writers: readonly Writers[],
  judges: readonly string[],
  verdicts: ReadonlyMap<number, boolean>,
): WrittenRecord[] => {
  const models = new Map(writers.map((writer) => [writer.place, writer.models]));
  return labels.flatMap(({ place, human, group }) => {
    const own = isOwn(models.get(place) ?? [], judges);
    if (!models.has(place) || own === null) return [];
    return [{ human, group, own, judge: verdicts.get(place) ?? null }];
  });
};
