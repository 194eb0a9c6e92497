import { Type } from 'typebox';
import { judgeStatus } from '../../engine/statistics/calibration-schema.ts';
import { nullableText, text } from '../../engine/statistics/estimate-schema.ts';

export const JudgeStatus = Type.Object(
  {
    metricConfigId: text('Configuration of the judge.'),
    peopleMetricId: nullableText(
      'Metric by which people scored most of its records; null if labels are scores given in place of the judge.',
    ),
    labelledAt: nullableText('When the newest label was given; null without labels.'),
    ...judgeStatus,
  },
  { description: 'How well a judge is calibrated.' },
);
