import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture, openImports } from './importing.ts';

const { opened, importFile, readRun } = openImports();

const put = async (name: string, content: string | object): Promise<string> => {
  const path = join(opened.terminal.directory, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

/** Imports a file and returns the scores of its records, in their order. */
const scoresOf = async (name: string, content: string | object, ...options: string[]) => {
  const said = await importFile(await put(name, content), ...options);
  const records = await readRun(said.runIds[0]);
  return { said, records, scores: records.map((record) => record.scores) };
};

const refusalOf = async (content: string, ...options: string[]): Promise<string> => {
  const countTestsets = async () => (await opened.terminal.client.listTestsets(opened.projectId)).data.length;
  const before = await countTestsets();
  const words = ['import', '-p', opened.projectId, await put('refused.csv', content), ...options];
  const { code, err } = await opened.terminal.dokima(words);
  expect(code).toBe(4);
  expect(await countTestsets()).toBe(before);
  return err;
};

const table = (name: string, ...values: (string | number)[]): string =>
  [`id,inputs.q,outputs.a,scores.${name}`, ...values.map((value, i) => `${i},q${i},a,${value}`)].join('\n');

describe('the scale of a table', () => {
  it("a metric of the user's in a table of Ragas is asked about, not left out", async () => {
    const content = 'user_input,response,exact_match,mine,persona_name\nq,a,1.0,3.0,Ada\nr,b,0.0,,Ben\n';
    expect(await refusalOf(content)).toContain("does not say on which scale 'mine' is");
    expect(await refusalOf(content)).not.toContain('persona_name');
  });

  it('is asked for where the values do not say it: ones alone are not 100 %', async () => {
    expect(await refusalOf(table('helpful', 1, 1))).toContain(
      "Say it: --scale 'helpful=0..1', 'helpful=1..5'",
    );
    const { scores } = await scoresOf('ones.csv', table('helpful', 1, 1), '--scale', 'helpful=1..5');
    expect(scores).toEqual([{ helpful: { intScore: 1 } }, { helpful: { intScore: 1 } }]);
    for (const values of [
      [85, 20],
      [0, 1],
      [0.5, 0.25],
    ])
      expect(await refusalOf(table('s', ...values))).toContain("--scale 's=0..1'");
  });

  it('is asked for once for all metrics that lack it, and may be given for all of them', async () => {
    const text = 'inputs.q,outputs.a,scores.a,scores.b,scores.ok\nq,a,0.5,3,yes\n';
    expect(await refusalOf(text)).toMatch(
      /on which scale 'a' is.*; on which scale 'b' is.*--skip 'a' --skip 'b'/s,
    );
    const { scores } = await scoresOf('all.csv', text, '--scale', '0..1', '--scale', 'b=1..5');
    expect(scores).toEqual([{ a: { floatScore: 0.5 }, b: { intScore: 3 }, ok: { binaryScore: true } }]);
  });

  it('may have any ends and any direction, and a value outside of it is refused', async () => {
    const options = ['--scale', 'fault=0..10', '--direction', 'fault=lower'];
    const { scores } = await scoresOf('faults.csv', table('fault', 0, 2.5, 10), ...options);
    expect(scores.map(({ fault }) => fault?.floatScore)).toEqual([1, 0.75, 0]);
  });

  it('with a value outside of it is refused, as a scale of no metric is', async () => {
    expect(await refusalOf(table('s', 0, 11), '--scale', 's=0..10')).toContain(
      '\'s\' has "11", which is not on 0..10.',
    );
    expect(await refusalOf(table('s', 0, 1), '--scale', 't=0..10')).toContain('There is no metric t.');
    expect(await refusalOf(table('s', 0, 1), '--scale', 's=5')).toContain('--scale must be NAME=LOW..HIGH');
  });

  // As bare words of CSV and as values of JSON: no text becomes a number, and no number outside of the scale a share.
  it.each([
    ['0.5', 'timeout'],
    ['0,5', '0.5'],
    ['Infinity', '1'],
    ['1e400', '0'],
    ['-0.1', '0'],
    ['1.1', '0'],
    ['120%', '0'],
    ['4/0', '0'],
    ['0x10', '1'],
    ['1_000', '0'],
    ['½', '0'],
    ['٣', '0'],
    ['true', '0.5'],
    ['9007199254740993', '0'],
  ])('refuses a named scale of 0..1 for %s beside %s', async (odd, other) => {
    const quoted = table('s', `"${odd}"`, other);
    expect(await refusalOf(quoted, '--scale', 's=0..1')).toMatch(/'s' has .*, which is not on 0\.\.1\./);
  });

  it('takes a blank around a value for none, and a value that is missing for that case alone', async () => {
    const { scores } = await scoresOf(
      'blanks.csv',
      table('s', '" 0.5 "', '+0.5', 'None', '-'),
      '--scale',
      's=0..1',
    );
    expect(scores.map(({ s }) => s?.floatScore)).toEqual([0.5, 0.5, undefined, undefined]);
    const words = await scoresOf('words.csv', table('s', '"TRUE "', 'no', 'Passed', 'nan'));
    expect(words.scores.map(({ s }) => s?.binaryScore)).toEqual([true, false, true, undefined]);
  });

  it('is stated by percentages and fractions', async () => {
    const { scores } = await scoresOf('percent.csv', table('s', '85%', '4/5', 'n/a'));
    expect(scores.map(({ s }) => s?.floatScore)).toEqual([0.85, 0.8, undefined]);
  });

  it('leaves the direction of hallucination, toxicity and bias to the user', async () => {
    const asked = "--direction 'hallucination=lower'";
    const numbers = table('hallucination', 0, 1);
    expect(await refusalOf(numbers, '--scale', 'hallucination=0..1')).toContain(asked);
    expect(await refusalOf(table('hallucination', 'yes', 'no'))).toContain(asked);
    const lower = ['--direction', 'hallucination=lower'];
    expect(await refusalOf(numbers, ...lower)).toContain("--scale 'hallucination=0..1'");
    const said = await scoresOf('yes.csv', table('hallucination', 'yes', 'no'), ...lower);
    expect(said.scores.map(({ hallucination }) => hallucination?.binaryScore)).toEqual([false, true]);
  });

  it('one nan or None is that case alone, and the others keep their values', async () => {
    const { said, records, scores } = await scoresOf(
      'nan.csv',
      table('f', 0.5, 'nan', 'None', 'NaN', 0.25),
      '--scale',
      'f=0..1',
    );
    expect(said).toMatchObject({ scores: 2, unscored: 3 });
    expect(records.map(({ reasons }) => reasons.f)).toEqual([
      undefined,
      'nan in the file',
      'None in the file',
      'NaN in the file',
      undefined,
    ]);
    expect(scores.map(({ f }) => f?.floatScore)).toEqual([0.5, undefined, undefined, undefined, 0.25]);
  });
});

describe('ids that repeat', () => {
  it('with other content are records of their own, and the counts told are those stored', async () => {
    const text =
      'id,inputs.q,expected.a,outputs.a,scores.ok\n1,two,2,2,true\n1,three,3,4,false\n1,two,2,5,false\n1,two,2,2,true\n';
    const { said, records } = await scoresOf('twice.csv', text);
    expect(said).toMatchObject({ testcases: 2, records: 3, scores: 3 });
    expect(said.notes.join()).toContain('1 row left out');
    expect(
      records.map(({ inputs, outputs, scores }) => [inputs.q, outputs.a, scores.ok?.binaryScore]),
    ).toEqual([
      ['two', 2, true],
      ['three', 4, false],
      ['two', 5, false],
    ]);
    expect(await importFile(await put('twice.csv', text))).toMatchObject({
      testcases: 0,
      records: 0,
      scores: 0,
    });
  });

  it('as DeepEval names its cases keep each score beside its answer', async () => {
    const testCases = [0.2, 0.4, 0.6].map((score, i) => ({
      name: 'test_case_0',
      input: `q${i}`,
      actualOutput: 'x',
      metricsData: [{ name: 'Relevancy', threshold: 0.5, success: score >= 0.5, score, reason: 'r' }],
    }));
    const { said, records } = await scoresOf('same.json', { testCases });
    expect(said).toMatchObject({ testcases: 3, records: 3, scores: 3 });
    expect(records.map(({ inputs, scores }) => [inputs.input, scores.Relevancy?.floatScore])).toEqual([
      ['q0', 0.2],
      ['q1', 0.4],
      ['q2', 0.6],
    ]);
  });
});

describe("the tool's own verdict", () => {
  it('of DeepEval 3 and 4 is kept, also where a low score passes', async () => {
    const of = (name: string, score: number, success: boolean) => ({ name, score, success, threshold: 0.5 });
    const testCases = [
      {
        name: 'a',
        input: 'q',
        actualOutput: 'x',
        metricsData: [of('Bias', 0, true), of('Relevancy', 0.9, true)],
      },
      {
        name: 'b',
        input: 'r',
        actualOutput: 'x',
        metricsData: [of('Bias', 1, false), of('Relevancy', 0.1, false)],
      },
    ];
    const { scores } = await scoresOf('three.json', { testCases });
    expect(scores).toMatchObject([
      { Bias: { binaryScore: true, reasoning: 'Score 0, threshold 0.5.' }, Relevancy: { floatScore: 0.9 } },
      { Bias: { binaryScore: false }, Relevancy: { floatScore: 0.1 } },
    ]);
  });

  it.each([
    ['3.9.9', 'deepeval-3.json'],
    ['4.3.1', 'deepeval-4.json'],
  ])('of each metric of a file that DeepEval %s wrote is the verdict here', async (_version, name) => {
    const path = fixture(name);
    const { testCases } = JSON.parse(await readFile(path, 'utf8')) as {
      testCases: { name: string; metricsData: { name: string; success: boolean }[] }[];
    };
    const verdicts = testCases.flatMap((testCase) =>
      testCase.metricsData.map(({ name, success }) => `${testCase.name} ${name}: ${success}`),
    );
    const said = await importFile(path);
    const found: string[] = [];
    for await (const record of opened.terminal.client.listProjectRecords(opened.projectId, {
      runId: said.runIds[0],
    }))
      for (const { metricName, passed } of record.scoreStates)
        found.push(`${record.otelLinkId} ${metricName}: ${passed}`);
    expect(verdicts).toHaveLength(12);
    expect(found.toSorted()).toEqual(verdicts.toSorted());
  });

  it('of Langfuse is the name of a category, and of Phoenix its label', async () => {
    const trace = (id: string, stringValue: string, value: number) => ({
      id,
      projectId: 'p',
      input: 'q',
      output: 'a',
      scores: [{ name: 'right', dataType: 'CATEGORICAL', value, stringValue }],
    });
    const { scores } = await scoresOf('traces.json', [trace('1', 'correct', 0), trace('2', 'incorrect', 1)]);
    expect(scores.map(({ right }) => right?.binaryScore)).toEqual([true, false]);
    const span = (id: string, label: string, score: number) => ({
      'context.span_id': id,
      'attributes.input.value': 'q',
      'attributes.output.value': 'a',
      'eval.hallucination.label': label,
      'eval.hallucination.score': score,
    });
    const phoenix = await scoresOf('spans.json', [span('a', 'factual', 0), span('b', 'hallucinated', 1)]);
    expect(phoenix.scores.map(({ hallucination }) => hallucination?.binaryScore)).toEqual([true, false]);
  });
});

describe('an imported run', () => {
  it('ends at once: what no one will score is unscored, with its reason and never as a zero', async () => {
    const text =
      'id,inputs.q,outputs.a,error,scores.right,scores.short\n1,a,x,,true,true\n2,b,,timed out,false,false\n3,c,y,,,false\n';
    const said = await importFile(await put('failed.csv', text));
    expect(said).toMatchObject({ records: 3, scores: 3, unscored: 3 });
    const { dokima, client } = opened.terminal;
    const watched = await dokima(['watch', said.runIds[0]]);
    expect([watched.code, watched.out]).toEqual([3, expect.stringContaining('3 scores, completed')]);
    expect(watched.out).toContain('right: 2 unscored: 1 of 2: no score in the file');
    expect(watched.out).toContain('short: 1 unscored: timed out');
    const { metrics } = await client.summarizeRun(said.runIds[0]);
    expect(
      metrics.map(({ metricName, states, passRate }) => [metricName, states, passRate.estimate]),
    ).toEqual([
      ['right', { scored: 1, pending: 0, unscored: 2, failed: 0 }, 1],
      ['short', { scored: 2, pending: 0, unscored: 1, failed: 0 }, 0.5],
    ]);
    await opened.terminal.write('dokima.yaml', 'metrics:\n  right: { atLeast: 0.9 }\n');
    const gate = await dokima(['gate', said.runIds[0]]);
    expect(gate.out + gate.err).toContain('2 of 3 scores are missing');
  });

  it('imported again keeps a score that a client gave in the place of a reason', async () => {
    const path = await put('gap.csv', 'id,inputs.q,outputs.a,scores.right\n1,a,x,true\n2,b,y,\n');
    const { runIds } = await importFile(path);
    const { client } = opened.terminal;
    const [, gap] = await readRun(runIds[0]);
    const { metricVersionIds } = await client.getRun(runIds[0]);
    await client.upsertScore(gap!.recordId, metricVersionIds[0]!, { score: { binaryScore: false } });
    expect(await importFile(path)).toMatchObject({ scores: 0, unscored: 0 });
    expect((await readRun(runIds[0]))[1]!.scores).toEqual({ right: { binaryScore: false } });
  });
});

describe('what a result says of its call', () => {
  it('comes along: latency, tokens and cost of promptfoo', async () => {
    const result = {
      promptIdx: 0,
      testIdx: 0,
      id: 'r',
      provider: { id: 'echo' },
      vars: { q: 1 },
      success: true,
      latencyMs: 250,
      response: { output: 'a', cost: 0.002, tokenUsage: { prompt: 12, completion: 3 } },
      testCase: {},
      gradingResult: { pass: true, score: 1 },
    };
    const said = await importFile(await put('cost.json', { evalId: 'c', results: { results: [result] } }));
    const { client } = opened.terminal;
    for await (const { measures, inputs, outputs } of client.listProjectRecords(opened.projectId, {
      runId: said.runIds[0],
    })) {
      expect(measures).toMatchObject({ latencyMs: 250, inputTokens: 12, outputTokens: 3, costUsd: 0.002 });
      expect([inputs, outputs]).toEqual([{ q: 1 }, { output: 'a' }]);
    }
  });
});

describe('what an Inspect log says of its call', () => {
  it('comes along: latency and tokens', async () => {
    const sample = {
      id: 's',
      epoch: 1,
      input: 'q',
      target: 'a',
      output: { model: 'm', completion: 'a' },
      scores: {},
      started_at: '2026-01-01T00:00:00Z',
      total_time: 1.5,
      model_usage: { m: { input_tokens: 12, output_tokens: 3 } },
    };
    const log = { status: 'success', eval: { eval_id: 'i', task: 't', model: 'm' }, samples: [sample] };
    const said = await importFile(await put('inspect.json', log));
    const { client } = opened.terminal;
    for await (const { measures } of client.listProjectRecords(opened.projectId, { runId: said.runIds[0] }))
      expect(measures).toMatchObject({ latencyMs: 1500, inputTokens: 12, outputTokens: 3 });
  });
});

describe('a case that failed is unscored', () => {
  it('in LangSmith and Braintrust, whatever its feedback says', async () => {
    const run = (id: string, error: string | null) => ({
      id,
      run_type: 'chain',
      inputs: { q: id },
      outputs: {},
      error,
      name: 'bot',
      feedback: [{ key: 'right', score: error === null ? 0.5 : 0 }],
    });
    const runs = [run('1', null), run('2', 'timeout')];
    const langsmith = await scoresOf('runs.json', runs, '--scale', 'right=0..1');
    expect(langsmith.records.map(({ reasons }) => reasons)).toEqual([{}, { right: 'timeout' }]);
    expect(langsmith.records.map(({ outputs, scores }) => [outputs, scores])).toEqual([
      [{}, { right: { floatScore: 0.5 } }],
      [{ error: 'timeout' }, {}],
    ]);
    const event = (id: string, error: string | null) => ({
      id,
      span_id: id,
      root_span_id: id,
      input: id,
      output: null,
      error,
      scores: { Right: error ? 0 : 1 },
    });
    const braintrust = await scoresOf('events.json', [event('1', null), event('2', 'timeout')]);
    expect(braintrust.scores).toEqual([{ Right: { floatScore: 1 } }, {}]);
    expect(braintrust.records.map(({ reasons }) => reasons)).toEqual([{}, { Right: 'timeout' }]);
  });

  it('in promptfoo, if the provider or a grader failed', async () => {
    const result = (testIdx: number, more: object) => ({
      promptIdx: 0,
      testIdx,
      id: `r${testIdx}`,
      provider: { id: 'echo' },
      vars: { q: testIdx },
      success: false,
      testCase: {},
      response: { output: 'a' },
      gradingResult: { pass: false, score: 0 },
      ...more,
    });
    const graded = (graderError: boolean) => ({
      gradingResult: {
        pass: false,
        score: 0,
        reason: 'r',
        componentResults: [{ pass: false, assertion: { type: 'llm-rubric' }, metadata: { graderError } }],
      },
    });
    const results = [
      result(0, { failureReason: 2, response: { output: null } }),
      result(1, graded(true)),
      result(2, graded(false)),
    ];
    const { scores, records } = await scoresOf('eval.json', { evalId: 'e', results: { results } });
    expect(records.map(({ reasons }) => reasons)).toEqual([
      { promptfoo: 'the provider failed', 'llm-rubric': 'the provider failed' },
      { promptfoo: 'r', 'llm-rubric': 'no score in the file' },
      {},
    ]);
    expect(scores).toMatchObject([
      {},
      {},
      { promptfoo: { binaryScore: false }, 'llm-rubric': { binaryScore: false } },
    ]);
    expect(scores.slice(0, 2)).toEqual([{}, {}]);
  });

  it('in Ragas, if its metric is nan', async () => {
    const text =
      'user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy\n' +
      'q,"[""c""]",a,r,1.0,nan\np,"[""d""]",b,s,1.0,0.25\n';
    const { records } = await scoresOf('ragas.csv', text);
    expect(records.map(({ outputs, expected, scores }) => ({ outputs, expected, scores }))).toEqual([
      {
        outputs: { response: 'a', retrieved_contexts: ['c'] },
        expected: { reference: 'r' },
        scores: { faithfulness: { floatScore: 1 } },
      },
      {
        outputs: { response: 'b', retrieved_contexts: ['d'] },
        expected: { reference: 's' },
        scores: { faithfulness: { floatScore: 1 }, answer_relevancy: { floatScore: 0.25 } },
      },
    ]);
  });
});
