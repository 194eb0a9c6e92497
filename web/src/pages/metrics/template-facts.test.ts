import { expect, it } from 'vitest';
import { readTemplates } from '../../../../server/src/evaluation/metrics/templates.ts';
import type { Case } from '../../resources/proposals/propose.ts';
import type { MetricTemplate } from '../../types.ts';
import { costOf, readyOf } from './template-facts.ts';

const templates = (await readTemplates()) as unknown as MetricTemplate[];
const caseOf = (fields: Case['fields']): Case => ({
  fields,
  first: { inputs: {}, expected: {}, outputs: {} },
});
const fitting = (given: Case) => templates.filter((each) => readyOf(each, given).isFit).map(({ id }) => id);

it('a ready metric fits if the records have all that it reads; only a field that says no more than what it is has a stand-in', () => {
  const given = caseOf({ inputs: ['mail'], expected: ['order'], outputs: ['order'] });
  const ids = fitting(given);
  expect(ids).toEqual(expect.arrayContaining(['exact-match', 'correctness', 'relevance']));
  // No document was retrieved, and none of the points is there to compare with.
  expect(ids).not.toContain('context-precision');
  expect(ids).not.toContain('completeness');
  const { form } = readyOf(templates.find(({ id }) => id === 'exact-match')!, given);
  expect(form.guidelines).toContain('expected.order');
  // Any of several inputs could be the question.
  expect(fitting(caseOf({ inputs: ['mail', 'sender'], expected: [], outputs: ['order'] }))).not.toContain(
    'relevance',
  );
});

it('says of each what a score costs', () => {
  const costs = Object.groupBy(templates, (each) => costOf(readyOf(each, undefined).form));
  expect(Object.keys(costs).toSorted()).toEqual([
    'Nothing, takes milliseconds',
    'One question to the judge model',
    'The time of a person',
    'Two embeddings',
  ]);
});
