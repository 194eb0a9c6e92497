import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const node_modules = '**/node_modules/**';

/**
 * Tests that depend most on how a database stores, locks, starts and fails. With TEST_DATABASE_URL these files run on both
 * engines; all others run on one. Each night everything runs on each.
 */
const onBothEngines = [
  'server/src/platform/db/**/*.test.ts',
  'server/src/archive/fidelity.test.ts',
  'server/src/evaluation/samples/draw.test.ts',
  'server/src/scoring/queue/*.test.ts',
  'server/test/{crash,fidelity,full-disk,outage,start-stop,unavailable,worker-crash}.test.ts',
];

/** Each test file writes its own database once. It does so in memory if there is enough, which is ten times as fast. */
const temporaryDirectory = (): string => {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 4 * 1024 ** 3 ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
};
const TMPDIR = mkdtempSync(join(temporaryDirectory(), 'dokima-tests-'));
// The global set-up removes this folder at the end.
process.env.DOKIMA_TESTS_DIR = TMPDIR;
/** Programs that tests start keep their compiled code where `npm start` does. */
const env = { TMPDIR, NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/dokima') };

const project = (engine: 'embedded' | 'server', include: string[]) => ({
  extends: true as const,
  test: {
    name: engine,
    env: { ...env, DOKIMA_TEST_ENGINE: engine },
    include,
    // Node strips the types itself, as it does for the service. It takes a sixth of the processor time off.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Files share a process. Importing and starting the service would be a third of the time of most files.
    isolate: false,
    exclude: [node_modules, 'web/**'],
  },
});

/** The pages do not know which database is behind the API, so their tests run once. */
const web = {
  extends: true as const,
  test: {
    name: 'web',
    env,
    include: ['web/**/*.test.ts'],
    // As above. The browser also starts once per process.
    isolate: false,
    exclude: [node_modules],
    globalSetup: ['web/test/build.ts'],
  },
};

/** Starts the browser tests first. They take longest, so one that starts last would run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isWeb = ({ project }: TestSpecification) => Number(project.name === 'web');
    return (await super.sort(files)).toSorted((a, b) => isWeb(b) - isWeb(a));
  }
}

// `include` is set in the projects only, because a project adds its own to the one of the root.
export default defineConfig({
  test: {
    // These limits catch tests that hang. They are long, because the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // Tests wait for processes, pages and timeouts. More workers need more connections than a server has by default.
    maxWorkers: 3,
    // With a larger young generation, fewer objects are copied. It saves 5 % of the processor time.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['server/test/prepare.ts'],
    runner: './server/test/runner.ts',
    projects: process.env.TEST_DATABASE_URL
      ? [project('server', ['**/*.test.ts']), project('embedded', onBothEngines), web]
      : [project('embedded', ['**/*.test.ts']), web],
  },
});
