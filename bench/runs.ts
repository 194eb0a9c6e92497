import { findRun, listRuns } from '../server/src/evaluation/runs/queries.ts';
import { newestFirst } from '../server/src/platform/http/pagination.ts';
import { compare } from './measure.ts';
import { createScoredRun } from './run.ts';
import type { Benchmark } from './subject.ts';

const rounds = 5;
const runCount = 20;

/** Counts and status of runs, which are taken from their records and scores each time: one run, and a page of twenty. */
export const countRuns: Benchmark = async ({ engine, bare, connect }) => {
  // The embedded database of a running service is open to nobody else, and a million scores take it minutes over HTTP.
  if (engine === 'embedded') return [];
  const [connection] = await connect(1);
  const run = await createScoredRun(connection!);
  await bare.transaction(async (tx) => {
    await tx`
      with copy as (
        insert into run (organization_id, project_id, last_record_n)
        select organization_id, project_id, last_record_n from run, generate_series(2, ${runCount}) where id = ${run.runId}
        returning id),
      copied as (
        insert into record (organization_id, project_id, run_id, n, inputs, expected, outputs)
        select organization_id, project_id, copy.id, n, inputs, expected, outputs from record, copy where run_id = ${run.runId}
        returning run_id)
      select count(*) from copied`;
    await tx`
      insert into score (organization_id, run_id, n, metric_config_id, state, score, value)
      select score.organization_id, copy.id, score.n, score.metric_config_id, state, score, value
      from score, run copy
      where score.run_id = ${run.runId} and copy.project_id = ${run.projectId} and copy.id <> score.run_id`;
  });
  await bare.vacuum();
  const one = await compare(
    rounds,
    () => connection!.get(`/api/v2/runs/${run.runId}`),
    () => bare.read((sql) => findRun(sql, bare.scope, BigInt(run.runId))),
  );
  const page = await compare(
    rounds,
    () => connection!.get(`/api/v2/projects/${run.projectId}/runs?limit=${runCount}`),
    () => bare.read((sql) => listRuns(sql, bare.scope, BigInt(run.projectId), newestFirst, runCount + 1)),
  );
  return [
    { work: 'get a run of 10,000 records', engine, ...one, count: 1, unit: 'runs' },
    { work: `list ${runCount} such runs`, engine, ...page, count: 1, unit: 'pages' },
  ];
};
