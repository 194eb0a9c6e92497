/**
 * Measures what spans of agents with real-looking text take: bytes on disk and in the write-ahead log, processor time of ingest, and
 * reading a trace. Usage: node bench/span-contents.ts [requests]. A request has 500 spans in 50 traces.
 */
import { styleText } from 'node:util';
import postgres from 'postgres';
import { agentRequest, agentTrace, spansOfAgent } from './agent-traces.ts';
import type { Connection } from './connection.ts';
import { startPostgres } from './postgres.ts';
import { createRun } from './run.ts';
import { startService } from './service.ts';

const tracesEach = 50;
const numReads = 400;
const requests = Number(process.argv[2] ?? 40);

const send = (connection: Connection, body: Buffer) =>
  connection.send('POST', '/otel/v1/traces', body, 'application/x-protobuf');

const server = await startPostgres();
const url = await server.createDatabase('contents');
const service = await startService({ DATABASE_URL: url, DOKIMA_WORKERS: '0' });
const sql = postgres(url, { max: 1 });
try {
  const connection = await service.connect();
  const { projectId } = await createRun(connection);
  const traceIds: string[] = [];
  const bodies = Array.from({ length: requests + 5 }, (_, r) => {
    const traces = Array.from({ length: tracesEach }, (_, t) => agentTrace(r * tracesEach + t));
    traceIds.push(...traces.map(([root]) => root!.traceId));
    return agentRequest(projectId, traces);
  });
  // Until the code is warm.
  for (const body of bodies.splice(0, 5)) await send(connection, body);
  const used = async () => ({
    service: (await service.processorSeconds())!,
    database: (await server.processorSeconds())!,
    wal: (await server.storage('contents')).walBytes,
  });
  await sql`checkpoint`;
  const before = await used();
  for (const body of bodies) await send(connection, body);
  const after = await used();
  const spans = requests * tracesEach * spansOfAgent;
  const ms = (name: 'service' | 'database') => ((after[name] - before[name]) * 1000) / requests;
  const sizes = await sql<{ name: string; bytes: number; each: number }[]>`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes,
      pg_total_relation_size(oid)::float8 / (select count(*) from span) as each
    from pg_class where relname in ('span', 'span_content', 'trace', 'record', 'record_text') order by 1`;
  const read = async (path: (i: number) => string) => {
    for (let i = 0; i < 50; i++) await connection.get(path(i));
    const start = await used();
    for (let i = 0; i < numReads; i++) await connection.get(path(i));
    const end = await used();
    const each = (name: 'service' | 'database') => (((end[name] - start[name]) * 1000) / numReads).toFixed(2);
    return `${each('service')} + ${each('database')} ms`;
  };
  const traceOf = (i: number) =>
    `/api/v2/projects/${projectId}/traces/${traceIds[(i * 7) % traceIds.length]}`;
  const conversation = await read((i) => `${traceOf(i)}/conversation`);
  const tree = await read((i) => `${traceOf(i)}/spans`);
  const lines = [
    `${spans} spans in ${requests} requests, ${Math.round(bodies.reduce((sum, { length }) => sum + length, 0) / spans)} bytes a span as protocol buffers`,
    `processor time of 500 spans: service ${ms('service').toFixed(1)} ms, PostgreSQL ${ms('database').toFixed(1)} ms`,
    `write-ahead log: ${Math.round((after.wal - before.wal) / spans)} bytes a span`,
    ...sizes.map(({ name, each }) => `${name}: ${Math.round(each)} bytes a span`),
    `a conversation: ${conversation} (service + PostgreSQL); a tree: ${tree}`,
  ];
  process.stdout.write(`${styleText('bold', 'Contents of spans')}\n${lines.join('\n')}\n`);
} finally {
  await sql.end();
  await service.stop();
  await server.stop();
}
