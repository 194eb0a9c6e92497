import type { Browser, CDPSession, Page } from 'playwright-core';
import { openBareTable } from './bare-table.ts';
import { launch, secondsToOpen } from './browser.ts';
import type { Connection } from './connection.ts';
import { batches, metrics, recordBody, scoreText } from './dataset.ts';
import { median } from './measure.ts';
import { batchSize, createRun } from './run.ts';
import type { Benchmark } from './subject.ts';

const records = 100_000;
const loads = 5;
/** Pixels per frame: slow reading, a mouse wheel, a dragged scroll bar. */
const speeds = [60, 300, 2_000];
/** Rounds per speed. Each scrolls the page and a bare table in turn, so that other work on the machine slows both equally. */
const rounds = 3;
const framesARound = 100;
/** Frames between two readings of the processor time. More readings would cost more than the frames. */
const framesAtOnce = 20;

const password = 'a password for the benchmark';

const p95 = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!;

/** Creates a project of 100,000 records, each with five scores. */
const createRecords = async (connection: Connection): Promise<string> => {
  const { projectId, runId, configIds } = await createRun(connection);
  for (const batch of batches(records, batchSize)) {
    const items = batch.map((i) => {
      const scores = metrics.map((_, m) => `{"metricConfigId":"${configIds[m]}","score":${scoreText(i, m)}}`);
      return `${recordBody(i).slice(0, -1)},"scores":[${scores.join(',')}]}`;
    });
    await connection.send(
      'POST',
      `/api/v2/runs/${runId}/records/bulk-create`,
      `{"items":[${items.join(',')}]}`,
    );
  }
  return projectId;
};

/** Opens a browser page in which a new member is signed in. */
const signIn = async (connection: Connection, browser: Browser, url: string): Promise<Page> => {
  const post = async (path: string, body: object) =>
    JSON.parse((await connection.send('POST', `/api/v2${path}`, JSON.stringify(body))).toString());
  const member = await post('/members', { name: 'Reader', email: 'reader@example.org', role: 'member' });
  const link: { url: string } = await post(`/members/${member.id}/sign-in-links`, {});
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
  const token = link.url.slice(link.url.indexOf('#') + 1);
  await context.request.post('/api/v2/sign-in-links/redeem', { data: { token, password } });
  return context.newPage();
};

/** Returns the processor milliseconds of the page's main thread, which other work on the machine does not change. */
const cpuMs = async (client: CDPSession): Promise<number> => {
  const answer = await client.send('Performance.getMetrics');
  return answer.metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000;
};

/** Text, because it runs in the page, whose types differ from those of this program. */
const scrolling = `async (step, count) => {
  const grid = document.querySelector('[role=grid]');
  const gaps = [];
  let last;
  for (let i = 0; i <= count; i++) {
    grid.scrollBy(0, step);
    const now = await new Promise((resolve) => requestAnimationFrame(resolve));
    if (i > 0) gaps.push(now - last);
    last = now;
  }
  return gaps;
}`;

/** Scrolls without a pause for `count` + 1 frames and returns the milliseconds between them. */
const scroll = (page: Page, step: number, count: number): Promise<number[]> =>
  page.evaluate(`(${scrolling})(${step}, ${count})`);

const nextFrame = 'new Promise((resolve) => requestAnimationFrame(resolve))';

/** Brings a page to the front and waits until it draws frames again. */
const show = async (page: Page): Promise<void> => {
  await page.bringToFront();
  for (let i = 0; i < 3; i++) await page.evaluate(nextFrame);
};

/** A page to scroll, and the session that reads its processor time. */
type Scrolled = { page: Page; client: CDPSession };

const toScrolled = async (page: Page): Promise<Scrolled> => {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { page, client };
};

/** p95 of the milliseconds between frames, and of the processor milliseconds per frame. */
type Frames = { wall: number; cpu: number };

/** Scrolls tables in turn. */
const compareFrames = async (tables: Scrolled[], step: number): Promise<Frames[]> => {
  const measured = tables.map((table) => ({ ...table, gaps: [] as number[], costs: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { page, client, gaps, costs } of measured) {
      await show(page);
      gaps.push(...(await scroll(page, step, framesARound)));
      // Measured separately: the first frame after a reading of the processor time comes late.
      for (let i = 0; i < framesARound / framesAtOnce; i++) {
        const before = await cpuMs(client);
        await scroll(page, step, framesAtOnce - 1);
        costs.push(((await cpuMs(client)) - before) / framesAtOnce);
      }
    }
  }
  return measured.map(({ gaps, costs }) => ({ wall: p95(gaps), cpu: p95(costs) }));
};

/** Text, because it runs in the page. */
const sizeOfGrid = `(() => {
  const grid = document.querySelector('[role=grid]');
  const rows = grid.querySelectorAll('[role=row][aria-rowindex]');
  const last = rows[rows.length - 1];
  return { width: grid.clientWidth, height: grid.clientHeight, drawn: rows.length - 1, rowHeight: last.offsetHeight };
})()`;
type GridSize = { width: number; height: number; drawn: number; rowHeight: number };

/** The table of 100,000 records in a browser: the time until its first rows, and the cost of a frame while scrolling. */
export const recordsPage: Benchmark = async ({ engine, service, connect }) => {
  const [connection] = (await connect(1)) as [Connection];
  const projectId = await createRecords(connection);
  const browser = await launch();
  try {
    const page = await signIn(connection, browser, service.url);
    const rows: number[] = [];
    for (let i = 0; i < loads; i++) {
      rows.push(
        await secondsToOpen(page, `/projects/${projectId}/records`, '[role=row][aria-rowindex="10"]'),
      );
    }
    await page.getByText(`n = ${records.toLocaleString('en')}`, { exact: true }).waitFor();
    const size = await page.evaluate<GridSize>(sizeOfGrid);
    const bare = await openBareTable(page.context(), { ...size, rows: records });
    const tables = [await toScrolled(page), await toScrolled(bare)];
    const results = [];
    for (const step of speeds) {
      for (const table of tables) await table.page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 0));
      await show(page);
      await page.locator('[role=row][aria-rowindex="2"]').waitFor();
      const [{ wall, cpu }, floor] = (await compareFrames(tables, step)) as [Frames, Frames];
      results.push(
        {
          work: `scroll ${step} px a frame, p95 of frames`,
          engine,
          seconds: wall / 1_000,
          bareSeconds: floor.wall / 1_000,
          count: 1,
          unit: 'frames',
          target: { text: '≤ 20 ms', met: wall <= 20 },
        },
        {
          work: `  of it processor time of the page, p95 of ${framesAtOnce} frames`,
          engine,
          seconds: cpu / 1_000,
          bareSeconds: floor.cpu / 1_000,
          count: 1,
          unit: 'frames',
          target: { text: '≤ 20 ms', met: cpu <= 20 },
        },
      );
    }
    const first = median(rows);
    return [
      {
        work: 'records page, 100,000 records, first rows',
        engine,
        seconds: first,
        count: 1,
        unit: 'pages',
        target: { text: '≤ 1 s', met: first <= 1 },
      },
      ...results,
    ];
  } finally {
    await browser.close();
  }
};
