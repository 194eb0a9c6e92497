import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { renderTemplate } from './render-template.ts';
import { checkTemplate } from './template.ts';
import { unknownNames } from './unknown-names.ts';

type Case = { template: string; text?: string; error?: string };
const text = await readFile(new URL('jinja-golden.json', import.meta.url), 'utf8');
const { jinja, record, cases } = JSON.parse(text) as {
  jinja: string;
  record: Record<string, unknown>;
  cases: Case[];
};
/** As the file writes it: JavaScript's numbers cannot hold all of it. */
const partOf = (name: string): string => {
  const from = text.indexOf(`"${name}": `, text.indexOf('"record"')) + name.length + 4;
  for (let end = text.indexOf('}', from); ; end = text.indexOf('}', end + 1)) {
    const part = text.slice(from, end + 1);
    if (isJson(part)) return part;
  }
};
const isJson = (part: string): boolean => {
  try {
    JSON.parse(part);
    return true;
  } catch {
    return false;
  }
};
const data = {
  inputs: partOf('inputs'),
  outputs: partOf('outputs'),
  expected: partOf('expected'),
  guidelines: String(record.guidelines),
};

/** What a template gives, or `refused` when it is saved, or `failed` for this record. */
const outcomeOf = (template: string): string => {
  const problem = checkTemplate(template);
  if (problem !== null) return `refused: ${problem}`;
  const unknown = unknownNames(template);
  if (unknown.length > 0) return `refused: no record can fill ${unknown.join(', ')}`;
  const rendered = renderTemplate({ template, data, nonce: 'n', maxLength: 1_000_000 });
  return rendered.ok ? rendered.prompt.replace(/<\/?untrusted-n>/g, '') : `failed: ${rendered.reason}`;
};
const isError = (outcome: string) => /^(refused|failed): /.test(outcome);

/** The words of JSON where Python's text has its own; docs/judges.md says so. */
const otherTexts = new Map([
  ['{{ outputs.mixed|join }}', '1xnulltrue'],
  ['{{ outputs.flags|join }}', 'truefalsetrue'],
  ['{{ inputs.lang|upper }}', 'NULL'],
  ['{{ inputs.lang|e }}', 'null'],
  ['{{ inputs.lang|string }}', 'null'],
  ['{{ "x" ~ none }}', 'xnull'],
]);
/** What is refused when it is saved, though Jinja has it. */
const refused = new Set(['{{ foo or "x" }}', '{{ lipsum() }}', '{% block a %}b{% endblock %}']);

describe(`Jinja ${jinja}, as jinja-golden.json records it`, () => {
  const rendered = cases.filter((one) => one.text !== undefined);
  const failed = cases.filter((one) => one.text === undefined);

  it('a template gives the same text here', () => {
    const different = rendered
      .filter(({ template }) => !refused.has(template))
      .map(({ template, text: expected }) => ({
        template,
        expected: otherTexts.get(template) ?? expected,
        given: outcomeOf(template),
      }))
      .filter(({ expected, given }) => given !== expected);
    expect(different).toEqual([]);
    expect(rendered.length).toBeGreaterThan(1000);
  });

  it('a template that fails there fails here too, and never gives a text', () => {
    const given = failed.filter(({ template }) => !isError(outcomeOf(template)));
    expect(given).toEqual([]);
    expect(failed.length).toBeGreaterThan(400);
  });

  it('a template that Jinja refuses is refused when it is saved', () => {
    const syntax = failed.filter(({ error }) => error!.startsWith('syntax: '));
    expect(syntax.filter(({ template }) => !outcomeOf(template).startsWith('refused: '))).toEqual([]);
  });

  it.each([...refused])('%s is refused when it is saved', (template) => {
    expect(outcomeOf(template)).toMatch(/^refused: /);
  });
});

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
