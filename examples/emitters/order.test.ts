import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject, ok } from '../../server/test/fixtures.ts';
import { startApp, type TestApp } from '../../server/test/harness.ts';
import { post } from '../../server/test/otlp.ts';
import type { Recorded } from './anonymous.ts';
import { emitters } from './emitters.ts';

/** The spans that frameworks send make the same records in any order of arrival. */

type Resource = Recorded['resourceSpans'][number];
/** A recorded span alone, as a request sends it. */
type Single = { span: Record<string, unknown>; request: Resource };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const singlesOf = (name: string): Single[] => {
  const text = readFileSync(join(import.meta.dirname, 'recorded', `${name}.json`), 'utf8');
  const { resourceSpans } = JSON.parse(text) as Recorded;
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ scope, spans = [] }) =>
      spans.map((span) => ({
        span,
        request: { resource: resource!, scopeSpans: [{ scope: scope!, spans: [span] }] },
      })),
    ),
  );
};

/** A generator of numbers from 0 up to 1 (mulberry32), so that a failure can be repeated. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

const shuffled = <T>(items: T[], random: () => number): T[] => {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0]!);
};

const isRoot = ({ span }: Single) => !span.parentSpanId;

const isTool = ({ span: { attributes } }: Single) =>
  (attributes as { key: string; value: { stringValue?: string } }[]).some(
    ({ key, value }) =>
      (key === 'openinference.span.kind' && value.stringValue === 'TOOL') ||
      (key === 'gen_ai.operation.name' && value.stringValue === 'execute_tool') ||
      (key === 'traceloop.span.kind' && value.stringValue === 'tool'),
  );
const withoutParent = ({ span: { parentSpanId: _, ...span }, request }: Single): Single => ({
  span,
  request: { ...request, scopeSpans: [{ ...request.scopeSpans![0], spans: [span as never] }] },
});

/** What one order of arrival made, without the ids that the service gave. */
const stateAfter = async (requests: Single[][]) => {
  const own = await app.organization();
  const project = await createProject(own.api);
  for (const singles of requests) {
    const body = JSON.stringify({
      resourceSpans: singles.map(({ request: { resource, scopeSpans } }) => ({
        resource: {
          attributes: [
            ...resource!.attributes!,
            { key: 'dokima.project_id', value: { stringValue: project.id } },
          ],
        },
        scopeSpans,
      })),
    });
    const answer = await post(app, own.key, Buffer.from(body), { 'content-type': 'application/json' });
    expect(`${answer.status} ${answer.body}`).toBe('200 {}');
  }
  const { data: traces } = await ok(own.api('GET', `/projects/${project.id}/traces`));
  const { data: records } = await ok(own.api('GET', `/projects/${project.id}/records`));
  const byRecord = await Promise.all(
    records.map(async (record: Record<string, unknown>) => ({
      inputs: record.inputs,
      outputs: record.outputs,
      sessionId: record.sessionId,
      createdAt: record.createdAt,
      tags: (record.tags as string[] | undefined)?.toSorted(),
      conversation: await ok(own.api('GET', `/records/${record.id}/conversation`)),
      spans: (await ok(own.api('GET', `/records/${record.id}/spans`))).data,
    })),
  );
  const inOrder = (list: object[]) => list.map((item) => JSON.stringify(item)).toSorted();
  return {
    traces: inOrder(
      traces.map((trace: { costUsd: number | null }) => ({
        ...trace,
        // Sums of numbers in another order differ in their last digit.
        costUsd: trace.costUsd?.toFixed(12),
        id: '',
        recordId: '',
        projectId: '',
      })),
    ),
    records: inOrder(byRecord),
  };
};

/** Orders of arrival: each span in its own request, forwards and backwards, and random parts with some spans twice. */
const ordersOf = (singles: Single[], seed: number): Record<string, Single[][]> => {
  const random = randomFrom(seed);
  const parts: Single[][] = [];
  const all = [...singles, ...singles.filter(() => random() < 0.3)];
  for (const single of shuffled(all, random)) {
    if (parts.length === 0 || random() < 0.4) parts.push([]);
    parts.at(-1)!.push(single);
  }
  return {
    'as recorded, one by one': singles.map((single) => [single]),
    'backwards, one by one': singles.toReversed().map((single) => [single]),
    'roots last': [singles.filter((single) => !isRoot(single)), singles.filter(isRoot)],
    'in random parts, some twice': parts,
  };
};

describe.each(Object.keys(emitters))('%s', (name) => {
  it('makes the same records in any order', async () => {
    const singles = singlesOf(name);
    const whole = await stateAfter([singles]);
    for (const [order, requests] of Object.entries(ordersOf(singles, name.length)))
      expect({ order, ...(await stateAfter(requests)) }).toEqual({ order, ...whole });
  });
  it('makes the same records if its tools have lost their parents', async () => {
    const orphans = (singles: Single[]) =>
      singles.map((single) => (isTool(single) ? withoutParent(single) : single));
    const said = ({ records }: Awaited<ReturnType<typeof stateAfter>>) =>
      records.map((text) => ({ ...JSON.parse(text), spans: [] }));
    const singles = singlesOf(name);
    const rootless = singles.filter((single) => !isRoot(single));
    for (const given of rootless.length > 0 ? [singles, rootless] : [singles])
      expect(said(await stateAfter([orphans(given)]))).toEqual(said(await stateAfter([given])));
  });
  it('makes the same records in any order if the roots never come', async () => {
    const singles = singlesOf(name).filter((single) => !isRoot(single));
    if (singles.length === 0) return;
    const whole = await stateAfter([singles]);
    const { 'in random parts, some twice': parts } = ordersOf(singles, name.length);
    expect(await stateAfter(parts!)).toEqual(whole);
    expect(await stateAfter(singles.toReversed().map((single) => [single]))).toEqual(whole);
  });
});
