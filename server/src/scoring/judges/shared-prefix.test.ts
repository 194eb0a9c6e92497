import { expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { openBench } from '../../../test/judge-bench.ts';
import { readTemplates } from '../../evaluation/metrics/templates.ts';

/** Providers cache what prompts have in common from their first token on. */

const { openai, ask, judge, providers, config } = await openBench();
const verdict = { reasoning: '.', binaryScore: true, intScore: 5, floatScore: 1 };

const commonPrefix = (one: string, other: string): string => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
};

it('prompts of one metric are the same up to the first text of the record', async () => {
  openai.answer({ reply: { reasoning: '.', binaryScore: true } });
  const promptTemplate = 'Rubric: be strict.\n{{ outputs.answer }}';
  await ask({ promptTemplate }, { answer: 'one' });
  await ask({ promptTemplate }, { answer: 'two' });
  const [one, two] = openai.received;
  expect(one!.system).toBe(two!.system);
  const shared = commonPrefix(one!.messages[0]!, two!.messages[0]!);
  expect(shared.startsWith('Rubric: be strict.\n<untrusted-')).toBe(true);
});

it.each(
  (await readTemplates()).filter(({ metric, id }) => metric.promptTemplate && id !== 'semantic-similarity'),
)('$id: the prompts of its two records share all of its rubric', async ({ metric, examples }) => {
  const { outputType } = metric;
  const field = { boolean: 'binaryScore', int: 'intScore', float: 'floatScore', category: 'categoryScore' }[
    outputType
  ];
  openai.answer({ reply: { reasoning: '.', [field]: verdict[field as keyof typeof verdict] } });
  for (const { inputs, outputs, expected, trace = {} } of Object.values(examples)) {
    await judge().judge(
      {
        ...config,
        outputType,
        promptTemplate: metric.promptTemplate!,
        guidelines: metric.guidelines ?? '',
      },
      {
        inputs: JSON.stringify(inputs),
        outputs: JSON.stringify(outputs),
        expected: JSON.stringify(expected),
        guidelines: '',
        trace: {
          texts: Object.fromEntries(
            Object.entries(trace).map(([name, list]) => [name, JSON.stringify(list)]),
          ),
          evidence: { numSpans: 0, cut: [] },
        },
      },
      providers,
      asker,
    );
  }
  const [one, two] = openai.received.map(({ system, messages }) => `${system}\n\n${messages[0]}`);
  const shared = commonPrefix(one!, two!);
  const fixed = metric.promptTemplate!.replaceAll(/\{[{%][\s\S]*?[%}]\}/g, '');
  if (process.env.SHOW_SHARE) console.log(metric.name, shared.length, one!.length);
  // The rest are the labels of the record's texts.
  expect(shared.length - openai.received[0]!.system.length).toBeGreaterThan(fixed.length * 0.6);
});
