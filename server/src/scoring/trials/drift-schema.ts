import { type Static, Type } from 'typebox';
import {
  count,
  level,
  nullable,
  nullableText,
  number,
  text,
  texts,
} from '../../engine/statistics/estimate-schema.ts';
import { Drift } from '../../engine/statistics/trial-schema.ts';
import { named } from '../../platform/http/openapi.ts';

/** Most records of a set: each check pays for as many verdicts. */
const maxPinned = 1_000;
/** With so many labels, a trial of succession finds an equal judge in nine of ten; with 200, in one of three (docs/succession.md). */
const defaultPinned = 400;

export const PinnedSetCreate = Type.Object(
  {
    labels: Type.Optional(
      Type.Union([Type.Literal('metric'), Type.Literal('overrides'), Type.Literal('thumbs')], {
        description:
          'Source of the labels, as for the calibration. Default `metric` with `against`, else `overrides`.',
      }),
    ),
    against: Type.Optional(Type.String({ description: 'Metric by which people scored the same records.' })),
    metricConfigId: Type.Optional(
      Type.String({ description: 'Configuration of the reference; default the current one.' }),
    ),
    size: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: maxPinned,
        default: defaultPinned,
        description: 'Maximum number of records. If more are labelled, a hash of their ids chooses.',
      }),
    ),
    automatic: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the service starts checks itself: for each new configuration, and for each model that answers for the first time.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type PinnedSetCreate = Static<typeof PinnedSetCreate>;
export const sizeOf = ({ size = defaultPinned }: PinnedSetCreate): number => size;

export const PinnedSet = named(
  'PinnedSet',
  Type.Object(
    {
      metricId: text('Id of the metric.'),
      metricConfigId: text('Configuration of the reference.'),
      servedModels: texts('Models that gave the reference verdicts, as named by their provider.'),
      source: text('Source of the labels: `metric`, `overrides` or `thumbs`.'),
      automatic: Type.Boolean({ description: 'Whether the service starts checks itself.' }),
      records: count('Number of pinned records.'),
      humanPasses: count('Number of pinned records that people pass.'),
      judgePasses: count('Number of pinned records that the reference passes.'),
      pinnedAt: text('When the set was pinned.'),
    },
    {
      description: 'Labelled records on which a judge is checked for drift, with its reference verdicts.',
    },
  ),
);

export const DriftCheck = named(
  'DriftCheck',
  Type.Object(
    {
      runId: text('Run with copies of the pinned records and the new verdicts.'),
      metricId: text('Id of the metric.'),
      metricConfigId: text('Configuration that is checked.'),
      records: count('Number of records to decide again.'),
      startedAt: text('When it was started.'),
    },
    { description: 'A check in which a judge decides its pinned records again.' },
  ),
);

export const DriftQuery = Type.Object({
  level,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      default: 5,
      description: 'Maximum number of checks, newest first.',
    }),
  ),
});

export const JudgeDrift = named(
  'JudgeDrift',
  Type.Object(
    {
      pinnedSet: PinnedSet.schema,
      level: number('Confidence level.'),
      due: nullableText('Why a check is due: what is new since the last one; null if nothing is.'),
      checks: Type.Array(
        Type.Object({
          runId: text('Run with the new verdicts.'),
          metricConfigId: text('Configuration that was checked.'),
          configChanged: Type.Boolean({
            description: 'Whether it differs from the configuration of the reference.',
          }),
          servedModels: texts('Models that answered, as named by their provider.'),
          startedAt: text('When it was started.'),
          pending: count('Number of verdicts still pending.'),
          drift: nullable(Drift, 'Result; null while verdicts are pending.'),
        }),
        {
          description:
            'Checks, newest first. Each is a separate test: with a steady judge, about one of twenty looks like drift.',
        },
      ),
    },
    { description: 'Whether a judge still decides its pinned records as it did for the reference.' },
  ),
);
