import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let projectId: string;
let testsetId: string;
let metricId: string;
let testcaseIds: string[];

const count = 60;
/** Refunds are one testcase of three; the last testcase has no intent. */
const intentOf = (i: number) => (i === count - 1 ? undefined : i % 3 === 0 ? 'refund' : 'order');

beforeAll(async () => {
  terminal = await openTerminal();
  const { client } = terminal;
  projectId = (await client.createProject({ name: 'Weights', description: '' })).id;
  testsetId = (
    await client.createTestset(projectId, {
      name: 'T',
      description: '',
      jsonSchema: {},
      fieldMapping: { inputs: ['q'], expected: [], metadata: ['intent', 'visits'] },
    })
  ).id;
  const items = Array.from({ length: count }, (_, q) => ({
    jsonData: { q, intent: intentOf(q), visits: intentOf(q) === 'refund' ? 9 : 1 },
  }));
  testcaseIds = (await client.createAllTestcases(testsetId, items)).map(({ id }) => id);
  metricId = (
    await client.createMetric(projectId, { name: 'Right', evalType: 'heuristic', outputType: 'boolean' })
  ).id;
});
afterAll(() => terminal.close());

const runOf = async (passes: (i: number) => boolean): Promise<string> => {
  const { client } = terminal;
  const run = await client.createRun(projectId, { testsetId, metricIds: [metricId] });
  const records = testcaseIds.map((testcaseId, q) => ({
    testcaseId,
    inputs: { q },
    expected: {},
    outputs: {},
    scores: [{ metricConfigId: run.metricVersionIds[0]!, score: { binaryScore: passes(q) } }],
  }));
  await client.createAllRecords(run.id, records);
  return run.id;
};

const shares = 'metadata.intent:refund=0.9,order=0.1';

describe('dokima summary and compare', () => {
  it('print weighted numbers, and by what they are weighted', async () => {
    const run = await runOf((i) => intentOf(i) === 'refund');
    const plain = await terminal.dokima(['summary', run]);
    expect(plain.out).toContain('33.33 %');
    expect(plain.out).not.toContain('weighted');
    const { out, code } = await terminal.dokima(['summary', run, '--shares', shares]);
    expect(code).toBe(0);
    expect(out).toContain('90.00 %');
    expect(out).toContain(
      'All rates and means are weighted to the traffic by metadata.intent: refund 90 %, order 10 %; one testcase without it is left out.',
    );
    const other = await runOf(() => true);
    const compared = await terminal.dokima(['compare', run, other, '--weight-by', 'metadata.visits']);
    expect(compared.out).toContain('Differences are weighted by metadata.visits.');
    expect(compared.out).toContain('18.18 %');
  });

  it('say what is wrong with a share', async () => {
    const run = await runOf(() => true);
    const { err, code } = await terminal.dokima(['summary', run, '--shares', 'metadata.intent:refund=0.9']);
    expect(code).toBe(4);
    expect(err).toContain('add up to 0.9');
  });
});

describe('dokima gate with weights', () => {
  const gate = async (rules: object, ...words: string[]) => {
    await terminal.write('dokima.yaml', JSON.stringify({ project: projectId, ...rules }));
    return terminal.dokima(['gate', ...words]);
  };
  const byShares = { shares: { 'metadata.intent': { refund: 0.9, order: 0.1 } }, slices: 'off' };

  it('decides by the rate of the traffic, and says so beside each rule', async () => {
    const mostly = await runOf((i) => intentOf(i) !== 'refund');
    const rules = { metrics: { Right: { notBelow: 0.5 } } };
    expect((await gate(rules, mostly)).code).toBe(0);
    const weighted = await gate({ ...rules, ...byShares }, mostly);
    expect(weighted.code).toBe(1);
    expect(weighted.out).toContain('Right (weighted by metadata.intent) is below 0.5');
    expect(weighted.out).toContain(
      'rates, means and differences are weighted to the traffic by metadata.intent: refund 90 %, order 10 %; one testcase without it is left out',
    );
  });

  it('finds a loss of the traffic that the testset hides', async () => {
    const before = await runOf((i) => i % 2 === 0);
    // Refunds get worse, as many orders get better.
    const after = await runOf((i) => (intentOf(i) === 'refund' ? false : i % 2 === 0 || i % 4 === 1));
    const rules = { metrics: { Right: { noRegression: {} } }, baseline: before };
    expect((await gate({ ...rules, slices: 'off' }, after)).code).toBe(0);
    const weighted = await gate({ ...rules, weightBy: 'metadata.visits', slices: 'off' }, after);
    expect(weighted.out).toContain('Right (weighted by metadata.visits)');
    expect(weighted.code).toBe(1);
  });

  it('refuses rules without a weighted number, each with what to write', async () => {
    const run = await runOf(() => true);
    const { err, code } = await gate(
      {
        ...byShares,
        slices: 'auto',
        test: 'sequential',
        metrics: { Right: { of: 'corrected', atLeast: 0.5 } },
      },
      run,
    );
    expect(code).toBe(4);
    expect(err).toContain('needs test: fixed: the sequential test counts each testcase once');
    expect(err).toContain('cannot be weighted: write slices: off, or leave out shares');
    expect(err).toContain('write of: pass, or leave out shares');
    const other = await gate({ shares: { intent: 0.5 }, metrics: { Right: { atLeast: 0.5 } } }, run);
    expect(other.err).toContain('must name one field with the share of each value');
  });
});
