import { expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../../test/fixtures.ts';
import { openJudging } from '../../../test/judging.ts';
import type { Received } from '../../../test/model-server.ts';
import { outputs } from './schema.ts';
import { type MetricTemplate, readTemplates } from './templates.ts';

/**
 * The prompts of the gallery, all the way: examples become records, a judge by a script reads which of them it is shown and says
 * what the gallery promises. Whether a real model says the same, no test knows.
 */

const templates = (await readTemplates()).filter(({ metric }) => metric.evalType === 'ai');
const { models, own } = await openJudging({ name: 'script' });
const patient = { timeout: 60_000, interval: 50 };

/** What stands between the marks, and so came from the record. */
const untrusted = ({ messages }: Received): string =>
  [...messages[0]!.matchAll(/<untrusted-(\w+)>([\s\S]*?)<\/untrusted-\1>/g)]
    .map(([, , text]) => text)
    .join('\n');

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [];
};

/** The texts of an example's outputs that the other one does not have. */
const ownTextsOf = ({ examples }: MetricTemplate, name: 'passing' | 'failing'): string[] => {
  const textsFrom = ({ outputs, trace }: MetricTemplate['examples']['passing']) => textsOf([outputs, trace]);
  const other = textsFrom(examples[name === 'passing' ? 'failing' : 'passing']);
  return textsFrom(examples[name]).filter((text) => !other.includes(text));
};

const verdicts = { boolean: [true, false], int: [5, 1], float: [1, 0] } as const;

it.each(templates)('$id: the example that passes does, the one that fails does not', async (template) => {
  const outputType = template.metric.outputType as keyof typeof verdicts;
  const project = await createProject(own.api);
  const metric = await createMetric(own.api, project.id, {
    ...template.metric,
    evalModelName: 'script/judge',
  });
  models.answer((question) => {
    const shown = untrusted(question);
    // The longest, because one example may begin as the other does.
    const longest = (name: 'passing' | 'failing') =>
      Math.max(0, ...ownTextsOf(template, name).map((text) => (shown.includes(text) ? text.length : 0)));
    const [passing, failing] = [longest('passing'), longest('failing')];
    if (passing === failing) return { reply: 'It is unclear which of the examples this is.' };
    const value = verdicts[outputType][passing > failing ? 0 : 1];
    return { reply: { reasoning: 'By the script.', [outputs[outputType].valueField]: value } };
  });
  if (template.examples.passing.trace) {
    const previews = Object.values(template.examples).map(({ why: _, ...record }) =>
      ok(
        own.api('POST', `/projects/${project.id}/metrics/preview`, {
          evalType: 'ai',
          outputType,
          evalModelName: 'script/judge',
          record,
          promptTemplate: template.metric.promptTemplate,
        }),
      ),
    );
    const scores = (await Promise.all(previews)).map(({ score }) => score?.[outputs[outputType].valueField]);
    expect(scores).toEqual(verdicts[outputType]);
    return;
  }
  const run = await createRun(own.api, project.id, [metric.id]);
  const items = Object.values(template.examples).map(({ why: _, ...record }) => record);
  const { ids } = await ok(own.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
  await expect
    .poll(async () => (await ok(own.api('GET', `/runs/${run.id}`))).status, patient)
    .toBe('completed');
  const states = await Promise.all(
    ids.map(async (id: string) => (await ok(own.api('GET', `/records/${id}`))).scoreStates),
  );
  expect(states).toMatchObject([[{ state: 'scored', passed: true }], [{ state: 'scored', passed: false }]]);
});
