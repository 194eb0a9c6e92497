import { describe, expect, it } from 'vitest';
import { testcasesOf } from './measure-scores.ts';
import { alignRuns, nameOf, type RunColumns, type RunScores, takeRecords } from './run-scores.ts';

const columns = (numbers: string | null, values: string | null): RunColumns => ({
  runId: '7',
  records: {
    numbers: '{3,1,2,4}',
    testsets: '{5,5,NULL,5}',
    testcases: '{30,10,NULL,30}',
    revisions: '{1,1,NULL,1}',
    inputs: '{8,9,NULL,8}',
  },
  groups: [{ testsetId: '5', field: 'document', numbers: '{10,30}', values: '["a",null]' }],
  scores: [
    {
      configId: '01890000-0000-7000-8000-000000000000',
      metricId: '1',
      metricName: 'M',
      evalType: 'heuristic',
      outputType: 'float',
      passingThreshold: 0.5,
      pinned: true,
      labels: null,
      numbers,
      values,
      own: null,
      spans: null,
      draw: null,
      costUsd: null,
      inputTokens: null,
      outputTokens: null,
      priced: null,
      misfits: null,
    },
  ],
});

/** Each testcase with its sums, by name. */
const observe = (run: RunScores, measure: 'score' | 'pass' = 'score') => {
  const { sums, trials, missing, revisions, groups } = testcasesOf(run, run.scores[0]!, measure);
  return run.units.map((_, i) => ({
    testcase: nameOf(run.units, i),
    sum: sums[i],
    trials: trials[i],
    missing: missing[i],
    revision: revisions[i],
    group: groups?.[i],
  }));
};

describe('alignRuns', () => {
  it('puts records in their order, whatever order the database gave: drawn signs fall on them in order', () => {
    const [run] = alignRuns([columns('{4,2,1,3}', '{0.4,0.2,0.1,0.3}')]);
    expect(run!.numbers).toEqual([1, 2, 3, 4]);
    expect([...run!.scores[0]!.values]).toEqual([0.1, 0.2, 0.3, 0.4]);
    expect(run!.units.map((_, i) => nameOf(run!.units, i))).toEqual(['5-10', 'record 7-2', '5-30']);
  });

  it('reads every number that PostgreSQL writes', () => {
    const [run] = alignRuns([columns('{1,2,3,4}', '{1e-07,0.1,1,0.30000000000000004}')]);
    expect([...run!.scores[0]!.values]).toEqual([1e-7, 0.1, 1, 0.1 + 0.2]);
  });

  it('a record without a testcase stands for itself, two of one testcase for one unit; groups are their testcases’', () => {
    const [run] = alignRuns([columns('{1,2,3,4}', '{1,0.5,0.25,-1}')]);
    expect(run!.groupedBy).toBe('document');
    expect(observe(run!)).toEqual([
      { testcase: '5-10', sum: 1, trials: 1, missing: 0, revision: 1, group: 0 },
      { testcase: 'record 7-2', sum: 0.5, trials: 1, missing: 0, revision: -1, group: -1 },
      { testcase: '5-30', sum: 0.25, trials: 1, missing: 1, revision: 1, group: -1 },
    ]);
    expect(observe(run!, 'pass').map(({ sum }) => sum)).toEqual([1, 1, 0]);
  });

  it('a testcase has one place in all runs; one met at two revisions in a run is two', () => {
    const same = { ...columns('{1,2,3,4}', '{1,1,1,1}'), runId: '8' };
    const [first, second] = alignRuns([columns('{1,2,3,4}', '{1,1,1,1}'), same]);
    expect([...first!.unitOf]).toEqual([0, 1, 2, 2]);
    expect([...second!.unitOf]).toEqual([0, 3, 2, 2]);
    const revised = { ...same, records: { ...same.records, revisions: '{2,1,NULL,1}' } };
    const [run] = alignRuns([revised]);
    expect(run!.units.map((_, i) => nameOf(run!.units, i))).toEqual([
      '5-10',
      'record 8-2',
      '5-30 revision 2',
      '5-30 revision 1',
    ]);
  });

  it('a score of a record that was not there yet is left out', () => {
    const [run] = alignRuns([columns('{1,9}', '{1,1}')]);
    expect(observe(run!).map(({ trials }) => trials)).toEqual([1, 0, 0]);
  });

  it('a run without records or scores is empty', () => {
    const none = { numbers: null, testsets: null, testcases: null, revisions: null, inputs: null };
    const [run] = alignRuns([{ ...columns(null, null), records: none, groups: [] }]);
    expect(run!.units).toEqual([]);
    expect(observe(run!)).toEqual([]);
  });

  it('some of the records are their own run, with their own testcases', () => {
    const [run] = alignRuns([columns('{1,2,3,4}', '{1,0.5,0.25,-1}')]);
    expect(observe(takeRecords(run!, Int32Array.of(2, 3)))).toEqual([
      { testcase: '5-30', sum: 0.25, trials: 1, missing: 1, revision: 1, group: -1 },
    ]);
  });
});
