import { type Static, Type } from 'typebox';
import {
  caveats,
  count,
  level,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
  warnings,
} from '../../engine/statistics/estimate-schema.ts';
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

const McNemar = Type.Object(
  { exact: number('Two-sided exact p.'), midP: number('Two-sided mid-p. The verdict rests on it.') },
  { description: "McNemar's test on the records that changed." },
);

const Drift = Type.Object(
  {
    method: text('Method.'),
    n: count('Number of pinned records that were decided again.'),
    level: number('Confidence level.'),
    agreementBefore: nullableNumber('Share of these records on which the reference agrees with people.'),
    agreementNow: nullableNumber('Share of these records on which the judge now agrees with people.'),
    difference: nullableNumber('agreementNow minus agreementBefore.'),
    interval: nullableInterval('Interval of the difference.'),
    reason: nullableText('Why there is no interval.'),
    mcnemar: nullable(McNemar, 'Tests whether the judge is right as often, at half of α.'),
    leniency: nullable(
      Type.Object({
        nowPass: count('Number of records that failed and now pass.'),
        nowFail: count('Number of records that passed and now fail.'),
        mcnemar: McNemar,
      }),
      'Tests whether the judge passes records as often, at half of α.',
    ),
    broken: texts('Records on which only the reference agrees with people.'),
    mended: texts('Records on which only the judge now agrees with people.'),
    unscored: texts('Number of records without a verdict in this check.'),
    verdict: Type.Union([Type.Literal('drifted'), Type.Literal('no drift seen')], {
      description: 'Conclusion.',
    }),
    sentence: text('The verdict in words.'),
    assumption: text('Assumption of all numbers here.'),
    caveats,
    warnings,
  },
  { description: 'The judge now, compared with its reference verdicts.' },
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
