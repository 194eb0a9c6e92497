import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Masking } from '../../evaluation/masking/masking.ts';
import { createMetric } from '../../evaluation/metrics/configure-metric.ts';
import type { MetricCreate } from '../../evaluation/metrics/schema.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { noteArrivals } from '../../scoring/monitors/arrivals.ts';
import { createMonitor } from '../../scoring/monitors/define-monitor.ts';
import type { MonitorCreate } from '../../scoring/monitors/schema.ts';
import { createAlert } from '../../signals/alerts/configure-alert.ts';
import type { AlertCreate } from '../../signals/alerts/schema.ts';
import { receiveSpanEvents } from '../../traces/events/receive-events.ts';
import { ingest } from '../../traces/store/ingest.ts';
import { type Agent, sessionsOf, spansOf } from './agent-traces.ts';

/** Code, guidelines and templates are lists of lines, so that they can be read in the file. */
type DemoMetric = Omit<MetricCreate, 'guidelines' | 'promptTemplate'> & {
  guidelines: string[];
  promptTemplate?: string[];
};

type Production = Agent & {
  failedToolMetric: DemoMetric;
  monitor: Omit<MonitorCreate, 'metricIds'>;
  alert: AlertCreate;
};

const readProduction = async (): Promise<Production> =>
  JSON.parse(await readFile(new URL('./mail-agent.json', import.meta.url), 'utf8'));

type ProductionDeps = {
  /** Encrypts the URL of the alert. */
  providerKey: KeyObject;
  masking: Masking;
  judgeModel: string | undefined;
  now: Date;
};

/**
 * Creates what a system in production has: traces of the last six days, a monitor that scores them by code, and an alert that is
 * paused. No request leaves the service.
 */
export const createProduction = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { providerKey, masking, judgeModel, now }: ProductionDeps,
): Promise<void> => {
  const production = await readProduction();
  const makeMetric = async ({ guidelines, promptTemplate, ...metric }: DemoMetric): Promise<string> => {
    const body = {
      ...metric,
      guidelines: guidelines.join('\n'),
      ...(promptTemplate && { promptTemplate: promptTemplate.join('\n') }),
    };
    return JSON.parse(await createMetric(tx, scope, projectId, body, judgeModel)).id;
  };
  const metricIds = [await makeMetric(production.failedToolMetric)];
  await createMonitor(tx, scope, projectId, { ...production.monitor, metricIds });
  await createAlert(tx, scope, providerKey, projectId, production.alert, false);
  const sessions = sessionsOf(production, now);
  const { traces } = await ingest(tx, scope, spansOf(production, projectId, sessions), {
    now,
    withoutProject: 'refuse',
    masking,
    // The spans bring their cost.
    prices: {},
    onSpans: receiveSpanEvents,
  });
  await noteArrivals(tx, scope, traces);
};
