// Longer than 400 lines: one format after the other, with the same few expectations.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, RecordDetail } from '../../client/src/main.ts';
import { unzipLog } from '../src/import/zip.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let projectId: string;

beforeAll(async () => {
  terminal = await openTerminal();
});
beforeEach(async () => {
  projectId = (await terminal.client.createProject({ name: 'Imports', description: '' })).id;
});
afterAll(() => terminal.close());

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

const importFile = async (path: string, ...options: string[]) => {
  const said = await terminal.dokima(['import', '-p', projectId, path, '--json', ...options]);
  expect([said.code, said.err]).toEqual([0, expect.any(String)]);
  return said.json();
};

/** Reads a run in a form to compare: each record with its outputs and its scores by metric name. */
const readRun = async (runId: string) => {
  const records: RecordDetail[] = [];
  for await (const record of terminal.client.listProjectRecords(projectId, { runId })) records.push(record);
  return records.reverse().map(({ otelLinkId, inputs, expected, outputs, scoreStates, tags }) => ({
    id: otelLinkId,
    inputs,
    expected,
    outputs,
    tags,
    scores: Object.fromEntries(
      scoreStates.flatMap(({ metricName, score }) => (score ? [[metricName, score as JsonObject]] : [])),
    ),
  }));
};

const testcasesOf = async (testsetId: string): Promise<JsonObject[]> => {
  const data: JsonObject[] = [];
  for await (const { jsonData } of terminal.client.listTestcases(testsetId)) data.push(jsonData);
  return data;
};

/** The scale of numbers whose file does not say it. */
const shares = ['--scale', '0..1'];

const nothing = { testcases: 0, metrics: 0, runs: 0, records: 0, scores: 0, unscored: 0, tags: 0 };

const lines = (...items: unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('');

describe('real files', () => {
  it('promptfoo: a run for each prompt and provider, a score for each assertion', async () => {
    const said = await importFile(fixture('promptfoo.json'));
    expect(said).toMatchObject({ tool: 'promptfoo', testcases: 2, runs: 2, records: 4 });
    expect(await testcasesOf(said.testsetId)).toMatchObject([
      { id: '0', country: 'France', description: 'France' },
      { id: '1', country: 'Peru', continent: 'South America' },
    ]);
    const [first] = await readRun(said.runIds[0]);
    expect(first).toMatchObject({
      inputs: { country: 'France' },
      expected: { contains: 'Paris', icontains: 'france' },
      outputs: { output: 'The capital of France is Paris' },
      scores: {
        promptfoo: { binaryScore: true, reasoning: 'All assertions passed' },
        contains: { binaryScore: true, reasoning: 'Assertion passed' },
        'names the country': { floatScore: 1 },
      },
    });
    const peru = (await readRun(said.runIds[0]))[1]!;
    expect([peru.scores.promptfoo?.binaryScore, peru.scores.contains?.binaryScore]).toEqual([false, false]);
    const run = await terminal.client.getRun(said.runIds[1]);
    const version = await terminal.client.getSystemVersion(run.systemVersionId!);
    expect(version.config).toMatchObject({ prompt: 'Which city governs {{country}}? Paris or Lima' });
    expect((await terminal.client.getRunDetails(run.id)).origin).toContain(`promptfoo: ${said.id}`);
  });

  it('promptfoo: JSON lines hold the same records', async () => {
    const runs = async (file: string) => {
      projectId = (await terminal.client.createProject({ name: file, description: '' })).id;
      const said = await importFile(fixture(file), ...shares);
      expect(said.records).toBe(4);
      return Promise.all(said.runIds.map(readRun));
    };
    expect(await runs('promptfoo.jsonl')).toEqual(await runs('promptfoo.json'));
  });

  it('Inspect: epochs become trials, letters become yes and no, a sample with an error is unscored', async () => {
    const said = await importFile(fixture('inspect.eval'), ...shares);
    expect(said).toMatchObject({
      tool: 'Inspect',
      testcases: 3,
      metrics: 3,
      runs: 1,
      records: 6,
      scores: 15,
    });
    expect((await testcasesOf(said.testsetId)).map(({ id }) => id)).toEqual(['fr', 'de', '3']);
    const records = await readRun(said.runIds[0]);
    expect(records.map(({ outputs }) => outputs)).toEqual([
      { completion: 'Paris' },
      { completion: 'Paris' },
      { completion: 'It is Berlin.' },
      { completion: 'Berlin' },
      { completion: 'Cusco' },
      { error: expect.stringContaining('The model did not answer.') },
    ]);
    expect(records[2]).toMatchObject({
      inputs: { input: 'What is the capital of Germany?' },
      expected: { target: 'Berlin' },
      scores: {
        includes: { binaryScore: true },
        match: { binaryScore: false },
        brevity: { floatScore: 1 / 3, reasoning: 'One word is best.' },
      },
    });
    expect(records[5]!.scores).toEqual({});
    const run = await terminal.client.getRun(said.runIds[0]);
    expect((await terminal.client.getSystem(run.systemId!)).name).toBe('mockllm/model');
  });

  it('Inspect: the log as one JSON object holds the same records as the archive', async () => {
    const archived = await readRun((await importFile(fixture('inspect.eval'), ...shares)).runIds[0]);
    const files = unzipLog(await readFile(fixture('inspect.eval')));
    const parse = (path: string): JsonObject => JSON.parse(files.get(path)!.toString());
    const samples = [...files.keys()].filter((path) => path.startsWith('samples/')).map(parse);
    await terminal.write('inspect.json', JSON.stringify({ ...parse('header.json'), samples }));
    projectId = (await terminal.client.createProject({ name: 'As JSON', description: '' })).id;
    const said = await importFile('inspect.json', ...shares);
    expect(said).toMatchObject({ tool: 'Inspect', testcases: 3, records: 6, scores: 15 });
    expect(await readRun(said.runIds[0])).toEqual(archived);
  });

  it('DeepEval: a metric with an error gives no score', async () => {
    const said = await importFile(fixture('deepeval.json'));
    expect(said).toMatchObject({ tool: 'DeepEval', testcases: 3, records: 3, scores: 2, tags: 1 });
    const records = await readRun(said.runIds[0]);
    expect(records.map(({ id, scores }) => [id, scores['Exact Match']])).toEqual([
      ['france', { floatScore: 1, reasoning: 'Compared as text.' }],
      ['germany', { floatScore: 0, reasoning: 'Compared as text.' }],
      ['peru', undefined],
    ]);
    expect(records[0]).toMatchObject({ inputs: { input: 'Capital of France?' }, tags: ['europe'] });
    const { data } = await terminal.client.listMetrics(projectId);
    expect(data).toMatchObject([{ name: 'Exact Match', outputType: 'float', passingThreshold: 0.5 }]);
  });

  // The recorder and the FuzzyMatch eval of evals 3.0.1 wrote it, with a completion function that always gives the same answer.
  it('OpenAI Evals: matches and metrics of a sample are scores of one record', async () => {
    const said = await importFile(fixture('openai-evals.jsonl'));
    expect(said).toMatchObject({ tool: 'OpenAI Evals', id: expect.stringMatching(/^261121/), records: 2 });
    const records = await readRun(said.runIds[0]);
    const france = records.find(({ id }) => id === 'capitals.dev.0');
    expect(france).toMatchObject({
      inputs: { prompt: [{ role: 'user', content: 'Capital of France? One word.' }] },
      expected: { ideal: 'Paris' },
      outputs: { sampled: 'Paris' },
      scores: { 'capitals.dev.fuzzy': { binaryScore: true }, f1_score: { floatScore: 1 } },
    });
    const peru = records.find(({ id }) => id === 'capitals.dev.1');
    expect(peru).toMatchObject({
      expected: { ideal: ['Lima', 'Ciudad de los Reyes'] },
      scores: { 'capitals.dev.fuzzy': { binaryScore: false }, accuracy: { floatScore: 0 } },
    });
  });

  it.each([
    'promptfoo.json',
    'promptfoo.jsonl',
    'inspect.eval',
    'deepeval.json',
    'openai-evals.jsonl',
    'phoenix.parquet',
    'phoenix-experiment.json',
    'phoenix-spans.csv',
    'langsmith.csv',
  ])('importing %s again changes nothing', async (file) => {
    const first = await importFile(fixture(file), ...shares);
    const before = await Promise.all(first.runIds.map((id: string) => terminal.client.listRecords(id)));
    const second = await importFile(fixture(file), ...shares);
    expect(second).toMatchObject({ ...nothing, testsetId: first.testsetId, runIds: first.runIds });
    expect(await Promise.all(first.runIds.map((id: string) => terminal.client.listRecords(id)))).toEqual(
      before,
    );
  });

  it('importing again completes an interrupted import', async () => {
    const { runIds } = await importFile(fixture('inspect.eval'), ...shares);
    const { data } = await terminal.client.listRecords(runIds[0]);
    for (const { id } of data.slice(2)) await terminal.client.deleteRecord(id);
    expect(await importFile(fixture('inspect.eval'), ...shares)).toMatchObject({
      ...nothing,
      records: 4,
      scores: 9,
      unscored: 3,
    });
    expect(await readRun(runIds[0])).toHaveLength(6);
  });
});

describe('files in the formats that other tools document', () => {
  const written = async (name: string, text: string, ...options: string[]) => {
    await terminal.write(name, text);
    const said = await importFile(name, ...options);
    const again = await importFile(name, ...options);
    expect(again).toMatchObject(nothing);
    return { said, records: await readRun(said.runIds[0]) };
  };

  it('a file of evaluate() is a run as push makes it; damaged, it is refused with its line by every command', async () => {
    const head = { dokima: 'results', version: 1, id: 'ab12', tags: [] };
    const row = (case_: string, more: object) => ({
      group: 'Bot',
      case: case_,
      inputs: { q: case_ },
      ...more,
    });
    const whole = [
      head,
      row('sha256:1', { outputs: { answer: 1.5 }, scores: { right: true, tone: 4 }, cost_usd: 0.25 }),
      row('sha256:2', { outputs: { answer: 2 }, scores: { right: false }, reasons: { tone: 'no tone' } }),
      row('sha256:3', { error: 'OSError: down' }),
    ];
    const share = '{"group":"Bot","case":"sha256:4","inputs":{"q":4},"scores":{"close":1.0}}\n';
    const { records } = await written('bot.jsonl', `${lines(...whole)}\n${share}`);
    expect(records.map(({ inputs, scores }) => [inputs.q, scores])).toEqual([
      ['sha256:1', { right: { binaryScore: true }, tone: { intScore: 4 } }],
      ['sha256:2', { right: { binaryScore: false } }],
      ['sha256:3', {}],
      // Python's 1.0 is a share.
      [4, { close: { floatScore: 1 } }],
    ]);
    await terminal.write('broken.jsonl', lines(head, whole[1]!, { ...whole[2], inputs: null }));
    for (const words of [
      ['push', '-p', projectId],
      ['import', '-p', projectId],
    ]) {
      const { code, err } = await terminal.dokima([...words, 'broken.jsonl']);
      expect([words[0], code, err]).toEqual([
        words[0],
        4,
        expect.stringContaining("line 3 has a field 'inputs' that is not an object."),
      ]);
    }
    await terminal.write('empty.jsonl', '\n');
    expect((await terminal.dokima(['import', '-p', projectId, 'empty.jsonl'])).err).toContain(
      'empty.jsonl cannot be read. It is empty.',
    );
  });

  it('OpenAI Evals: events of a sample are one record', async () => {
    const spec = { completion_fns: ['gpt-4o'], eval_name: 'capitals.dev.v0', run_id: '2601010000ABCD' };
    const event = (sample_id: string, type: string, data: object) => ({
      run_id: spec.run_id,
      sample_id,
      type,
      data,
    });
    const text = lines(
      { spec },
      event('capitals.dev.0', 'sampling', {
        prompt: [{ role: 'user', content: 'France?' }],
        sampled: ['Paris'],
      }),
      event('capitals.dev.0', 'match', {
        correct: true,
        expected: 'Paris',
        picked: 'Paris',
        sampled: 'Paris',
      }),
      event('capitals.dev.1', 'sampling', { prompt: 'Peru?', sampled: ['Cusco'] }),
      event('capitals.dev.1', 'match', { correct: false, expected: 'Lima', picked: null, sampled: 'Cusco' }),
      { final_report: { accuracy: 0.5 } },
    );
    const { said, records } = await written('evals.jsonl', text);
    expect(said).toMatchObject({ tool: 'OpenAI Evals', id: '2601010000ABCD', records: 2 });
    expect(records).toMatchObject([
      {
        id: 'capitals.dev.0',
        expected: { ideal: 'Paris' },
        outputs: { sampled: 'Paris' },
        scores: { 'capitals.dev.v0': { binaryScore: true, reasoning: 'Picked Paris.' } },
      },
      { inputs: { prompt: 'Peru?' }, scores: { 'capitals.dev.v0': { binaryScore: false } } },
    ]);
  });

  it('Langfuse: traces with their scores and tags', async () => {
    const trace = { projectId: 'p', bookmarked: false, name: 'answer', tags: ['prod, eu'], sessionId: null };
    const scores = [
      { name: 'correct', value: 1, dataType: 'BOOLEAN', comment: 'Right.' },
      { name: 'tone', value: 0.5, dataType: 'NUMERIC' },
      { name: 'topic', stringValue: 'geography', value: null, dataType: 'CATEGORICAL' },
    ];
    const { said, records } = await written(
      'traces.json',
      JSON.stringify([
        { ...trace, id: 't1', input: { q: 'France?' }, output: 'Paris', metadata: { n: 1 }, scores },
      ]),
      ...shares,
    );
    expect(said.notes).toEqual([
      expect.stringContaining('Skipped metric \'topic\': values like "geography" are not'),
    ]);
    expect(records).toMatchObject([
      {
        id: 't1',
        outputs: { output: 'Paris' },
        tags: ['prod  eu'],
        scores: { correct: { binaryScore: true, reasoning: 'Right.' }, tone: { floatScore: 0.5 } },
      },
    ]);
  });

  it('Langfuse: root observations of a storage export become records', async () => {
    const row = { project_id: 'p', trace_name: 'answer', tags: ['eu'], metadata: { n: 1 }, type: 'SPAN' };
    const { said, records } = await written(
      'observations.jsonl',
      lines(
        {
          ...row,
          id: 'o1',
          trace_id: 't1',
          parent_observation_id: '',
          input: '{"q":"France?"}',
          output: 'Paris',
        },
        { ...row, id: 'o2', trace_id: 't1', parent_observation_id: 'o1', input: 'x', output: 'y' },
      ),
    );
    expect(said).toMatchObject({ tool: 'Langfuse', notes: [expect.stringContaining('in separate files')] });
    expect(records).toMatchObject([
      { id: 't1', inputs: { q: 'France?' }, outputs: { output: 'Paris' }, tags: ['eu'] },
    ]);
  });

  it('LangSmith: rows of a bulk export, where objects are text', async () => {
    const row = { run_type: 'chain', name: 'bot', tags: '["eu"]', extra: '{"metadata":{"topic":"x"}}' };
    const { said, records } = await written(
      'bulk.jsonl',
      lines(
        {
          ...row,
          id: 'r1',
          parent_run_id: '',
          inputs: '{"q":"France?"}',
          outputs: '{"a":"Paris"}',
          feedback_stats: '{"correctness":{"n":1,"avg":0.5}}',
        },
        { ...row, id: 'c1', parent_run_id: 'r1', inputs: '{"q":1}', outputs: '{}', feedback_stats: null },
      ),
      ...shares,
    );
    expect(said.tool).toBe('LangSmith');
    expect(records).toMatchObject([
      {
        id: 'r1',
        inputs: { q: 'France?' },
        outputs: { a: 'Paris' },
        tags: ['eu'],
        scores: { correctness: { floatScore: 0.5 } },
      },
    ]);
  });

  it('LangSmith: root runs with their feedback and their examples', async () => {
    const run = { run_type: 'chain', name: 'bot', inputs: { q: 'France?' }, outputs: { a: 'Paris' } };
    const feedback_stats = { correctness: { n: 1, avg: 1 } };
    const { records, said } = await written(
      'runs.jsonl',
      lines(
        { ...run, id: 'r1', reference_example_id: 'e1', feedback_stats, parent_run_id: null },
        { ...run, id: 'r2', reference_example_id: 'e1', feedback_stats: {}, parent_run_id: null },
        { ...run, id: 'c1', parent_run_id: 'r1', run_type: 'llm' },
        { ...run, id: 'r3', outputs: null, error: 'timeout' },
      ),
      '--scale',
      'correctness=0..1',
    );
    expect(said.testcases).toBe(2);
    expect(records).toMatchObject([
      { id: 'r1', outputs: { a: 'Paris' }, scores: { correctness: { floatScore: 1 } } },
      { id: 'r2', scores: {} },
      { id: 'r3', outputs: { error: 'timeout' } },
    ]);
  });

  // pandas wrote it from the result of evaluate() of LangSmith 0.15.0.
  it('LangSmith: repetitions in the table of an experiment become trials', async () => {
    const said = await importFile(fixture('langsmith.csv'), ...shares);
    expect(said).toMatchObject({ testcases: 2, metrics: 2, records: 4, scores: 8 });
    const records = await readRun(said.runIds[0]);
    expect(records.map(({ expected, scores }) => [expected, scores.correct])).toEqual([
      [{ answer: 'Paris' }, { binaryScore: true }],
      [{ answer: 'Lima' }, { binaryScore: false }],
      [{ answer: 'Paris' }, { binaryScore: true }],
      [{ answer: 'Lima' }, { binaryScore: false }],
    ]);
  });

  it('LangSmith: the table of an experiment', async () => {
    const text = 'inputs.q,outputs.a,reference.a,feedback.correct,example_id\nFrance?,Paris,Paris,true,e1\n';
    const { records } = await written('experiment.csv', text);
    expect(records).toMatchObject([
      {
        id: 'e1',
        inputs: { q: 'France?' },
        expected: { a: 'Paris' },
        scores: { correct: { binaryScore: true } },
      },
    ]);
  });

  it.each(['json', 'csv'])('Braintrust: an experiment as %s', async (form) => {
    const event = {
      project_id: 'p',
      id: 'b1',
      span_id: 's1',
      root_span_id: 's1',
      input: 'France?',
      output: 'Paris',
      expected: 'Paris',
      scores: { Levenshtein: 1, Factuality: null },
      metadata: { topic: 'x' },
      tags: ['easy'],
    };
    const quoted = (value: unknown) =>
      `"${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('"', '""')}"`;
    const csv = `${Object.keys(event).join(',')}\n${Object.values(event).map(quoted).join(',')}\n`;
    const json = JSON.stringify([event, { ...event, id: 'b2', span_id: 's2' }]);
    const { said, records } = await written(`experiment.${form}`, form === 'csv' ? csv : json);
    expect(said.tool).toBe('Braintrust');
    expect(records).toMatchObject([
      {
        id: 'b1',
        inputs: { input: 'France?' },
        expected: { expected: 'Paris' },
        tags: ['easy'],
        scores: { Levenshtein: { floatScore: 1 } },
      },
    ]);
    expect(records[0]!.scores).not.toHaveProperty('Factuality');
  });

  it('Phoenix: nested spans as JSON, with annotations', async () => {
    const span = {
      name: 'answer',
      context: { span_id: 'a1', trace_id: 't' },
      parent_id: null,
      attributes: { input: { value: 'France?' }, output: { value: 'Paris' } },
      annotations: [{ name: 'correct', result: { label: 'correct', score: 1, explanation: 'Yes.' } }],
    };
    const { records } = await written('spans.json', JSON.stringify({ data: [span] }));
    expect(records).toMatchObject([
      {
        id: 'a1',
        inputs: { input: 'France?' },
        scores: { correct: { binaryScore: true, reasoning: 'Yes.' } },
      },
    ]);
  });

  it('Phoenix: spans from its API, with flat attributes', async () => {
    const span = {
      id: 'U3Bhbjox',
      name: 'answer',
      parent_id: null,
      span_kind: 'CHAIN',
      context: { span_id: 'a1', trace_id: 't' },
      attributes: { 'input.value': '{"q":"France?"}', 'output.value': 'Paris', metadata: '{"topic":"x"}' },
    };
    const { said, records } = await written('api.json', JSON.stringify({ data: [span], next_cursor: null }));
    expect(said.tool).toBe('Phoenix');
    expect(said.notes).toEqual([expect.stringContaining('Phoenix exports annotations separately')]);
    expect(records).toMatchObject([{ id: 'a1', inputs: { q: 'France?' }, outputs: { output: 'Paris' } }]);
  });

  // Phoenix 20.26.1 wrote both for one experiment.
  it.each(['phoenix-experiment.json', 'phoenix-experiment.csv'])(
    'Phoenix: repetitions in %s become trials',
    async (file) => {
      const said = await importFile(fixture(file), ...shares);
      expect(said).toMatchObject({ tool: 'Phoenix', testcases: 2, metrics: 2, records: 4, scores: 8 });
      const records = await readRun(said.runIds[0]);
      expect(records.map(({ scores }) => [scores.correct, scores.closeness])).toEqual([
        [{ binaryScore: true }, { floatScore: 1, reasoning: 'by letters' }],
        [{ binaryScore: true }, { floatScore: 1, reasoning: 'by letters' }],
        [{ binaryScore: false }, { floatScore: 0.25, reasoning: 'by letters' }],
        [{ binaryScore: false }, { floatScore: 0.25, reasoning: 'by letters' }],
      ]);
      expect(records[3]).toMatchObject({
        id: 'RGF0YXNldEV4YW1wbGU6Mg== 2',
        inputs: { question: 'What is the capital of Peru?' },
        expected: { answer: 'Lima' },
        outputs: { answer: 'Cusco' },
      });
    },
  );

  it('Phoenix: a failed task has its error as outputs, and no score', async () => {
    const failed = {
      example_id: 'e',
      repetition_number: 1,
      input: { q: 'x' },
      reference_output: {},
      output: null,
    };
    const annotations = [{ name: 'correct', label: 'False', score: 0 }];
    const done = { ...failed, example_id: 'f', output: 'y', annotations };
    const items = [{ ...failed, error: 'It timed out.', annotations }, done];
    const { said, records } = await written('failed.json', JSON.stringify(items));
    expect(said.scores).toBe(1);
    expect(records).toMatchObject([
      { id: 'e 1', outputs: { error: 'It timed out.' }, scores: {} },
      { id: 'f 1', outputs: { output: 'y' }, scores: { correct: { binaryScore: false } } },
    ]);
  });

  // pandas wrote it from the spans and the annotations of Phoenix 20.26.1.
  it('Phoenix: spans joined with their annotations', async () => {
    const said = await importFile(fixture('phoenix-spans.csv'), ...shares);
    expect(said).toMatchObject({ tool: 'Phoenix', records: 2, scores: 2, notes: [] });
    expect(await readRun(said.runIds[0])).toMatchObject([
      {
        inputs: { question: 'What is the capital of Peru?' },
        outputs: { answer: 'Cusco' },
        scores: { Correctness: { binaryScore: false, reasoning: 'It is Lima.' } },
      },
      {
        outputs: { answer: 'Paris' },
        scores: { Correctness: { binaryScore: true, reasoning: 'as it should be' } },
      },
    ]);
  });

  it('Parquet: root spans of Phoenix become records', async () => {
    const said = await importFile(fixture('phoenix.parquet'), ...shares);
    expect(said).toMatchObject({ tool: 'Phoenix', records: 2, scores: 2 });
    expect(await readRun(said.runIds[0])).toMatchObject([
      { id: 'a1', inputs: { question: 'Capital of France?' }, outputs: { output: 'Paris' } },
      { id: 'b1', scores: { Correctness: { binaryScore: false, reasoning: 'Other city.' } } },
    ]);
  });

  it('Parquet: any table, with the columns that the options name', async () => {
    const columns = ['--id', 'context.span_id', '--inputs', 'attributes.input.value'];
    const scores = ['--outputs', 'attributes.output.value', '--scores', 'eval.Correctness.score'];
    const said = await importFile(
      fixture('phoenix.parquet'),
      ...shares,
      '--from',
      'table',
      ...columns,
      ...scores,
    );
    expect(said).toMatchObject({ tool: 'table', records: 3, scores: 2 });
    const correct = (floatScore: number) => ({ 'eval.Correctness.score': { floatScore } });
    expect(await readRun(said.runIds[0])).toMatchObject([
      { id: 'a1', outputs: { 'attributes.output.value': 'Paris' }, scores: correct(1) },
      { id: 'a2', inputs: { 'attributes.input.value': 'x' }, scores: {} },
      { id: 'b1', scores: correct(0) },
    ]);
  });

  it('CSV: columns by name or by the options; quotes, line ends and commas stay in their cells', async () => {
    const text =
      '\ufeffid,question,reply,grade\r\n"1","Who said ""no"",\nand why?",Bartleby,5\r\n2,Who?,,3\r\n';
    const { said, records } = await written(
      ...(['answers.csv', text, '--outputs', 'reply', '--scores', 'grade', '--scale', 'grade=1..5'] as const),
    );
    expect(said).toMatchObject({ tool: 'table', records: 2, scores: 2 });
    expect(records).toMatchObject([
      {
        id: '1',
        inputs: { question: 'Who said "no",\nand why?' },
        outputs: { reply: 'Bartleby' },
        scores: { grade: { intScore: 5 } },
      },
      { id: '2', outputs: { reply: '' } },
    ]);
  });

  it('JSON lines: parts as objects, scores with their reasoning', async () => {
    const { records } = await written(
      'answers.jsonl',
      lines({
        inputs: { q: 1 },
        expected: { a: 2 },
        outputs: { a: 2 },
        scores: { right: { score: true, reasoning: 'ok' } },
      }),
    );
    expect(records).toMatchObject([
      { id: 'row 1', expected: { a: 2 }, scores: { right: { binaryScore: true, reasoning: 'ok' } } },
    ]);
  });

  it('a missing score is left out, not a low score', async () => {
    const { said, records } = await written(
      'missing.jsonl',
      lines({ inputs: { q: 1 }, scores: { right: true } }, { inputs: { q: 2 }, scores: { right: null } }),
    );
    expect(said.scores).toBe(1);
    expect(records.map(({ scores }) => scores)).toEqual([{ right: { binaryScore: true } }, {}]);
  });

  it('a field that is both an input and expected keeps both values in the testcase', async () => {
    const { said, records } = await written(
      'same.jsonl',
      lines({ inputs: { text: 'a' }, expected: { text: 'b' }, outputs: { text: 'c' } }),
    );
    expect(await testcasesOf(said.testsetId)).toEqual([{ id: 'row 1', text: 'a', expected_text: 'b' }]);
    expect(records[0]).toMatchObject({ inputs: { text: 'a' }, expected: { text: 'b' } });
  });
});

describe('files that cannot be imported', () => {
  it.each([
    ['empty.json', '{}', 'Nothing in empty looks like results'],
    ['broken.json', '{"a":', 'broken.json cannot be read. It breaks off in line 1, column 6: Unexpected end'],
    ['broken.jsonl', '{}\n{', 'Line 2 breaks off at column 2: Expected property name'],
    ['blank.xml', ' \n', 'blank.xml cannot be read. It is empty.\n  Write it again'],
    ['long.csv', `inputs.q,outputs.a\nx,${'y'.repeat(15_000_000)}\n`, "The answer 'row 1' holds 14 MB."],
    ['ragged.csv', 'a,b\n1\n', 'ragged.csv cannot be read. Line 2 has 1 cell, the header has 2.'],
    ['open.csv', 'a\n"b', 'does not end'],
    [
      'unknown.csv',
      'x,y\n1,2\n',
      'No column holds the inputs of the system.\n  Name the columns with --inputs',
    ],
    ['broken.eval', 'PK\u0003\u0004 nonsense', 'broken.eval cannot be read. The archive is truncated.'],
  ])('%s ends with 4 and says why', async (name, text, why) => {
    await terminal.write(name, text);
    const { code, err } = await terminal.dokima(['import', '-p', projectId, name]);
    expect([code, err]).toEqual([4, expect.stringContaining(why)]);
  });

  it('names an unknown tool and an unknown column', async () => {
    await terminal.write('a.csv', 'input\nx\n');
    const tool = await terminal.dokima(['import', '-p', projectId, 'a.csv', '--from', 'nope']);
    expect(tool.err).toContain("There is no importer 'nope'.\n  Choose one of: promptfoo,");
    const column = await terminal.dokima(['import', '-p', projectId, 'a.csv', '--outputs', 'y']);
    expect(column.err).toContain('There is no column y.\n  The file has: input');
  });

  it('--dry-run says what a file holds and writes nothing', async () => {
    const said = await importFile(fixture('inspect.eval'), ...shares, '--dry-run');
    expect(said).toMatchObject({ tool: 'Inspect', records: 6, cases: 3, runs: 1 });
    expect((await terminal.client.listTestsets(projectId)).data).toEqual([]);
  });
});
