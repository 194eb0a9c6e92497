import { listRecords } from '../server/src/evaluation/records/queries.ts';
import { createBareRun, insertBareRecords, upsertBareScores } from './bare.ts';
import type { Connection } from './connection.ts';
import { compare } from './cost.ts';
import { metrics, recordCount } from './dataset.ts';
import { median, time } from './measure.ts';
import { createScoredRun, type Run } from './run.ts';
import type { Benchmark, Subject } from './subject.ts';

/** Enough rounds that both programs are compiled in the median round, as in a service that runs for days. */
const rounds = 15;
const pageSize = 100;
const pages = recordCount / pageSize;

/** Reads the cursor from the end of the answer. Parsing it all would cost the client more than the service needs to write it. */
const nextCursor = (page: Buffer): string =>
  /"nextCursor":"([\w-]*)"/.exec(page.toString('latin1', page.length - 300))![1]!;

const pagePath = ({ runId }: Run, cursor: string) =>
  `/api/v2/runs/${runId}/records?limit=${pageSize}&cursor=${cursor}`;

/** Reads all pages and returns their cursors. */
const walk = async (connection: Connection, run: Run, visit?: (page: Buffer) => void): Promise<string[]> => {
  const cursors = [''];
  for (;;) {
    const page = await connection.get(pagePath(run, cursors.at(-1)!));
    visit?.(page);
    const cursor = nextCursor(page);
    if (cursor === '') return cursors;
    cursors.push(cursor);
  }
};

/** Throws unless the pages hold every record once with all its scores. Returns the cursors of the pages. */
const check = async (connection: Connection, run: Run): Promise<string[]> => {
  const ids = new Set<string>();
  let scores = 0;
  const cursors = await walk(connection, run, (page) => {
    for (const record of JSON.parse(page.toString()).data as { id: string; scores: unknown[] }[]) {
      ids.add(record.id);
      scores += record.scores.length;
    }
  });
  if (ids.size !== recordCount || scores !== recordCount * metrics.length || cursors.length !== pages) {
    throw new Error(`Listed ${ids.size} records with ${scores} scores on ${cursors.length} pages.`);
  }
  return cursors;
};

const bareWalk = async ({ bare }: Subject, runId: bigint): Promise<void> => {
  for (let page = 0; page < pages; page++) {
    const after = String(page * pageSize);
    await bare.read((sql) => listRecords(sql, bare.scope, runId, [], after, pageSize + 1));
  }
};

/** Reads every page of a run with all scores, and compares the time of the last page with the first. */
export const listAllRecords: Benchmark = async (subject) => {
  const { engine, bare, meter } = subject;
  const [connection] = (await subject.connect(1)) as [Connection];
  const run = await createScoredRun(connection);
  const bareRun = await createBareRun(bare);
  await insertBareRecords(bare, bareRun);
  await upsertBareScores(bare, bareRun);
  await bare.vacuum();
  const cursors = await check(connection, run);
  await bareWalk(subject, BigInt(bareRun.runId));

  const all = await compare(
    rounds,
    () => walk(connection, run),
    () => bareWalk(subject, BigInt(bareRun.runId)),
    meter,
  );
  const share = all.bareSeconds / all.seconds;
  const first: number[] = [];
  const last: number[] = [];
  for (let i = 0; i < pages; i++) {
    first.push(await time(() => connection.get(pagePath(run, ''))));
    last.push(await time(() => connection.get(pagePath(run, cursors.at(-1)!))));
  }
  const onServer = engine === 'server';
  return [
    {
      work: 'list all, 100 a page, with scores',
      engine,
      ...all,
      count: recordCount,
      unit: 'records',
      target: onServer
        ? { text: '≤ 0.8 s and ≥ 0.7 × bare', met: all.seconds <= 0.8 && share >= 0.7 }
        : undefined,
    },
    { work: 'page 1 (median)', engine, seconds: median(first), count: 1, unit: 'pages' },
    {
      work: 'page 100 (median)',
      engine,
      seconds: median(last),
      count: 1,
      unit: 'pages',
      // Two medians of the same page differ by up to 10 % here.
      target: { text: '≤ page 1 + 10 %', met: median(last) <= median(first) * 1.1 },
    },
  ];
};
