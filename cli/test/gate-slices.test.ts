import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let projectId: string;
let testsetId: string;
let metricId: string;
let testcaseIds: string[];

const count = 300;
const german = (i: number) => i % 3 === 0;

beforeAll(async () => {
  terminal = await openTerminal();
  const { client } = terminal;
  projectId = (await client.createProject({ name: 'Slices', description: '' })).id;
  testsetId = (
    await client.createTestset(projectId, {
      name: 'T',
      description: '',
      jsonSchema: {},
      fieldMapping: { inputs: ['q'], expected: [], metadata: ['language', 'document'] },
    })
  ).id;
  const items = Array.from({ length: count }, (_, q) => ({
    jsonData: { q, language: german(q) ? 'de' : 'en', document: `d${q % 30}` },
  }));
  testcaseIds = (await client.createAllTestcases(testsetId, items)).map(({ id }) => id);
  metricId = (
    await client.createMetric(projectId, { name: 'Right', evalType: 'heuristic', outputType: 'boolean' })
  ).id;
});
afterAll(() => terminal.close());

const runOf = async (passes: (i: number) => boolean, has = (_: number) => true): Promise<string> => {
  const { client } = terminal;
  const run = await client.createRun(projectId, { testsetId, metricIds: [metricId] });
  const records = testcaseIds.flatMap((testcaseId, i) =>
    has(i)
      ? [
          {
            testcaseId,
            inputs: {},
            expected: {},
            outputs: {},
            scores: [{ metricConfigId: run.metricVersionIds[0]!, score: { binaryScore: passes(i) } }],
          },
        ]
      : [],
  );
  await client.createAllRecords(run.id, records);
  return run.id;
};
const gate = async (rules: object, ...words: string[]) => {
  await terminal.write('dokima.yaml', JSON.stringify({ project: projectId, ...rules }));
  return terminal.dokima(['gate', ...words]);
};
const rule = { noRegression: {} };
const by = (more: object) => ({ metrics: { Right: { by: { field: 'metadata.language', ...more } } } });

describe('a rule on a slice that no record is in', () => {
  it.each([
    ['a field with a typo', { field: 'metadata.langage', atLeast: 0.1 }, 'no record has metadata.langage'],
    ['inputs that no record has', { field: 'inputs.langg', notBelow: 0.1 }, 'no record has inputs.langg'],
    ['tags where none are given', { field: 'tag', atLeast: 0.1 }, 'no record has tag'],
    [
      'one value that no record has',
      { field: 'metadata.language', value: 'fr', atLeast: 0.1 },
      'no record has metadata.language = fr',
    ],
  ])('ends with 3 and names it, whatever the other rules say: %s', async (_, slice, said) => {
    const [before, run] = [await runOf(() => true), await runOf(() => true)];
    for (const others of [{}, { atLeast: 0.1 }]) {
      const { code, out } = await gate(
        { slices: 'off', metrics: { Right: { ...others, by: slice } } },
        run,
        '--baseline',
        before,
      );
      expect([code, out]).toEqual([3, expect.stringContaining(said)]);
    }
  });
});

describe('rules on the difference of a slice', () => {
  it('see a loss that the whole run hides, and leave the other slices alone', async () => {
    const before = await runOf((i) => (german(i) ? i % 30 > 0 : i % 10 > 3));
    // 20 of 100 German testcases are lost, and as many others won.
    const after = await runOf((i) => (german(i) ? i % 30 > 6 : i % 10 > 2));
    expect(await gate({ metrics: { Right: rule } }, after, '-b', before)).toMatchObject({ code: 0 });
    const said = await gate(by(rule), after, '-b', before);
    expect(said.code).toBe(1);
    expect(said.out).toMatch(
      /WORSE +Right where metadata\.language is de is worse than run \d+ +difference −0\.200 \(/,
    );
    expect(said.out).toMatch(/pass +Right where metadata\.language is en is not shown to be worse/);
    // Two slices are two tests.
    expect(said.out).toContain('2 rules are tested together (Holm)');
    expect(await gate(by({ value: 'en', ...rule }), after, '-b', before)).toMatchObject({ code: 0 });
    const shown = { value: 'en', nonInferiority: { margin: 0.05 } };
    expect(await gate(by(shown), after, '-b', before)).toMatchObject({ code: 0 });
  });

  it('a slice that neither the run nor the rules can test is not passed over in silence', async () => {
    const [before, after] = [
      await runOf(() => true),
      await runOf(
        () => true,
        (i) => !german(i),
      ),
    ];
    const lost = await gate({ covers: 0, ...by({ value: 'de', ...rule }) }, after, '-b', before);
    expect([lost.code, lost.out]).toEqual([
      3,
      expect.stringContaining('no record has metadata.language = de'),
    ]);
    const added = await gate({ covers: 0, ...by({ value: 'de', ...rule }) }, before, '-b', after);
    expect([added.code, added.out]).toEqual([
      0,
      expect.stringContaining(
        `run ${after} has no such record: nothing to compare with, so this rule passes`,
      ),
    ]);
    const without = await gate(by({ value: 'de', ...rule }), before);
    expect([without.code, without.out]).toEqual([3, expect.stringContaining('there is no baseline run')]);
  });

  it('warnings about a slice are in the report, with the slice that they are about', async () => {
    const few = (i: number) => i < 60;
    const [before, after] = [await runOf(() => true, few), await runOf((i) => i > 0, few)];
    const { out } = await gate(by({ value: 'de', atLeast: 0.1, ...rule }), after, '-b', before);
    expect(out).toMatch(/- Right: against run \d+ where metadata\.language is de: only 20 testcases/);
    expect(out).toMatch(/- Right: where metadata\.language is de: only 20 testcases/);
  });
});

describe('a slice that collapses', () => {
  /** 30 documents of ten testcases; one of them falls from ten passes to two. */
  const collapsed = (i: number) => i % 30 !== 7 || i < 60;

  it('is named without being asked for, and fails with slices: auto', async () => {
    const [before, after] = [await runOf(() => true), await runOf(collapsed)];
    const rules = { metrics: { Right: { nonInferiority: { margin: 0.1 } } } };
    const noted = await gate(rules, after, '-b', before);
    expect([noted.code, noted.out]).toEqual([
      0,
      expect.stringMatching(
        /- Right: against run \d+: lost more than the rest: metadata\.document d7: −80\.0 points \(shrunken −\d+\.\d, n = 10\), among 32 slices of 2 fields/,
      ),
    ]);
    const failed = await gate({ ...rules, slices: 'auto' }, after, '-b', before);
    expect([failed.code, failed.out]).toEqual([
      1,
      expect.stringMatching(
        /WORSE +Right has a slice that lost more than the rest since run \d+ +metadata\.document d7: 1\.000 → 0\.200, difference −0\.800 \(/,
      ),
    ]);
    expect((await gate({ ...rules, slices: 'off' }, after, '-b', before)).out).not.toContain('d7');
    const same = await gate({ ...rules, slices: 'auto' }, before, '-b', after, '--mark', 'x');
    expect([same.code, same.out]).toEqual([
      0,
      expect.stringContaining('no slice that is shown to have lost more'),
    ]);
  });

  it('notes about thirty slices are one line that counts them', async () => {
    const [before, after] = [await runOf(() => true), await runOf(collapsed)];
    const { out } = await gate(
      { slices: 'off', metrics: { Right: { by: { field: 'metadata.document', ...rule } } } },
      after,
      '-b',
      before,
    );
    expect(out).toMatch(/- Right: against run \d+ in (29|30) slices: /);
    expect(out).not.toMatch(/where metadata\.document is d1 and/);
  });
});

it('test: sequential is refused for grouped testcases, and says that lines hold for one look', async () => {
  const [before, after] = [await runOf(() => true), await runOf((i) => i % 2 > 0)];
  const rules = { test: 'sequential', metrics: { Right: { atLeast: 0.1, ...rule } } };
  const alone = await gate(rules, after, '-b', before);
  expect([alone.code, alone.out]).toEqual([
    1,
    expect.stringContaining('only the rules on differences of metrics hold for several looks'),
  ]);
  await terminal.client.updateTestsetSettings(testsetId, { groupingField: 'document' });
  const said = await gate(rules, after, '-b', before);
  await terminal.client.updateTestsetSettings(testsetId, { groupingField: null });
  expect([said.code, said.out]).toEqual([
    3,
    expect.stringMatching(
      /INCOMPLETE +Right: it is unknown whether it is worse than run .* the sequential test does not know groups/,
    ),
  ]);
});

describe('--store', () => {
  it('stores the verdict with the run, where the next one replaces it and the notes stay', async () => {
    const { client } = terminal;
    const [before, after] = [await runOf(() => true), await runOf((i) => i % 2 > 0)];
    await client.updateRunDetails(after, { notes: 'tried a shorter prompt' });
    const rules = { metrics: { Right: rule } };
    expect(await gate(rules, after, '-b', before)).toMatchObject({ code: 1 });
    expect((await client.getRunDetails(after)).verdicts).toEqual([]);
    await gate(rules, after, '-b', before, '--store');
    const [first] = (await client.getRunDetails(after)).verdicts;
    await gate(rules, after, '-b', before, '--store');
    const { verdicts, notes } = await client.getRunDetails(after);
    expect(verdicts).toEqual([
      {
        gate: 'dokima.yaml',
        outcome: 'worse',
        baselineRunId: before,
        against: `run ${before}`,
        reason: `Right is worse than run ${before}`,
        decidedAt: expect.any(String),
      },
    ]);
    expect(verdicts[0]!.decidedAt > first!.decidedAt).toBe(true);
    expect(notes).toBe('tried a shorter prompt');
    await gate({ metrics: { Right: { atLeast: 0.5 } } }, before, '--mark', 'main');
    expect(await client.getRunDetails(before)).toMatchObject({
      marks: ['main'],
      verdicts: [{ outcome: 'pass', baselineRunId: null, against: null, reason: null }],
    });
    const { projectId } = await client.getRunDetails(before);
    const idsOf = async (query: object) =>
      (await client.listRunDetails(projectId, query)).data.map(({ id }) => id);
    expect(await idsOf({ mark: 'main', outcome: 'pass' })).toEqual([before]);
    expect(await idsOf({ outcome: 'worse' })).toEqual([after]);
  });
});
