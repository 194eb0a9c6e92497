import { afterAll, describe, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { type CodeInput, openSandbox } from './sandbox.ts';

const patient = openSandbox({ processes: 1, wallClockMs: 30_000 });
const impatient = openSandbox({ processes: 1, wallClockMs: 2_000 });
afterAll(() => Promise.all([patient.close(), impatient.close()]));

const record = (outputs: unknown, expected: unknown = {}, inputs: unknown = {}): CodeInput => ({
  inputs: JSON.stringify(inputs),
  outputs: JSON.stringify(outputs),
  expected: JSON.stringify(expected),
});

describe('JavaScript', () => {
  it('scores every record, results in order', async () => {
    const records = Array.from({ length: 200 }, (_, n) => record({ n }, { n: n % 2 }, { n }));
    const code =
      'function score(inputs: any, outputs: any, expected: any) { return { score: outputs.n === expected.n, reasoning: "n=" + inputs.n } }';
    const results = await patient.run('javascript', code, records, asker);
    expect(results).toEqual(records.map((_, n) => ({ ok: true, score: n < 2, reasoning: `n=${n}` })));
  });

  it('kills what runs too long; the records beside it are scored', async () => {
    const code = 'function score(inputs, outputs) { while (outputs.loop); return true }';
    const records = [record({}), record({ loop: true }), record({}), record({ loop: true }), record({})];
    expect(await impatient.run('javascript', code, records, asker)).toEqual([
      { ok: true, score: true },
      { ok: false, error: 'timed out after 2 s' },
      { ok: true, score: true },
      { ok: false, error: 'timed out after 2 s' },
      { ok: true, score: true },
    ]);
  });
});
