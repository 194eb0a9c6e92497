import { type Issue, invalidAll } from '../errors.ts';
import type { Term } from './parse-search.ts';

/** A problem with a term, in words for the person who wrote it. */
export class Problem extends Error {}

/** Returns the value of a term. Throws a Problem when it is not one of these. */
export const oneOf = <T extends string>(term: Term, values: readonly T[]): T => {
  const found = values.find((value) => value === term.value.toLowerCase());
  if (term.op === '=' && found) return found;
  throw new Problem(`has ${term.text}: ${term.key} is one of ${values.join(', ')}`);
};

/** Returns the time that a term names as ISO 8601. Throws a Problem when it names none. */
export const timeOf = (term: Term): string => {
  const time = new Date(term.value);
  if (term.op === '=' && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new Problem(`has ${term.text}, which is not a date. Write it like ${term.key}:2026-01-31`);
};

/** Reads each of the terms. Throws 400 with all their problems. */
export const readEach = (terms: readonly Term[], read: (term: Term) => void): void => {
  const issues: Issue[] = [];
  for (const term of terms) {
    try {
      read(term);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      issues.push({ path: '/q', message: error.message });
    }
  }
  if (issues.length > 0) throw invalidAll(issues);
};
