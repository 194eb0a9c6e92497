/** The filters of a search of runs, with their values. docs/searching.md explains them; a test compares the two. */
export const runKeys = {
  testset: 'of this testset, by name or id; * for any',
  system: 'of this system, by name; * for any',
  version: 'of this system version, by name or id; * for any',
  metric: 'with this metric, by name or id',
  tag: 'has this tag; repeat it for several tags; * for any',
  mark: 'has this mark; * for any',
  gate: 'this gate has decided about it; * for any',
  outcome: 'what a gate decided: pass, worse, inconclusive or incomplete',
  status: 'such as completed, awaiting_human_scoring or running_scoring',
  kind: 'evaluation, traces or trial',
  origin: 'what made it: the tool and id of an import; ~part for a part of it',
  after: 'started at this time or later: 2026-01-31',
  before: 'started before this time',
} as const;
export type RunSearchKey = keyof typeof runKeys;

export const isRunKey = (key: string): key is RunSearchKey => Object.hasOwn(runKeys, key);
