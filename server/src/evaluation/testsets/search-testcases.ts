import type { Fragment, Sql } from '../../platform/db/database.ts';
import { isLike } from '../../platform/search/is-like.ts';
import { parseSearch, type Term, unknownKey } from '../../platform/search/parse-search.ts';
import { Problem, readEach } from '../../platform/search/read-terms.ts';
import { isTestcaseKey, testcaseKeys } from './testcase-keys.ts';

/** Conditions on a row `testcase`, each with its `and`. */
export type TestcaseSearch = (sql: Sql) => Fragment;

const valuesOf = (sql: Sql, key: keyof typeof testcaseKeys, path: readonly string[]): Fragment => {
  if (key === 'split') return sql`select testcase.split as value`;
  if (key === 'tag') return sql`select unnest(testcase.tags) as value`;
  if (key === 'problem') return sql`select testcase.validation_errors::text as value`;
  return sql`select path_text(testcase.json_data, ${[...path]}::text[]) as value`;
};

const testOf = (sql: Sql, { op, value }: Term): Fragment => {
  if (op === 'has') return sql`entry.value is not null`;
  if (op === '~') return sql`entry.value ilike ${isLike(sql, value)}`;
  return sql`lower(entry.value) = lower(${value})`;
};

const readTerm = (term: Term): TestcaseSearch => {
  const { key, value, op, path } = term;
  if (!isTestcaseKey(key)) throw new Problem(unknownKey(term, Object.keys(testcaseKeys)));
  if (key === 'data' && path.length === 0)
    throw new Problem(`has ${term.text}: name the field, as in data.lang:de`);
  if (key !== 'data' && path.length > 0) throw new Problem(`has ${term.text}: ${key} has no fields`);
  if (value === '' && op === '=') throw new Problem(`needs a value after ${term.text}`);
  if (!['=', '~', 'has'].includes(op)) throw new Problem(`has ${term.text}: ${key} is not a number`);
  return (sql) => sql`exists (select from (${valuesOf(sql, key, path)}) entry where ${testOf(sql, term)})`;
};

/** Reads a search of testcases. Throws 400 with each of its problems. */
export const readTestcaseSearch = (q = ''): TestcaseSearch => {
  const { terms, text, without } = parseSearch(q);
  const conditions: TestcaseSearch[] = [];
  readEach(terms, (term) => {
    const condition = readTerm(term);
    conditions.push(term.negated ? (sql) => sql`not (${condition(sql)})` : condition);
  });
  for (const word of text.split(/\s+/).filter(Boolean))
    conditions.push((sql) => sql`testcase.json_data::text ilike ${isLike(sql, word)}`);
  for (const word of without)
    conditions.push((sql) => sql`testcase.json_data::text not ilike ${isLike(sql, word)}`);
  return (sql) => conditions.reduce((all, condition) => sql`${all} and ${condition(sql)}`, sql``);
};
