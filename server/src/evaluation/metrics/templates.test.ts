import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, ok } from '../../../test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { languageOf } from '../../engine/sandbox/language-of.ts';
import { openSandbox } from '../../engine/sandbox/sandbox.ts';
import { openRenderer } from '../../engine/templates/template.ts';
import { outputs } from './schema.ts';
import { type MetricTemplate, readTemplates } from './templates.ts';

const templates = await readTemplates();
const examplesOf = ({ examples }: MetricTemplate) => Object.entries(examples);
const texts = ({ inputs, outputs, expected }: MetricTemplate['examples']['passing']) => ({
  inputs: JSON.stringify(inputs),
  outputs: JSON.stringify(outputs),
  expected: JSON.stringify(expected),
});

let app: TestApp;
let own: Organization;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
});
afterAll(() => app.close());

describe('GET /metric-templates', () => {
  it('200 lists all of them, each as it is alone', async () => {
    const { data } = await ok(own.api('GET', '/metric-templates'));
    expect(data).toEqual(templates);
    for (const { id } of templates) {
      expect(await ok(own.api('GET', `/metric-templates/${id}`))).toEqual(
        data.find((template: MetricTemplate) => template.id === id),
      );
    }
  });

  it('404 for one that is not there, and for a path to elsewhere', async () => {
    for (const id of ['nothing', '..%2Fschema', '__proto__']) {
      expect((await own.api('GET', `/metric-templates/${id}`)).status).toBe(404);
    }
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
          .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], example);
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
      const records = Object.values(template.examples).map(texts);
      const [passing, failing] = await sandbox.run(languageOf(code)!, code, records);
      expect([passing, failing]).toMatchObject([{ ok: true }, { ok: true }]);
      const scores = [passing, failing].map((result) => result!.ok && passes(template, result!.score));
      expect(scores, JSON.stringify([passing, failing])).toEqual([true, false]);
    },
  );
});

describe('prompts of the gallery', () => {
  const renderer = openRenderer();
  afterAll(() => renderer.close());
  const nonce = '0123456789abcdef';

  const prompts = templates.filter(({ metric }) => metric.evalType === 'ai');

  it.each(prompts)('$id shows the judge the outputs of both examples, as untrusted', async (template) => {
    for (const [name, example] of examplesOf(template)) {
      const data = { ...texts(example), guidelines: template.metric.guidelines ?? '' };
      const rendered = await renderer.render(template.metric.promptTemplate!, data, nonce);
      if (!rendered.ok) throw new Error(`${name}: ${rendered.reason}`);
      const marked = [
        ...rendered.prompt.matchAll(new RegExp(`<untrusted-${nonce}>([\\s\\S]*?)</untrusted-${nonce}>`, 'g')),
      ].map(([, text]) => text);
      const values = template.reads
        .filter((path) => path.startsWith('outputs.'))
        .flatMap((path) => [example.outputs[path.slice('outputs.'.length)]].flat())
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
      const rendered = await renderer.render(template.metric.promptTemplate!, data, nonce);
      expect(rendered).toMatchObject({ ok: true, prompt: expect.stringContaining('"reply"') });
    },
  );
});
