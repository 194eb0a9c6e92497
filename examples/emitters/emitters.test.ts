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

describe('the recipes of docs/tracing.md', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/tracing.md'), 'utf8');
  const recipes = [
    ...docs.matchAll(
      /```sh no-run: installs packages, which examples\/emitters\/emitters.test.ts compares\n(?:pip|npm) install (?<packages>[^\n]*)\n(?<settings>(?:export [^\n]*\n)*)```\n\n```\w+ no-run: examples\/emitters\/programs\/(?<folder>\S+) is run with it\n(?<code>.*?)```/gs,
    ),
  ].map(({ groups }) => groups as Record<'packages' | 'settings' | 'folder' | 'code', string>);
  const folderOf = (folder: string) => join(import.meta.dirname, 'programs', folder);
  const linesOf = (text: string) =>
    text.split('\n').flatMap((line) => {
      const [code] = line.trim().split(/ +(?=# |\/\/ )/);
      return code === '' || code!.startsWith('# ') || code!.startsWith('// ') ? [] : [code!];
    });

  it('are one for each program, of ten lines at most', () => {
    const folders = new Set(Object.values(emitters).map(({ folder }) => folder));
    expect(recipes.map(({ folder }) => folder).toSorted()).toEqual([...folders].toSorted());
    for (const { folder, code } of recipes)
      expect([folder, linesOf(code).length <= 10]).toEqual([folder, true]);
  });

  it.each(recipes)(
    '$folder: its packages, settings and lines are those that were run',
    ({ folder, packages, settings, code }) => {
      const [name] = readdirSync(folderOf(folder)).filter((file) => file.startsWith('program.'));
      const program = linesOf(readFileSync(join(folderOf(folder), name!), 'utf8'));
      const isJs = name === 'program.mjs';
      const installed = isJs
        ? Object.keys(JSON.parse(readFileSync(join(folderOf(folder), 'package.json'), 'utf8')).dependencies)
        : linesOf(readFileSync(join(folderOf(folder), 'requirements.txt'), 'utf8')).map(
            (line) => line.split('==')[0],
          );
      const named = packages.replaceAll("'", '').split(' ');
      // The provider's packages come with its own recipe.
      expect(named.filter((each) => !installed.includes(each))).toEqual([]);
      const known = Object.values(emitters)
        .filter((emitter) => emitter.folder === folder)
        .flatMap(({ environment = {} }) =>
          Object.entries(environment).map(([key, value]) => `export ${key}=${value}`),
        );
      expect(settings.split('\n').filter((line) => line && !known.includes(line))).toEqual([]);
      // Of several names that a program imports from one place, a recipe may name those that it needs.
      const isImported = (line: string) => {
        const [, place, names] = /^from (\S+) import (.+)$/.exec(line) ?? [];
        return program.some(
          (own) =>
            own.startsWith(`from ${place} import`) && names!.split(', ').every((each) => own.includes(each)),
        );
      };
      expect(linesOf(code).filter((line) => !program.includes(line) && !isImported(line))).toEqual([]);
    },
  );
});

it('the nightly job records all of them in their newest versions, and tests what is read', () => {
  const root = join(import.meta.dirname, '../..');
  const workflow = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
  const [, job] = /\n {2}emitters:\n((?: {4}.*\n|\n)+)/.exec(workflow) ?? [];
  expect(workflow).toMatch(/schedule:\n +- cron:/);
  expect(job).toContain("if: github.event_name == 'schedule'");
  expect(job).toContain('- run: .ci/emitters\n');
  const script = readFileSync(join(root, '.ci/emitters'), 'utf8');
  expect(script).toContain('npm run record-emitters -- --newest --into "$recorded" "$@" || status=1');
  expect(script).toMatch(
    /DOKIMA_EMITTERS=\$recorded npx vitest run .* examples\/emitters\/emitters\.test\.ts/,
  );
});

it('the matrix has at least 20 rows, and each cell that is wrong names the fault of its emitter', () => {
  expect(Object.keys(emitters).length).toBeGreaterThanOrEqual(20);
  for (const { wrong = {} } of Object.values(emitters))
    for (const reason of Object.values(wrong)) expect(reason.length).toBeGreaterThan(10);
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
