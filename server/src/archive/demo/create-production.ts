import type { KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Masking } from '../../evaluation/masking/masking.ts';
import { createMetric } from '../../evaluation/metrics/configure-metric.ts';
import { pinMetrics } from '../../evaluation/metrics/pin-metrics.ts';
import type { PinnedMetric } from '../../evaluation/metrics/queries.ts';
import type { MetricCreate } from '../../evaluation/metrics/schema.ts';
import { upsertScores } from '../../evaluation/scores/upsert-scores.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { setPeopleMetric } from '../../scoring/labels/name-people.ts';
import { noteArrivals } from '../../scoring/monitors/arrivals.ts';
import { createMonitor } from '../../scoring/monitors/define-monitor.ts';
import type { MonitorCreate } from '../../scoring/monitors/schema.ts';
import { createAlert } from '../../signals/alerts/configure-alert.ts';
import type { AlertCreate } from '../../signals/alerts/schema.ts';
import { receiveSpanEvents } from '../../traces/events/receive-events.ts';
import { ingest } from '../../traces/store/ingest.ts';
import { findSessionRecords } from '../../traces/store/queries.ts';
import { type Agent, type Session, sessionsOf, spansOf } from './agent-traces.ts';

/** Code, guidelines and templates are lists of lines, so that they can be read in the file. */
type DemoMetric = Omit<MetricCreate, 'guidelines' | 'promptTemplate'> & {
  guidelines: string[];
  promptTemplate?: string[];
};

type Production = Agent & {
  failedToolMetric: DemoMetric;
  judge: DemoMetric;
  /** The metric by which people label what the judge scored. */
  people: DemoMetric;
  /** Numbers of the sessions, from 1, about which the judge is wrong. */
  misjudged: number[];
  /** Those that no person has labelled. */
  unlabelled: number[];
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

/** Stores what the judge and people say about the sessions, as scores that came from elsewhere: no model is asked. */
const storeVerdicts = async (
  tx: Sql,
  scope: Scope,
  projectId: bigint,
  { misjudged, unlabelled }: Production,
  sessions: Session[],
  [judge, people]: PinnedMetric[],
): Promise<void> => {
  const names = sessions.map(({ id }) => ({ projectId, sessionId: id }));
  const records = new Map(
    (await findSessionRecords(tx, scope, names)).map(({ sessionId, runId, n }) => [sessionId, { runId, n }]),
  );
  const given = sessions.flatMap(({ id, conversation }, i) => {
    const key = records.get(id)!;
    const { isSolved, judged, misjudged: mistake, person } = conversation;
    const scoreOf = ({ configId }: PinnedMetric, binaryScore: boolean, reasoning: string | undefined) => {
      const score = { binaryScore, ...(reasoning !== undefined && { reasoning }) };
      return { key, configId, score, raw: JSON.stringify(score) };
    };
    const isWrong = misjudged.includes(i + 1);
    const verdict = scoreOf(judge!, isSolved !== isWrong, isWrong ? mistake : judged);
    const label = { ...scoreOf(people!, isSolved, person), madeBy: 'person' as const };
    return unlabelled.includes(i + 1) ? [verdict] : [verdict, label];
  });
  for (const [runId, items] of Map.groupBy(given, ({ key }) => key.runId))
    await upsertScores(tx, scope, runId, items);
  await setPeopleMetric(tx, scope, judge!.metricId, 'ai', String(people!.metricId));
};

/**
 * Creates what a system in production has: traces of the last six days, a monitor that scores them by code, a judge whose scores people
 * labelled, and an alert that is paused. No request leaves the service.
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
  await createAlert(tx, scope, providerKey, projectId, production.alert, {
    canMail: false,
    publicUrl: undefined,
  });
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
  const judgeIds = [await makeMetric(production.judge), await makeMetric(production.people)];
  const judges = await pinMetrics(tx, scope, projectId, judgeIds);
  await storeVerdicts(tx, scope, projectId, production, sessions, judges);
};
