import type { Sql } from '../../platform/db/database.ts';
import { cutToPage } from '../../platform/http/pagination.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** One page of a run's samples with all that could have been drawn, oldest first. Reads review_sample_record_stratum. */
export const exportSamples = (sql: Sql, scope: Scope, runId: bigint, after: string, count: number) =>
  cutToPage(
    sql,
    sql`
    select json_build_object('id', sample.id, 'metricId', sample.metric_id::text, 'metricConfigId', sample.metric_config_id,
        'seed', sample.seed,
        'stratifyBy', case when sample.strata_of is not null then json_build_object(sample.strata_of, sample.strata_name) end,
        'allocation', sample.allocation,
        'strata', (
          select json_agg(json_build_object('value', stratum.value, 'wave', stratum.wave, 'numRecords', stratum.num_records,
            'numDrawn', stratum.num_drawn, 'records', coalesce((
              select json_agg(json_build_object('recordId', sampled.run_id || '-' || sampled.n, 'place', sampled.place)
                order by sampled.place)
              from review_sample_record sampled
              where sampled.sample_id = sample.id and sampled.stratum = stratum.position and sampled.run_id = ${runId}
                and sampled.organization_id = ${scope.organizationId}), '[]')) order by stratum.position)
          from review_stratum stratum
          where stratum.sample_id = sample.id and stratum.organization_id = ${scope.organizationId}))::text as body,
      sample.id::text as key, row_number() over (order by sample.id) as place
    from review_sample sample
    where sample.run_id = ${runId} and sample.organization_id = ${scope.organizationId} and sample.id > ${after}::text::uuid
    order by sample.id
    limit ${count}`,
  );

export type ImportedStratum = {
  position: number;
  wave: number;
  value: string | null;
  numRecords: number;
  numDrawn: number;
};

export const insertStrata = (tx: Sql, scope: Scope, sampleId: string, strata: ImportedStratum[]) => tx`
  insert into review_stratum (organization_id, sample_id, position, wave, value, num_records, num_drawn)
  select ${scope.organizationId}, ${sampleId}, position, wave, value, num_records, num_drawn
  from unnest(${strata.map((stratum) => stratum.position)}::integer[], ${strata.map((stratum) => stratum.wave)}::integer[],
    ${strata.map((stratum) => stratum.value)}::text[], ${strata.map((stratum) => stratum.numRecords)}::integer[],
    ${strata.map((stratum) => stratum.numDrawn)}::integer[])
    as given (position, wave, value, num_records, num_drawn)`;

export type FramedRecord = { n: number; stratum: number; place: number };

/** Notes where records stand among those that could have been drawn; the first of each stratum are, with the chance that all had. */
export const insertFramed = (
  tx: Sql,
  scope: Scope,
  runId: bigint,
  sampleId: string,
  records: FramedRecord[],
) => tx`
  insert into review_sample_record (organization_id, run_id, n, sample_id, stratum, place, inclusion_probability)
  select ${scope.organizationId}, ${runId}, given.n, ${sampleId}, given.stratum, given.place,
    case when given.place <= stratum.num_drawn then stratum.num_drawn::double precision / stratum.num_records end
  from unnest(${records.map((record) => record.n)}::integer[], ${records.map((record) => record.stratum)}::integer[],
    ${records.map((record) => record.place)}::integer[]) as given (n, stratum, place)
  join review_stratum stratum on stratum.sample_id = ${sampleId} and stratum.position = given.stratum
    and stratum.organization_id = ${scope.organizationId}`;
