import { type Static, Type } from 'typebox';
import { Estimate, states } from '../../evaluation/scores/estimate-schema.ts';
import { named, ref } from '../../platform/http/openapi.ts';

const optional = Type.Optional;
const text = (description: string, maxLength = 1000) => Type.String({ minLength: 1, maxLength, description });

const filterFields = {
  service: optional(text('Service of the span.')),
  name: optional(text('Name of the span.')),
  model: optional(text('Model of the span.')),
  error: optional(Type.Boolean({ description: 'true: such a span failed. false: none of them did.' })),
  minDurationMs: optional(
    Type.Integer({
      minimum: 0,
      maximum: 2 ** 31 - 1,
      description: 'The span took at least as many milliseconds.',
    }),
  ),
  tag: optional(text('Tag of the record.', 256)),
};
const filter = Type.Object(filterFields, {
  additionalProperties: false,
  description:
    'Records that it looks at: those with the tag, and with a span that has everything else. Empty: all of them.',
});
export type MonitorFilter = Static<typeof filter>;

const samplingRate = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1,
  description:
    'Share of these records that is drawn to be scored. A record is drawn by a hash of the id of its session or trace, so ' +
    'always alike, and by every monitor with this rate or a higher one.',
});
const settleSeconds = Type.Integer({
  minimum: 0,
  maximum: 86_400,
  default: 60,
  description: 'A record is looked at once no span of it has come for this long.',
});
const paused = Type.Boolean({ default: false, description: 'Whether it leaves what arrives alone.' });
const metricIds = Type.Array(Type.String({ description: 'Id of a metric.' }), {
  minItems: 1,
  maxItems: 20,
  description: 'Metrics that score the records that are drawn, each by its configuration then.',
});
const name = text('Shown wherever monitors are read.', 256);

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
      createdAt: Type.String({ description: 'When it was made.' }),
      definedAt: Type.String({ description: 'Since when its metrics, rate and filter are what they are.' }),
      results: Type.Object(
        {
          since: Type.String({
            description: 'What is counted was decided since then: since definedAt, at most 30 days.',
          }),
          numRecords: count('Records that fit the filter, and could have been drawn.'),
          numDrawn: count('Of these the ones that were.'),
          metrics: Type.Array(
            Type.Object({
              metricId: Type.String({ description: 'Id of the metric.' }),
              metricName: Type.String({ description: 'Name of the metric.' }),
              metricConfigId: Type.String({
                description: 'Its configuration now; only scores by it count here.',
              }),
              states,
              passRate: Type.Unsafe<Static<typeof Estimate.schema>>({
                ...ref(Estimate),
                description: 'Share of the scored records that pass.',
              }),
            }),
            { description: 'Of each metric that is still there.' },
          ),
        },
        { description: 'What has come of it.' },
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

export const MonitorUpdate = Type.Object(
  {
    name: optional(name),
    metricIds: optional(metricIds),
    samplingRate: optional(samplingRate),
    filter: optional(filter),
    settleSeconds: optional(settleSeconds),
    paused: optional(
      Type.Boolean({
        description: 'true: what arrives is left alone, for good. Scores that are queued are still made.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type MonitorUpdate = Static<typeof MonitorUpdate>;
