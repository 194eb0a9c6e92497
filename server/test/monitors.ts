import { system } from '../src/db/database.ts';
import { scoreArrivals } from '../src/monitors/score-arrivals.ts';
import { createMetric, ok } from './fixtures.ts';
import type { Client, TestApp } from './harness.ts';
import { post, requestOf, type TestSpan } from './otlp.ts';

export const alwaysTrue = 'const score = () => true;';

/** A metric of code, which is scored only where workers run. */
export const createCodeMetric = (api: Client, projectId: string, guidelines = alwaysTrue) =>
  createMetric(api, projectId, { evalType: 'heuristic', outputType: 'boolean', guidelines });

/** A monitor that waits for nothing and takes all, unless told otherwise. */
export const createMonitor = (
  api: Client,
  projectId: string,
  metricIds: string[],
  fields: Record<string, unknown> = {},
) =>
  ok(
    api('POST', `/projects/${projectId}/monitors`, {
      name: 'Monitor',
      metricIds,
      samplingRate: 1,
      settleSeconds: 0,
      ...fields,
    }),
    201,
  );

/** Sends spans of one service to a project. Throws unless all of them were taken. */
export const sendSpans = async (
  app: TestApp,
  key: string,
  projectId: string,
  spans: TestSpan[],
  resource: Record<string, unknown> = {},
): Promise<void> => {
  const request = requestOf(spans, { 'dokima.project_id': projectId, 'service.name': 'agent', ...resource });
  const { status, body } = await post(app, key, request);
  if (`${status} ${body}` !== '200 {}') throw new Error(`${status} ${body}`);
};

/** Decides about all records that are due, as the service does by itself. Returns how many there were. */
export const decide = async ({ db }: TestApp): Promise<number> => {
  let looked = 0;
  for (;;) {
    const batch = await db.transaction(system, (tx) => scoreArrivals(tx));
    if (batch === 0) return looked;
    looked += batch;
  }
};
