import { expect, it } from 'vitest';
import { subjectProblem } from './lint-commits.ts';

it('a subject has a type and at most 72 characters', () => {
  expect(subjectProblem('fix(runs): a deleted run answers 404')).toBeUndefined();
  expect(subjectProblem('feat(api)!: one word for one thing')).toBeUndefined();
  expect(subjectProblem('build(deps): bump vite from 8.3.8 to 8.3.9')).toBeUndefined();
  expect(subjectProblem('Merge pull request #12 from a/b')).toBeUndefined();
  expect(subjectProblem(`fix: ${'x'.repeat(67)}`)).toBeUndefined();
  expect(subjectProblem(`fix: ${'x'.repeat(68)}`)).toBe('73 characters, at most 72');
  expect(subjectProblem('Fix the runs')).toContain('must begin with a type');
  expect(subjectProblem('fix:the runs')).toContain('must begin with a type');
});
