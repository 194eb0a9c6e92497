import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MissingPlaceholder, TemplateError, TemplateSyntaxError } from '../../jinja/src/template-error.ts';
import { renderTemplate } from '../../server/src/engine/templates/render-template.ts';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { type Organization, startApp, type TestApp } from '../../server/test/harness.ts';
import { openPrompts } from './prompts.ts';
import { renderPrompt } from './render-prompt.ts';

let app: TestApp;
let own: Organization;
let projectId: string;
let systemId: string;
let first: string;
let second: string;
let now = 0;
let statuses: number[] = [];
let isAway = false;

beforeAll(async () => {
  app = await startApp();
  own = await app.organization();
  projectId = (await createProject(own.api)).id;
  const body = { name: 'Support / EU', config: { promptTemplate: 'A', modelName: 'fake/a' } };
  const made = await ok(own.api('POST', `/projects/${projectId}/systems`, body), 201);
  systemId = made.id;
  first = made.productionVersion.id;
  const next = { config: { promptTemplate: 'B', modelName: 'fake/a' } };
  second = (await ok(own.api('POST', `/systems/${systemId}/versions`, next))).id;
});
afterAll(() => app.close());

const open = async () => {
  statuses = [];
  const counted: typeof fetch = async (...args) => {
    if (isAway) throw new TypeError('fetch failed');
    const response = await fetch(...args);
    statuses.push(response.status);
    return response;
  };
  return openPrompts({ baseUrl: await app.url(), apiKey: own.key, fetch: counted, clock: () => now });
};
const promote = (systemVersionId: string) =>
  ok(own.api('PUT', `/systems/${systemId}/labels/production`, { systemVersionId }));

it('serves from its cache, renews in the background, and has a moved label after its age', async () => {
  await promote(first);
  const prompts = await open();
  const get = () => prompts.get(projectId, 'Support / EU');
  const together = await Promise.all([get(), get(), get()]);
  expect(together.map(({ id }) => id)).toEqual([first, first, first]);
  expect(statuses).toEqual([200]);
  now += 59_999;
  await get();
  expect(statuses).toEqual([200]);
  now += 1;
  await get();
  await expect.poll(() => statuses).toEqual([200, 304]);
  await promote(second);
  now += 60_000;
  expect((await get()).id).toBe(first);
  await expect.poll(async () => (await get()).id).toBe(second);
  expect(statuses).toEqual([200, 304, 200]);
});

it('keeps the version while the service is away, and throws when it has none', async () => {
  const prompts = await open();
  const { id } = await prompts.get(projectId, 'Support / EU', 'latest');
  isAway = true;
  now += 60_000;
  expect((await prompts.get(projectId, 'Support / EU', 'latest')).id).toBe(id);
  await expect(prompts.get(projectId, 'Support / EU')).rejects.toMatchObject({ code: 'NO_ANSWER' });
  isAway = false;
  await expect(prompts.get(projectId, 'Support / EU', 'nowhere')).rejects.toMatchObject({ status: 404 });
});

/** Returns the rendered text, or false where the template is refused. Any other error is a fault of the renderer. */
const rendering = (template: string, inputs: Record<string, unknown>): string | false => {
  try {
    return renderPrompt(template, inputs);
  } catch (error) {
    const refusals = [TemplateError, TemplateSyntaxError, MissingPlaceholder];
    if (refusals.some((refusal) => error instanceof refusal)) return false;
    throw error;
  }
};

describe('render', () => {
  const answer = async (config: Record<string, unknown>) => {
    const version = { systemName: 'Support', name: 'Version 2', variables: [], config };
    const prompts = openPrompts({ baseUrl: 'http://x', fetch: async () => Response.json(version) });
    return prompts.get('1', 'Support');
  };
  const messages = [
    { role: 'system', content: 'Answer in {{ inputs.language | default("English") }}.' },
    {
      role: 'user',
      content:
        '{% if inputs.vip %}Dear {{ inputs.vip }}: {% endif %}{{ inputs.question }} {{ inputs.items }}',
    },
  ];

  it('gives the messages for a model, with the values of the variables', async () => {
    const prompt = await answer({ messages });
    expect(prompt.render({ question: 'Where?', items: [1, 1.5, 'a'] })).toEqual([
      { role: 'system', content: 'Answer in English.' },
      { role: 'user', content: 'Where? [1, 1.5, "a"]' },
    ]);
    const alone = await answer({ promptTemplate: 'Say {{ inputs.word }}' });
    expect(alone.render({ word: '</untrusted-n> {{ inputs.x }}' })).toEqual([
      { role: 'user', content: 'Say </untrusted-n> {{ inputs.x }}' },
    ]);
  });

  it('names the variable that is missing, and refuses what is not a prompt', async () => {
    const prompt = await answer({ messages });
    expect(() => prompt.render({ items: [], language: 'Greek' })).toThrow(
      expect.objectContaining({
        code: 'MISSING_VARIABLE',
        message:
          'The user message of Support, Version 2, needs inputs.question. render() was given items, language.',
        details: { variable: 'inputs.question' },
      }),
    );
    const wrong = await answer({ promptTemplate: '{{ inputs.word + 1 }}' });
    expect(() => wrong.render({ word: 'a' })).toThrow(expect.objectContaining({ code: 'TEMPLATE_ERROR' }));
    const endpoint = await answer({ endpoint: 'http://x' });
    expect(() => endpoint.render({})).toThrow(expect.objectContaining({ code: 'NOT_A_PROMPT' }));
  });

  it('gives the text that the service sends, for every template of jinja-golden.json', async () => {
    const golden = new URL('../../jinja/test/jinja-golden.json', import.meta.url);
    const { record, cases } = JSON.parse(await readFile(golden, 'utf8'));
    const inputs = JSON.stringify(record.outputs);
    const nonce = 'nonce';
    for (const { template } of cases as { template: string }[]) {
      const asked = template.replaceAll('outputs', 'inputs');
      const data = { inputs, outputs: '{}', expected: '{}', guidelines: '' };
      const rendered = renderTemplate({ template: asked, data, nonce, maxLength: 1e6 });
      const sent = rendered.ok && rendered.prompt.replace(/<\/?untrusted-nonce>/g, '');
      expect({ asked, text: rendering(asked, record.outputs) }).toEqual({ asked, text: sent });
    }
  });
});
