/** The filters of a search of records, with their values. docs/searching.md explains them; a test compares the two. */
export const recordKeys = {
  score: 'a score: score.Accuracy:pass, fail, pending, unscored, failed, none, a value: <0.5, or a label',
  result: 'any score is pass, fail, pending, unscored or failed',
  metric: 'the metric of result',
  latency: 'time it took: >2s, 500ms..1s',
  cost: 'cost in US dollars: >0.01',
  tokens: 'input and output tokens: >10k',
  error: 'yes or no: a span of its trace failed',
  inputs: 'a field of the inputs: inputs.topic:billing, ~part, >3 or *',
  outputs: 'a field of the outputs: outputs.answer:"Paris", ~part, >3 or *',
  expected: 'a field of the expected output',
  metadata: 'a field of its testcase: metadata.topic:billing',
  annotation: 'any, up, down, comment or open; -annotation:any for none',
  tag: 'has this tag; repeat it for several tags; * for any',
  run: 'in this run',
  testcase: 'made from this testcase; * for any',
  source: 'traces or runs: what made it',
  model: 'answered by this model; * for any',
  version: 'of this system version, by id or name; * for any',
  monitor: 'drawn by this monitor, by id or name',
  session: 'in this session; * for any',
  user: 'of this user; * for any',
  assigned: 'to this member, or to me',
  after: 'created at this time or later: 2026-01-31',
  before: 'created before this time',
  sort: 'created, latency, cost, tokens or score.Accuracy; with a minus the greatest first',
} as const;
export type RecordSearchKey = keyof typeof recordKeys;

/** Names of filters in other tools. */
export const otherNames: Readonly<Record<string, RecordSearchKey>> = {
  status: 'result',
  duration: 'latency',
  input: 'inputs',
  output: 'outputs',
};

export const isRecordKey = (key: string): key is RecordSearchKey => Object.hasOwn(recordKeys, key);
