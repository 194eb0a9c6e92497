import { type Static, Type } from 'typebox';
import { count, nullableText, text, texts } from '../../engine/statistics/estimate-schema.ts';
import { named } from '../../platform/named-schema.ts';

/** Maximum number of records of a set: each candidate of a trial pays for this many verdicts. */
const maxPinned = 1_000;
/** Number of labels with which a succession finds an equal judge in nine of ten trials; with 200, in one of three (docs/succession.md). */
const defaultPinned = 400;

export const PinnedSetCreate = Type.Object(
  {
    labels: Type.Optional(
      Type.Union([Type.Literal('metric'), Type.Literal('overrides'), Type.Literal('thumbs')], {
        description: 'Source of the labels, as for the calibration. Default `metric`.',
      }),
    ),
    against: Type.Optional(
      Type.String({
        description:
          'Metric by which people scored the same records. Default the human metric of the judge. A judge whose human metric is not known takes this one.',
      }),
    ),
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
          'Whether the service starts drift trials itself: for each new configuration, and for each model that answers for the first time.',
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
      servedModelNames: texts('Models that gave the reference verdicts, as named by their provider.'),
      source: text('Source of the labels: `metric`, `overrides` or `thumbs`.'),
      automatic: Type.Boolean({ description: 'Whether the service starts drift trials itself.' }),
      numRecords: count('Number of pinned records.'),
      numHumanPasses: count('Number of pinned records that people pass.'),
      numJudgePasses: count('Number of pinned records that the reference passes.'),
      due: nullableText('Why a drift trial is due: what is new since the last one; null if nothing is.'),
      pinnedAt: text('When the set was pinned.'),
    },
    {
      description:
        'Labelled records on which judges are tried, with the reference verdicts of the judge in use.',
    },
  ),
);
