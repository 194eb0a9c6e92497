import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { RecordDetail } from '../../client/src/main.ts';
import { trajectoryOf } from '../src/export/atif-steps.ts';
import { fixture, nothing, openImports } from './importing.ts';

const { opened, importFile, readRun } = openImports();

/** Our own trials in the form of Harbor's job folder. The Python package atif 1.8.0 checked and wrote the trajectories. */
const reward = ['--scale', 'reward=0..1'];
const job = fixture('harbor');
const trajectory = fixture('harbor/hello-world__Ab1/agent/trajectory.json');

describe('trajectories of agents', () => {
  it('become records: tasks are cases, trials of a task are trials, rewards are scores', async () => {
    const said = await importFile(job, ...reward);
    expect(said).toMatchObject({ tool: 'ATIF', testcases: 2, metrics: 1, runs: 1, records: 3, scores: 2 });
    expect(await readRun(said.runIds[0])).toMatchObject([
      {
        id: 'hello-world__Ab1',
        inputs: { input: 'Create hello.txt with the text Hello.' },
        outputs: { output: 'Done: hello.txt says Hello.' },
        scores: { reward: { floatScore: 1 } },
      },
      { id: 'hello-world__Cd2', outputs: { output: 'I give up.' }, scores: { reward: { floatScore: 0 } } },
      {
        id: 'parse-log__Ef3',
        outputs: { error: 'AgentTimeoutError: Agent execution timed out after 60 seconds' },
        scores: {},
      },
    ]);
    const run = await opened.terminal.client.getRun(said.runIds[0]);
    const { config } = await opened.terminal.client.getSystemVersion(run.systemVersionId!);
    expect(config).toMatchObject({ agent: 'terminus-2', model: 'anthropic/claude-haiku-4-5' });
  });

  it('have their conversation and tool calls in the order in which they happened', async () => {
    const said = await importFile(job, ...reward);
    const [first, second] = await readRun(said.runIds[0]);
    const { data: messages } = await opened.terminal.client.getRecordConversation(first!.recordId);
    const own = messages.filter(({ agentSpanId }) => agentSpanId === null);
    expect(own.map(({ role, content, toolCalls }) => [role, content, toolCalls?.length ?? 0])).toEqual([
      ['system', 'You work in a terminal.', 0],
      ['user', 'Create hello.txt with the text Hello.', 0],
      ['assistant', 'I write the file.', 2],
      ['tool', '', 0],
      ['tool', 'Hello', 0],
      ['assistant', '', 1],
      ['tool', 'It says Hello.', 0],
      ['assistant', 'Done: hello.txt says Hello.', 0],
    ]);
    const joined = await opened.terminal.client.getRecordConversation(second!.recordId);
    expect(joined.data.map(({ content }) => content)).toEqual([
      'You work in a terminal.',
      'Create hello.txt with the text Hello.',
      'I look around.',
      'nothing',
      'Summary: nothing is there.',
      'I give up.',
    ]);
  });

  it('give metrics their tool calls, tokens and sub-agents', async () => {
    const said = await importFile(job, ...reward);
    const [first, , third] = await readRun(said.runIds[0]);
    const { score, reason } = await opened.terminal.client.previewMetric(
      opened.projectId,
      {
        evalType: 'heuristic',
        outputType: 'boolean',
        recordId: first!.recordId,
        guidelines: `function score(inputs, outputs, expected, { toolCalls }) {
          const calls = toolCalls.map(({ name, arguments: given, result }) => [name, given, result]);
          return { score: true, reasoning: JSON.stringify(calls) };
        }`,
      },
      { idempotencyKey: null },
    );
    expect(reason).toBeNull();
    expect(JSON.parse(String(score?.reasoning))).toEqual([
      ['bash', { command: 'echo Hello > hello.txt' }, null],
      ['bash', { command: 'cat hello.txt' }, 'Hello'],
      ['delegate', { to: 'checker' }, 'It says Hello.'],
      ['read', { path: 'hello.txt' }, 'Hello'],
    ]);
    const { data: spans } = await opened.terminal.client.listRecordSpans(first!.recordId);
    expect(spans.map(({ name }) => name)).toContain('invoke_agent checker');
    const chat = spans.find(({ name }) => name.startsWith('chat'))!;
    const detail = await opened.terminal.client.getSpan(opened.projectId, chat.traceId, chat.spanId);
    expect(JSON.stringify(detail)).toContain('"gen_ai.usage.input_tokens"');
    const failed = await opened.terminal.client.listRecordSpans(third!.recordId);
    expect(failed.data[0]).toMatchObject({ failed: true });
  });

  it('imported again change nothing, and a file alone is one trial', async () => {
    const first = await importFile(job, ...reward);
    const [record] = await readRun(first.runIds[0]);
    const spans = await opened.terminal.client.listRecordSpans(record!.recordId);
    expect(await importFile(job, ...reward)).toMatchObject({ ...nothing, runIds: first.runIds });
    expect(await opened.terminal.client.listRecordSpans(record!.recordId)).toEqual(spans);
    const alone = await importFile(trajectory);
    expect(alone).toMatchObject({ tool: 'ATIF', records: 1, scores: 0 });
    const text = JSON.stringify(JSON.parse(await readFile(trajectory, 'utf8')));
    await opened.terminal.write('two.jsonl', `${text}\n${text.replaceAll('run-1', 'run-9')}\n`);
    expect(await importFile('two.jsonl')).toMatchObject({ records: 2, testcases: 1 });
  });

  it('leave again with steps, tool calls, errors, tokens and sub-agents, and come back the same', async () => {
    const { terminal } = opened;
    const said = await importFile(job, ...reward);
    const write = async (runId: string, file: string) => {
      const { code, err } = await terminal.dokima([
        'records',
        runId,
        file,
        '--format',
        'atif',
        '--model',
        'x',
      ]);
      expect([code, err]).toEqual([0, '']);
      const text = await terminal.read(file);
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const [first] = await write(said.runIds[0], 'out.jsonl');
    // One request for a record, however many calls it has.
    const asked: string[] = [];
    const counting = new Proxy(terminal.client, {
      get: (client, name) => {
        asked.push(String(name));
        return Reflect.get(client, name);
      },
    });
    for await (const { id } of terminal.client.listRecords(said.runIds[0]))
      await trajectoryOf(counting, 'any', { id } as RecordDetail);
    expect(asked).toEqual(Array(3).fill('getRecordConversation'));
    const original = JSON.parse(await readFile(trajectory, 'utf8'));
    // What the file says again: a sub-agent and calls have new ids, and a text is a text.
    const withoutTimes = ({ timestamp: _, model_name: __, ...step }: Record<string, unknown>) => step;
    const text = (step: object) =>
      JSON.parse(
        JSON.stringify(withoutTimes(step as Record<string, unknown>))
          .replaceAll('[{"type":"text","text":"Hello"}]', '"Hello"')
          .replaceAll(/"trajectory_id":"[^"]+"/g, '"trajectory_id":""'),
      );
    expect(first.steps.map(text)).toEqual(original.steps.map(text));
    // The package atif refuses a result with any other field, so an error stands in `extra`.
    const failed = structuredClone(original);
    const observed = failed.steps.find((step: { observation?: object }) => step.observation).observation;
    observed.results[0].extra = { error: 'down' };
    await terminal.write('failed.jsonl', JSON.stringify({ ...failed, session_id: 'failed' }));
    const [sent] = await write((await importFile('failed.jsonl')).runIds[0], 'sent.jsonl');
    const results: object[] = sent.steps.flatMap((step: typeof failed) => step.observation?.results ?? []);
    expect(['source_call_id', 'content', 'subagent_trajectory_ref', 'extra']).toEqual(
      expect.arrayContaining([...new Set(results.flatMap(Object.keys))]),
    );
    expect(results).toContainEqual(expect.objectContaining({ extra: { error: 'down' } }));
    const [sub] = first.subagent_trajectories;
    expect(sub.agent).toMatchObject({ name: 'checker', model_name: 'openai/gpt-5-mini' });
    expect(sub.steps.map(text)).toEqual(original.subagent_trajectories[0].steps.map(text));
    expect(JSON.stringify(first.steps[3])).toContain(sub.trajectory_id);

    const target = await terminal.client.createProject({ name: 'Back', description: '' });
    const back = await terminal.dokima(['import', '-p', target.id, 'out.jsonl', '--json', ...reward]);
    expect([back.code, back.err]).toEqual([0, expect.any(String)]);
    const again = await write(back.json().runIds[0], 'again.jsonl');
    const steps = (one: { steps: object[] }) => one.steps.map(text);
    expect(again.map(steps).sort()).toEqual((await write(said.runIds[0], 'out.jsonl')).map(steps).sort());

    // DeepEval says which tools were called, and has no messages.
    const tool = { name: 'weather', inputParameters: { city: 'Lima' }, output: 'Rain' };
    const metricsData = [{ name: 'Right', score: 1, threshold: 0.5, success: true }];
    const testCase = {
      name: 'one',
      input: 'Weather?',
      actualOutput: 'Rain.',
      metricsData,
      toolsCalled: [tool],
    };
    await terminal.write('deepeval.json', JSON.stringify({ testCases: [testCase], identifier: 'x' }));
    const [called] = await write((await importFile('deepeval.json')).runIds[0], 'called.jsonl');
    expect(called.steps).toMatchObject([
      { step_id: 1, source: 'user', message: 'Weather?' },
      {
        source: 'agent',
        message: '',
        tool_calls: [{ function_name: 'weather', arguments: { city: 'Lima' } }],
        observation: {
          results: [{ content: 'Rain', source_call_id: called.steps[1].tool_calls[0].tool_call_id }],
        },
      },
      { step_id: 3, source: 'agent', message: 'Rain.' },
    ]);
  });
});
