import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf, spanId, type TestSpan, warningOf } from '../../../test/otlp.ts';

const { app, own } = await openApp();
let projectId: string;
let traceId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  traceId = newTraceId();
});

/** Sends spans and returns the message of partialSuccess; empty without one. */
const send = async (spans: TestSpan[]): Promise<string> =>
  warningOf(await post(app, own.key, requestOf(spans, { 'dokima.project_id': projectId })));
const span = (n: number, start: number | bigint, end: number | bigint): TestSpan => ({
  traceId,
  n,
  ...(n > 1 && { parent: 1 }),
  startTimeUnixNano: String(start),
  endTimeUnixNano: String(end),
});
const detail = async (n: number) =>
  ok(own.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(n)}`));
const listed = async () => (await ok(own.api('GET', `/projects/${projectId}/traces`))).data[0];

const hourAgoMs = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
const inNs = (ms: number) => BigInt(ms) * 1_000_000n;
const iso = (ms: number) => new Date(ms).toISOString().replace('Z', '000000Z');

describe('a duration', () => {
  it('is null for an open span, which has no end either, and such a trace has none', async () => {
    await send([span(1, inNs(hourAgoMs), 0)]);
    expect(await detail(1)).toMatchObject({ startTime: iso(hourAgoMs), endTime: null, durationMs: null });
    expect(await listed()).toMatchObject({ durationMs: null });
    const search = (query: string) => ok(own.api('GET', `/projects/${projectId}/spans?${query}`));
    expect((await search('maxDurationMs=1000')).data).toEqual([]);
  });

  it('is null for a span that ends before it starts; the trace has that of its other spans', async () => {
    await send([
      span(1, inNs(hourAgoMs), inNs(hourAgoMs + 50)),
      span(2, inNs(hourAgoMs + 10), inNs(hourAgoMs + 5)),
    ]);
    expect(await detail(2)).toMatchObject({ endTime: iso(hourAgoMs + 5), durationMs: null });
    expect(await listed()).toMatchObject({ durationMs: 50 });
  });

  it('of a trace is not measured from a span without a start', async () => {
    await send([span(1, inNs(hourAgoMs), inNs(hourAgoMs + 50)), span(2, 0, inNs(hourAgoMs + 5))]);
    expect(await listed()).toMatchObject({ startTime: iso(hourAgoMs), durationMs: 50 });
  });
});

describe('times in another unit', () => {
  it.each([
    ['seconds', 1_000, 0.001],
    ['milliseconds', 50, 1],
    ['microseconds', 50, 1_000],
  ])('%s are read as such, with a warning', async (unit, ms, factor) => {
    const message = await send([span(1, hourAgoMs * factor, (hourAgoMs + ms) * factor)]);
    expect(message).toBe(`1 span: its times are in ${unit} and were read so; OTLP requires nanoseconds`);
    expect(await detail(1)).toMatchObject({ startTime: iso(hourAgoMs), durationMs: ms });
    expect(await listed()).toMatchObject({ startTime: iso(hourAgoMs), durationMs: ms });
  });

  it('is found for the end alone', async () => {
    expect(await send([span(1, inNs(hourAgoMs), hourAgoMs + 7)])).toContain('milliseconds');
    expect(await detail(1)).toMatchObject({ durationMs: 7 });
  });

  it('are those of the end for a span that only tells when it ended', async () => {
    expect(await send([span(1, 0n, inNs(hourAgoMs))])).toBe('1 span: it has no start, so its end was taken');
    expect(await listed()).toMatchObject({ startTime: iso(hourAgoMs), durationMs: 0 });
  });

  it('are no longer guessed for nanoseconds; a start that is none is stored and warned of', async () => {
    expect(await send([span(1, inNs(hourAgoMs), inNs(hourAgoMs + 1))])).toBe('');
    for (const start of [0n, 1_000n, inNs(Date.now() + 3 * 86_400_000)]) {
      traceId = newTraceId();
      expect(await send([span(1, start, start + 5n)])).toContain('before 2000 or in the future');
      expect(await detail(1)).toMatchObject({ durationMs: 0.000_005 });
    }
  });
});
