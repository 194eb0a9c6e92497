import { recordKeys } from '../../evaluation/records/search-keys.ts';

const {
  score,
  result,
  metric,
  latency,
  cost,
  tokens,
  error,
  inputs,
  outputs,
  expected,
  metadata,
  annotation,
  tag,
  run,
  testcase,
} = recordKeys;

/** The filters of a search of traces, with what each takes. Those of records ask the trace's record. */
export const traceKeys = {
  score,
  result,
  metric,
  latency,
  cost,
  tokens,
  error,
  model: 'a model that answered in it',
  service: 'name of the service',
  name: 'name of its root span; ~part for a part of it',
  inputs,
  outputs,
  expected,
  metadata,
  annotation,
  tag,
  run,
  testcase,
  session: 'in this session',
  user: 'of this user',
  trace: 'its id, 32 hexadecimal digits',
  after: 'started at this time or later: 2026-01-31',
  before: 'started before this time',
  sort: 'started, latency, cost, tokens or score.Accuracy; with a minus the greatest first',
} as const;
export type TraceSearchKey = keyof typeof traceKeys;

export const isTraceKey = (key: string): key is TraceSearchKey => Object.hasOwn(traceKeys, key);
