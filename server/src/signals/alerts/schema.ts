import { type Static, Type } from 'typebox';
import { longestLabel } from '../../../../client/src/labels.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { MailAddress } from '../addresses/schema.ts';

/** Events of alerts. */
export const eventTypes = [
  'run.completed',
  'gate.failed',
  'budget.reached',
  'drift.found',
  'monitor.worse',
  'traffic.worse',
  'record.scored',
] as const;
export type EventType = (typeof eventTypes)[number];

const kinds = ['webhook', 'slack', 'email', 'otlp'] as const;
export type AlertKind = (typeof kinds)[number];

const optional = Type.Optional;
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const name = Type.String({ minLength: 1, maxLength: 256, description: 'Name of the alert.' });
const url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'webhook: where events are posted. slack: an incoming webhook of Slack, or of a chat that takes the same messages. otlp: the path of an OpenTelemetry collector that takes logs, such as https://otel.example.com/v1/logs. Never shown again.',
});
const headers = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' }),
  Type.String({ maxLength: 4000 }),
  {
    maxProperties: 20,
    description: 'otlp: headers of each request, such as a key. Never shown again.',
  },
);
const recipients = Type.Array(
  Type.String({
    maxLength: 320,
    pattern: String.raw`^[^\s@<>,;:"\\]+@[^\s@<>,;:"\\]+$`,
    expects: 'an e-mail address such as team@example.com',
    description: 'E-mail address.',
  }),
  {
    minItems: 1,
    maxItems: 20,
    description:
      'email: who receives the mail. An address that belongs to no member gets nothing until its owner has confirmed it.',
  },
);
const events = Type.Array(oneOf(eventTypes, 'Kind of event.'), {
  minItems: 1,
  maxItems: eventTypes.length,
  description:
    'Events that are sent. run.completed: all records of a run have their scores. gate.failed: `dokima gate --store` gave a verdict other than pass. budget.reached: the judges of a run have spent their budget. drift.found: a check found that a judge has drifted. monitor.worse: the pass rate of a metric of a monitor has fallen below minPassRate, or the share of a label has risen above maxLabelShare. traffic.worse: the errors, latency or cost of traces went above a limit. record.scored: a record has a new score; for the kind otlp, which sends nothing else.',
});
const paused = Type.Boolean({
  default: false,
  description: 'Whether nothing is sent. Events that happen while it is paused are not sent later.',
});

const minPassRate = Type.Union([Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }), Type.Null()], {
  description:
    'monitor.worse: lowest acceptable pass rate, from 0 to 1. It applies to every metric of every monitor of the project.',
});
/** A label of a category whose share is watched. The three are given together. */
const labelLimit = {
  labelMetricId: nullable(
    Type.String(),
    'monitor.worse: id of a category metric, one of whose labels is watched; null for none. Given with label and maxLabelShare.',
  ),
  label: nullable(
    Type.String({ maxLength: longestLabel }),
    'monitor.worse: the label. A configuration without it is not watched.',
  ),
  maxLabelShare: nullable(
    Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
    'monitor.worse: highest acceptable share of the label among the scores of the metric in each monitor, from 0 to 1.',
  ),
};
const { labelMetricId, label, maxLabelShare } = labelLimit;
const falseAlarmsPerYear = Type.Number({
  minimum: 0.01,
  maximum: 366,
  description: 'monitor.worse and traffic.worse: highest average number of false alarms a year, of each.',
});
const limit = (description: string, most?: number) =>
  Type.Union(
    [
      Type.Number({ exclusiveMinimum: 0, ...(most !== undefined && { exclusiveMaximum: most }) }),
      Type.Null(),
    ],
    { description },
  );
/** What the traffic of a window is held against. */
const trafficLimits = {
  trafficWindow: oneOf(['hour', 'day'], 'traffic.worse: length of the windows of UTC that are looked at.'),
  maxErrorRate: limit(
    'traffic.worse: highest acceptable share of records with a failed span, from 0 to 1; null for any.',
    1,
  ),
  maxLatencyMs: limit(
    'traffic.worse: highest acceptable 95th percentile of the latency, in milliseconds; null for any.',
  ),
  maxCostUsd: limit(
    'traffic.worse: highest acceptable cost of all records of a window, in US dollars; null for any.',
  ),
};
const { trafficWindow, maxErrorRate, maxLatencyMs, maxCostUsd } = trafficLimits;

const fields = {
  id: Type.String({ description: 'Id of the alert.' }),
  projectId: Type.String({ description: 'Id of its project.' }),
  name,
  kind: oneOf(kinds, 'How events are sent.'),
  target: Type.String({
    description:
      'E-mail addresses, or the origin of the URL: the path is left out because it may be a credential.',
  }),
  addresses: Type.Array(ref(MailAddress), {
    description: 'email: the addresses, and whether they get mails. Empty for other kinds.',
  }),
  events,
  minPassRate,
  ...labelLimit,
  falseAlarmsPerYear,
  ...trafficLimits,
  paused,
  createdAt: Type.String({ description: 'When it was created.' }),
  updatedAt: Type.String({ description: 'When it last changed.' }),
};

const deliveryState = oneOf(
  ['pending', 'delivered', 'failed'],
  'pending: it is being sent or will be sent again. delivered: the receiver accepted it; of several addresses, all that get mails. failed: it is not sent again.',
);

export const Delivery = named(
  'AlertDelivery',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the delivery, and the header webhook-id of each attempt.' }),
      event: Type.String({
        description: 'The event, `test`, or `address.confirmation`: the owner of an address is asked.',
      }),
      title: Type.String({ description: 'What happened.' }),
      state: deliveryState,
      numAttempts: Type.Integer({ description: 'Number of attempts.' }),
      status: nullable(Type.Integer(), 'HTTP status of the last answer; null without one.'),
      lastError: nullable(Type.String(), 'Why the last attempt failed.'),
      unconfirmed: Type.Array(Type.String(), {
        description: 'email: addresses that did not get it, because their owners have not confirmed them.',
      }),
      nextAttemptAt: nullable(Type.String(), 'When it is sent next; null unless it is pending.'),
      createdAt: Type.String({ description: 'When the event was noted.' }),
      endedAt: nullable(Type.String(), 'When it was delivered or given up.'),
    },
    { description: 'One event that was sent, or is to be sent, by an alert.' },
  ),
);

const description =
  'Sends events of a project to a webhook, to Slack, by e-mail or to an OpenTelemetry collector.';
const lastDelivery = nullable(
  Type.Object({
    event: Type.String({ description: 'The event, or `test`.' }),
    title: Type.String({ description: 'What happened.' }),
    state: deliveryState,
    createdAt: Type.String({ description: 'When the event was noted.' }),
  }),
  'Only in lists: the newest event that it told, or is to tell; null if there is none.',
);
export const Alert = named(
  'Alert',
  Type.Object({ ...fields, lastDelivery: optional(lastDelivery) }, { description }),
);

export const AlertCreated = named(
  'AlertCreated',
  Type.Object(
    {
      ...fields,
      signingSecret: nullable(
        Type.String(),
        'webhook: the key that signs each request, as whsec_ and Base64. It is not shown again.',
      ),
    },
    { description: 'A new alert with its signing key.' },
  ),
);

export const AlertCreate = Type.Object(
  {
    name,
    kind: oneOf(kinds, 'How events are sent. It cannot be changed.'),
    url: optional(url),
    headers: optional(headers),
    recipients: optional(recipients),
    events,
    minPassRate: optional(minPassRate),
    labelMetricId: optional(labelMetricId),
    label: optional(label),
    maxLabelShare: optional(maxLabelShare),
    falseAlarmsPerYear: optional(Type.Number({ ...falseAlarmsPerYear, default: 1 })),
    trafficWindow: optional(trafficWindow),
    maxErrorRate: optional(maxErrorRate),
    maxLatencyMs: optional(maxLatencyMs),
    maxCostUsd: optional(maxCostUsd),
    paused: optional(paused),
  },
  { additionalProperties: false },
);
export type AlertCreate = Static<typeof AlertCreate>;

export const AlertUpdate = Type.Object(
  {
    name: optional(name),
    url: optional(url),
    headers: optional(headers),
    recipients: optional(recipients),
    events: optional(events),
    minPassRate: optional(minPassRate),
    labelMetricId: optional(labelMetricId),
    label: optional(label),
    maxLabelShare: optional(maxLabelShare),
    falseAlarmsPerYear: optional(falseAlarmsPerYear),
    trafficWindow: optional(trafficWindow),
    maxErrorRate: optional(maxErrorRate),
    maxLatencyMs: optional(maxLatencyMs),
    maxCostUsd: optional(maxCostUsd),
    paused: optional(
      Type.Boolean({
        description: 'true: nothing is sent. Events that happen while it is paused are not sent later.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type AlertUpdate = Static<typeof AlertUpdate>;

export const AlarmQuery = Type.Object({
  minPassRate: optional(
    Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1, description: 'As in an alert.' }),
  ),
  labelMetricId: optional(Type.String({ description: 'As in an alert.' })),
  label: optional(Type.String({ maxLength: longestLabel, description: 'As in an alert.' })),
  maxLabelShare: optional(
    Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1, description: 'As in an alert.' }),
  ),
  falseAlarmsPerYear: optional(Type.Number({ ...falseAlarmsPerYear, default: 1 })),
  trafficWindow: optional(trafficWindow),
  maxErrorRate: optional(
    Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1, description: 'As in an alert.' }),
  ),
  maxLatencyMs: optional(Type.Number({ exclusiveMinimum: 0, description: 'As in an alert.' })),
  maxCostUsd: optional(Type.Number({ exclusiveMinimum: 0, description: 'As in an alert.' })),
});
export type AlarmQuery = Static<typeof AlarmQuery>;

export const measures = ['errors', 'latency', 'cost', 'passRate', 'labelShare'] as const;

export const Watched = named(
  'WatchedFigure',
  Type.Object(
    {
      measure: oneOf(
        measures,
        'errors: share of records with a failed span. latency: 95th percentile in milliseconds. cost: sum in US dollars. passRate: of a metric of a monitor. labelShare: of a label of a category of a monitor.',
      ),
      name: Type.String({ description: 'What is watched, in words.' }),
      judge: Type.Union([Type.String(), Type.Null()], {
        description:
          'How far the judge of a passRate can be trusted, in a few words; null unless a model judges.',
      }),
      window: oneOf(['hour', 'day'], 'Length of the windows of `points`.'),
      limit: Type.Number({ description: 'The limit that it is held against.' }),
      points: Type.Array(
        Type.Object({
          start: Type.String({ description: 'Start of the window.' }),
          n: Type.Integer({ description: 'Number of records that it rests on.' }),
          value: Type.Number({ description: 'The figure in this window.' }),
        }),
        { description: 'Windows with records, oldest first.' },
      ),
      alarms: Type.Array(Type.String({ description: 'Time of an alarm.' }), {
        description: 'When an alarm would have been raised, oldest first. At most one a day.',
      }),
    },
    { description: 'A figure of the last 30 days with the alarms that a limit would have raised.' },
  ),
);
export type Watched = Static<typeof Watched.schema>;

export const AddressAsk = Type.Object(
  {
    address: Type.String({ maxLength: 320, description: 'One of the addresses of the alert.' }),
  },
  { additionalProperties: false },
);
