import { afterAll, describe, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { createMetric, createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { languageOf } from '../../engine/sandbox/language-of.ts';
import { openSandbox } from '../../engine/sandbox/sandbox.ts';
import { openRenderer } from '../../engine/templates/template.ts';
import { outputs } from './schema.ts';
import { type MetricTemplate, readTemplates } from './templates.ts';

const templates = await readTemplates();
const examplesOf = ({ examples }: MetricTemplate) => Object.entries(examples);
type Example = MetricTemplate['examples']['passing'];
const texts = ({ inputs, outputs, expected }: Example) => ({
  inputs: JSON.stringify(inputs),
  outputs: JSON.stringify(outputs),
  expected: JSON.stringify(expected),
});
/** The same for code, whose fourth argument has the lists of a trace, null without one. */
const codeInput = (example: Example) => ({
  ...texts(example),
  record: JSON.stringify({ trace: null, conversation: null, toolCalls: null, ...example.trace, cut: [] }),
});
/** The lists of a trace for a prompt. */
const traceOf = ({ trace }: Example) =>
  trace && {
    texts: Object.fromEntries(Object.entries(trace).map(([name, items]) => [name, JSON.stringify(items)])),
  };

const { own } = await openApp();

describe('GET /metric-templates', () => {
  it('200 lists all of them', async () => {
    expect(await ok(own.api('GET', '/metric-templates'))).toEqual({ data: templates });
  });
});

describe('the gallery', () => {
  it('has every kind of metric that people look for first', () => {
    expect(templates.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'correctness',
        'faithfulness',
        'relevance',
        'completeness',
        'conciseness',
        'toxicity',
        'pii-leak',
        'prompt-injection',
        'tool-calls',
        'refusal',
        'json-validity',
        'exact-match',
        'numeric-answer',
        'similarity',
        'human-preference',
      ]),
    );
  });

  it.each(templates)('$id can be created as it is', async ({ metric }) => {
    const { id } = await createProject(own.api);
    const made = await createMetric(own.api, id, metric);
    expect(made).toMatchObject(metric);
  });

  it.each(templates)('$id reads only fields that its examples have', (template) => {
    for (const [name, example] of examplesOf(template)) {
      for (const path of template.reads) {
        const value = path
          .split('.')
          .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], {
            ...example,
            ...example.trace,
          });
        expect(value, `${name} has ${path}`).toBeDefined();
      }
    }
  });
});

describe('code of the gallery', () => {
  const sandbox = openSandbox({ processes: 1 });
  afterAll(() => sandbox.close());

  const passes = ({ metric }: MetricTemplate, score: unknown) => {
    const threshold = metric.passingThreshold ?? outputs[metric.outputType].defaultThreshold;
    return threshold === null ? score === true : (score as number) >= threshold;
  };

  it.each(templates.filter(({ metric }) => metric.evalType === 'heuristic'))(
    '$id passes the record that passes and fails the one that fails',
    async (template) => {
      const code = template.metric.guidelines!;
      const records = Object.values(template.examples).map(codeInput);
      const [passing, failing] = await sandbox.run(languageOf(code)!, code, records, asker);
      expect([passing, failing]).toMatchObject([{ ok: true }, { ok: true }]);
      const scores = [passing, failing].map((result) => result!.ok && passes(template, result!.score));
      expect(scores, JSON.stringify([passing, failing])).toEqual([true, false]);
    },
  );

  /** The example without one of the fields, or without all of a part. */
  const without = (example: Example, path: string) => {
    if (example.trace && path in example.trace) return codeInput({ ...example, trace: {} });
    const [part, field] = path.split('.') as ['inputs' | 'outputs' | 'expected', string?];
    const { [field ?? '']: _, ...rest } = example[part];
    return codeInput({ ...example, [part]: field ? rest : {} });
  };
  /** Fields that the code can do without. */
  const optional = ['json-validity expected.schema', 'pii-leak inputs'];
  const needed = templates
    .filter(({ metric }) => metric.evalType === 'heuristic')
    .flatMap((template) => template.reads.map((path) => ({ id: template.id, path, template })))
    .map((each) =>
      each.id === 'pii-leak' && each.path === 'outputs.answer' ? { ...each, path: 'outputs' } : each,
    )
    .filter(({ id, path }) => !optional.includes(`${id} ${path}`));

  it.each(needed)('$id gives no verdict on a record that lacks $path', async ({ path, template }) => {
    const code = template.metric.guidelines!;
    const records = Object.values(template.examples).map((example) => without(example, path));
    const missing = { ok: false, isMissing: true, error: `missing_field: ${path}` };
    expect(await sandbox.run(languageOf(code)!, code, records, asker)).toEqual([missing, missing]);
  });

  it('no template gives a verdict on a record that has no field at all', async () => {
    for (const { id, metric } of templates.filter(({ metric }) => metric.evalType === 'heuristic')) {
      const code = metric.guidelines!;
      const [result] = await sandbox.run(
        languageOf(code)!,
        code,
        [codeInput({ inputs: {}, expected: {}, outputs: {}, why: '' })],
        asker,
      );
      expect(result, id).toMatchObject({ ok: false, isMissing: true });
    }
  });

  it('JSON validity without a schema passes JSON and fails other text', async () => {
    const code = templates.find(({ id }) => id === 'json-validity')!.metric.guidelines!;
    const records = ['{"a":1}', 'a: 1', { a: 1 }].map((answer) =>
      texts({ inputs: {}, expected: {}, outputs: { answer }, why: '' }),
    );
    expect(await sandbox.run('javascript', code, records, asker)).toEqual([
      { ok: true, score: true, reasoning: 'Valid JSON, no schema given.' },
      { ok: true, score: false, reasoning: 'This is not JSON.' },
      { ok: true, score: true, reasoning: 'Valid JSON, no schema given.' },
    ]);
  });

  it('tool-calls reads the calls of the trace and of the messages', async () => {
    const code = templates.find(({ id }) => id === 'tool-calls')!.metric.guidelines!;
    const call = { name: 'weather', arguments: { city: 'Oslo' } };
    const expected = JSON.stringify({ toolCalls: [call] });
    const traced = (toolCalls: unknown) => JSON.stringify({ toolCalls, cut: [] });
    const messages = (message: object) => JSON.stringify({ messages: [{ role: 'assistant', ...message }] });
    const records = [
      { outputs: '{}', record: traced([{ ...call, result: '3 °C', error: null, id: 'c1', spanId: 's' }]) },
      // The conversation has no calls: those of the trace count.
      { outputs: messages({ content: 'It is 3 °C.' }), record: traced([{ ...call, result: '3 °C' }]) },
      { outputs: messages({ toolCalls: [call] }), record: traced([]) },
      {
        outputs: messages({
          tool_calls: [{ id: 'c', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
        }),
        record: traced(null),
      },
      { outputs: '{"answer":"3 °C"}', record: traced([]) },
      { outputs: '{"answer":"3 °C"}', record: traced(null) },
    ].map((record) => ({ inputs: '{}', expected, ...record }));
    const results = await sandbox.run('javascript', code, records, asker);
    const right = { ok: true, score: 1, reasoning: 'All calls as expected.' };
    expect(results).toEqual([
      right,
      right,
      right,
      right,
      { ok: true, score: 0, reasoning: 'missing weather({"city":"Oslo"})' },
      { ok: false, isMissing: true, error: 'missing_field: outputs.toolCalls' },
    ]);
  });
});

describe('prompts of the gallery', () => {
  const renderer = openRenderer();
  afterAll(() => renderer.close());
  const nonce = '0123456789abcdef';

  // Embeddings have no prompt.
  const prompts = templates.filter(
    ({ metric, id }) => metric.evalType === 'ai' && id !== 'semantic-similarity',
  );

  it.each(prompts)('$id shows the judge the outputs of both examples, as untrusted', async (template) => {
    for (const [name, example] of examplesOf(template)) {
      const data = {
        ...texts(example),
        guidelines: template.metric.guidelines ?? '',
        trace: traceOf(example),
      };
      const rendered = await renderer.render(template.metric.promptTemplate!, data, nonce, asker);
      if (!rendered.ok) throw new Error(`${name}: ${rendered.reason}`);
      const marked = [
        ...rendered.prompt.matchAll(new RegExp(`<untrusted-${nonce}>([\\s\\S]*?)</untrusted-${nonce}>`, 'g')),
      ].map(([, text]) => text);
      const values = template.reads
        .filter((path) => path.startsWith('outputs.') || path === 'conversation')
        .flatMap((path) =>
          [example.outputs[path.slice('outputs.'.length)] ?? example.trace?.conversation].flat(),
        )
        .map((value) => (typeof value === 'string' ? value : (value as { content: string }).content));
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect(marked.join('\n')).toContain(value);
    }
  });

  it.each(prompts.filter(({ reads }) => reads.includes('outputs.answer')))(
    '$id judges records that name their output otherwise, as a whole',
    async (template) => {
      const { answer, ...rest } = template.examples.failing.outputs;
      const data = {
        ...texts({ ...template.examples.failing, outputs: { ...rest, reply: answer } }),
        guidelines: '',
      };
      const rendered = await renderer.render(template.metric.promptTemplate!, data, nonce, asker);
      expect(rendered).toMatchObject({ ok: true, prompt: expect.stringContaining('"reply"') });
    },
  );
});
