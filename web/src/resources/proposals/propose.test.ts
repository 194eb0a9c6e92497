import { expect, it } from 'vitest';
import { readTemplates } from '../../../../server/src/evaluation/metrics/templates.ts';
import type { MetricTemplate } from '../../types.ts';
import { type Case, propose } from './propose.ts';

const templates = (await readTemplates()) as MetricTemplate[];
const caseOf = (expected: Case['first']['expected'], inputs = ['mail']): Case => ({
  fields: { inputs, expected: Object.keys(expected), outputs: ['reply text'] },
  first: { inputs: {}, expected, outputs: {} },
});
const idsFor = (given: Case) => propose(templates, given).map(({ id }) => id);

it('three metrics fit what is expected: a number, a value, a word, a text, or nothing', () => {
  expect(idsFor(caseOf({ total: 12.5 }))).toEqual(['numeric-answer', 'correctness', 'exact-match']);
  expect(idsFor(caseOf({ total: '1,200' }))).toEqual(['numeric-answer', 'correctness', 'exact-match']);
  expect(idsFor(caseOf({ tags: ['a', 'b'] }))).toEqual(['exact-match', 'correctness', 'json-fields']);
  expect(idsFor(caseOf({ spam: true }))).toEqual(['exact-match', 'correctness', 'json-fields']);
  expect(idsFor(caseOf({ city: 'Oslo' }))).toEqual(['normalized-match', 'correctness', 'similarity']);
  expect(idsFor(caseOf({ reply: 'a'.repeat(90) }))).toEqual(['correctness', 'similarity', 'expert-review']);
  expect(idsFor(caseOf({}))).toEqual(['relevance', 'expert-review', 'length-limit']);
});

it('a proposal reads the fields of the reader; of several inputs it reads all', () => {
  const [match, judge] = propose(templates, caseOf({ city: 'Oslo' }));
  expect(match!.form.guidelines).toContain('outputs["reply text"]');
  expect(match!.form.guidelines).toContain('expected.city');
  expect(judge!.form.promptTemplate).toContain('{{ inputs.mail | default(allInputs) }}');
  const [, other] = propose(templates, caseOf({ city: 'Oslo' }, ['mail', 'sender']));
  expect(other!.form.promptTemplate).toContain('{{ inputs.question | default(allInputs) }}');
});
