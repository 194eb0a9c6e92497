/** A term that a newcomer may not know: what it means in one line, and the part of the guide that explains it. */
type Meaning = { meaning: string; place: string };

export const terms = {
  record: {
    meaning: 'One answer of your system: what it was given, what it answered, what was expected.',
    place: 'concepts#record',
  },
  testcase: {
    meaning: 'One input of a testset, with the answer that is expected if there is one. Runs answer it.',
    place: 'concepts#testset-and-testcase',
  },
  run: {
    meaning: 'The answers of one system version to a testset, or the traffic of one day, with their scores.',
    place: 'concepts#run',
  },
  trace: {
    meaning: 'What your program did for one request, call by call. It becomes a record that metrics score.',
    place: 'concepts#trace-and-span',
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
  pending: {
    meaning: 'The score is still to come: from a worker, a person or your code.',
    place: 'concepts#the-life-of-a-score',
  },
  failed: {
    meaning: 'The metric broke for this record, for example at a timeout. It counts in no rate; retry it.',
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
    place: 'reading-a-result#one-run',
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
  AC1: {
    meaning: 'Agreement beyond chance like κ, but steady where nearly all records pass or nearly all fail.',
    place:
      'statistics#a-judge-against-people-calibrationts-label-stratats-agreementts-krippendorffts-ratersts',
  },
  alpha: {
    meaning: 'Agreement of any number of reviewers beyond chance: 1 is full agreement, 0 is chance.',
    place: 'reviews#several-reviewers',
  },
  'error rates': {
    meaning: 'The judge’s rate, turned back by how often it wrongly passes and wrongly fails (Rogan–Gladen).',
    place: 'statistics#a-pass-rate-corrected-for-the-judge-correctionts',
  },
  'prediction-powered': {
    meaning: 'All verdicts of the judge, shifted by its mean error on the labels of this run (PPI++).',
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
  pin: {
    meaning: 'To keep labelled records as they are, so that later judges are tested on the same ones.',
    place: 'statistics#drift-driftts',
  },
  votes: {
    meaning: 'One model is asked several times about a record, and the majority or the median counts.',
    place: 'judges#the-verdict',
  },
  jury: {
    meaning: 'Several models are asked about a record, and the majority or the median counts.',
    place: 'judges#the-verdict',
  },
  Jinja: {
    meaning: 'The language of templates: {{ inputs.question }} stands for that field of the testcase.',
    place: 'prompts#a-version',
  },
  gate: {
    meaning: 'Rules over a run that stop a release when one of them is broken.',
    place: 'cli#gate',
  },
  level: {
    meaning: 'How often no change is found where there is none: at 95 %, one false alarm in twenty.',
    place: 'statistics#planning-plants',
  },
  power: {
    meaning: 'How often a change of this size would be found, if it is there.',
    place: 'statistics#planning-plants',
  },
} as const satisfies Record<string, Meaning>;
export type TermName = keyof typeof terms;
