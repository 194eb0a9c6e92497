import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { checkTemplate } from './template.ts';
import { unknownNames } from './unknown-names.ts';

const golden = new URL('../../../../jinja/test/jinja-golden.json', import.meta.url);
const { cases } = JSON.parse(await readFile(golden, 'utf8')) as {
  cases: { template: string; error?: string }[];
};
const isRefused = (template: string) => checkTemplate(template) !== null || unknownNames(template).length > 0;

it('a template that Jinja cannot parse is refused when it is saved', () => {
  const wrong = cases.filter(({ error }) => error?.startsWith('syntax: '));
  expect(wrong.length).toBeGreaterThan(80);
  expect(wrong.filter(({ template }) => !isRefused(template))).toEqual([]);
});

it.each(['{{ foo or "x" }}', '{{ lipsum() }}', '{% block a %}b{% endblock %}'])(
  '%s, which Jinja has, is refused when it is saved',
  (template) => {
    expect(isRefused(template)).toBe(true);
  },
);

describe('what Jinja has and a prompt has not', () => {
  it.each([
    ['{{ outputs.a | random }}', 'the filter random is not available: the prompt would differ each time'],
    ['{{ outputs.a | attr("b") }}', 'the filter attr is not available: use brackets: outputs["x"]'],
    [
      '{{ outputs.a | map("random") }}',
      'the filter random is not available: the prompt would differ each time',
    ],
    ['{{ outputs.a | select("oddly") }}', 'unknown test: oddly'],
    [
      '{{ outputs.a.append(1) }}',
      'the method append is not available: lists do not change: use a + b and a namespace',
    ],
    ['{{ "{}".format(1) }}', 'the method format is not available: use the filter: "%s" | format(outputs.x)'],
    ['{{ outputs.a.evil() }}', 'unknown method: evil'],
    ['{% include "x" %}', '{% include %} is not available: a prompt is one template'],
    ['{{ range(*outputs.a) }}', 'arguments cannot be unpacked with *'],
  ])('%s says why when it is saved', (template, why) => {
    expect(checkTemplate(template)!.replace(/, column \d+/, '')).toBe(`line 1, '${template}': ${why}`);
  });
});
