import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fixture, nothing, openImports } from './importing.ts';

const { opened, importFile, readRun } = openImports();

const read = async (name: string) => JSON.parse(await readFile(fixture(name), 'utf8'));

/** What the tool itself says of a metric: how many cases it judged, and the mean of their values. */
type Told = Record<string, { n: number; mean: number }>;

/** The same of an imported run. */
const toldHere = async (runId: string): Promise<Told> => {
  const { metrics } = await opened.terminal.client.summarizeRun(runId);
  return Object.fromEntries(
    metrics.map(({ metricName, states, mean, passRate }) => [
      metricName,
      { n: states.scored, mean: (mean ?? passRate).estimate! },
    ]),
  );
};

/** The measures and the conversation of a run's last record that has an answer. */
const measuresOf = async (runId: string) => {
  const { client } = opened.terminal;
  for await (const record of client.listProjectRecords(opened.projectId, { runId })) {
    if (record.outputs.error !== undefined) continue;
    const { data } = await client.getRecordConversation(record.id);
    return { measures: record.measures, tools: JSON.stringify(data) };
  }
  throw new Error('no record');
};

const close = (told: Told) =>
  Object.fromEntries(
    Object.entries(told).map(([name, { n, mean }]) => [name, { n, mean: expect.closeTo(mean, 9) }]),
  );

/** Means that MLflow 3.17 printed: 4 cases; `closeness` failed on one, and the system on another, which MLflow counts as a fail. */
const mlflow = {
  closeness: { n: 2, mean: 0.625 },
  exact: { n: 3, mean: (4 * 0.25) / 3 },
  tone: { n: 3, mean: 2 / 3 },
};

const deepeval = async (): Promise<Told> => {
  const { metricsScores } = await read('deepeval-failures.json');
  return Object.fromEntries(
    metricsScores.map(({ metric, scores }: { metric: string; scores: number[] }) => [
      metric,
      { n: scores.length, mean: scores.reduce((a, b) => a + b, 0) / scores.length },
    ]),
  );
};

const inspect = async (): Promise<Told> => {
  // Inspect writes NaN, which is not JSON.
  const text = await readFile(fixture('inspect-failures.json'), 'utf8');
  const { results } = JSON.parse(text.replaceAll(/: NaN/g, ': null'));
  type Scorer = { name: string; scored_samples: number; metrics: Record<string, { value: number }> };
  return Object.fromEntries(
    results.scores.map(({ name, scored_samples, metrics }: Scorer) => [
      name,
      // Grades from 1 to 5 have a mean; all others are right or wrong.
      { n: scored_samples, mean: (metrics.accuracy ?? metrics.mean)!.value },
    ]),
  );
};

/** promptfoo weights a named score by its assertions; here each case has one score by that name, which promptfoo writes too. */
const promptfoo = async (): Promise<Told> => {
  const { prompts, results } = (await read('promptfoo-failures.json')).results;
  const named: number[] = results.flatMap(({ namedScores }: { namedScores: { city?: number } }) =>
    namedScores.city === undefined ? [] : [namedScores.city],
  );
  return {
    promptfoo: { n: prompts[0].metrics.testFailCount, mean: prompts[0].metrics.testPassCount },
    city: { n: named.length, mean: named.reduce((a, b) => a + b, 0) / named.length },
  };
};

describe('a file with failures that the tool itself wrote', () => {
  it.each([
    ['MLflow 3.17, traces', 'mlflow-traces.json', ['--scale', '0..1'], 4, () => mlflow],
    ['MLflow 3.17, table', 'mlflow-eval.csv', ['--scale', '0..1'], 4, () => mlflow],
    [
      'MLflow 3.17, evaluate()',
      'mlflow-table.json',
      ['--scale', '0..1'],
      2,
      () => ({ near: mlflow.closeness }),
    ],
    ['DeepEval 4.3.1', 'deepeval-failures.json', [], 3, deepeval],
    ['Inspect 0.3.285', 'inspect-failures.json', ['--scale', 'grade=1..5'], 4, inspect],
    ['promptfoo 0.121.20', 'promptfoo-failures.json', [], 4, promptfoo],
    [
      'LangSmith 0.15.1, where an evaluator that failed has no value, and a failed system is a case without a verdict',
      'langsmith-failures.csv',
      ['--scale', 'near=0..1'],
      4,
      () => ({ right: { n: 3, mean: 1 / 3 }, near: { n: 2, mean: 0.625 } }),
    ],
    [
      'Braintrust 0.48.1, the events that its SDK sends',
      'braintrust-failures.json',
      [],
      4,
      () => ({ right: { n: 3, mean: 1 / 3 }, near: { n: 2, mean: 0.625 } }),
    ],
    [
      'Ragas 0.4.3',
      'ragas.csv',
      [],
      3,
      () => ({
        exact_match: { n: 3, mean: 1 / 3 },
        string_present: { n: 3, mean: 1 / 3 },
        faithfulness: { n: 2, mean: 0.5 },
      }),
    ],
    [
      "Ragas 0.4.3 with a metric of the user's, which failed once",
      'ragas-own-metric.csv',
      ['--scale', 'right=0..1'],
      3,
      () => ({
        exact_match: { n: 3, mean: 1 / 3 },
        string_present: { n: 3, mean: 2 / 3 },
        non_llm_string_similarity: { n: 3, mean: 0.17142857142857137 / 3 + 1 / 3 },
        right: { n: 2, mean: 0.5 },
      }),
    ],
  ])('has the same counts and means here: %s', async (_tool, file, options, records, own) => {
    const said = await importFile(fixture(file), ...options);
    expect(said).toMatchObject({ records, runs: 1 });
    expect(await toldHere(said.runIds[0])).toMatchObject(close(await own()));
    expect(await opened.terminal.client.getRun(said.runIds[0])).toMatchObject({ status: 'completed' });
    expect(await importFile(fixture(file), ...options)).toMatchObject(nothing);
  });

  it.each([
    [
      'mlflow-traces.json',
      ['--scale', '0..1'],
      {
        closeness: ['no city in the answer', 'RuntimeError: the model is down'],
        exact: ['RuntimeError: the model is down'],
        tone: ['RuntimeError: the model is down'],
      },
    ],
    ['deepeval-failures.json', [], { Near: ['ValueError: the judge gave no JSON'] }],
    [
      'inspect-failures.json',
      ['--scale', 'grade=1..5'],
      {
        includes: ["RuntimeError('the sandbox is gone')"],
        grade: ["RuntimeError('the sandbox is gone')"],
        numeric: ["RuntimeError('the sandbox is gone')"],
        flaky: ["RuntimeError('the sandbox is gone')", 'the grader gave no grade'],
      },
    ],
    [
      'langsmith-failures.csv',
      ['--scale', 'near=0..1'],
      {
        right: ["RuntimeError('the model is down')"],
        near: ["RuntimeError('the model is down')", 'no score in the file'],
      },
    ],
    [
      'braintrust-failures.json',
      [],
      {
        right: ['RuntimeError: the model is down'],
        near: ['RuntimeError: the model is down', 'ValueError: the judge gave no grade'],
      },
    ],
    ['ragas.csv', [], { faithfulness: ['no score in the file'] }],
  ])('gives the reason of each missing score: %s', async (file, options, reasons) => {
    const { runIds } = await importFile(fixture(file), ...options);
    const records = await readRun(runIds[0]);
    const found = Object.fromEntries(
      Object.keys(reasons).map((name) => [
        name,
        records.flatMap((record) => record.reasons[name] ?? []).toSorted(),
      ]),
    );
    expect(found).toEqual(
      Object.fromEntries(Object.entries(reasons).map(([name, all]) => [name, all.toSorted()])),
    );
  });

  it('promptfoo: an error of the provider or of an assertion, and a grader without JSON', async () => {
    const { runIds } = await importFile(fixture('promptfoo-failures.json'));
    const records = await readRun(runIds[0]);
    expect(records.map(({ reasons }) => reasons.promptfoo)).toEqual([
      undefined,
      undefined,
      expect.stringContaining('500 Internal Server Error'),
      expect.stringContaining('Cost assertion does not support providers'),
    ]);
    expect(records[1]!.reasons['llm-rubric']).toBe('Could not extract JSON from llm-rubric response');
    expect(records[1]!.scores.promptfoo).toMatchObject({ binaryScore: false });
  });
});

describe('cost, latency, tokens and tool calls', () => {
  it('come along from MLflow', async () => {
    const { runIds } = await importFile(fixture('mlflow-traces.json'), '--scale', '0..1');
    const { measures, tools } = await measuresOf(runIds[0]);
    expect(measures).toMatchObject({ inputTokens: 12, outputTokens: 3, latencyMs: expect.any(Number) });
    expect(tools).toContain('lookup');
  });

  it('come along from Langfuse, LangSmith and Braintrust', async () => {
    const langfuse = {
      id: 't',
      projectId: 'p',
      name: 'bot',
      timestamp: '2026-01-01T00:00:00Z',
      input: 'q',
      output: 'a',
      latency: 1.5,
      totalCost: 0.002,
      scores: [],
      observations: [
        { type: 'GENERATION', usageDetails: { input: 12, output: 3, total: 15 } },
        { type: 'TOOL', name: 'lookup', input: { country: 'France' }, output: 'Paris' },
      ],
    };
    const langsmith = {
      id: 'r',
      run_type: 'chain',
      name: 'bot',
      inputs: { q: 1 },
      outputs: { a: 1 },
      start_time: '2026-01-01T00:00:00',
      end_time: '2026-01-01T00:00:01.500000',
      prompt_tokens: 12,
      completion_tokens: 3,
      total_cost: '0.002',
    };
    const braintrust = {
      id: 'e',
      span_id: 's',
      root_span_id: 's',
      input: 'q',
      output: 'a',
      scores: { Right: 1 },
      metrics: {
        start: 1.7e9,
        end: 1.7e9 + 1.5,
        prompt_tokens: 12,
        completion_tokens: 3,
        estimated_cost: 0.002,
      },
    };
    for (const item of [langfuse, langsmith, braintrust]) {
      await opened.terminal.write('call.json', JSON.stringify([item]));
      const { measures, tools } = await measuresOf((await importFile('call.json')).runIds[0]);
      expect(measures).toMatchObject({ inputTokens: 12, outputTokens: 3, costUsd: 0.002, latencyMs: 1500 });
      if (item === langfuse) expect(tools).toContain('lookup');
    }
  });

  it('come along from DeepEval', async () => {
    const { runIds } = await importFile(fixture('deepeval-failures.json'));
    const { measures, tools } = await measuresOf(runIds[0]);
    expect(measures).toMatchObject({ costUsd: 0.002, latencyMs: 1500 });
    expect(tools).toContain('lookup');
  });
});

describe('scores of Langfuse', () => {
  const score = (name: string, source: string, dataType: string, value: number, stringValue?: string) => ({
    name,
    source,
    dataType,
    value,
    stringValue,
    comment: `by ${source}`,
  });
  // The fields and data types of the models in the SDK 5.0.4 for Python.
  it('of people and of evaluators by one name are two metrics; each data type is read by its rule', async () => {
    const scores = [
      score('right', 'EVAL', 'BOOLEAN', 1, 'True'),
      score('right', 'ANNOTATION', 'BOOLEAN', 0, 'False'),
      score('tone', 'EVAL', 'NUMERIC', 3),
      score('verdict', 'ANNOTATION', 'CATEGORICAL', 1, 'incorrect'),
      { ...score('verdict', 'ANNOTATION', 'CATEGORICAL', 0, 'correct'), observationId: 'o' },
      score('fix', 'ANNOTATION', 'CORRECTION', 0, 'Better words.'),
    ];
    const trace = { id: 't', projectId: 'p', input: 'q', output: 'a', scores };
    await opened.terminal.write('langfuse.json', JSON.stringify([trace]));
    const said = await importFile('langfuse.json', '--scale', 'tone=1..5');
    const [record] = await readRun(said.runIds[0]);
    expect(record!.scores).toEqual({
      'right (EVAL)': { binaryScore: true, reasoning: 'by EVAL' },
      'right (ANNOTATION)': { binaryScore: false, reasoning: 'by ANNOTATION' },
      tone: { intScore: 3, reasoning: 'by EVAL' },
      verdict: { binaryScore: false, reasoning: 'by ANNOTATION' },
    });
    expect(said).toMatchObject({ scores: 4, unscored: 0 });
    // Langfuse says who made a score.
    const { scoreStates } = await opened.terminal.client.getRecord(record!.recordId);
    expect(Object.fromEntries(scoreStates.map(({ metricName, madeBy }) => [metricName, madeBy]))).toEqual({
      'right (EVAL)': 'model',
      'right (ANNOTATION)': 'person',
      tone: 'model',
      verdict: 'person',
    });
  });

  it('have the maker that --made-by names where the file names none; the service sees it in each score', async () => {
    const rows = [
      { inputs: { q: 'a' }, outputs: { a: 'b' }, scores: { right: true } },
      { inputs: { q: 'c' }, outputs: { a: 'd' }, scores: { right: false } },
    ];
    const table = [
      'inputs.q,outputs.a,right',
      ...rows.map((row) => `${row.inputs.q},${row.outputs.a},${row.scores.right}`),
    ];
    for (const [i, options] of [[], ['--made-by', 'person'], ['--made-by', 'model']].entries()) {
      const file = `made-${i}.csv`;
      await opened.terminal.write(file, `${table.join('\n')}\n`);
      const said = await importFile(file, '--scores', 'right', ...options);
      const makers = await Promise.all(
        (await readRun(said.runIds[0])).map(async ({ recordId }) => {
          const { scoreStates } = await opened.terminal.client.getRecord(recordId);
          return scoreStates.map(({ madeBy }) => madeBy).join();
        }),
      );
      expect(makers).toEqual([options[1] ?? 'client', options[1] ?? 'client']);
    }
    const { code, err } = await opened.terminal.dokima([
      'import',
      'made-0.csv',
      '--made-by',
      'someone',
      '-p',
      opened.projectId,
    ]);
    expect([code, err]).toEqual([4, expect.stringContaining('--made-by')]);
  });

  // The code of Langfuse 4.16 that writes its batch exports wrote these files.
  it.each(['traces.csv', 'traces.json', 'events.csv', 'events.json'])(
    'are columns of %s, an export of its pages',
    async (name) => {
      const said = await importFile(fixture(`langfuse-${name}`), '--scale', '0..1');
      expect(said).toMatchObject({ tool: 'Langfuse', testcases: 4, records: 4, scores: 6, unscored: 6 });
      const records = await readRun(said.runIds[0]);
      const isTrace = name.startsWith('traces');
      expect(records.map(({ inputs }) => inputs)).toEqual([
        { q: 'Peru, "big"', n: expect.anything() },
        { input: 'What is 2+2?' },
        { q: 'Chad' },
        { input: 'a\nb' },
      ]);
      const path = `/api/v2/records/${records[0]!.recordId}`;
      expect(await opened.terminal.client.send({ method: 'GET', path })).toContain('9007199254740993');
      expect(records.map(({ outputs }) => outputs)).toEqual([
        { a: 'Lima' },
        { output: '5' },
        isTrace ? {} : { error: 'no such country' },
        { output: '=1+1' },
      ]);
      expect(records.map(({ scores }) => scores)).toEqual([
        { correct: { floatScore: 1 }, helpful: { floatScore: 0.75 }, tone: { binaryScore: true } },
        { correct: { floatScore: 0 }, tone: { binaryScore: false } },
        {},
        { correct: { floatScore: 1 } },
      ]);
      expect(records[1]!.reasons).toEqual({ helpful: 'several scores in the file: 0.25, 1' });
      if (isTrace) return;
      expect(records[2]!.reasons.correct).toBe('no such country');
      const { measures, tools } = await measuresOf(said.runIds[0]);
      expect(measures).toMatchObject({ inputTokens: 10, outputTokens: 3, costUsd: 0.002, latencyMs: 500 });
      expect(tools).toContain('lookup');
    },
  );

  it('without what they score are refused', async () => {
    const one = { id: 's', traceId: 't', source: 'API', dataType: 'NUMERIC', name: 'helpful', value: 1 };
    await opened.terminal.write('scores.json', JSON.stringify([one]));
    const said = await opened.terminal.dokima(['import', '-p', opened.projectId, 'scores.json']);
    expect([said.code, said.err]).toEqual([4, expect.stringContaining('without what they score')]);
  });
});

describe('files of Phoenix 20.26', () => {
  it.each(['csv', 'json'])('an experiment with failed tasks and evaluators, as %s', async (ending) => {
    const said = await importFile(
      fixture(`phoenix-failures.${ending}`),
      '--scale',
      '0..1',
      '--skip',
      'verdict',
    );
    expect(said).toMatchObject({ testcases: 5, records: 10, scores: 30, unscored: 10 });
    // Phoenix lets its evaluators judge the two tasks that failed: 6 of 10 were correct, and 4 hallucinated.
    expect(await toldHere(said.runIds[0])).toEqual(
      close({
        broken: { n: 6, mean: 0.5 },
        correct: { n: 8, mean: 6 / 8 },
        hallucination: { n: 8, mean: 6 / 8 },
        length: { n: 8, mean: (2 * 0.5 + 2 * 0.5 + 2 * 0.6 + 2 * 0.4) / 8 },
      }),
    );
    const records = await readRun(said.runIds[0]);
    const reasons = new Set(records.flatMap(({ reasons }) => Object.values(reasons)));
    expect(reasons).toEqual(new Set(["RuntimeError('judge down')", "ValueError('no such country')"]));
    expect(await measuresOf(said.runIds[0])).toMatchObject({ measures: { latencyMs: expect.any(Number) } });
  });

  it('spans joined with annotations: verdicts by their labels, tokens, tools, and a failed span', async () => {
    const said = await importFile(fixture('phoenix-joined.csv'), '--scale', '0..1', '--skip', 'tone');
    expect(said).toMatchObject({ testcases: 3, records: 3, scores: 8, unscored: 4 });
    const records = await readRun(said.runIds[0]);
    const scoresOf = (question: string) => records.find(({ inputs }) => inputs.question === question)!;
    expect(scoresOf('Peru').scores).toEqual({
      correctness: { binaryScore: false, reasoning: 'no' },
      hallucination: { binaryScore: false },
      toxicity: { binaryScore: false },
      helpful: { floatScore: 0.25 },
    });
    expect(scoresOf('France').scores).toMatchObject({
      correctness: { binaryScore: true },
      hallucination: { binaryScore: true },
      toxicity: { binaryScore: true },
    });
    expect(scoresOf('Chad')).toMatchObject({ outputs: { error: 'boom' }, scores: {} });
    const { measures, tools } = await measuresOf(said.runIds[0]);
    expect(measures).toMatchObject({ outputTokens: 2, latencyMs: expect.any(Number) });
    expect(tools).toContain('lookup');
  });

  it.each(['csv', 'jsonl', 'json'])(
    'a dataset as %s is a testset: its output is expected',
    async (ending) => {
      const said = await importFile(fixture(`phoenix-dataset.${ending}`));
      expect(said).toMatchObject({ testcases: 5, runs: 0, records: 0, notes: [] });
      const { fieldMapping } = await opened.terminal.client.getTestset(said.testsetId);
      expect(fieldMapping).toMatchObject({ inputs: ['question', 'n'], expected: ['answer'] });
    },
  );

  it('annotations without spans and runs without their scores are refused', async () => {
    const annotation = { id: 'a', span_id: 's', name: 'ok', annotator_kind: 'LLM', result: { score: 1 } };
    const run = { id: 'r', dataset_example_id: 'e', experiment_id: 'x', output: 'a', error: null };
    for (const [item, why] of [
      [annotation, 'annotations of Phoenix without their spans'],
      [run, 'without their inputs and scores'],
    ] as const) {
      await opened.terminal.write('part.json', JSON.stringify({ data: [item], next_cursor: null }));
      const said = await opened.terminal.dokima(['import', '-p', opened.projectId, 'part.json']);
      expect([said.code, said.err]).toEqual([4, expect.stringContaining(why)]);
    }
  });
});

describe('labels', () => {
  // What each tool writes for a label: Langfuse a place and its name, Phoenix a number and a label, the others a text.
  const langfuse = (label: string, i: number) => ({
    id: `t${i}`,
    projectId: 'p',
    input: `q${i}`,
    output: 'a',
    scores: [{ name: 'Grade', source: 'ANNOTATION', dataType: 'CATEGORICAL', value: i, stringValue: label }],
  });
  const phoenix = (label: string, i: number) => ({
    'context.span_id': `s${i}`,
    'context.trace_id': `t${i}`,
    name: 'bot',
    span_kind: 'CHAIN',
    parent_id: null,
    attributes: { input: { value: `q${i}` }, output: { value: 'a' } },
    annotations: [{ name: 'Grade', annotator_kind: 'HUMAN', result: { score: i / 10, label } }],
  });
  const braintrust = (label: string, i: number) => ({
    id: `e${i}`,
    span_id: `s${i}`,
    root_span_id: `s${i}`,
    input: `q${i}`,
    output: 'a',
    scores: { Grade: label },
  });
  const inspect = (given: string[]) => ({
    version: 2,
    status: 'success',
    eval: { eval_id: 'e', task: 'T', model: 'm', dataset: {}, created: '2026-01-01T00:00:00Z' },
    plan: {},
    results: {},
    samples: given.map((label, i) => ({
      id: i,
      epoch: 1,
      input: `q${i}`,
      target: 't',
      output: { completion: 'a' },
      scores: { Grade: { value: label } },
    })),
  });
  const given = ['Wrong', 'Right', 'right', ' Partly', 'Right'];
  const csv = ['id,inputs.q,outputs.a,scores.Grade', ...given.map((label, i) => `${i},q${i},a,${label}`)];
  const files: Record<string, string> = {
    'labels.csv': csv.join('\n'),
    'labels-langsmith.csv': [
      'inputs.q,outputs.a,error,reference.a,feedback.Grade,execution_time,example_id,id',
      ...given.map((label, i) => `q${i},a,,a,${label},0.1,e${i},r${i}`),
    ].join('\n'),
    'labels-langfuse.json': JSON.stringify(given.map(langfuse)),
    'labels-phoenix.json': JSON.stringify(given.map(phoenix)),
    'labels-braintrust.json': JSON.stringify(given.map(braintrust)),
    'labels-inspect.json': JSON.stringify(inspect(given)),
  };
  const said = ['--passing', 'Grade=Right', '--order', 'Grade=Wrong,Partly,Right'];
  const stored = ['Wrong', 'Right', 'Right', 'Partly', 'Right'];

  it.each(Object.keys(files))('of %s are a category, whose spellings are one label', async (name) => {
    await opened.terminal.write(name, files[name]!);
    const { runIds, notes } = await importFile(name, ...said);
    expect(notes).toContain("Metric 'Grade': 'right' (1 times) is taken as 'Right'.");
    const records = await readRun(runIds[0]);
    expect(records.map(({ scores }) => (scores.Grade as { categoryScore: string }).categoryScore)).toEqual(
      stored,
    );
    const { metrics } = await opened.terminal.client.summarizeRun(runIds[0]);
    const { labels, passRate } = metrics.find(({ metricName }) => metricName === 'Grade')!;
    expect([passRate.estimate, labels!.ordered]).toEqual([0.6, true]);
    expect(labels!.shares.map(({ label, numScores }) => [label, numScores])).toEqual([
      ['Wrong', 1],
      ['Partly', 1],
      ['Right', 3],
    ]);
    // A second import finds the metric, and changes nothing.
    expect(await importFile(name, ...said)).toMatchObject({ metrics: 0, records: 0, scores: 0 });
  });

  it('are left out with what to say, and what is said wrongly is refused', async () => {
    await opened.terminal.write('labels.csv', files['labels.csv']!);
    const { notes } = await importFile('labels.csv');
    expect(notes.join()).toContain("say which of them pass: --passing 'Grade=Wrong'");
    const refused = async (...options: string[]) => {
      const words = ['import', '-p', opened.projectId, 'labels.csv', ...options];
      const { code, err } = await opened.terminal.dokima(words);
      expect(code).toBe(4);
      return err;
    };
    expect(await refused('--passing', 'Grade=Good')).toContain(
      "--passing names 'Good', which 'Grade' does not have",
    );
    expect(await refused('--passing', 'Grade=Right,Wrong,Partly')).toContain(
      'must leave out at least one label',
    );
    expect(await refused('--passing', 'Grade=Right', '--order', 'Grade=Wrong,Right')).toContain(
      "leaves out 'Partly'",
    );
    expect(await refused('--order', 'Grade=Wrong,Right')).toContain('nothing says which of its labels pass');
  });
});
