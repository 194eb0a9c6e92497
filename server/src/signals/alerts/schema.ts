import { type Static, Type } from 'typebox';
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
    'Events that are sent. run.completed: all records of a run have their scores. gate.failed: `dokima gate --store` gave a verdict other than pass. budget.reached: the judges of a run have spent their budget. drift.found: a check found that a judge has drifted. monitor.worse: the pass rate of a metric of a monitor has fallen below minPassRate. record.scored: a record has a new score; for the kind otlp, which sends nothing else.',
});
const paused = Type.Boolean({
  default: false,
  description: 'Whether nothing is sent. Events that happen while it is paused are not sent later.',
});

const minPassRate = Type.Union([Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }), Type.Null()], {
  description:
    'monitor.worse: lowest acceptable pass rate, from 0 to 1. It applies to every metric of every monitor of the project.',
});
const falseAlarmsPerYear = Type.Number({
  minimum: 0.01,
  maximum: 366,
  description: 'monitor.worse: highest average number of false alarms a year.',
});

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
  falseAlarmsPerYear,
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
    falseAlarmsPerYear: optional(Type.Number({ ...falseAlarmsPerYear, default: 1 })),
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
    falseAlarmsPerYear: optional(falseAlarmsPerYear),
    paused: optional(
      Type.Boolean({
        description: 'true: nothing is sent. Events that happen while it is paused are not sent later.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type AlertUpdate = Static<typeof AlertUpdate>;

export const AddressAsk = Type.Object(
  {
    address: Type.String({ maxLength: 320, description: 'One of the addresses of the alert.' }),
  },
  { additionalProperties: false },
);
