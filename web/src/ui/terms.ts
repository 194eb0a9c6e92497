/** A term that a newcomer may not know: what it means in one line, and the part of the guide that explains it. */
type Meaning = { meaning: string; place: string };

export const terms = {
  record: {
    meaning: 'One answer of your system: what it was given, what it answered, what was expected.',
    place: 'concepts#record',
  },
  'system version': {
    meaning: 'One state of your prompt, endpoint or code. It never changes, so a result stays true of it.',
    place: 'concepts#system-and-version',
  },
  configuration: {
    meaning:
      'One state of a metric: its question, model and pass mark. Each score names the one that gave it.',
    place: 'concepts#metric-configuration',
  },
  unscored: {
    meaning:
      'The metric could not answer for this record, and says why. It is no zero and counts in no rate.',
    place: 'concepts#the-life-of-a-score',
  },
  slice: {
    meaning: 'The records that share a value of a field, such as one language.',
    place: 'deciding#compare-two-runs',
  },
  trial: {
    meaning: 'One of several answers to the same testcase. More than one shows which testcases are flaky.',
    place: 'concepts#record',
  },
  interval: {
    meaning: 'Where the true value lies in 95 of 100 such samples. A wide one means: too few records.',
    place: 'statistics#one-run-summaryts-intervalsts-boundedts-clustersts-trialsts',
  },
  Holm: {
    meaning:
      'Several metrics are tested together, so that chance alone seldom makes any of them look changed.',
    place: 'deciding#which-rule-decides-how-often',
  },
  sensitivity: {
    meaning: 'The share of the records that people pass which the judge passes too.',
    place: 'writing-metrics#test-the-judge-on-40-labels',
  },
  specificity: {
    meaning: 'The share of the records that people fail which the judge fails too.',
    place: 'writing-metrics#test-the-judge-on-40-labels',
  },
  kappa: {
    meaning: 'Agreement beyond what chance alone would give: 1 is full agreement, 0 is chance.',
    place: 'reviews#several-reviewers',
  },
  corrected: {
    meaning:
      'The rate that people would find, computed from the judge’s rate and its errors on labelled records.',
    place: 'statistics#a-pass-rate-corrected-for-the-judge-correctionts',
  },
  drift: {
    meaning:
      'A judge decides otherwise than before on the same records, for example after its provider changed the model.',
    place: 'statistics#drift-driftts',
  },
  successor: {
    meaning: 'Another model in the place of a judge’s, tried on the same labels before it counts.',
    place: 'succession',
  },
  gate: {
    meaning: 'Rules over a run that stop a release when one of them is broken.',
    place: 'cli#gate',
  },
  power: {
    meaning: 'How often a change of this size would be found, if it is there.',
    place: 'statistics#planning-plants',
  },
} as const satisfies Record<string, Meaning>;
export type TermName = keyof typeof terms;
