import { Type } from 'typebox';
import {
  count,
  Estimate,
  Interval,
  nullable,
  nullableText,
  number,
  text,
} from '../../engine/statistics/estimate-schema.ts';
import { judgeStates } from '../../engine/statistics/judge-status.ts';
import { ref } from '../../platform/http/openapi.ts';

export const JudgeStatus = Type.Object(
  {
    metricConfigId: text('Configuration of the judge.'),
    state: Type.Union(
      judgeStates.map((state) => Type.Literal(state)),
      {
        description:
          '`notCalibrated`: no labels. `tooFewLabels`: below 20, or below 5 of a kind. `noBetterThanChance`: the interval of `youden` reaches 0. `calibrated`: it lies above 0.',
      },
    ),
    peopleMetricId: nullableText(
      'Metric by which people scored most of its records; null if labels are scores given in place of the judge.',
    ),
    labels: count('Number of labelled records that the judge decided.'),
    abstained: count('Number of labelled records without a verdict of the judge.'),
    labelledAt: nullableText('When the newest label was given; null without labels.'),
    sensitivity: Type.Unsafe({
      ...ref(Estimate),
      description: 'Share of the records passed by people that the judge passes.',
    }),
    specificity: Type.Unsafe({
      ...ref(Estimate),
      description: 'Share of the records failed by people that the judge fails.',
    }),
    youden: nullable(
      Type.Object({
        estimate: number('Sensitivity + specificity − 1.'),
        interval: Type.Unsafe({ ...ref(Interval), description: 'Its interval.' }),
      }),
      'How much better than a coin the judge is: 0 not at all, 1 always right. Null without labels of both kinds.',
    ),
    sentence: text('The same in words.'),
  },
  { description: 'What is known of a judge.' },
);
