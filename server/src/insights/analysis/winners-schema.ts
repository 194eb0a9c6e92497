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
      numTries: count(
        'Number of runs among which it is the best: those of this answer, and up to 20 newer or older runs of the testset that scored the same testcases.',
      ),
      n: count('Number of testcases that all of them share.'),
      mean: number('Its observed mean, which is too high on average because the best run was chosen.'),
      estimate: number('Its mean, corrected for the choice (median-unbiased).'),
      interval: ref(Interval, 'Interval of the corrected mean at `level`.'),
      sentence: text('The result in words.'),
    },
    { description: 'The best of several runs, corrected for the choice.' },
  ),
);
