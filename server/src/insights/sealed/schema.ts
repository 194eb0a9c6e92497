import { type Static, Type } from 'typebox';
import {
  count,
  nullable,
  nullableNumber,
  nullableText,
  text,
} from '../../engine/statistics/estimate-schema.ts';
import { sealedAnswers } from '../../engine/statistics/ladder.ts';
import { split, testcaseSearch } from '../../evaluation/testsets/schema.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

/** A sealed split has so few testcases that one request moves them. */
export const maxSealed = 2_000;
export const maxSealedMetrics = 5;

const source = {
  ids: Type.Optional(
    Type.Array(Type.String(), { minItems: 1, maxItems: maxSealed, description: 'Only these testcases.' }),
  ),
  q: Type.Optional(testcaseSearch),
  share: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      description: 'A drawn share of them, from 0 to 1. Testcases of one group stay together.',
    }),
  ),
  unseen: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether only testcases count that no record has.' }),
  ),
};

const splitWhenOpen = { ...split, description: 'Split that the testcases get when they open.' };
const alpha = Type.Number({
  minimum: 0.001,
  maximum: 0.5,
  description: 'Chance that any look errs, at most. Look t has t^-1.5 of it, divided by 2.612.',
});
const margin = Type.Number({
  minimum: 0,
  maximum: 1,
  description:
    'Loss that a version may have and still pass, such as 0.02. With 0 it passes only if it is shown to be better.',
});
const maxLooks = Type.Integer({
  minimum: 1,
  maximum: 200,
  description: 'Looks until the split opens.',
});

const Traffic = Type.Object(
  {
    size: Type.Integer({
      minimum: 1,
      maximum: 500,
      description: 'Records that are drawn, each with the same probability.',
    }),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        default: 30,
        description: 'Days that the traffic is drawn from.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Makes the testcases of inputs of traced records, instead of testcases that exist. No one learns which were drawn. They have no expected output, so the metrics must do without. When the looks are spent, the next ones are drawn and sealed.',
  },
);

export const SealCreate = Type.Object(
  {
    ...source,
    traffic: Type.Optional(Traffic),
    seed: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, default: 1, description: 'Seed of the draw.' }),
    ),
    baselineVersionId: text(
      'Version of a system that later ones are compared with. The service must be able to call it.',
    ),
    metricIds: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: maxSealedMetrics,
      description:
        'Metrics that decide, with their configurations of now: judges and code. People would see the testcases.',
    }),
    alpha: Type.Optional({ ...alpha, default: 0.05 }),
    maxLooks: Type.Optional({ ...maxLooks, default: 20 }),
    margin: Type.Optional({ ...margin, default: 0 }),
    split: Type.Optional(splitWhenOpen),
  },
  { additionalProperties: false },
);
export type SealCreate = Static<typeof SealCreate>;

const states = ['sealed', 'opening', 'opened'] as const;

const SealedMetric = Type.Object({
  metricId: text('Id of the metric.'),
  metricName: text('Its name when the split was sealed.'),
  difference: Type.Number({
    description:
      'Difference of the best version until now from the baseline, rounded to its noise. It moves only when a version beats the best by more than the noise.',
  }),
});

export const Seal = named(
  'Seal',
  Type.Object(
    {
      id: text('Id of the sealed split.'),
      testsetId: text('Its testset.'),
      state: oneOf(
        states,
        'sealed: no one reads it. opening: its budget is spent, and it opens now. opened: its testcases are in the testset again.',
      ),
      split: splitWhenOpen,
      numTestcases: count('Testcases that it has.'),
      probability: nullableNumber(
        'Probability with which each record of the traffic was drawn; null for testcases that existed.',
      ),
      numSeen: count('Those that were in runs before they were sealed: people may know them.'),
      baselineVersionId: text('Version that looks compare with.'),
      metrics: Type.Array(SealedMetric, { description: 'Metrics that decide.' }),
      alpha,
      margin,
      maxLooks,
      numLooks: count('Looks until now.'),
      openedProjectId: nullableText(
        'Project with the runs of its looks; null before it opens, and without a look.',
      ),
      createdByUserId: text('Member who sealed it.'),
      createdAt: text('When it was sealed.'),
      openedAt: nullableText('When it opened; null before.'),
      sentence: text('The same in words.'),
    },
    {
      description:
        'A split of a testset that no member, judge page or agent reads until its looks are spent.',
    },
  ),
);

export const SealedLookCreate = Type.Object(
  { systemVersionId: text('Version of a system to look at. The service must be able to call it.') },
  { additionalProperties: false },
);
export type SealedLookCreate = Static<typeof SealedLookCreate>;

const answer = oneOf(
  sealedAnswers,
  'pass: better than the baseline, or no worse by more than the margin. worse: worse than that. not enough: neither is shown.',
);

export const SealedLook = named(
  'SealedLook',
  Type.Object(
    {
      sealId: text('Its sealed split.'),
      number: count('Number of the look, from 1.'),
      numLeft: count('Looks that are left.'),
      systemVersionId: text('Version that was looked at.'),
      level: Type.Number({ description: 'The part of alpha at which it was tested, on both sides.' }),
      answer: nullable(answer, 'The answer; null while the version is called and scored.'),
      reason: nullableText('Why there is no other answer; null otherwise.'),
      metrics: Type.Array(
        Type.Object({
          metricId: text('Id of the metric.'),
          metricName: text('Its name.'),
          answer,
          difference: Type.Number({
            description: 'Difference of the best version until then from the baseline, rounded to its noise.',
          }),
          improved: Type.Boolean({
            description: 'Whether this version is the best, and moved the difference.',
          }),
        }),
        { description: 'The answers by metric; empty until there is one.' },
      ),
      userId: text('Member who asked.'),
      createdAt: text('When it was asked.'),
      answeredAt: nullableText('When it was answered; null before.'),
      sentence: text('The same in words.'),
    },
    { description: 'A look at a sealed split. It says no more than this of the testcases.' },
  ),
);
export type SealedLook = Static<typeof SealedLook.schema>;
