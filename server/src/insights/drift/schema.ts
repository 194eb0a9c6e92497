import { type Static, Type } from 'typebox';
import {
  count,
  level,
  nullable,
  nullableInterval,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
} from '../../evaluation/scores/estimate-schema.ts';
import { named } from '../../platform/http/openapi.ts';

/** Most records of a set: each check pays for as many verdicts. */
const maxPinned = 1_000;
const defaultPinned = 200;

export const PinnedSetCreate = Type.Object(
  {
    labels: Type.Optional(
      Type.Union([Type.Literal('metric'), Type.Literal('overrides'), Type.Literal('thumbs')], {
        description:
          'Where the labels come from, as for the calibration. Default `metric` with `against`, else `overrides`.',
      }),
    ),
    against: Type.Optional(Type.String({ description: 'Metric by which people scored the same records.' })),
    metricConfigId: Type.Optional(
      Type.String({ description: 'Configuration that is the reference; by default the current one.' }),
    ),
    size: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: maxPinned,
        default: defaultPinned,
        description: 'Most records; of more labelled ones as many are chosen by a hash of their ids.',
      }),
    ),
    automatic: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the service itself tries each new configuration, and each model that answers for the first time.',
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
      servedModels: texts('Models that gave the verdicts of the reference, as they called themselves.'),
      source: text('Where the labels come from: `metric`, `overrides` or `thumbs`.'),
      automatic: Type.Boolean({ description: 'Whether the service itself starts checks.' }),
      records: count('Labelled records that are pinned.'),
      humanPasses: count('Of these, records that people pass.'),
      judgePasses: count('Of these, records that the reference passes.'),
      pinnedAt: text('When the set was pinned.'),
    },
    {
      description:
        'Labelled records on which a judge is tried again and again, with its verdicts at the reference.',
    },
  ),
);

export const DriftCheck = named(
  'DriftCheck',
  Type.Object(
    {
      runId: text('The run that holds copies of the pinned records and the new verdicts.'),
      metricId: text('Id of the metric.'),
      metricConfigId: text('Configuration that is tried.'),
      records: count('Records to decide again.'),
      startedAt: text('When it was started.'),
    },
    { description: 'A judge that decides its pinned records again.' },
  ),
);

const McNemar = Type.Object(
  { exact: number('Two-sided exact p.'), midP: number('Two-sided mid-p, which decides.') },
  { description: 'McNemar’s test of the records that changed.' },
);

const Drift = Type.Object(
  {
    method: text('How this was found.'),
    n: count('Pinned records that were decided again.'),
    level: number('Confidence level.'),
    agreementBefore: nullableNumber('Share of these decided as people did, at the reference.'),
    agreementNow: nullableNumber('The same now.'),
    difference: nullableNumber('Now minus before.'),
    interval: nullableInterval('Of the difference.'),
    reason: nullableText('Why there is no interval.'),
    mcnemar: nullable(McNemar, 'Is the judge as often right? Tested at half of α.'),
    leniency: nullable(
      Type.Object({
        nowPass: count('Records that failed and now pass.'),
        nowFail: count('Records that passed and now fail.'),
        mcnemar: McNemar,
      }),
      'Does it say yes as often? Tested at half of α.',
    ),
    broken: texts('Records decided as people do at the reference, and no longer.'),
    mended: texts('Records decided as people do only now.'),
    unscored: texts('Records without a verdict this time.'),
    verdict: Type.Union([Type.Literal('drifted'), Type.Literal('no drift seen')], {
      description: 'What follows.',
    }),
    sentence: text('The verdict in words.'),
    assumption: text('What all of this takes for granted.'),
    warnings: texts('What to bear in mind.'),
  },
  { description: 'The judge now against itself at the reference.' },
);

export const DriftQuery = Type.Object({
  level,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'Most checks, the newest.' }),
  ),
});

export const JudgeDrift = named(
  'JudgeDrift',
  Type.Object(
    {
      pinnedSet: PinnedSet.schema,
      level: number('Confidence level.'),
      due: nullableText(
        'Why the judge should be tried again: what is new since it was last tried. Null: nothing.',
      ),
      checks: Type.Array(
        Type.Object({
          runId: text('Run with the verdicts.'),
          metricConfigId: text('Configuration that was tried.'),
          configChanged: Type.Boolean({ description: 'Whether that is another than the reference.' }),
          servedModels: texts('Models that answered, as they called themselves.'),
          startedAt: text('When it was started.'),
          pending: count('Verdicts that are still to come.'),
          drift: nullable(Drift, 'Null while verdicts are to come.'),
        }),
        {
          description:
            'Newest first. Each is a test of its own: of twenty checks of a steady judge one looks like drift.',
        },
      ),
    },
    { description: 'Whether a judge decides its pinned records as it did.' },
  ),
);
