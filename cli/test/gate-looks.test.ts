import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGrowing } from './growing-run.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;

beforeAll(async () => {
  terminal = await openTerminal({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
});
afterAll(() => terminal.close());

/** Waits until the run has this many scores. */
const grownTo = async (runId: string, count: number): Promise<void> =>
  expect.poll(async () => (await terminal.client.getRun(runId)).numScores, { timeout: 20_000 }).toBe(count);

const gate = async (runId: string, rules: object) => {
  await terminal.write('dokima.yaml', JSON.stringify(rules));
  const { code, out, err } = await terminal.dokima(['gate', runId]);
  return { code, out: out + err };
};

describe('planned looks of a gate', () => {
  it('a proof says which look this is, its boundary and the next one, and passes once it is shown', async () => {
    const {
      runId,
      baselineId: baseline,
      goOn,
      close,
    } = await openGrowing(terminal, {
      stopAfter: 32,
      isRight: (call) => call !== 7,
    });
    await grownTo(runId, 32);
    const rules = (margin: number) => ({
      baseline,
      looks: 4,
      metrics: { Correct: { nonInferiority: { margin } } },
    });
    const open = await gate(runId, rules(0.1));
    expect(open.code).toBe(2);
    expect(open.out).toMatch(
      /it is open whether it is worse than run \d+ by more than 0\.1 .*n = 30\); look 2 of 4 at 30 testcases, boundary 2\.96 standard errors; next look at 45/,
    );
    expect(await gate(runId, rules(0.5))).toMatchObject({ code: 0 });
    goOn();
    await grownTo(runId, 60);
    const end = await gate(runId, rules(0.12));
    expect(end).toMatchObject({ code: 0, out: expect.stringContaining('look 4 of 4 at 60 testcases') });
    await close();
  });

  it('an alarm fails at the first look that shows a loss, and passes at the last alone', async () => {
    const lost = await openGrowing(terminal, { stopAfter: 32 });
    await grownTo(lost.runId, 32);
    const rules = (baseline: string) => ({
      baseline,
      looks: [15, 30, 60],
      slices: 'auto',
      metrics: { Correct: { noRegression: {}, atLeast: 0.5 } },
    });
    const failed = await gate(lost.runId, rules(lost.baselineId));
    expect(failed).toMatchObject({ code: 1, out: expect.stringContaining('look 2 of 3 at 30 testcases') });
    // The other rules count from the start: the alarm is read at 1 − .05/3.
    expect(failed.out).toMatch(/98\.33 %/);
    expect(failed.out).toMatch(
      /open whether it is at least 0\.5 +this rule has one look, at the end of the run/,
    );
    await lost.close();

    const kept = await openGrowing(terminal, { stopAfter: 32, isRight: () => true });
    await grownTo(kept.runId, 32);
    const open = await gate(kept.runId, rules(kept.baselineId));
    expect(open).toMatchObject({ code: 2, out: expect.stringContaining('next look at 60') });
    kept.goOn();
    await grownTo(kept.runId, 60);
    expect(await gate(kept.runId, rules(kept.baselineId))).toMatchObject({ code: 0 });
    await kept.close();
  });
});
