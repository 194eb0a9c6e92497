import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../server/test/harness.ts';
import { post } from '../../server/test/otlp.ts';
import type { Recorded } from './anonymous.ts';
import { type Column, columns, type Emitter, emitters, matrix } from './emitters.ts';
import { answers } from './model.ts';

/**
 * What the service makes of the spans that each framework sends. DOKIMA_EMITTERS names a folder with other recorded spans: the nightly
 * job records them with the newest versions.
 */
const folder = process.env.DOKIMA_EMITTERS ?? join(import.meta.dirname, 'recorded');

const questions = ['How warm is it in Oslo?', 'And tomorrow?'];
const args = { city: 'Oslo' };

type Entry = {
  role: string;
  content: string;
  toolCalls?: { id: string | null; name: string; arguments: unknown }[];
  name?: string;
  error: string | null;
  agentSpanId: string | null;
};
type Arrived = {
  usage: Recorded['usage'];
  records: { inputs: Record<string, unknown>; outputs: Record<string, unknown> }[];
  conversations: Entry[][];
  traces: Record<string, unknown>[];
};

let app: TestApp;
let own: Organization;
beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());

/** Sends the recorded spans of an emitter to a project that they alone are in, and reads what they became. */
const arrive = async (name: string): Promise<Arrived> => {
  const project = await createProject(own.api);
  const recorded = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Recorded;
  for (const { resource } of recorded.resourceSpans)
    resource!.attributes!.push({ key: 'dokima.project_id', value: { stringValue: project.id } });
  // A trace is in one project.
  const text = JSON.stringify({ resourceSpans: recorded.resourceSpans }).replaceAll(
    /("traceId":")\w{8}/g,
    `$1${project.id.padStart(8, '0')}`,
  );
  const { status, body } = await post(app, own.key, Buffer.from(text), {
    'content-type': 'application/json',
  });
  expect(`${status} ${body}`).toBe('200 {}');
  const { data: records } = await ok(own.api('GET', `/projects/${project.id}/records`));
  const ids = records.map(({ id }: { id: string }) => id).reverse();
  const conversations = await Promise.all(
    ids.map(async (id: string) => (await ok(own.api('GET', `/records/${id}/conversation`))).data),
  );
  const { data: traces } = await ok(own.api('GET', `/projects/${project.id}/traces`));
  return { usage: recorded.usage, records: records.reverse(), conversations, traces };
};

/** A conversation as lines that are easy to compare. A system's message is optional, since some frameworks keep it apart. */
const linesOf = (conversation: Entry[]): string[] =>
  conversation
    .filter(({ role }) => role !== 'system')
    .map(({ role, content, toolCalls = [], error }) => {
      const calls = toolCalls.map((call) => `${call.name}(${JSON.stringify(call.arguments)})`);
      const isFailed = error !== null || content.includes('unavailable');
      return role === 'tool'
        ? `tool: ${isFailed ? 'failed' : content}`
        : `${role}: ${content}${calls.join(' ')}`;
    });

/** Replaces the call of the tool by which an agent answers, and its result, by the answer. */
const withAnswers = (lines: string[], finalTool = ''): string[] => {
  const isCall = (line?: string) => finalTool !== '' && line?.includes(`${finalTool}({"answer":`) === true;
  return lines
    .filter((_, i) => !isCall(lines[i - 1]))
    .map((line) => (isCall(line) ? line.slice(0, line.indexOf(`${finalTool}(`)) : line));
};

/** Returns a line of a conversation with only the question or the answer in it. */
const withoutFrame = (line: string): string => {
  const said = [...questions, ...Object.values(answers)].find((text) => line.includes(text));
  return said === undefined ? line : `${line.split(':', 1)[0]}: ${said}`;
};

const firstTurn = [
  `user: ${questions[0]}`,
  'assistant: weather({"city":"Oslo"})',
  'tool: 3 °C in Oslo',
  'assistant: wind({"city":"Oslo"})',
  'tool: failed',
  `assistant: ${answers.today}`,
];
const secondTurn = [`user: ${questions[1]}`, `assistant: ${answers.tomorrow}`];

const sum = (traces: Arrived['traces'], key: string): number =>
  traces.reduce((total, trace) => total + Number(trace[key] ?? 0), 0);

/** Asserts one column of the matrix. Throws where the emitter's spans did not become what they should. */
const checks: Record<Column, (arrived: Arrived, emitter: Emitter) => void> = {
  record: ({ records }, { scenario, fields: [question, answer] = ['input', 'output'] }) => {
    const said = records.map(({ inputs, outputs }) =>
      // Strands ends its answers with a line break.
      [inputs[question], outputs[answer]].map((text) => (typeof text === 'string' ? text.trim() : text)),
    );
    const second = scenario === 'prompt' || records.length === 2;
    expect(records.length).toBeLessThanOrEqual(2);
    expect(said.at(-1)![1]).toBe(answers.tomorrow);
    if (scenario === 'agent') expect(said[0]![0]).toBe(questions[0]);
    if (second) expect(said.at(-1)![0]).toBe(questions[1]);
    if (records.length === 2) expect(said[0]![1]).toBe(answers.today);
  },
  messages: ({ conversations }, { scenario, isFramed, finalTool }) => {
    const [one, two] = conversations.map((conversation) =>
      withAnswers(linesOf(conversation), finalTool).map(isFramed ? withoutFrame : (line) => line),
    );
    const all = [...firstTurn, ...secondTurn];
    if (scenario === 'prompt') expect(one).toEqual(secondTurn);
    else if (two === undefined) expect(one).toEqual(all);
    else {
      expect(one).toEqual(firstTurn);
      expect([all, secondTurn]).toContainEqual(two);
    }
  },
  tools: ({ conversations }, { scenario, finalTool }) => {
    const isFinal = ({ name }: { name?: string }) => finalTool !== undefined && name === finalTool;
    const calls = conversations[0]!
      .flatMap(({ toolCalls = [] }) => toolCalls)
      .filter((call) => !isFinal(call));
    const results = conversations[0]!
      .filter((entry) => entry.role === 'tool' && !isFinal(entry))
      .map(({ content }) => content);
    const names = scenario === 'agent' ? ['weather', 'wind'] : [];
    expect(calls.map((call) => [call.name, call.arguments])).toEqual(names.map((name) => [name, args]));
    expect(results).toHaveLength(names.length);
    if (scenario === 'agent') expect(results[0]).toBe('3 °C in Oslo');
  },
  usage: ({ traces, usage }) => {
    const models = traces.flatMap(({ modelName, inputTokens }) => (inputTokens === null ? [] : [modelName]));
    expect(models.every((model) => String(model).includes('gpt-4o-mini'))).toBe(true);
    expect([sum(traces, 'inputTokens'), sum(traces, 'outputTokens')]).toEqual([
      usage.inputTokens,
      usage.outputTokens,
    ]);
  },
  cost: ({ traces, usage: { inputTokens, cachedTokens, outputTokens } }) => {
    // USD per million tokens of gpt-4o-mini: 0.15 read, 0.075 read from the cache, 0.6 written.
    const bill = (inputTokens - cachedTokens) * 0.15 + cachedTokens * 0.075 + outputTokens * 0.6;
    expect(sum(traces, 'costUsd') * 1e6).toBeCloseTo(bill, 6);
  },
  errors: ({ conversations, traces }, { scenario }) => {
    if (scenario === 'prompt') return;
    const failed = conversations[0]!.filter(({ role, error }) => role === 'tool' && error !== null);
    expect(failed).toHaveLength(1);
    expect(`${failed[0]!.error} ${failed[0]!.content}`).toContain('unavailable');
    expect(sum(traces, 'numErrors')).toBeGreaterThan(0);
  },
  session: ({ traces, records }, { makesIds }) => {
    expect(records).toHaveLength(1);
    const ids = new Set(traces.map(({ sessionId }) => sessionId));
    expect([...ids]).toEqual([makesIds ? expect.stringMatching(/^[\w-]+$/) : 'session-1']);
  },
  user: ({ traces }, { makesIds }) => {
    const ids = new Set(traces.map(({ userId }) => userId));
    expect([...ids]).toEqual([makesIds ? expect.stringMatching(/^\w+$/) : 'user-1']);
  },
};

it('the matrix of docs/tracing.md is what these tests show', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/tracing.md'), 'utf8');
  const table = docs.slice(docs.indexOf('| framework and telemetry |'), docs.indexOf('\n\n- *record*:'));
  expect(table).toBe(matrix());
});

it('each line of a recipe in docs/tracing.md is in a program or setting here', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/tracing.md'), 'utf8');
  const programs = join(import.meta.dirname, 'programs');
  const lines = new Set(
    readdirSync(programs, { recursive: true, encoding: 'utf8' })
      .filter((name) => /program\.(?:py|mjs)$/.test(name))
      .flatMap((name) => readFileSync(join(programs, name), 'utf8').split('\n'))
      .map((line) => line.trim()),
  );
  const settings = Object.values(emitters).flatMap(({ environment = {} }) =>
    Object.entries(environment).map(([name, value]) => `export ${name}=${value}`),
  );
  const blocks = [...docs.matchAll(/```\w+ no-run: examples\/emitters runs it\n(.*?)```/gs)];
  expect(blocks.length).toBeGreaterThan(2);
  const recipes = blocks.flatMap(([, text]) => text!.split('\n')).map((line) => line.trim());
  const isComment = (line: string) => line === '' || line.startsWith('# ') || line.startsWith('// ');
  const names = (line: string) => /^from (\S+) import (\w+)$/.exec(line);
  const isImported = (line: string) => {
    const [, place, name] = names(line) ?? [];
    return (
      place !== undefined &&
      [...lines].some((own) => own.startsWith(`from ${place} import`) && own.includes(name!))
    );
  };
  const unknown = recipes.filter(
    (line) => !isComment(line) && !lines.has(line) && !settings.includes(line) && !isImported(line),
  );
  expect(unknown).toEqual([]);
  // The table of classes.
  const classes = [...docs.matchAll(/\| `(openinference\.\S+)\.(\w+)`/g)];
  expect(classes.length).toBeGreaterThan(6);
  expect(classes.filter(([, place, name]) => !lines.has(`from ${place} import ${name}`))).toEqual([]);
});

// What the nightly job could not record is missing from its folder, and not from ours.
const isMissing = (name: string) => process.env.DOKIMA_EMITTERS && !existsSync(join(folder, `${name}.json`));

describe.each(Object.entries(emitters).filter(([name]) => !isMissing(name)))('%s', (name, emitter) => {
  let arrived: Arrived;
  beforeAll(async () => {
    arrived = await arrive(name);
  });
  it.each(columns)('%s', (column) => {
    const check = () => checks[column](arrived, emitter);
    // A fault that has gone must go from the table.
    if (emitter.wrong?.[column]) expect(check).toThrow();
    else check();
  });
});
