import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let [projectId, testsetId, right, stars] = ['', '', '', ''];

/** 60 testcases in 12 documents; the system fails whole documents, more or less of them. */
beforeAll(async () => {
  terminal = await openTerminal();
  const { client } = terminal;
  projectId = (await client.createProject({ name: 'Plan', description: '' })).id;
  const testset = await client.createTestset(projectId, {
    name: 'Documents',
    description: '',
    jsonSchema: {},
    fieldMapping: { inputs: ['q'], expected: [], metadata: ['document', 'visits'] },
  });
  testsetId = testset.id;
  await client.updateTestsetSettings(testset.id, { groupingField: 'document' });
  const items = Array.from({ length: 60 }, (_, i) => ({
    jsonData: { q: `question ${i}`, document: `d${i % 12}`, visits: i % 12 < 6 ? 3 : 1 },
  }));
  const { items: made } = await client.createTestcases(testset.id, { items });
  const metricOf = (name: string, outputType: 'boolean' | 'int') =>
    client.createMetric(projectId, { name, evalType: 'heuristic', outputType });
  const [passes, scored] = [await metricOf('Right', 'boolean'), await metricOf('Stars', 'int')];
  [right, stars] = [passes.id, scored.id];
  for (const every of [4, 3]) {
    const run = await client.createRun(projectId, {
      testsetId: testset.id,
      metricIds: [passes.id, scored.id],
    });
    const records = made.map(({ id }, i) => ({
      testcaseId: id,
      inputs: { q: `question ${i}` },
      expected: {},
      outputs: {},
      scores: [
        { metricConfigId: run.metricVersionIds[0]!, score: { binaryScore: i % every !== 0 } },
        { metricConfigId: run.metricVersionIds[1]!, score: { intScore: 1 + ((i * every) % 5) } },
      ],
    }));
    await client.createAllRecords(run.id, records);
  }
});
afterAll(() => terminal.close());

const dokima = (...words: string[]) =>
  terminal.dokima([words[0]!, '--project', projectId, ...words.slice(1)]);

describe('dokima plan', () => {
  it('says how many testcases a difference of pass rates needs, by the groups of the testset', async () => {
    const { out, code } = await dokima('plan', right, '--difference', '10', '--testset', testsetId);
    const asked = { metricId: right, measure: 'pass', difference: 0.1, testsetId } as const;
    await terminal.client.updateTestcaseMarks(testsetId, { q: 'data.visits:3', split: 'often' });
    const part = await dokima('plan', right, '--testset', testsetId, '--split', 'often', '--json');
    expect(part.json().n).toBe(30);
    const none = await dokima('plan', right, '--testset', testsetId, '--split', 'never');
    expect([none.code, none.err]).toEqual([4, expect.stringContaining('no testcase has the split "never"')]);
    const { numNeeded, groups } = await terminal.client.planRun(projectId, asked);
    expect(code).toBe(0);
    expect(out).toMatch(
      new RegExp(
        `^You need ${numNeeded!.toLocaleString('en')} testcases to see a difference of 10 points\\.`,
      ),
    );
    expect(groups!.size).toBe(5);
    expect(out).toContain(`Groups: ${groups!.numNeeded!.toLocaleString('en')} groups needed; 5 testcases in`);
    const { out: all, json } = await dokima('plan', right, '--json');
    expect(all).not.toContain('You need');
    expect(json().numNeeded).toBeNull();
    expect((await dokima('plan', right)).out).toMatch(
      /^With 60 testcases, differences of [\d.]+ points or more show\./,
    );
  });

  it('plans mean scores, and looks', async () => {
    const { out } = await dokima('plan', stars, '--score', '--difference', '0.5', '--looks', '4');
    const asked = { metricId: stars, measure: 'score', difference: 0.5, looks: 4 } as const;
    const { numNeeded, neededLooks } = await terminal.client.planRun(projectId, asked);
    expect(out).toContain(
      `You need ${numNeeded!.toLocaleString('en')} testcases to see a difference of 0.5 of a score.`,
    );
    expect(out).toContain(
      `Looks: at ${neededLooks!.map((n) => n.toLocaleString('en')).join(', ')} testcases`,
    );
    expect(await dokima('plan', stars, '--difference', 'many')).toMatchObject({
      code: 4,
      err: expect.stringContaining('--difference must be a number.'),
    });
  });
});

describe('dokima trends', () => {
  it('prints each metric over the latest runs, and weighs the testcases', async () => {
    const { out, code } = await dokima('trends', '--metric', right);
    expect(code).toBe(0);
    expect(out.match(/^\d+ +20\d\d-.* %/gm)).toHaveLength(2);
    const weighted = await dokima('trends', '--metric', right, '--weight-by', 'metadata.visits', '--json');
    const [{ points }] = weighted.json().metrics;
    const plain = (await dokima('trends', '--metric', right, '--json')).json().metrics[0].points;
    expect(points[0].passRate.method).toContain('weighted by metadata.visits');
    expect(points.map(({ runId }: { runId: string }) => runId)).toEqual(
      plain.map(({ runId }: { runId: string }) => runId),
    );
    expect(await dokima('trends', '--shares', 'metadata.document:d0=0.5')).toMatchObject({
      code: 4,
      err: expect.stringContaining('add up to'),
    });
  });
});
