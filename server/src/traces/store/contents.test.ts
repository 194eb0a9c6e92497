import { beforeEach, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';
import { newTraceId, post, requestOf, spanId, type TestSpan } from '../../../test/otlp.ts';
import { rowsOf } from '../../../test/rows.ts';
import { contentsOfSpans } from '../../operate/contents.ts';
import { type Pool, system } from '../../platform/db/database.ts';
import { packTraces } from './pack-together.ts';

const { app, own } = await openApp({});
let projectId: string;
let traceId: string;

beforeEach(async () => {
  projectId = (await createProject(own.api)).id;
  traceId = newTraceId();
});

const span = (n: number, said: string): TestSpan => ({
  traceId,
  n,
  ...(n > 1 && { parent: 1 }),
  name: 'chat',
  attributes: { 'gen_ai.operation.name': 'chat', 'input.value': `asked ${n}`, 'output.value': said },
});
const send = async (...spans: TestSpan[]) =>
  expect((await post(app, own.key, requestOf(spans, { 'dokima.project_id': projectId }))).status).toBe(200);
const spanOf = (n: number) =>
  ok(own.api('GET', `/projects/${projectId}/traces/${traceId}/spans/${spanId(n)}`));
const saidBy = async (n: number) => (await spanOf(n)).attributes['output.value'];
const conversation = (id = traceId) => ok(own.api('GET', `/projects/${projectId}/traces/${id}/conversation`));

/** The numbers of the trace's packs. */
const packs = async (id = traceId) =>
  (
    await app.db.read(
      system,
      (sql) => sql<{ chunk: number }[]>`
        select chunk from span_content join trace on trace.id = trace_id
        where otel_id = ${`\\x${id}`}::text::bytea order by chunk`,
    )
  ).map(({ chunk }) => chunk);
const letBeDue = () =>
  app.db.transaction(system, (tx) => tx`update span_content set merge_at = now() where merge_at is not null`);
const packDue = () => app.db.transaction(system, packTraces);

describe('contents of a trace', () => {
  it('of one request are one pack; sent again they write nothing', async () => {
    await send(span(1, 'a'), span(2, 'b'));
    expect(await packs()).toEqual([0]);
    const rows = async () =>
      (await rowsOf(app.db, own.organizationId)).split('\n').filter((row) => row.startsWith('span'));
    const before = await rows();
    await send(span(1, 'a'), span(2, 'b'));
    expect(await rows()).toEqual(before);
    expect(await packDue()).toBe(0);
  });

  it('of several requests are packed together when they are due, and read as before', async () => {
    for (const n of [1, 2, 3]) await send(span(n, `said ${n}`));
    await send(span(2, 'corrected'));
    expect(await packs()).toEqual([0, 1, 2, 3]);
    expect(await packDue()).toBe(0);
    const before = [await spanOf(1), await spanOf(2), await spanOf(3), await conversation()];
    await letBeDue();
    expect(await packDue()).toBe(1);
    expect(await packDue()).toBe(0);
    expect(await packs()).toEqual([3]);
    expect([await spanOf(1), await spanOf(2), await spanOf(3), await conversation()]).toEqual(before);
    expect(await saidBy(2)).toBe('corrected');
    // The version that was replaced is gone from the pack.
    expect(await rowsOf(app.db, own.organizationId)).not.toContain('said 2');
    // What comes later has a pack behind it.
    await send(span(4, 'late'), span(1, 'corrected too'));
    expect(await packs()).toEqual([3, 4]);
    await letBeDue();
    expect(await packDue()).toBe(1);
    expect(await packs()).toEqual([4]);
    expect([await saidBy(1), await saidBy(2), await saidBy(3), await saidBy(4)]).toEqual([
      'corrected too',
      'corrected',
      'said 3',
      'late',
    ]);
  });

  it('of more than a megabyte are several packs, and one longer content has its own', async () => {
    const long = 'x'.repeat(600_000);
    await send(span(1, long), span(2, `${long}2`), span(3, `${long}${long}`), span(4, 'short'));
    expect(await packs()).toEqual([0, 1, 2, 3]);
    expect(await saidBy(2)).toBe(`${long}2`);
    expect((await saidBy(3)).length).toBe(1_200_000);
    await send(span(5, 'later'));
    await letBeDue();
    await packDue();
    expect(await packs()).toEqual([0, 1, 2, 4]);
    expect([await saidBy(4), await saidBy(5)]).toEqual(['short', 'later']);
  });
});

it('a damaged pack is said of its spans, takes no page down, is found by an examination, and heals when the span comes again', async () => {
  await send(span(1, 'mine'));
  const damaged = traceId;
  traceId = newTraceId();
  await send(span(1, 'whole'));
  const examined = () => app.db.transaction(system, (tx) => contentsOfSpans({ sql: tx as Pool }));
  expect(await examined()).toMatchObject({ ok: true });
  await app.db.transaction(
    system,
    (tx) => tx`
      update span_content set packed = set_byte(packed, length(packed) - 1, 255 - get_byte(packed, length(packed) - 1)), merge_at = now()
      where trace_id = (select id from trace where otel_id = ${`\\x${damaged}`}::text::bytea)`,
  );
  expect(await examined()).toMatchObject({ ok: false, said: expect.stringContaining(damaged) });
  expect(await packDue()).toBe(1);
  expect(await saidBy(1)).toBe('whole');
  expect(await conversation()).toMatchObject({ truncated: false });
  traceId = damaged;
  expect((await spanOf(1)).attributes).toEqual({ 'dokima.damaged': expect.stringContaining('examine') });
  expect(await conversation()).toMatchObject({ truncated: true });
  expect((await ok(own.api('GET', `/projects/${projectId}/traces`))).data).toHaveLength(2);
  await send(span(1, 'mine again'));
  expect(await saidBy(1)).toBe('mine again');
  expect(await conversation()).toMatchObject({ truncated: false });
  expect(await examined()).toMatchObject({ ok: true });
});
