import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { jobTables } from './job.ts';

const schema = readFileSync(new URL('../../../migrations/0001_schema.sql', import.meta.url), 'utf8');
const tables = new Map(
  [...schema.matchAll(/^create table (\w+) \((.*?)^\);$/gms)].map(([, name, columns]) => [name!, columns!]),
);
/** The definitions of all tables that have a column due_at, by their names. Scores take their columns from `scoring_job`. */
const due = new Map(
  [...tables]
    .map(
      ([name, columns]) =>
        [name, columns.replace(/^ *like (\w+).*$/m, (_, from) => tables.get(from) ?? '')] as const,
    )
    .filter(([name, columns]) => name !== 'scoring_job' && /^ {2}due_at /m.test(columns)),
);

it('every table with due_at is known, with how what is due is held', () => {
  expect([...due.keys()].sort()).toEqual(Object.values(jobTables).flat().sort());
});

it.each([...jobTables.inRow, ...jobTables.beside])('%s has the columns of a job', (table) => {
  const columns = due.get(table)!;
  for (const column of [
    'state text',
    'due_at timestamptz',
    'fence integer',
    'attempts integer',
    'last_error text',
  ])
    expect(columns).toContain(`\n  ${column}`);
});

it.each(jobTables.inRow)('%s is due as long as it is pending', (table) => {
  expect(due.get(table)).toMatch(/check \(.*state = 'pending'.* = .*due_at is not null.*\)/i);
});

it.each(jobTables.inRow)('%s finds the due jobs of a parent in an index', (table) => {
  expect(schema).toMatch(
    new RegExp(
      `^create index ${table}_due on ${table} \\(\\w+, due_at, \\w+\\) where .*state = 'pending'`,
      'im',
    ),
  );
});
