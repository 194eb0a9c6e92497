import { type Static, Type } from 'typebox';
import { Estimate, states } from '../../engine/statistics/estimate-schema.ts';
import { named, ref } from '../../platform/named-schema.ts';

const optional = Type.Optional;
const text = (description: string, maxLength = 1000) => Type.String({ minLength: 1, maxLength, description });

const filterFields = {
  service: optional(text('Service of the span.')),
  name: optional(text('Name of the span.')),
  modelName: optional(text('Model of the span.')),
  error: optional(
    Type.Boolean({ description: 'true: at least one such span failed. false: none of them failed.' }),
  ),
  minDurationMs: optional(
    Type.Integer({
      minimum: 0,
      maximum: 2 ** 31 - 1,
      description: 'The span took at least this many milliseconds.',
    }),
  ),
  tag: optional(text('Tag of the record.', 256)),
};
const filter = Type.Object(filterFields, {
  additionalProperties: false,
  description:
    'Records that the monitor looks at: those with the tag, and with a span that matches the other fields. Empty: all records.',
});
export type MonitorFilter = Static<typeof filter>;

const samplingRate = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1,
  description:
    'Share of the matching records that is scored. A hash of the session id or trace id decides, so every monitor ' +
    'with this rate or a higher one draws the same record.',
});
const settleSeconds = Type.Integer({
  minimum: 0,
  maximum: 86_400,
  default: 60,
  description: 'Seconds without new spans after which the monitor looks at a record.',
});
const paused = Type.Boolean({ default: false, description: 'Whether the monitor ignores what arrives.' });
const metricIds = Type.Array(Type.String({ description: 'Id of a metric.' }), {
  minItems: 1,
  maxItems: 20,
  description: 'Metrics that score the drawn records, each with its configuration at that time.',
});
const name = text('Name of the monitor.', 256);

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const Monitor = named(
  'Monitor',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the monitor.' }),
      projectId: Type.String({ description: 'Id of its project.' }),
      name,
      metricIds,
      samplingRate,
      filter,
      settleSeconds,
      paused,
      createdAt: Type.String({ description: 'When it was created.' }),
      definedAt: Type.String({ description: 'When its metrics, rate or filter last changed.' }),
      results: Type.Object(
        {
          since: Type.String({
            description: 'Start of the results: definedAt, or 30 days ago if that is later.',
          }),
          numRecords: count('Records that match the filter.'),
          numDrawn: count('Records that were drawn.'),
          metrics: Type.Array(
            Type.Object({
              metricId: Type.String({ description: 'Id of the metric.' }),
              metricName: Type.String({ description: 'Name of the metric.' }),
              metricConfigId: Type.String({
                description: 'Its current configuration; only scores by it are counted.',
              }),
              states,
              passRate: ref(
                Estimate,
                'Share of the scored records that pass; of their spans, clustered by record, for a metric that scores spans.',
              ),
              numSpans: optional(count('Spans of the scored records, for a metric that scores spans.')),
            }),
            { description: 'Results by metric, without deleted ones.' },
          ),
        },
        { description: 'Results since `since`.' },
      ),
    },
    { description: 'Scores a share of the traces of a project as they arrive.' },
  ),
);

export const MonitorCreate = Type.Object(
  {
    name,
    metricIds,
    samplingRate,
    filter: optional(filter),
    settleSeconds: optional(settleSeconds),
    paused: optional(paused),
  },
  { additionalProperties: false },
);
export type MonitorCreate = Static<typeof MonitorCreate>;

const sentence = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: '\\S',
  expects: 'the id of a metric, or a sentence that says what to check',
  description:
    'Id of a metric, or a sentence that says what to check. The first time, a sentence becomes a boolean AI metric.',
});
export const MonitorUpsert = Type.Object(
  {
    description: text(
      'Name of the monitor. A monitor of this name is changed, otherwise one is created.',
      256,
    ),
    metrics: Type.Array(sentence, {
      minItems: 1,
      maxItems: 20,
      description: 'Metrics that score the records. They replace those of an existing monitor.',
    }),
    filter: optional(
      Type.Object(
        { serviceName: optional(text('Service of a span of the record.')) },
        {
          additionalProperties: false,
          description: 'Records that the monitor looks at. Empty: all records.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type MonitorUpsert = Static<typeof MonitorUpsert>;

export const MonitorUpdate = Type.Object(
  {
    name: optional(name),
    metricIds: optional(metricIds),
    samplingRate: optional(samplingRate),
    filter: optional(filter),
    settleSeconds: optional(settleSeconds),
    paused: optional(
      Type.Boolean({
        description:
          'true: the monitor ignores traces that arrive while it is paused. Queued scores are still made.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type MonitorUpdate = Static<typeof MonitorUpdate>;
