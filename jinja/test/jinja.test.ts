import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Interpreter } from '../src/interpreter.ts';
import { MissingPlaceholder, render, TemplateError, TemplateSyntaxError } from '../src/main.ts';
import { parseTemplate } from '../src/parse-template.ts';
import { recordValue, Written } from '../src/record-value.ts';
import type { Value } from '../src/values.ts';

type Case = { template: string; text?: string; error?: string };
/** Numbers as the file writes them: JavaScript's cannot hold all of them. */
const readNumbers = (_: string, value: unknown, context?: { source: string }) =>
  typeof value === 'number' ? new Written(context!.source) : value;
const { jinja, record, cases } = JSON.parse(
  await readFile(new URL('jinja-golden.json', import.meta.url), 'utf8'),
  readNumbers,
) as { jinja: string; record: Record<string, unknown>; cases: Case[] };
const variables = Object.entries(record).map(([name, value]): [string, Value] => [name, recordValue(value)]);

/** The text of a template, or the class of its error. */
const outcomeOf = (template: string): string | Error => {
  const interpreter = new Interpreter({ open: '', close: '' });
  for (const [name, value] of variables) interpreter.globals.set(name, value);
  try {
    return interpreter.render(parseTemplate(template));
  } catch (error) {
    return error as Error;
  }
};
const isOurs = (outcome: unknown) =>
  [MissingPlaceholder, TemplateError, TemplateSyntaxError].some((type) => outcome instanceof type);

/** The words of JSON where Python's text has its own. */
const otherTexts = new Map([
  ['{{ outputs.mixed|join }}', '1xnulltrue'],
  ['{{ outputs.flags|join }}', 'truefalsetrue'],
  ['{{ inputs.lang|upper }}', 'NULL'],
  ['{{ inputs.lang|e }}', 'null'],
  ['{{ inputs.lang|string }}', 'null'],
  ['{{ "x" ~ none }}', 'xnull'],
]);
/** What Jinja has and a prompt has not. */
const refused = new Set(['{{ lipsum() }}', '{% block a %}b{% endblock %}']);

describe(`Jinja ${jinja}, as jinja-golden.json records it`, () => {
  const rendered = cases.filter((one) => one.text !== undefined);
  const failed = cases.filter((one) => one.text === undefined);

  it('a template gives the same text here', () => {
    const different = rendered
      .filter(({ template }) => !refused.has(template))
      .map(({ template, text }) => ({
        template,
        expected: otherTexts.get(template) ?? text,
        given: outcomeOf(template),
      }))
      .filter(({ expected, given }) => given !== expected);
    expect(different).toEqual([]);
    expect(rendered.length).toBeGreaterThan(1000);
  });

  it('a template that fails there fails here too, with an error of this package', () => {
    expect(failed.filter(({ template }) => !isOurs(outcomeOf(template)))).toEqual([]);
    expect(failed.length).toBeGreaterThan(400);
  });

  it('a template that Jinja cannot parse is not parsed here', () => {
    const syntax = failed.filter(({ error }) => error!.startsWith('syntax: '));
    expect(syntax.filter(({ template }) => !(outcomeOf(template) instanceof TemplateSyntaxError))).toEqual(
      [],
    );
  });

  it.each([...refused])('%s is an error', (template) => {
    expect(isOurs(outcomeOf(template))).toBe(true);
  });
});

it('render takes plain values, and names the one that is missing', () => {
  expect(
    render('{% for turn in turns %}{{ loop.index }}. {{ turn.text | trim }}\n{% endfor %}', {
      turns: [{ text: ' Hello ' }],
    }),
  ).toBe('1. Hello\n');
  expect(() => render('{{ user.name }}', { user: {} })).toThrow(new MissingPlaceholder('user.name'));
});
