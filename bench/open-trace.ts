import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { bigTrace } from '../web/test/agent-trace.ts';
import { launch, secondsToOpen } from './browser.ts';
import { requestBody, sendSpans } from './ingest-spans.ts';
import { type Measurement, median } from './measure.ts';
import { createRun } from './run.ts';
import { apiKey } from './service.ts';
import type { Benchmark } from './subject.ts';

const spanCount = 10_000;
const rounds = 5;
const frameCount = 300;
const openLimit = 1;
const frameLimit = 0.02;

const views = [
  { tab: 'timeline', rows: '[role=treegrid] [aria-level]', scroller: '[role=treegrid]' },
  { tab: 'spans', rows: '[role=treegrid] [aria-level]', scroller: '[role=treegrid]' },
  { tab: 'conversation', rows: '[aria-label=Conversation] article', scroller: '[aria-label=Conversation]' },
];

/**
 * Scrolls a third of a screen in each frame. Returns the seconds between frames, shortest first. Text, because it runs in the
 * page.
 */
const scrollFrames = (page: Page, scroller: string): Promise<number[]> =>
  page.evaluate(`new Promise((resolve) => {
    const element = document.querySelector('${scroller}');
    const frames = [];
    let last = performance.now();
    const step = (now) => {
      frames.push((now - last) / 1000);
      last = now;
      element.scrollTop += 180;
      if (frames.length < ${frameCount}) requestAnimationFrame(step);
      else resolve(frames.sort((a, b) => a - b));
    };
    requestAnimationFrame(step);
  })`);

/** Starts to count processor seconds of the page's main thread, which other work on the machine does not change. */
const startProcessorClock = async (page: Page): Promise<() => Promise<number>> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value;
  };
  const before = await read();
  return async () => (await read()) - before;
};

/** A trace of 10,000 spans in a real Chromium: the time until its first rows, and the frames while it scrolls. */
export const openTrace: Benchmark = async ({ engine, service, connect }) => {
  const [connection] = await connect(1);
  const { projectId } = await createRun(connection!);
  const spans = bigTrace(randomBytes(16).toString('hex'), spanCount);
  const bodies = Array.from({ length: spanCount / 500 }, (_, i) =>
    requestBody(projectId, spans.slice(i * 500, (i + 1) * 500)),
  );
  await sendSpans([connection!], bodies);
  const found = await connection!.get(`/api/v2/projects/${projectId}/spans?root=true`);
  const { recordId } = JSON.parse(found.toString()).data[0];
  const browser = await launch();
  try {
    const context = await browser.newContext({
      baseURL: service.url,
      viewport: { width: 1280, height: 800 },
      extraHTTPHeaders: { authorization: `Bearer ${apiKey}` },
    });
    const rows: Measurement[] = [];
    for (const { tab, rows: first, scroller } of views) {
      const opened: number[] = [];
      const busy: number[] = [];
      let frames: number[] = [];
      let perFrame = 0;
      for (let round = 0; round < rounds; round++) {
        const page = await context.newPage();
        const processorSeconds = await startProcessorClock(page);
        opened.push(
          await secondsToOpen(page, `/projects/${projectId}/records/${recordId}?tab=${tab}`, first),
        );
        busy.push(await processorSeconds());
        if (round === rounds - 1) {
          frames = await scrollFrames(page, scroller);
          perFrame = ((await processorSeconds()) - busy.at(-1)!) / frameCount;
        }
        await page.close();
      }
      const p95 = frames[Math.floor(frames.length * 0.95)]!;
      const seconds = median(opened);
      const row = { engine, count: 1, unit: '' };
      rows.push(
        {
          ...row,
          work: `${tab} of ${spanCount.toLocaleString('en')} spans, first rows`,
          seconds,
          target: { text: `≤ ${openLimit} s`, met: seconds <= openLimit },
        },
        { ...row, work: `processor time of the page's thread until then`, seconds: median(busy) },
        {
          ...row,
          work: `frames while scrolling, p95`,
          seconds: p95,
          target: { text: `≤ ${frameLimit * 1000} ms`, met: p95 <= frameLimit },
        },
        { ...row, work: `processor time of the page's thread per frame`, seconds: perFrame },
      );
    }
    return rows;
  } finally {
    await browser.close();
  }
};
