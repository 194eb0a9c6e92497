import { expect, it } from 'vitest';
import { errorText } from './error-text.ts';

it('says each problem of a refused request, and calls fields by their names', () => {
  const issues = [
    { path: '/task/metricIds/0', message: 'is not a metric of this project' },
    { path: '/name', message: 'must be a string from 1 to 256 characters' },
    { path: '/q', message: 'has no filter foo:' },
    { path: '', message: 'must be an object' },
  ];
  const said = '/task is required (and 3 more: see details.issues).';
  const refused = Object.assign(new Error(said), { details: { issues } });
  expect(errorText(refused)).toBe(
    'Metric ids is not a metric of this project. Name must be a string from 1 to 256 characters. ' +
      'The search has no filter foo:. The request must be an object.',
  );
  expect(errorText(new Error('The service does not answer.'))).toBe('The service does not answer.');
});
