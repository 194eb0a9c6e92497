import { expect, it } from 'vitest';
import { fieldsRead, withField } from '../../client/src/read-fields.ts';
import { readTemplates } from '../../server/src/evaluation/metrics/templates.ts';
import { fieldCounts } from '../src/resources/metrics/read-fields.ts';

it('finds the fields that templates and code name, and no methods', () => {
  expect(
    fieldsRead('{{ outputs.answer }} {% if inputs["a b"] %}{{ expected.answer.text }}{% endif %}'),
  ).toEqual(['outputs.answer', 'inputs.a b', 'expected.answer']);
  expect(
    fieldsRead("outputs.get('answer') + outputs?.n + outputs.items() + inputs.hasOwnProperty('x')"),
  ).toEqual(['outputs.answer', 'outputs.n']);
});

it('finds every field that a template of the library reads', async () => {
  for (const { id, metric, reads } of await readTemplates()) {
    if (metric.evalType === 'human') continue;
    const logic = metric.evalType === 'ai' ? metric.promptTemplate! : metric.guidelines!;
    // A template that reads a whole part names no field of it.
    const found = fieldsRead(logic);
    const wholes = ['inputs', 'outputs'].filter((part) => !found.some((path) => path.startsWith(`${part}.`)));
    const named = reads.filter((path) => path.includes('.') && !wholes.includes(path.split('.')[0]!));
    expect(found, id).toEqual(expect.arrayContaining(named));
  }
});

it('puts another field in place of one, everywhere and in the way that it is written', () => {
  const code =
    "exact(outputs.answer, expected.answer) || outputs?.answer === outputs['answer'] // missing('outputs.answer')";
  expect(withField(code, 'outputs.answer', 'outputs.reply')).toBe(
    "exact(outputs.reply, expected.answer) || outputs?.reply === outputs['reply'] // missing('outputs.reply')",
  );
  expect(withField('outputs.get("answer")', 'outputs.answer', 'inputs.a.b')).toBe('inputs.get("a.b")');
  expect(withField('{{ outputs.answer }}', 'outputs.answer', 'outputs.the answer')).toBe(
    '{{ outputs["the answer"] }}',
  );
});

it('counts the records that have each field', () => {
  const record = { inputs: { q: 1 }, outputs: {}, expected: {} };
  expect([...fieldCounts([record, { ...record, outputs: { a: null } }])]).toEqual([
    ['inputs.q', 2],
    ['outputs.a', 1],
  ]);
});
