import { Type } from 'typebox';
import { count, Interval, number, text } from '../../engine/statistics/estimate-schema.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { metricConfig } from './schema.ts';

export const Winner = named(
  'Winner',
  Type.Object(
    {
      metricId: metricConfig.metricId,
      metricName: metricConfig.metricName,
      runId: text('Id of the run that looks best.'),
      numTries: count('Number of runs among which it is the best.'),
      n: count('Number of testcases that all of them share.'),
      mean: number('Its mean as it looks: too high, because it was chosen for it.'),
      estimate: number('Its mean, corrected for the choice: as often too high as too low.'),
      interval: ref(Interval, 'Interval of the corrected mean at `level`.'),
      sentence: text('The result in words.'),
    },
    { description: 'The best of several runs, corrected for the choice.' },
  ),
);
