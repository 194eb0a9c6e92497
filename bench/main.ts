import { parseArgs } from 'node:util';
import type { Engine } from '../server/src/platform/db/database.ts';
import { listOneRecordsAnnotations } from './annotations.ts';
import { coldStart, idle } from './cold-start.ts';
import { deletes } from './deletes.ts';
import { evaluate } from './evaluate.ts';
import { ingest } from './ingest.ts';
import { ingestSpans } from './ingest-spans.ts';
import { listAllRecords } from './list-records.ts';
import { type Measurement, ratio, toTable } from './measure.ts';
import { memory } from './memory.ts';
import { openTrace } from './open-trace.ts';
import { recordsPage } from './records-page.ts';
import { singleCreates } from './single-creates.ts';
import { type Benchmark, runBenchmarks } from './subject.ts';

const benchmarks: Record<string, Benchmark> = {
  'cold-start': coldStart,
  idle,
  ingest,
  'ingest-spans': ingestSpans,
  'open-trace': openTrace,
  'single-creates': singleCreates,
  'list-records': listAllRecords,
  annotations: listOneRecordsAnnotations,
  deletes,
  evaluate,
  memory,
  'records-page': recordsPage,
};
const engines: Engine[] = ['server', 'embedded'];

const usage = `Usage: npm run bench -- [benchmark …] [--engine server|embedded] [--json] [--check]
--check: end with 1 if a target is missed.
Benchmarks: ${Object.keys(benchmarks).join(', ')}. Default: all benchmarks on both engines.`;

const readArguments = () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      engine: { type: 'string' },
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    },
  });
  const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
  const chosen = engines.filter((engine) => values.engine === undefined || engine === values.engine);
  const unknown = names.find((name) => !Object.hasOwn(benchmarks, name));
  if (unknown) throw new Error(`There is no benchmark ${unknown}.`);
  if (chosen.length === 0) throw new Error(`There is no engine ${values.engine}.`);
  return { names, engines: chosen, json: values.json, check: values.check };
};

const main = async (): Promise<void> => {
  const { names, engines, json, check } = readArguments();
  const rows: Measurement[] = [];
  for (const engine of engines) {
    const chosen = names.map((name) => benchmarks[name]!);
    await runBenchmarks(engine, chosen, (measured) => {
      rows.push(...measured);
      for (const { work } of measured) process.stderr.write(`${engine}: ${work}\n`);
    });
  }
  if (json) {
    const measurements = rows.map((row) => ({ ...row, ratio: ratio(row) }));
    process.stdout.write(`${JSON.stringify({ measurements }, null, 2)}\n`);
  } else {
    process.stdout.write(`\n${toTable(rows)}\n`);
  }
  if (check && rows.some(({ target }) => target?.met === false)) process.exitCode = 1;
};

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n\n${usage}\n`);
  process.exit(1);
});
