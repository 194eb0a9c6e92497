import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openTerminal, prepare, type Terminal } from './terminal.ts';

let terminal: Terminal;

beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

const dataOf = async (testsetId: string): Promise<unknown[]> => {
  const data: unknown[] = [];
  for await (const { jsonData } of terminal.client.listTestcases(testsetId)) data.push(jsonData);
  return data;
};

describe('testset pull and push', () => {
  it.each(['set.yaml', 'set.json'])('a pull to %s and a push change nothing', async (file) => {
    const { testset, project } = await prepare(terminal.client, 3);
    const splitRules = [{ split: 'hard', q: 'data.q:9' }];
    await terminal.client.updateTestsetSettings(testset.id, { groupingField: 'q', splitRules });
    const first = { ids: [`${testset.id}-1`], split: 'dev', addTags: ['a', 'b'] };
    await terminal.client.updateTestcaseMarks(testset.id, first);
    expect((await terminal.dokima(['testset', 'pull', testset.id, file])).code).toBe(0);
    const before = await terminal.read(file);
    const unchanged = {
      added: 0,
      changed: 0,
      marked: 0,
      gone: 0,
      headChanged: false,
      settingsChanged: false,
    };
    const pushed = async (...more: string[]) =>
      (await terminal.dokima(['testset', 'push', file, '--json', ...more])).json();
    expect(await pushed()).toMatchObject(unchanged);
    expect(await terminal.read(file)).toBe(before);

    const marksOf = async (id: string) =>
      (await terminal.client.listTestcases(id)).data.map(({ split, tags }) => [split, tags]);
    const marks = await marksOf(testset.id);
    expect(marks[0]).toEqual(['dev', ['a', 'b']]);
    await terminal.write(
      file,
      before.replace(/(^|")id"?: .*\n *("?name)/m, '$1$2').replaceAll(/- id: .*\n */g, '- '),
    );
    if (file.endsWith('.yaml')) {
      const copied = await pushed('-p', project.id);
      expect(await marksOf(copied.testsetId)).toEqual(marks);
      expect(await terminal.client.getTestsetSettings(copied.testsetId)).toEqual({
        groupingField: 'q',
        splitRules,
      });
    }

    // What the file lacks stays as it is, marks too; null and [] take them away. The last pull is of a snapshot.
    await terminal.client.createSnapshot(testset.id, {});
    const [one, two] = (await terminal.client.listTestcases(testset.id)).data;
    const testcases = [
      { id: one!.id, data: one!.jsonData, tags: ['b', 'c'], split: null },
      { id: two!.id, data: two!.jsonData, split: 'test' },
    ];
    await terminal.write(
      'marks.json',
      JSON.stringify({
        id: testset.id,
        name: testset.name,
        fieldMapping: testset.fieldMapping,
        groupingField: null,
        testcases,
      }),
    );
    const dry = await terminal.dokima(['testset', 'push', 'marks.json', '--dry-run']);
    expect(dry.out).toContain('0 added, 0 changed, 2 with another split or tags, 1 missing');
    await terminal.dokima(['testset', 'push', 'marks.json']);
    expect(await marksOf(testset.id)).toEqual([[undefined, ['b', 'c']], ['test', undefined], marks[2]]);
    expect(await terminal.client.getTestsetSettings(testset.id)).toEqual({ groupingField: null, splitRules });
    const then = await terminal.dokima(['testset', 'pull', testset.id, file, '--snapshot', '1']);
    expect(then.out).toContain('3 testcases of snapshot 1 of');
    const now = before.replace(/ *"?groupingField"?: .*\n/, '');
    expect((await terminal.read(file)).replace(/ *"?groupingField"?: .*\n/, '')).toBe(now);
    expect(await pushed()).toMatchObject({ ...unchanged, marked: 1 });
    expect(await marksOf(testset.id)).toEqual([marks[0], ['test', undefined], marks[2]]);
  });

  it('reads a file that Windows saved as UTF-16 or with a byte order mark, and refuses another encoding', async () => {
    const { testset } = await prepare(terminal.client, 1);
    const push = async (file: string, bytes: Buffer) => {
      await writeFile(join(terminal.directory, file), bytes);
      return terminal.dokima(['testset', 'push', file, '--json']);
    };
    for (const file of ['windows.yaml', 'windows.json']) {
      await terminal.dokima(['testset', 'pull', testset.id, file]);
      const text = (await terminal.read(file)).replace('Twice', 'Zwölf').replaceAll('\n', '\r\n');
      for (const encoding of ['utf16le', 'utf8'] as const) {
        const said = await push(file, Buffer.from(`\ufeff${text}`, encoding));
        expect([said.code, said.err]).toEqual([0, '']);
      }
      const odd = await push(file, Buffer.from(text, 'latin1'));
      expect([odd.code, odd.err]).toEqual([
        4,
        expect.stringMatching(/windows\.\w+ is not UTF-8 in line \d+\.\n {2}Save it as UTF-8/),
      ]);
    }
    expect((await terminal.client.getTestset(testset.id)).description).toContain('Zwölf');
  });

  it.each(['exact.yaml', 'exact.json'])(
    'a pull to %s, an edit and a push keep every number as it was written',
    async (file) => {
      const { testset, project } = await prepare(terminal.client, 0);
      const numbers = '"big":9007199254740993,"price":1.10,"many":1e3,"long":[0.12345678901234567891,-5,2.5]';
      const path = `/api/v2/testsets/${testset.id}/testcases`;
      const rawBody = `{"items":[{"jsonData":{"q":"before",${numbers}}}]}`;
      await terminal.client.send({ method: 'POST', path, rawBody });
      const stored = (of = path) => terminal.client.send({ method: 'GET', path: of });

      await terminal.dokima(['testset', 'pull', testset.id, file]);
      const pulled = await terminal.read(file);
      const { changed } = (await terminal.dokima(['testset', 'push', file, '--json'])).json();
      expect(changed).toBe(0);
      await terminal.write(file, pulled.replace('before', 'after'));
      expect((await terminal.dokima(['testset', 'push', file])).code).toBe(0);
      expect(await stored()).toContain(`{"q":"after",${numbers}}`);

      await terminal.write(file, pulled.replace(/(^|- )id: .*\n\s*/gm, '$1').replace(/^ *"id": .*\n/gm, ''));
      const copied = await terminal.dokima(['testset', 'push', file, '-p', project.id, '--json']);
      expect(await stored(`/api/v2/testsets/${copied.json().testsetId}/testcases`)).toContain(numbers);
      expect(await terminal.read(file)).toContain('9007199254740993');
    },
  );

  it('push makes additions and changes, and deletions only with --delete', async () => {
    const { testset, testcases } = await prepare(terminal.client, 3);
    const { id, description, jsonSchema, fieldMapping } = testset;
    const edited = {
      id,
      name: 'Twice',
      description,
      jsonSchema,
      fieldMapping,
      testcases: [
        { id: testcases[0]!.id, data: { q: 0, a: 0 } },
        { id: testcases[1]!.id, data: { q: 1, a: 'two' } },
        { data: { q: 9, a: 18 } },
      ],
    };
    await terminal.write('edited.json', JSON.stringify(edited));
    const dry = await terminal.dokima(['testset', 'push', 'edited.json', '--dry-run']);
    expect(dry.out).toBe(
      `Dry run: testset ${id}: 1 added, 1 changed, 1 missing from the file (--delete deletes them).\n`,
    );
    expect(await dataOf(id)).toHaveLength(3);
    await terminal.dokima(['testset', 'push', 'edited.json']);
    expect(await dataOf(id)).toEqual([
      { q: 0, a: 0 },
      { q: 1, a: 'two' },
      { q: 2, a: 4 },
      { q: 9, a: 18 },
    ]);
    expect((await terminal.client.getTestset(id)).name).toBe('Twice');
    await terminal.dokima(['testset', 'push', 'edited.json', '--delete']);
    expect(await dataOf(id)).toEqual([
      { q: 0, a: 0 },
      { q: 1, a: 'two' },
      { q: 9, a: 18 },
    ]);
  });

  it('push creates a testset from a handwritten file, and writes ids into it without touching comments', async () => {
    const { project } = await prepare(terminal.client, 0);
    await terminal.write(
      'capitals.yaml',
      `# Ours.
name: Capitals
fieldMapping: { inputs: [country], expected: [city], metadata: [] }
testcases:
  - data: { country: France, city: Paris } # easy
  - data: { country: Peru, city: Lima }
`,
    );
    const said = await terminal.dokima(['testset', 'push', 'capitals.yaml', '-p', project.id, '--json']);
    const { testsetId } = said.json();
    expect(await dataOf(testsetId)).toEqual([
      { country: 'France', city: 'Paris' },
      { country: 'Peru', city: 'Lima' },
    ]);
    const text = await terminal.read('capitals.yaml');
    expect(text).toContain('# Ours.');
    expect(text).toContain('# easy');
    const file = parse(text);
    expect([file.id, file.testcases[1].id]).toEqual([testsetId, `${testsetId}-2`]);
    const again = await terminal.dokima(['testset', 'push', 'capitals.yaml', '--json']);
    expect(again.json()).toMatchObject({ added: 0, changed: 0 });
  });

  it.each([
    ['name: X', 'has no list of testcases'],
    ['testcases: []', 'has no name'],
    ['name: X\ntestcases:\n  - {}', 'has a testcase without data'],
    ['name: X\ntestcases:\n  - { data: {}, tag: [a] }', "has a testcase with the unknown field 'tag'"],
    ['name: X\ntestcases:\n  - { data: {}, tags: a }', 'has a testcase whose tags are not a list of texts'],
    ['name: X\nsplitRule: []\ntestcases: []', "has the unknown field 'splitRule'"],
    ['a: [', 'cannot be read'],
    ['', 'is not a testset'],
  ])('refuses %j: %s', async (text, said) => {
    await terminal.write('bad.yaml', text);
    const { code, err } = await terminal.dokima(['testset', 'push', 'bad.yaml', '-p', '1']);
    expect([code, err]).toEqual([4, expect.stringContaining(said)]);
  });

  it('says which file is missing', async () => {
    const { code, err } = await terminal.dokima(['testset', 'push', 'absent.yaml']);
    expect([code, err]).toEqual([
      4,
      expect.stringMatching(/There is no file \S+absent\.yaml\.\n {2}Check the path/),
    ]);
    const directory = await terminal.dokima(['testset', 'push', '.']);
    expect([directory.code, directory.err]).toEqual([
      4,
      expect.stringMatching(/is a folder, not a file.\n {2}Name a file in it/),
    ]);
  });
});

describe('metric people', () => {
  it('shows and chooses the human metric that a judge is held against', async () => {
    const { project, metric } = await prepare(terminal.client, 0);
    const none = await terminal.dokima(['metric', 'people', metric.id]);
    expect([none.code, none.out]).toEqual([0, expect.stringContaining('is held against no human metric')]);
    const people = await terminal.client.createMetric(project.id, {
      name: 'Experts',
      evalType: 'human',
      outputType: 'boolean',
      guidelines: 'Is it right?',
      description: null,
    });
    const chosen = await terminal.dokima(['metric', 'people', metric.id, people.id]);
    expect(chosen.out).toContain(`is held against metric ${people.id}.`);
    const again = await terminal.dokima(['metric', 'people', metric.id, '--json']);
    expect(again.json()).toEqual({ metricId: metric.id, peopleMetricId: people.id });
    expect((await terminal.dokima(['metric', 'people'])).code).toBe(4);
  });
});

describe('metric pull and push', () => {
  it('a pull and a push change nothing; edits and additions are pushed', async () => {
    const { project, metric } = await prepare(terminal.client, 0);
    const words = ['-p', project.id, 'metrics.yaml'];
    await terminal.dokima(['metric', 'pull', ...words]);
    const unchanged = await terminal.dokima(['metric', 'push', ...words, '--json']);
    expect(unchanged.json()).toMatchObject({ added: [], changed: [] });

    const text = await terminal.read('metrics.yaml');
    const edited = `${text.replace('guidelines: ""', 'guidelines: Twice the number.')}  - name: Tone
    evalType: ai
    outputType: int
    promptTemplate: Is {{outputs.a}} polite?
`;
    await terminal.write('metrics.yaml', edited);
    const said = await terminal.dokima(['metric', 'push', ...words, '--json']);
    expect(said.json()).toMatchObject({ added: ['Tone'], changed: ['Right'] });
    expect((await terminal.client.getMetric(metric.id)).guidelines).toBe('Twice the number.');
    const { data } = await terminal.client.listMetrics(project.id);
    expect(data[0]).toMatchObject({ name: 'Tone', passingThreshold: 4 });
    const again = await terminal.dokima(['metric', 'push', ...words, '--json']);
    expect(again.json()).toMatchObject({ added: [], changed: [] });
  });

  it('refuses an id that the project does not have', async () => {
    const { project } = await prepare(terminal.client, 0);
    await terminal.write('m.json', JSON.stringify({ metrics: [{ id: '999999', name: 'X' }] }));
    const { code, err } = await terminal.dokima(['metric', 'push', '-p', project.id, 'm.json']);
    expect([code, err]).toEqual([4, expect.stringContaining("The project has no metric 999999 ('X').")]);
  });
});
