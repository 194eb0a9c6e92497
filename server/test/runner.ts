import { type RunnerTask, type RunnerTestFile, TestRunner, type VitestTestRunner } from 'vitest';
import slowTests from './slow-tests.json' with { type: 'json' };

const slow = new Set<string>(process.env.DOKIMA_SLOW_TESTS === 'off' ? slowTests : []);

/** Skips the slow tests below a task, and a suite that has no other with all that it prepares. Returns what it skipped. */
const skipSlow = (task: RunnerTask, name: string): RunnerTask[] => {
  const skipped: RunnerTask[] =
    task.type === 'test' ? [] : task.tasks.flatMap((child) => skipSlow(child, `${name} > ${child.name}`));
  const isEmpty =
    task.type !== 'test' && skipped.length > 0 && task.tasks.every(({ mode }) => mode === 'skip');
  if (!isEmpty && !slow.has(name)) return skipped;
  task.mode = 'skip';
  task.result = { state: 'skip' };
  return [...skipped, task];
};

/** Leaves out the tests of slow-tests.json if DOKIMA_SLOW_TESTS is `off`, as `npm test` sets it (docs/decisions/0160). */
export default class extends TestRunner {
  declare onTaskUpdate: NonNullable<VitestTestRunner['onTaskUpdate']>;

  async onCollected(files: RunnerTestFile[]): Promise<void> {
    const skipped = files.flatMap((file) => skipSlow(file, file.name));
    await this.onTaskUpdate(
      skipped.map(({ id, result, meta }) => [id, result, meta]),
      [],
    );
  }
}
