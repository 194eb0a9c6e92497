import type { KeyObject } from 'node:crypto';
import { labelList } from '../../../../client/src/labels.ts';
import { requireEmailAddress } from '../../accounts/email-address.ts';
import type { AllowedAddresses } from '../../engine/models/allowed-addresses.ts';
import { checkUrl } from '../../engine/models/guarded-fetch.ts';
import { storedLabels } from '../../evaluation/metrics/labels.ts';
import { requireProject } from '../../evaluation/projects/queries.ts';
import { requirePlace } from '../../evaluation/projects/require-place.ts';
import type { Sql } from '../../platform/db/database.ts';
import { conflict, invalid } from '../../platform/errors.ts';
import { bodyOf, requireOne } from '../../platform/http/http.ts';
import { newUuid, numericId } from '../../platform/http/ids.ts';
import type { Owner, Scope } from '../../platform/http/scope.ts';
import { seal, unseal } from '../../platform/seal.ts';
import { askUnasked } from '../addresses/ask.ts';
import { listReceivers } from '../addresses/queries.ts';
import {
  countAlerts,
  findAlert,
  findLabelsOf,
  insertAlert,
  insertConfirmations,
  type LabelLimit,
  lockAlert,
  maxAlerts,
  type StoredAlert,
  updateAlert,
} from './queries.ts';
import type { AlertCreate, AlertKind, AlertUpdate } from './schema.ts';
import type { Destination, Sender } from './send.ts';
import { newSigningSecret } from './sign.ts';

type Secrets = Pick<Destination, 'signingSecret' | 'headers'> & { url: string };

const contextOf = ({ organizationId }: Owner, id: string): string =>
  JSON.stringify(['alert', String(organizationId), id]);

const sealed = (key: KeyObject, scope: Owner, id: string, secrets: Secrets): Buffer =>
  seal(key, contextOf(scope, id), JSON.stringify(secrets));

const openSecrets = (key: KeyObject, scope: Owner, id: string, secret: Buffer): Secrets => {
  try {
    return JSON.parse(unseal(key, contextOf(scope, id), secret));
  } catch {
    throw conflict(
      "The URL of this alert can't be decrypted, because DOKIMA_SECRET has changed since it was stored. Create the alert again.",
      { alertId: id },
    );
  }
};

/** Returns the destination of an alert. Throws 409 when its URL was sealed with another DOKIMA_SECRET. */
export const destinationOf = (
  key: KeyObject,
  scope: Owner,
  { id, kind, target, secret }: Pick<StoredAlert, 'id' | 'kind' | 'target' | 'secret'>,
): Destination => ({ kind, target, ...(secret && openSecrets(key, scope, id, secret)) });

/** Throws 400 for a URL to which this service does not connect. */
export const requireUrl = async (url: string | undefined, allowed: AllowedAddresses): Promise<void> => {
  if (url === undefined) return;
  const problem = await checkUrl(url, allowed);
  if (problem) throw invalid('/url', problem);
};

/** Throws 400 when a destination does not fit the kind of alert. */
const requireFitting = (kind: AlertKind, { url, headers, recipients, events }: AlertUpdate): void => {
  if (kind !== 'otlp' && headers !== undefined)
    throw invalid('/headers', `must not be given for kind ${kind}`);
  if (events?.some((event) => (event === 'record.scored') !== (kind === 'otlp')))
    throw invalid('/events', 'must be record.scored for kind otlp, and other events for other kinds');
  if (kind === 'email' && url !== undefined) throw invalid('/url', 'must not be given for kind email');
  if (kind !== 'email' && recipients !== undefined)
    throw invalid('/recipients', `must not be given for kind ${kind}`);
};

/** Throws 400 when monitors are watched without a rate or a share. */
const requireRate = ({
  events,
  minPassRate,
  maxLabelShare,
}: Pick<StoredAlert, 'events' | 'minPassRate' | 'maxLabelShare'>): void => {
  if (events.includes('monitor.worse') && minPassRate === null && maxLabelShare === null)
    throw invalid(
      '/minPassRate',
      'is required for the event monitor.worse, or a label with its maxLabelShare',
    );
};

/** Throws 400 for a part of a limit, and for a label that the metric does not give. `find` reads the labels of the metric. */
export const requireLabel = async (
  { labelMetricId, label, maxLabelShare }: LabelLimit,
  find: (metricId: bigint) => PromiseLike<readonly { labels: string | null }[]>,
): Promise<void> => {
  if (labelMetricId === null && label === null && maxLabelShare === null) return;
  if (labelMetricId === null || label === null || maxLabelShare === null)
    throw invalid('/label', 'needs labelMetricId, label and maxLabelShare together');
  const found = await find(numericId('metric', labelMetricId));
  const { labels } = requireOne(found, 'metric', labelMetricId);
  const items = storedLabels(labels)?.items;
  if (!items) throw invalid('/labelMetricId', 'must be a metric with labels: this one gives none');
  if (!items.includes(label)) throw invalid('/label', `must be one of ${labelList(items)}`);
};

/** Throws 400 when traffic is watched without a limit. */
const requireLimit = ({
  events,
  maxErrorRate,
  maxLatencyMs,
  maxCostUsd,
}: Pick<StoredAlert, 'events' | 'maxErrorRate' | 'maxLatencyMs' | 'maxCostUsd'>): void => {
  if (events.includes('traffic.worse') && (maxErrorRate ?? maxLatencyMs ?? maxCostUsd) === null)
    throw invalid('/events', 'of traffic need a limit: of errors, latency or cost');
};

const originOf = (url: string): string => new URL(url).origin;

/** Returns the secrets of an alert after a change: `stored` itself if none changes. */
const secretsAfter = (stored: Secrets | null, { url, headers }: AlertUpdate): Secrets | null => {
  if (!stored || (url === undefined && headers === undefined)) return stored;
  const { headers: kept, ...rest } = stored;
  const next = headers ?? (url === undefined || url === stored.url ? kept : undefined);
  return { ...rest, url: url ?? stored.url, ...(next && { headers: next }) };
};

/** The addresses of an alert as one text, each once. Throws 400 for an address that could be taken for another one. */
const targetOf = (recipients: string[]): string => {
  recipients.forEach((address, i) => {
    requireEmailAddress(`/recipients/${i}`, address);
  });
  const known = new Map(recipients.toReversed().map((address) => [address.toLowerCase(), address]));
  return [...known.values()].reverse().join(', ');
};

/** Asks the owners of an alert's addresses that belong to no member and were not asked yet. Throws 400 if no link can be made. */
const askOwners = async (
  tx: Sql,
  scope: Scope,
  { id, target }: Pick<StoredAlert, 'id' | 'target'>,
  publicUrl: string | undefined,
): Promise<void> => {
  const outside = (await listReceivers(tx, scope, target)).find(({ state }) => state !== 'member');
  if (outside && publicUrl === undefined)
    throw invalid(
      '/recipients',
      `must be addresses of members: the owner of ${outside.address} would have to confirm it by a link, and the operator has not set DOKIMA_PUBLIC_URL`,
    );
  await insertConfirmations(tx, scope, id, await askUnasked(tx, scope, target));
};

/** Creates an alert and returns it with its signing key. */
export const createAlert = async (
  tx: Sql,
  scope: Scope,
  key: KeyObject,
  projectId: bigint,
  body: AlertCreate,
  { canMail, publicUrl }: Pick<Sender, 'canMail' | 'publicUrl'>,
): Promise<string> => {
  const { kind, name, url, headers, recipients, events, paused = false } = body;
  const { minPassRate = null, falseAlarmsPerYear = 1 } = body;
  const { labelMetricId = null, label = null, maxLabelShare = null } = body;
  const ofLabel = { labelMetricId, label, maxLabelShare };
  const limits = {
    trafficWindow: body.trafficWindow ?? 'hour',
    maxErrorRate: body.maxErrorRate ?? null,
    maxLatencyMs: body.maxLatencyMs ?? null,
    maxCostUsd: body.maxCostUsd ?? null,
  };
  requireRate({ events, minPassRate, maxLabelShare });
  requireLimit({ events, ...limits });
  requireFitting(kind, body);
  if (kind === 'email' && !recipients) throw invalid('/recipients', 'is required for kind email');
  if (kind !== 'email' && !url) throw invalid('/url', `is required for kind ${kind}`);
  if (kind === 'email' && !canMail)
    throw invalid('/kind', 'needs an operator who has set DOKIMA_SMTP_URL and DOKIMA_MAIL_FROM');
  await requireProject(tx, scope, projectId);
  await requireLabel(ofLabel, (id) => findLabelsOf(tx, scope, projectId, id));
  await requirePlace(tx, scope, projectId, { resources: 'alerts', limit: maxAlerts, count: countAlerts });
  const id = newUuid();
  const signingSecret = kind === 'webhook' ? newSigningSecret() : undefined;
  const alert = {
    id,
    name,
    kind,
    paused,
    minPassRate,
    ...ofLabel,
    falseAlarmsPerYear,
    ...limits,
    events: [...new Set(events)],
    target: url ? originOf(url) : targetOf(recipients!),
    secret: url
      ? sealed(key, scope, id, { url, ...(signingSecret && { signingSecret }), ...(headers && { headers }) })
      : null,
  };
  await insertAlert(tx, scope, projectId, alert);
  if (recipients) await askOwners(tx, scope, alert, publicUrl);
  const made = bodyOf(await findAlert(tx, scope, id), 'alert', id);
  return `${made.slice(0, -1)},"signingSecret":${JSON.stringify(signingSecret ?? null)}}`;
};

/** Changes an alert. A webhook keeps its signing key, because the receiver has it. Headers go to no other URL than the one they came with. */
export const changeAlert = async (
  tx: Sql,
  scope: Scope,
  key: KeyObject,
  id: string,
  changes: AlertUpdate,
  { publicUrl }: Pick<Sender, 'publicUrl'>,
): Promise<string> => {
  const before = requireOne(await lockAlert(tx, scope, id), 'alert', id);
  requireFitting(before.kind, changes);
  const { url, recipients, name = before.name, events = before.events, paused = before.paused } = changes;
  const { minPassRate = before.minPassRate, falseAlarmsPerYear = before.falseAlarmsPerYear } = changes;
  const { trafficWindow = before.trafficWindow, maxErrorRate = before.maxErrorRate } = changes;
  const { maxLatencyMs = before.maxLatencyMs, maxCostUsd = before.maxCostUsd } = changes;
  const { labelMetricId = before.labelMetricId, label = before.label } = changes;
  const { maxLabelShare = before.maxLabelShare } = changes;
  const ofLabel = { labelMetricId, label, maxLabelShare };
  requireRate({ events, minPassRate, maxLabelShare });
  // A limit that is kept may name a metric that was deleted since.
  if (
    changes.labelMetricId !== undefined ||
    changes.label !== undefined ||
    changes.maxLabelShare !== undefined
  )
    await requireLabel(ofLabel, (id) => findLabelsOf(tx, scope, BigInt(before.projectId), id));
  requireLimit({ events, maxErrorRate, maxLatencyMs, maxCostUsd });
  const stored = before.secret && openSecrets(key, scope, id, before.secret);
  const secrets = secretsAfter(stored, changes);
  const alert = {
    ...before,
    name,
    paused,
    minPassRate,
    ...ofLabel,
    falseAlarmsPerYear,
    trafficWindow,
    maxErrorRate,
    maxLatencyMs,
    maxCostUsd,
    events: [...new Set(events)],
    target: url ? originOf(url) : recipients ? targetOf(recipients) : before.target,
    secret: secrets === stored ? before.secret : sealed(key, scope, id, secrets!),
  };
  await updateAlert(tx, scope, alert);
  if (recipients) await askOwners(tx, scope, alert, publicUrl);
  return bodyOf(await findAlert(tx, scope, id), 'alert', id);
};
