import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const node_modules = '**/node_modules/**';

/**
 * What depends on how a database stores, locks, starts and fails. These files run on both engines where TEST_DATABASE_URL names
 * a server; every other file runs on one.
 */
const onBothEngines = [
  'server/src/platform/db/**/*.test.ts',
  'server/src/archive/**/*.test.ts',
  'server/src/evaluation/records/*.test.ts',
  'server/src/evaluation/changes/*.test.ts',
  'server/src/scoring/queue/*.test.ts',
  'server/test/{crash,fidelity,full-disk,hostile-input,leases,outage,races,scoring}.test.ts',
  'server/test/{start-stop,unavailable,unstorable-text,worker-crash}.test.ts',
];

/** Each test file has a database of its own and writes it once: in memory where there is enough, which is ten times as fast. */
const temporaryDirectory = (): string => {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 4 * 1024 ** 3 ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
};
const TMPDIR = mkdtempSync(join(temporaryDirectory(), 'dokima-tests-'));
// For the set-up, which removes it at the end.
process.env.DOKIMA_TESTS_DIR = TMPDIR;

const project = (engine: 'embedded' | 'server', include: string[]) => ({
  extends: true as const,
  test: {
    name: engine,
    env: { DOKIMA_TEST_ENGINE: engine, TMPDIR },
    include,
    // Files take turns in a process: importing the service and starting it is a third of what most of them take.
    isolate: false,
    exclude: [node_modules, 'web/**'],
  },
});

/** The pages don't know which database is behind the API, so a browser walks through them once. */
const web = {
  extends: true as const,
  test: {
    name: 'web',
    env: { TMPDIR },
    include: ['web/**/*.test.ts'],
    // As above; a browser starts once in a process, too.
    isolate: false,
    exclude: [node_modules],
    globalSetup: ['web/test/build.ts'],
  },
};

/** The browser's files take longest: they start first, so that no process is left alone with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isWeb = ({ project }: TestSpecification) => Number(project.name === 'web');
    return (await super.sort(files)).toSorted((a, b) => isWeb(b) - isWeb(a));
  }
}

// `include` stands in the projects: they would add theirs to one that stood below.
export default defineConfig({
  test: {
    // Limits for what hangs, not for what is slow: the machine may be doing other things.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // One more than the cores that CI has: tests wait a third of their time, for processes, for pages, for limits to pass.
    maxWorkers: 3,
    // Young objects have room to die before they are copied, which was a twentieth of the processor time.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['server/test/prepare.ts'],
    projects: process.env.TEST_DATABASE_URL
      ? [project('server', ['**/*.test.ts']), project('embedded', onBothEngines), web]
      : [project('embedded', ['**/*.test.ts']), web],
  },
});
