import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const sources = fileURLToPath(new URL('../src/', import.meta.url));

/** An idea whose SQL only these files have. A copy of it elsewhere would forget a part of it. */
const ideas = [
  {
    idea: 'a record is inserted with its search text',
    sql: /\binsert\s+into\s+record\b/i,
    places: ['evaluation/records/copy.ts', 'evaluation/records/insert.ts'],
  },
  {
    idea: 'a score is queued',
    sql: /\binsert\s+into\s+score\s*\([^)]*\bdue_at\b/i,
    places: ['evaluation/runs/queue-scores.ts'],
  },
  {
    idea: 'a job changes hands',
    sql: /\bfence\s*\+/,
    places: ['platform/jobs/claim.ts', 'platform/jobs/keep.ts', 'platform/jobs/settle.ts'],
  },
  {
    // Hours of a series and records of a monitor are due, and no process holds them: they have no lease. A newer message moves a delivery.
    idea: 'a job is due again',
    sql: /\bdue_at\s*=/,
    places: [
      'insights/series/count-hours.ts',
      'insights/series/mark-hours.ts',
      'platform/jobs/claim.ts',
      'platform/jobs/keep.ts',
      'platform/jobs/settle.ts',
      'scoring/monitors/arrivals.ts',
      'scoring/monitors/due-queries.ts',
      'scoring/monitors/queries.ts',
      'scoring/providers/price-lists.ts',
      'signals/alerts/queries.ts',
    ],
  },
  {
    idea: 'a budget is used up',
    sql: /spent\w*\s*(>=|<)\s*\S*budget/i,
    places: ['../migrations/0001_schema.sql'],
  },
  {
    idea: 'a delay doubles from one attempt to the next',
    sql: /ms\s*\*\s*2\s*\*\*/i,
    places: ['platform/jobs/retry.ts'],
  },
  {
    // Deliveries of alerts are repeated at the times of Standard Webhooks.
    idea: 'delays from one attempt to the next',
    sql: /: BackOff(\b| =)/,
    places: ['platform/jobs/retry.ts', 'signals/alerts/deliver.ts'],
  },
];

const root = fileURLToPath(new URL('../../', import.meta.url));
const isSource = (file: string): boolean =>
  /\.(ts|tsx|py)$/.test(file) && !/\.test\.tsx?$|generated|node_modules|\.d\.ts$/.test(file);

describe("a score's value is read in one place of each language", async () => {
  // Two value fields side by side, as alternatives: in code, in a list of names, or in SQL. Each such list forgets the next kind.
  const alternatives =
    /\w+Score\b['"]?\s*(?:\?\?|\|\|)\s*[\w.?]*(?:binary|int|float|category)Score|["'](?:binary|int|float)Score["'],\s*["'](?:binary|int|float|category)Score["']|\{\s*(?:binary|int|float)Score,\s*(?:binary|int|float)Score|'(?:binary|int|float)Score',\s*[\w.${}]+\s*->|boolean['"]?:\s*['"]binaryScore['"]/;
  const folders = ['client/src', 'cli/src', 'web/src', 'server/src', 'bench', 'tools', 'python/src'];
  const found: string[] = [];
  for (const folder of folders)
    for (const file of (await readdir(join(root, folder), { recursive: true })).filter(isSource))
      if (alternatives.test(readFileSync(join(root, folder, file), 'utf8'))) found.push(`${folder}/${file}`);
  it('others use it', () =>
    expect(found.sort()).toEqual([
      'client/src/score-value.ts',
      // The one statement for SQL.
      'python/src/dokima/_score_value.py',
      'server/src/evaluation/scores/queries.ts',
    ]));
});

describe('SQL that stands in one place', async () => {
  const code = (await readdir(sources, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const files = [...code, '../migrations/0001_schema.sql'];
  it.each(ideas)('$idea', ({ sql, places }) => {
    expect(files.filter((file) => sql.test(readFileSync(join(sources, file), 'utf8'))).sort()).toEqual(
      places,
    );
  });
});
