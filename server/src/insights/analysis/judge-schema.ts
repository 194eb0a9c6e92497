import { type Static, Type } from 'typebox';
import { correctedRate, judgeStatus } from '../../engine/statistics/calibration-schema.ts';
import { count, nullable, nullableText, text } from '../../engine/statistics/estimate-schema.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

const Doubt = Type.Object({
  code: oneOf(
    ['biased', 'biasUndecided', 'batteryExpired', 'modelUntested', 'drifted', 'labelsExpired'],
    '`biased` and `biasUndecided`: what its bias battery found. `batteryExpired`: the battery is older than 180 days. `modelUntested`: a model answers that the battery has not tested. `drifted`: its newest drift trial says so. `labelsExpired`: its newest label is older than 365 days.',
  ),
  words: text('In a few words.'),
  sentence: text('The doubt as a sentence.'),
});
export type Doubt = Static<typeof Doubt>;

const status = {
  metricConfigId: text('Configuration of the judge.'),
  peopleMetricId: nullableText(
    'Human metric whose scores are the truth about the judge; null if it is not known, or if the labels are of another kind.',
  ),
  labelledAt: nullableText('When the newest label was given; null without labels.'),
  labelsBy: Type.Object(
    {
      people: count('Number by people: in a browser session, or as their sender said.'),
      clients: count('Number that came with a key, whose sender did not say who made them. They count.'),
      code: count('Number by code.'),
      models: count('Number by models. They are left out: they never calibrate a judge.'),
    },
    { description: 'Numbers of labelled records by the makers of the labels.' },
  ),
  ...judgeStatus,
  trust: text('The grade and the doubts in a few words, for a badge beside each rate of the judge.'),
  doubts: Type.Array(Doubt, {
    description: 'What keeps the judge from being trusted as its grade says; `sentence` names them too.',
  }),
};

export const JudgeStatus = Type.Object(status, { description: 'How well a judge is calibrated.' });

export const JudgeOfRun = named(
  'JudgeOfRun',
  Type.Object(
    {
      ...status,
      correctedRate: nullable(
        Type.Object(correctedRate),
        "Pass rate of the run as people would judge it: by the labels of the run if they suffice, else by the judge's error rates. Null without scores of a human metric.",
      ),
    },
    {
      description:
        'How well the judge of a run is calibrated, and the pass rate of the run without its errors.',
    },
  ),
);
