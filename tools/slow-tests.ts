/**
 * Prints the tests that `npm test` leaves out (server/test/slow-tests.json), derived from a run of all:
 *
 *     npx vitest run --reporter=json --outputFile=report.json
 *     node tools/slow-tests.ts report.json > server/test/slow-tests.json
 */
import { readFile } from 'node:fs/promises';
import { matchesGlob, relative } from 'node:path';
import { argv, cwd, stdout } from 'node:process';

/** A test is slow if it takes more than this share of the time of all tests: a share is the same on each machine. */
const share = 1 / 2000;

/** These guarantees run with each change, however long they take. */
const always = [
  'server/test/{contract,tenancy,fuzz,idempotency,paging}.test.ts',
  'server/test/{crash,worker-crash,start-stop,outage,unavailable,full-disk,leases,standby,plans,fidelity,upgrade}.test.ts',
  'server/src/accounts/**',
  'server/src/{traces/otlp/hostile,evaluation/testsets/json-schema}.test.ts',
  'server/src/{platform/db,engine/sandbox,scoring/queue,scoring/executions,evaluation/changes}/**',
  'server/test/hostile-*.test.ts',
  'python/*.test.ts',
  'web/test/{requests,safety}.test.ts',
];

type Report = {
  testResults: {
    name: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string; duration?: number }[];
  }[];
};

const { testResults }: Report = JSON.parse(await readFile(argv[2]!, 'utf8'));
const longestMs = new Map<string, number>();
let totalMs = 0;
for (const { name: path, assertionResults } of testResults) {
  const file = relative(cwd(), path);
  for (const { ancestorTitles, title, duration = 0 } of assertionResults) {
    const name = [file, ...ancestorTitles, title].join(' > ');
    totalMs += duration;
    if (!always.some((glob) => matchesGlob(file, glob)))
      longestMs.set(name, Math.max(duration, longestMs.get(name) ?? 0));
  }
}
const slow = [...longestMs].filter(([, ms]) => ms > totalMs * share).map(([name]) => name);
stdout.write(`${JSON.stringify(slow.sort(), null, 2)}\n`);
