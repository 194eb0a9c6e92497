import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { asker } from '../../../test/asker.ts';
import { checkTemplate, openRenderer } from './template.ts';
import { unknownNames } from './unknown-names.ts';

/** Processor time of this thread, which other work on the machine does not change. */
const threadMs = (): number => process.threadCpuUsage().user / 1000;

const renderer = openRenderer();
afterAll(() => renderer.close());

const record = {
  inputs: '{"question":"2 + 2?","lang":null}',
  outputs:
    '{"answer":"4","big":12345678901234567890,"price":1.10,"steps":[{"text":"add"},{"text":"check"}],"empty":[]}',
  expected: '{"answer":"four"}',
  guidelines: 'Be exact.',
};
const render = (template: string, data: Partial<typeof record> = {}) =>
  renderer.render(template, { ...record, ...data }, 'N', asker);
const prompt = async (template: string, data: Partial<typeof record> = {}) => {
  const rendered = await render(template, data);
  if (!rendered.ok) throw new Error(rendered.reason);
  return rendered.prompt;
};
const reason = async (template: string) => {
  const rendered = await render(template);
  return rendered.ok ? 'rendered' : rendered.reason;
};
const untrusted = (text: string) => `<untrusted-N>${text}</untrusted-N>`;

describe('a template', () => {
  it('puts in fields of the record, whole objects as they were sent, and the guidelines', async () => {
    expect(
      await prompt('{{inputs.question}} {{ outputs["answer"] }} {{expected.answer}} {{guidelines}}'),
    ).toBe(`${untrusted('2 + 2?')} ${untrusted('4')} ${untrusted('four')} Be exact.`);
    expect(await prompt('{{allInputs}}{{allOutputs}}{{allExpected}}')).toBe(
      [record.inputs, record.outputs, record.expected].map(untrusted).join(''),
    );
  });

  it('loops, decides and filters', async () => {
    expect(
      await prompt(
        '{% for s in outputs.steps %}{{ loop.index }}. {{ s.text | upper }}{% if not loop.last %}, {% endif %}{% endfor %}',
      ),
    ).toBe(`1. ${untrusted('ADD')}, 2. ${untrusted('CHECK')}`);
    expect(await prompt('{% if outputs.answer == "4" %}yes{% else %}no{% endif %}')).toBe('yes');
  });

  it('keeps numbers as they were written and writes null as null', async () => {
    expect(
      await prompt('{{outputs.big}} {{outputs.price}} {{inputs.lang}} {{ [outputs.price] | tojson }}'),
    ).toBe(
      `${untrusted('12345678901234567890')} ${untrusted('1.10')} ${untrusted('null')} ${untrusted('[1.10]')}`,
    );
  });

  it.each([
    ['{{outputs.missing}}', 'outputs.missing'],
    ['{{outputs.missing.deeper}}', 'outputs.missing'],
    ['{{ outputs.steps[7] }}', 'outputs.steps[7]'],
    ['{{ outputs["missing"] | upper }}', 'outputs.missing'],
    ['{{ outputs.missing | tojson }}', 'outputs.missing'],
    ['{{ "a" ~ outputs.missing }}', 'outputs.missing'],
    ['{% for x in outputs.missing %}{{x}}{% endfor %}', 'outputs.missing'],
    ['{% for s in outputs.steps %}{{ s.other }}{% endfor %}', 's.other'],
    ['{% if outputs.missing %}a{% else %}{{ outputs.missing }}{% endif %}', 'outputs.missing'],
    ['{% if outputs.missing == "a" %}a{% endif %}', 'outputs.missing'],
    ['{% if outputs.missing | length %}a{% endif %}', 'outputs.missing'],
    ['{{ outputs.missing or outputs.gone }}', 'outputs.gone'],
    ['{{ outputs.missing and "a" }}', 'outputs.missing'],
    ['{{ not outputs.answer or outputs.missing }}', 'outputs.missing'],
    ['{% set x = outputs.missing %}{{ x }}', 'outputs.missing'],
    ['{{ outputs.empty | first }}', 'outputs.empty | first'],
    ['{{ outputs.steps | map(attribute="other") | join }}', 'outputs.steps | map(…)'],
    ['{{ outputs.items }}', 'outputs.items'],
    ['{{ output.answer }}', 'output'],
  ])('%s is a missing placeholder, never empty text', async (template, name) => {
    expect(await reason(template)).toBe(`missing_placeholder: ${name}`);
  });

  it.each([
    ['{{ outputs.missing | default("none") }}', 'none'],
    ['{{ outputs.missing.deeper | default("none") }}', 'none'],
    ['{% if outputs.missing is defined %}{{ outputs.missing }}{% else %}none{% endif %}', 'none'],
    ['{% if outputs.missing is defined and outputs.missing %}x{% else %}none{% endif %}', 'none'],
    ['{% if outputs.missing %}{{ outputs.missing }}{% else %}none{% endif %}', 'none'],
    ['{% if outputs.missing.deeper %}x{% else %}none{% endif %}', 'none'],
    ['{% if not outputs.missing %}none{% endif %}', 'none'],
    ['{% if outputs.answer and outputs.missing %}x{% else %}none{% endif %}', 'none'],
    ['{% if outputs.missing or outputs.gone %}x{% elif outputs.answer %}none{% endif %}', 'none'],
    ['{{ outputs.missing if outputs.missing else "none" }}', 'none'],
    ['{{ outputs.missing or "none" }}', 'none'],
    ['{% for s in outputs.steps if s.other %}{{ s.other }}{% else %}none{% endfor %}', 'none'],
  ])('%s guards against a missing field', async (template, text) => {
    expect((await prompt(template)).replace(/<\/?untrusted-N>/g, '')).toBe(text);
  });
});

describe('text of the record', () => {
  it.each([
    '{{ outputs.answer }}',
    '{{ outputs.answer | upper }}',
    '{{ outputs.answer.split(",")[0] }}',
    '{{ "x" ~ outputs.answer }}',
    '{% set t = outputs.answer %}{{ t }}',
    '{% set t %}-{{ outputs.answer }}-{% endset %}{{ t }}{{ t[1:] }}{{ t | upper }}',
    '{% set ns = namespace(t="") %}{% set ns.t = outputs.answer %}{{ ns.t }}',
    '{% macro m(x) %}({{ x }}){% endmacro %}{{ m(outputs.answer) }}',
    '{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ outputs.answer }}{% endcall %}',
    '{% filter upper %}{{ outputs.answer }}{% endfilter %}',
    '{% for part in outputs.answer.split(" ") %}{{ part }}{% endfor %}',
    '{% for key in outputs %}{{ key }}{% endfor %}',
    '{% for key, value in outputs.items() %}{{ key }}{{ value }}{% endfor %}',
    '{{ outputs }}',
    '{{ outputs | tojson }}',
    '{{ outputs | tojson(indent=2) }}',
    '{{ allOutputs }}',
    '{{ outputs.answer if true else "" }}',
    '{{ [outputs.answer, "b"] | join("-") }}',
    '{{ {"k": outputs.answer}["k"] }}',
  ])('comes out between the marks only: %s', async (template) => {
    const rendered = await prompt(template, { outputs: '{"answer":"EVIL","EVIL":"EVIL"}' });
    expect(rendered).toContain('EVIL');
    expect(rendered.replace(/<untrusted-N>.*?<\/untrusted-N>/gs, '')).not.toContain('EVIL');
  });

  it('is marked, and text of the template is not, whatever the record holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.json()), async (outputs) => {
        const json = JSON.stringify(outputs);
        expect(await prompt('a {{ allOutputs }} b', { outputs: json })).toBe(`a ${untrusted(json)} b`);
      }),
      { numRuns: 200 },
    );
  });

  it('is not taken for a template', async () => {
    expect(await prompt('{{ outputs.answer }}', { outputs: '{"answer":"{{ guidelines }}"}' })).toBe(
      untrusted('{{ guidelines }}'),
    );
  });
});

describe('a hostile template', () => {
  it.each([
    ['{% for i in range(1000000000) %}{% endfor %}', 'range() gives at most 100000 numbers'],
    [
      '{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}',
      'the template took longer than 1000 ms',
    ],
    ['{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', 'a macro calls itself without end'],
    [
      '{% set ns = namespace(s="x") %}{% for i in range(25) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s }}',
      'the prompt is longer than 4000000 characters',
    ],
    ['{{ "x" | indent(500000000, first=true) }}', 'the prompt is longer than 4000000 characters'],
    ['{{ strftime_now("%Y") }}', undefined],
    ['{{ outputs.constructor.constructor("return process")() }}', undefined],
  ])('%s ends with a reason', async (template, message) => {
    const said = await reason(template);
    if (message) expect(said).toBe(`template_error: ${message}`);
    else expect(said).toMatch(/^(missing_placeholder|template_error): /);
    expect(await prompt('{{ outputs.answer }}')).toBe(untrusted('4'));
  });

  it('that takes all memory ends with a reason, and the next one renders', async () => {
    const bomb =
      '{% set ns = namespace(s=["x"]) %}{% for i in range(40) %}{% set ns.s = ns.s + ns.s %}{% endfor %}{{ ns.s | length }}';
    expect(await reason(bomb)).toMatch(/^template_error: (the template took|Invalid array length)/);
    expect(await prompt('{{ outputs.answer }}')).toBe(untrusted('4'));
  });

  it('is not tried again and again: after three kills it is refused for a minute', async () => {
    let now = 0;
    const own = openRenderer({ timeoutMs: 50, clock: () => now });
    const endless = '{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}';
    const reasons: string[] = [];
    for (const at of [0, 0, 0, 0, 59_000, 61_000]) {
      now = at;
      const rendered = await own.render(endless, record, 'N', asker);
      reasons.push(rendered.ok ? 'rendered' : rendered.reason.split(':')[1]!.trim().split(',')[0]!);
    }
    await own.close();
    const killed = 'the template took longer than 50 ms';
    expect(reasons).toEqual([killed, killed, killed, 'not tried', 'not tried', killed]);
  });

  const endlessOf = (name: string) =>
    `{# ${name} #}{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}`;

  it('that never ends delays another owner by what is under way, however many of its kind wait', async () => {
    const own = openRenderer({ timeoutMs: 50 });
    let ended = 0;
    const endless = Array.from({ length: 30 }, (_, i) =>
      own.render(endlessOf(`${i}`), record, 'N', { owner: 'busy' }).then(() => ended++),
    );
    // Closing sends those away that wait.
    const settled = Promise.allSettled(endless);
    expect(await own.render('{{ outputs.answer }}', record, 'N', { owner: 'other' })).toMatchObject({
      ok: true,
    });
    expect(ended).toBeLessThanOrEqual(4);
    await own.close();
    await settled;
  });

  it('that was killed three times is not tried for those who wait already', async () => {
    const own = openRenderer({ timeoutMs: 50 });
    const rendered = await Promise.all(
      Array.from({ length: 30 }, () => own.render(endlessOf('same'), record, 'N', asker)),
    );
    await own.close();
    const refused = rendered.filter((one) => !one.ok && one.reason.includes('not tried'));
    // Both processes may be busy with it when the third one is killed.
    expect(refused.length).toBeGreaterThanOrEqual(26);
  });

  it('gives up the place of a caller who leaves', async () => {
    const own = openRenderer({ timeoutMs: 50 });
    const left = new AbortController();
    const endless = [1, 2].map((i) => own.render(endlessOf(`${i}`), record, 'N', asker));
    const waiting = own.render('{{ outputs.answer }}', record, 'N', { ...asker, signal: left.signal });
    left.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    for (const one of await Promise.all(endless)) expect(one.ok).toBe(false);
    await own.close();
  });
});

describe('unknownNames', () => {
  it.each([
    ['{{ output.answer }}', ['output']],
    ['{{ answer }} {{ question.text }} {{ answer }}', ['answer', 'question']],
    ['{% if reference %}{{ inputs.question }}{% endif %}', ['reference']],
    ['{% for x in steps %}{{ x }}{% endfor %}', ['steps']],
    ['{{ strftime_now("%Y") }}', ['strftime_now']],
    ['{{ outputs[key] }}', ['key']],
  ])('names what no record can fill: %s', (template, names) => {
    expect(unknownNames(template)).toEqual(names);
  });

  it.each([
    '{{ inputs.anything }} {{ outputs["x"] }} {{ expected.a.b }} {{ guidelines }} {{ allInputs }} {{ allOutputs }} {{ allExpected }}',
    '{{ trace }} {{ conversation }} {{ toolCalls }} {{ gradingInstructionsAndExamples }}',
    '{% set a = outputs.x %}{{ a.b | upper }}{% set n = namespace(c=1) %}{% set n.c = 2 %}{{ n.c }}',
    '{% for k, v in outputs.items() %}{{ loop.index }}{{ k }}{{ v }}{% endfor %}{% for i in range(3) %}{{ i }}{% endfor %}',
    '{% macro m(x, y=1) %}{{ x }}{{ y }}{{ caller() }}{% endmacro %}{% call(z) m(1, y=2) %}{{ z }}{% endcall %}',
    '{{ true }} {{ None }} {{ {"k": outputs.x} | tojson(indent=2) }} {{ outputs.x is defined }} {{ outputs.x | map(attribute="y") | join }}',
    '{{ reference | default("none") }}{% if hint is defined %}{{ hint }}{% endif %}',
  ])('takes for known: %s', (template) => {
    expect(checkTemplate(template)).toBeNull();
    expect(unknownNames(template)).toEqual([]);
  });
});

describe('checkTemplate', () => {
  it.each([
    ['one\n{{ a b }}', "line 2, column 6, '{{ a b }}': expected the end of the tag, not 'b'"],
    ['one {{ a', "line 1, column 9, '{{ a': this tag is never closed"],
    ['one {% if a %}x', 'line 1, column 16: the template ends before its block does'],
    [
      '{% if a %}x{% endif %}\n{{ b }}\n{% if c %}y\n',
      'line 3, column 12: the template ends before its block does',
    ],
    ['a\n  {% foo %}', "line 2, column 6, '{% foo %}': unknown statement: foo"],
    [
      '{% if a %}\n{{ b }}\n{% endfor %}{% endif %}',
      "line 3, column 4, '{% endfor %}': unknown statement: endfor",
    ],
    ['{{ a | }}', "line 1, column 8, '{{ a | }}': expected a name, not the end of the tag"],
    [
      '{{ "x\\"y"\n + }}',
      'line 2, column 4, \'{{ "x\\"y" + }}\': expected an expression, not the end of the tag',
    ],
    [
      '{# one #}\n{{ b }}{{ a $ b }}\n{# two\nthree #}',
      "line 2, column 13, '{{ a $ b }}': unexpected character: $",
    ],
    ['one {# two', "line 1, column 5, '{# two': this tag is never closed"],
  ])('says where and why %j does not parse', (template, problem) => {
    expect(checkTemplate(template)).toBe(problem);
  });

  it('refuses at once what would take the parser long', () => {
    for (const deep of [
      '('.repeat(50_000),
      'not '.repeat(20_000),
      '-'.repeat(50_000),
      'a + '.repeat(20_000),
    ]) {
      expect(checkTemplate(`{{ ${deep}1 }}`)).toMatch(/nests too deeply$/);
    }
    expect(checkTemplate('{% if a %}'.repeat(9_000))).toMatch(/nests too deeply$/);
    expect(checkTemplate(`{{ a }}${' '.repeat(90_000)}{{- b }}`)).toBeNull();
    expect(checkTemplate('a'.repeat(100_001))).toBe('must not be longer than 100000 characters');
    const begun = threadMs();
    expect(checkTemplate(`${'{{ a }}\n'.repeat(12_000)}{{ a b }}`)).toMatch(
      /^line 12001, column 6, '{{ a b }}': /,
    );
    expect(threadMs() - begun).toBeLessThan(2_000);
  });

  it('accepts what renders', () => {
    expect(checkTemplate('{% for m in outputs.messages %}{{ m.role }}{% endfor %}')).toBeNull();
  });

  it('answers for any text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '{{',
            '}}',
            '{%',
            '%}',
            '{#',
            '#}',
            'a',
            '"',
            '|',
            '(',
            ')',
            ' if ',
            ' for ',
            '\n',
            '\\',
            '.',
            '-',
          ),
        ),
        (parts) => {
          const found = checkTemplate(parts.join(''));
          if (found !== null) expect(found).toMatch(/^(line [1-9]|nests too deeply)/);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
