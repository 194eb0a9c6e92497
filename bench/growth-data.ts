import postgres from 'postgres';
import { measuresOfContent } from '../server/src/traces/store/contents.ts';
import { pack } from '../server/src/traces/store/pack.ts';
import { agentTrace, spansOfAgent } from './agent-traces.ts';

/** Records of each run. */
export const recordsEach = 10_000;
/** Spans of each trace. */
export const spansEach = spansOfAgent;
/** Traces whose texts differ. A pack is stored as it is, so a repeated one takes as much of the disk as another. */
const distinctTraces = 200;
/** Number of traces of each user, and of traces among which one has a failed span. */
const [tracesOfUser, tracesOfFailure] = [100, 100];

/** The project that the data is in, and its metric. */
export type GrowthProject = { projectId: string; metricId: string; configId: string };

/** In every record. */
export const frequentWord = 'apples';
/** In the first record of all. */
export const rareWord = 'xylophone';
/** In no record. */
export const missingWord = 'zeppelins';

/** Makes temporary tables of the contents that traces have in turn, and of their packs. */
const addContents = async (sql: postgres.Sql): Promise<void> => {
  const traces = Array.from({ length: distinctTraces }, (_, i) =>
    agentTrace(i).map(({ attributes }) => JSON.stringify({ status: 0, attributes })),
  );
  await sql.unsafe(`
    create temp table sample_content (i integer, of_span integer, bytes integer, hash bigint);
    create temp table sample_pack (i integer, packed bytea)`);
  for (const [i, contents] of traces.entries()) {
    const packed = pack(
      new Map(contents.map((content, s) => [(s + 1).toString(16).padStart(16, '0'), content])),
    );
    await sql`insert into sample_pack values (${i}, ${packed})`;
    for (const [s, content] of contents.entries()) {
      const { contentBytes, contentHash } = measuresOfContent(content);
      await sql`insert into sample_content values (${i}, ${s + 1}, ${contentBytes}, ${String(contentHash)})`;
    }
  }
};

/**
 * Adds runs with scores to a project, and traces of the first `traces` records of each, as the service would have written them, by SQL
 * alone: sending ten million records takes an hour. Their times go back one hour for each run. Triggers are off, so the rows that they
 * write are written here.
 */
// Long: it is one script of SQL
export const addRuns = async (
  url: string,
  project: GrowthProject,
  { from, to, traces }: { from: number; to: number; traces: number },
): Promise<void> => {
  const sql = postgres(url, { max: 1, prepare: false, onnotice: () => {} });
  const { projectId, metricId, configId } = project;
  try {
    await addContents(sql);
    await sql.unsafe(`
      set session_replication_role = replica;
      create temp table new_run as
        select organization_id, id as project_id, nextval(pg_get_serial_sequence('run', 'id')) as id,
          now() - interval '1 hour' * (2000 - i) as at, i
        from project, generate_series(${from}, ${to - 1}) i where id = ${projectId};
      insert into run (organization_id, project_id, id, last_record_n, created_at)
      overriding system value select organization_id, project_id, id, ${recordsEach}, at from new_run;
      insert into run_metric (organization_id, run_id, position, metric_id, metric_config_id)
      select organization_id, id, 0, ${metricId}, '${configId}' from new_run;
      insert into run_tally (organization_id, run_id, n) select organization_id, id, ${recordsEach} from new_run;
      insert into run_tally (organization_id, run_id, metric_config_id, state, n)
      select organization_id, id, '${configId}', 'scored', ${recordsEach} from new_run;
      insert into record (organization_id, project_id, run_id, n, inputs, expected, outputs, created_at)
      select organization_id, project_id, id, n,
        json_build_object('question', 'How many ${frequentWord} are in basket ' || n || ' of ' || i || '?'), '{}',
        json_build_object('answer', md5((i * ${recordsEach} + n)::text) || ' ${frequentWord}'
          || case when i = 0 and n = 1 then ' ${rareWord}' else '' end), at + n * interval '0.3 s'
      from new_run, generate_series(1, ${recordsEach}) n;
      create temp table new_shape as
        select organization_id, project_id, fields, hashtextextended(fields::text, 0) as shape
        from (select organization_id, id as project_id, array['expected', 'inputs', E'inputs\\x1fquestion', 'outputs', E'outputs\\x1fanswer'] as fields
          from project where id = ${projectId}) r;
      insert into record_shape (organization_id, project_id, shape, fields)
      select organization_id, project_id, shape, fields from new_shape on conflict do nothing;
      insert into record_text (organization_id, project_id, run_id, n, shape, content)
      select r.organization_id, r.project_id, run_id, n, (select shape from new_shape),
        lower(inputs ->> 'question') || E'\\n' || (outputs ->> 'answer')
      from new_run join record r on r.run_id = new_run.id;
      insert into score (organization_id, run_id, n, metric_config_id, state, score, value)
      select organization_id, id, n, '${configId}', 'scored',
        case n % 2 when 1 then '{"binaryScore":true}'::json else '{"binaryScore":false}' end, n % 2
      from new_run, generate_series(1, ${recordsEach}) n;
      insert into span_source (organization_id, project_id, hash, content)
      select organization_id, id, 'growth', '{}' from project where id = ${projectId} on conflict do nothing;
      create temp table new_trace as
        select organization_id, project_id, nextval(pg_get_serial_sequence('trace', 'id')) as id, new_run.id as run_id, n,
          floor(extract(epoch from at + n * interval '0.3 s') * 1e6)::bigint as us, (i * ${recordsEach} + n) as place
        from new_run, generate_series(1, ${traces}) n;
      insert into trace (organization_id, project_id, id, otel_id, run_id, n, session_id, user_id, start_ns, end_ns,
        num_spans, num_errors, input_tokens, output_tokens, cost_usd, name, service, model, input, output,
        created_at)
      overriding system value
      select organization_id, project_id, id, decode(md5(id::text), 'hex'), run_id, n, 'session ' || place,
        'user ' || place / ${tracesOfUser}, us * 1000, us * 1000 + (2000 + place % 997) * 1e6, ${spansEach}, (place % ${tracesOfFailure} = 0)::integer, 2700, 810,
        place % 991 / 1e5, 'invoke_agent solver', 'bench', 'gpt-4o', 'How many ${frequentWord}?', n || ' ${frequentWord}',
        to_timestamp(us / 1e6)
      from new_trace;
      insert into record_measure (organization_id, project_id, run_id, n, latency_ms, input_tokens, output_tokens, cost_usd, num_errors, user_id)
      select organization_id, project_id, run_id, n, duration_ms, input_tokens, output_tokens, cost_usd, num_errors, user_id
      from trace where id in (select id from new_trace);
      insert into span (organization_id, project_id, trace_id, span_id, parent_span_id, source_id, name, service, kind, operation,
        model, failed, start_ns, end_ns, input_tokens, output_tokens, chunk, content_bytes, content_hash)
      select t.organization_id, t.project_id, t.id, int8send(s), case when s > 1 then int8send(1) end, source.id,
        case when s > 1 then 'chat gpt-4o' else 'invoke_agent solver' end, 'bench', 3,
        case when s > 1 then 'chat' else 'invoke_agent' end, 'gpt-4o', s = 5 and t.place % ${tracesOfFailure} = 0, (us + s) * 1000, (us + s) * 1000 + 1e9, 300, 90,
        0, content.bytes, content.hash
      from new_trace t join span_source source on source.project_id = t.project_id and source.hash = 'growth'
      cross join generate_series(1::bigint, ${spansEach}) s
      join sample_content content on content.i = t.place % ${distinctTraces} and content.of_span = s
      order by t.id, s;
      insert into span_content (organization_id, trace_id, chunk, packed)
      select t.organization_id, t.id, 0, sample.packed
      from new_trace t join sample_pack sample on sample.i = t.place % ${distinctTraces}
      order by t.id;
      drop table new_trace;
      insert into record_tally (organization_id, project_id, minute, n, fresh)
      select organization_id, project_id, minute_of(created_at), count(*), false
      from record where run_id in (select id from new_run) group by 1, 2, 3;
      drop table new_run, new_shape, sample_content, sample_pack`);
  } finally {
    await sql.end();
  }
};
