import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTerminal, prepare, type Terminal } from './terminal.ts';

let terminal: Terminal;
let projectId: string;
let metricId: string;
let testsetId: string;
let testcaseIds: string[];

const count = 60;

/** Creates a run of all testcases. The first `passing` pass; the last `lacking` have no score. */
const makeRun = async (passing: number, { trials = 1, lacking = 0 } = {}): Promise<string> => {
  const { client } = terminal;
  const run = await client.createRun(projectId, { testsetId, metricIds: [metricId] });
  const metricConfigId = run.metricVersionIds[0]!;
  const items = testcaseIds.flatMap((testcaseId, i) =>
    Array.from({ length: trials }, (_, trial) => ({
      testcaseId,
      inputs: {},
      expected: {},
      outputs: { trial },
      scores:
        i >= count - lacking
          ? []
          : [{ metricConfigId, score: { binaryScore: i < passing && !(i === 0 && trial === 1) } }],
    })),
  );
  await client.createAllRecords(run.id, items);
  return run.id;
};

const rules = (text: string) => terminal.write('dokima.yaml', text);

beforeAll(async () => {
  terminal = await openTerminal();
  const made = await prepare(terminal.client, count);
  projectId = made.project.id;
  metricId = made.metric.id;
  testsetId = made.testset.id;
  testcaseIds = made.testcases.map(({ id }) => id);
});
afterAll(() => terminal.close());

describe('gate', () => {
  it('ends with 0 if every rule passes, and every report says so', async () => {
    const [before, after] = [await makeRun(50), await makeRun(55)];
    await rules(`baseline: ${before}
metrics:
  Right:
    atLeast: 0.8
    noRegression: {}
    nonInferiority: { margin: 0.02 }
`);
    const summary = join(terminal.directory, 'summary.md');
    Object.assign(terminal.environment, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
    const said = await terminal.dokima([
      'gate',
      after,
      '--junit',
      'gate.xml',
      '--markdown',
      'gate.md',
      '--json',
    ]);
    delete terminal.environment.GITHUB_ACTIONS;
    delete terminal.environment.GITHUB_STEP_SUMMARY;
    expect([said.code, said.err.trim()]).toEqual([0, '']);
    const decision = said.json();
    expect(decision).toMatchObject({ outcome: 'pass', runId: after, baselineId: before });
    // Wilson for 55 of 60.
    expect(decision.checks[0].said).toBe('0.917 (95 %: 0.819 … 0.964, n = 60)');
    expect(await terminal.read('gate.xml')).toContain('tests="4" failures="0" errors="0"');
    const markdown = await terminal.read('gate.md');
    expect(markdown).toContain(`pass: run ${after} against run ${before}`);
    expect(await terminal.read('summary.md')).toBe(markdown);
  });

  it('with a ledger, looks share one level, the same answers keep their number, and files have none', async () => {
    const before = await makeRun(50);
    await rules(`ledger: { alpha: 0.05, per: year }\nmetrics: { Right: { noRegression: {} } }`);
    const words = ['gate', '--baseline', before, '--markdown', 'gate.md', '--junit', 'gate.xml', '--json'];
    const numbers: number[] = [];
    const runs = [await makeRun(50), await makeRun(49)];
    for (const run of [...runs, runs[0]!]) {
      const said = await terminal.dokima([...words, run]);
      expect([said.code, said.err.trim()]).toEqual([0, '']);
      const { look, level, notes } = said.json();
      const line = `Look ${look.number} of this year at the testset, tested at ${Number((100 * look.level).toPrecision(2))} %: all looks of the year share 5 %.`;
      expect(look.level).toBeCloseTo(0.05 / (look.number ** 1.5 * 2.612375), 6);
      expect([level, notes[0]]).toEqual([1 - look.level, line]);
      expect(await terminal.read('gate.md')).toContain(line);
      expect(await terminal.read('gate.xml')).toContain(line);
      numbers.push(look.number);
    }
    expect(numbers[1]).toBe(numbers[0]! + 1);
    expect(numbers[2]).toBe(numbers[0]);
    const { out } = await terminal.dokima(['testset', 'looks', testsetId]);
    expect(out).toMatch(new RegExp(`gate +${runs[1]} +${before} +pass`));
    const both = await terminal.dokima([...words, runs[0]!, '--level', '0.9']);
    expect([both.code, both.err]).toEqual([4, expect.stringContaining('cannot be given together')]);
  });

  it('lists where a run departs from a registered decision, and leaves the verdict to the rules', async () => {
    const before = await makeRun(50);
    await rules(`project: ${projectId}\nmetrics: { Right: { nonInferiority: { margin: 0.02 } } }`);
    const words = `decision register --owner Ada --testset ${testsetId} --metric ${metricId} --baseline ${before} --testcases ${count} --project ${projectId} --json`;
    const without = await terminal.dokima([...words.split(' '), '--question', 'q', '--config', 'none.yaml']);
    expect([without.code, without.err]).toEqual([
      4,
      expect.stringMatching(
        /^dokima: There is no file none\.yaml: [\s\S]*metrics:\n {2}Right: \{ nonInferiority/,
      ),
    ]);
    const made = await terminal.dokima([...words.split(' '), '--question', 'As good?']);
    expect([made.code, made.err]).toEqual([0, '']);
    const { id } = made.json();
    const run = await makeRun(55);
    const kept = await terminal.dokima(['gate', run, '-b', before, '--decision', id]);
    expect([kept.code, kept.out]).toEqual([
      0,
      expect.stringContaining(`- As registered in decision ${id.slice(0, 12)}.`),
    ]);

    await rules(`project: ${projectId}\nmetrics: { Right: { nonInferiority: { margin: 0.2 } } }`);
    const reason = 'A security fix';
    await terminal.dokima([
      'decision',
      'waive',
      id,
      '--run',
      run,
      '--reason',
      reason,
      '--project',
      projectId,
    ]);
    const other = await makeRun(50);
    const said = await terminal.dokima(['gate', run, '-b', other, '--decision', id, '--json']);
    expect(said.json()).toMatchObject({
      outcome: 'pass',
      registered: {
        decisionId: id,
        deviations: [
          { kind: 'otherLooks' },
          {
            kind: 'rulesChanged',
            sentence:
              'the rules were changed after the registration: metrics.Right.nonInferiority.margin was 0.02 and is 0.2; the margin is wider',
          },
          {
            kind: 'baselineChanged',
            sentence: `it is compared with run ${other}, and run ${before} was registered`,
          },
        ],
        waivers: [{ reason }],
      },
    });
  });

  it('ends with 1 if the whole interval of the difference lies below the margin, and annotates it on GitHub', async () => {
    const [before, after] = [await makeRun(55), await makeRun(35)];
    await rules('metrics: { Right: { noRegression: {} } }');
    terminal.environment.GITHUB_ACTIONS = 'true';
    const said = await terminal.dokima(['gate', after, '--baseline', before]);
    delete terminal.environment.GITHUB_ACTIONS;
    expect(said.code).toBe(1);
    expect(said.out).toMatch(
      /^WORSE: run \d+ against run \d+\n\n[^\n]*\nWORSE +Right is worse than run \d+ +difference −0\.333 \(/,
    );
    expect(said.err).toContain('::error title=dokima%3A WORSE::Right is worse than run');
  });

  it('ends with 2 if there is not enough data, and says how much there is and about how much is needed', async () => {
    const run = await makeRun(50);
    await rules('metrics: { Right: { atLeast: 0.8 } }');
    const { code, out } = await terminal.dokima(['gate', run]);
    expect([code, out]).toEqual([
      2,
      expect.stringMatching(
        /^not enough data: run \d+\n[\s\S]*0\.833 \(95 %: .*, n = 60\); about [\d,]+ more needed/,
      ),
    ]);
  });

  it('ends with 3 if scores are missing or there is no baseline to compare with', async () => {
    const run = await makeRun(55, { lacking: 2 });
    await rules('metrics: { Right: { atLeast: 0.5 } }');
    const said = await terminal.dokima(['gate', run]);
    expect([said.code, said.out]).toEqual([
      3,
      expect.stringMatching(/2 records without a score \(2 pending\); at most 0 may lack one/),
    ]);
    await rules('mayLack: 2\nmetrics: { Right: { atLeast: 0.5 } }');
    expect((await terminal.dokima(['gate', run])).code).toBe(0);
    await rules('mayLack: 2\nmetrics: { Right: { noRegression: {} } }');
    expect((await terminal.dokima(['gate', run])).code).toBe(3);
  });

  it('ends with 3 if the runs share no testcase, and says so with and without covers', async () => {
    const runOf = async (ofRun: string[]) => {
      const run = await terminal.client.createRun(projectId, { metricIds: [metricId] });
      const metricConfigId = run.metricVersionIds[0]!;
      const items = ofRun.map((testcaseId) => ({
        testcaseId,
        inputs: { testcaseId },
        expected: {},
        outputs: {},
        scores: [{ metricConfigId, score: { binaryScore: true } }],
      }));
      await terminal.client.createAllRecords(run.id, items);
      return run.id;
    };
    const baseline = await runOf(testcaseIds.slice(0, 30));
    const run = await runOf(testcaseIds.slice(30));
    for (const first of ['', 'covers: 0\n', 'covers: 0\ntest: planned\nlooks: 3\n']) {
      await rules(`${first}metrics: { Right: { noRegression: {} } }`);
      const said = await terminal.dokima(['gate', run, '--baseline', baseline]);
      expect([said.code, said.out]).toEqual([
        3,
        expect.stringContaining(`shares no scored testcase with run ${baseline}; unpaired: true`),
      ]);
    }
  });

  it('ends with 3 if scores do not fit the metric; gate, summary and watch say how many and why', async () => {
    const run = await terminal.client.createRun(projectId, { metricIds: [metricId] });
    const metricConfigId = run.metricVersionIds[0]!;
    const values = [...Array.from({ length: 40 }, () => true), 'True', 1, null];
    const items = values.map((binaryScore, i) => ({
      inputs: { i },
      expected: {},
      outputs: {},
      scores: [{ metricConfigId, score: { binaryScore } }],
    }));
    await terminal.client.createAllRecords(run.id, items);
    await rules('metrics: { Right: { atLeast: 0.5 } }');
    const why = '3 scores do not fit the metric: binaryScore must be true or false';
    for (const [command, code, sentence] of [
      ['gate', 3, `3 records without a score (3 unscored or not fitting the metric); ${why}`],
      ['watch', 3, `Right: 3 invalid: ${why}`],
      ['summary', 0, `Right: ${why}`],
    ] as const) {
      const said = await terminal.dokima([command, run.id]);
      expect([said.code, said.out]).toEqual([code, expect.stringContaining(sentence)]);
    }
  });

  it('ends with 3 if the baseline has no score of the metric, and says so', async () => {
    const { id: baseline } = await terminal.client.createRun(projectId, { testsetId, metricIds: [] });
    await rules('metrics: { Right: { noRegression: {} } }');
    const said = await terminal.dokima(['gate', await makeRun(55), '--baseline', baseline]);
    expect([said.code, said.out]).toEqual([3, expect.stringContaining(`run ${baseline} has no score by it`)]);
  });

  it('ends with 4 if the rules, the metric or the run do not exist', async () => {
    const run = await makeRun(55);
    expect((await terminal.dokima(['gate', run, '--config', 'absent.yaml'])).code).toBe(4);
    await rules('metrics: { Wrong: { atLeast: 0.5 } }');
    const said = await terminal.dokima(['gate', run]);
    expect([said.code, said.err]).toEqual([
      4,
      expect.stringContaining("has no metric 'Wrong'.\n  It has: Right"),
    ]);
    expect((await terminal.dokima(['gate', '999999'])).code).toBe(4);
    expect((await terminal.dokima(['gate', run, '--level', '95'])).err).toContain('--level must be a number');
  });

  it('decides by a ready policy without a file, and the first run of a mark does not move', async () => {
    const policed = (run: string, ...words: string[]) =>
      terminal.dokima(['gate', run, '--policy', 'pull-request', '--config', 'ready.yaml', ...words]);
    const listed = await terminal.dokima(['policy']);
    expect(listed.out).toMatch(/pull-request .*\nnightly .*\nrelease /);
    expect((await terminal.dokima(['policy', 'none'])).err).toContain('Choose one of: pull-request, nightly');
    const printed = await terminal.dokima(['policy', 'pull-request']);
    await terminal.write('ready.yaml', `${printed.out}\nproject: ${projectId}\n`);
    const first = await makeRun(55);
    expect((await policed(first, '--mark', 'main')).code).toBe(0);
    for (const passing of [53, 51])
      expect((await policed(await makeRun(passing), '--mark', 'main')).code).toBe(0);
    const last = await policed(await makeRun(49));
    expect([last.code, last.out]).toEqual([
      1,
      expect.stringMatching(new RegExp(`WORSE +Right is worse than anchor run ${first} `)),
    ]);
    await rules('');
    const alone = await terminal.dokima(['gate', first, '--policy', 'nightly', '--project', projectId]);
    expect([alone.code, alone.out]).toEqual([0, expect.stringContaining('shown to be not worse')]);
  });

  it('takes several runs with a mark as trials of one baseline', async () => {
    const marked: string[] = [];
    for (const passing of [50, 52, 54]) {
      const run = await makeRun(passing);
      await terminal.client.updateRunDetails(run, { marks: ['pool'] });
      marked.push(run);
    }
    await rules(
      `project: ${projectId}\nbaseline: { mark: pool, runs: 3 }\nmetrics: { Right: { noRegression: {} } }`,
    );
    const said = await terminal.dokima(['gate', await makeRun(40)]);
    expect([said.code, said.out]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          `against run ${marked[2]} \\(latest:pool\\*3, with 2 runs before it\\)[^]*difference −0\\.200 \\(`,
        ),
      ),
    ]);
    await rules('baseline: { mark: pool }\nmetrics: { Right: { noRegression: {} } }');
    expect((await terminal.dokima(['gate', marked[0]!])).err).toContain(
      'baseline.runs must be a whole number',
    );
  });

  it('requires that testcases of mustPass pass r of K trials', async () => {
    const run = await makeRun(60, { trials: 2 });
    const [flaky, steady] = testcaseIds;
    const mustPass = (testcase: string, passes: number) =>
      `project: ${projectId}\nmustPass: [{ testcase: ${testcase}, metric: Right, passes: ${passes}, of: 2 }]`;
    await rules(mustPass(steady!, 2));
    expect((await terminal.dokima(['gate', run])).code).toBe(0);
    await rules(mustPass(flaky!, 1));
    expect((await terminal.dokima(['gate', run])).code).toBe(0);
    await rules(mustPass(flaky!, 2));
    const said = await terminal.dokima(['gate', run]);
    expect([said.code, said.out]).toEqual([1, expect.stringContaining('passed 1 of 2')]);
  });
});

describe('summary', () => {
  it('shows each metric with its interval, n and missing scores', async () => {
    const run = await makeRun(55, { lacking: 2 });
    const { code, out } = await terminal.dokima(['summary', run]);
    expect(code).toBe(0);
    expect(out).toMatch(/Right +94\.83 % +85\.86 % … 98\.23 % +58 +58 +2 pending/);
    expect(out).toContain('pass rate if all missing scores failed, or all passed: 91.67 % … 95.00 %');
    expect((await terminal.dokima(['summary', run, '--json'])).json()).toMatchObject({ runId: run });
    // Why scores are missing is said once, with what to do.
    const { client } = terminal;
    const [metricConfigId] = (await client.getRun(run)).metricVersionIds;
    const reason = 'TypeError: no answer';
    const items = [count, count - 1].map((n) => ({
      recordId: `${run}-${n}`,
      metricConfigId: metricConfigId!,
      reason,
    }));
    await client.upsertScores(run, { items });
    const again = (await terminal.dokima(['summary', run])).out;
    expect(again.match(/Right: without a score: TypeError: no answer\n.*then score again/g)).toHaveLength(1);
  });

  it('with --by shows each group with its own interval and n', async () => {
    const run = await makeRun(10);
    const records: string[] = [];
    for await (const { id } of terminal.client.listRecords(run)) records.push(id);
    for (const id of records.slice(5, 15)) await terminal.client.createRecordTag(id, { text: 'hard' });
    const { code, out } = await terminal.dokima(['summary', run, '--by', 'tag']);
    // Wilson for 5 of 10.
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/tag = hard: 10 records\n.*\nRight +50\.00 % +23\.66 % … 76\.34 % +10/),
    ]);
    expect(out).toMatch(/tag = hard: Right differs from the rest by 40\.00 % \(adjusted p 0\.0\d+\)/);
    // None of seven pass, and ten of the other 53: that may be chance.
    for (const id of records.slice(10, 17)) await terminal.client.createRecordTag(id, { text: 'none' });
    const again = (await terminal.dokima(['summary', run, '--by', 'tag'])).out;
    expect(again).toMatch(/tag = none: 7 records/);
    expect(again).not.toContain('tag = none: Right differs');
  });
});

describe('compare', () => {
  it('shows the paired difference with its interval, p-value, wins and losses, and the verdict in words', async () => {
    const [before, after] = [await makeRun(55), await makeRun(35)];
    const { code, out } = await terminal.dokima(['compare', before, after]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /Right +91\.67 % +58\.33 % +−33\.33 % +−\S+ % … −\S+ % +< 0\.0001 +h −0\.\d+ \(−\S+ … −\S+\) +60 +0 +20 +40/,
    );
    expect(out).toMatch(/Right: .*worse/i);
  });

  it('with several metrics the intervals hold together, as the verdicts do', async () => {
    const other = await terminal.client.createMetric(projectId, {
      name: 'Other',
      evalType: 'heuristic',
      outputType: 'boolean',
    });
    const run = async (passes: number) => {
      const id = await makeRun(passes);
      const { metricVersionIds } = await terminal.client.addRunMetrics(id, { metricIds: [other.id] });
      for await (const record of terminal.client.listRecords(id)) {
        await terminal.client.upsertScore(record.id, metricVersionIds[1]!, { score: { binaryScore: true } });
      }
      return id;
    };
    const [before, after] = [await run(55), await run(35)];
    const { out } = await terminal.dokima(['compare', before, after, '--test', 'sequential']);
    expect(out).toContain('interval (97.5 %)');
    expect(out).toMatch(/Right: sequential test: evidence \S+, needed \d+; decided after \d+ testcases/);
    expect((await terminal.dokima(['compare', before, after, '--test', 'peek'])).code).toBe(4);
  });

  it('lists the testcases that changed', async () => {
    const [before, after] = [await makeRun(55), await makeRun(53)];
    const { out } = await terminal.dokima(['compare', before, after, '--changes', metricId]);
    expect(out.trim().split('\n').slice(1)).toEqual([
      expect.stringMatching(new RegExp(`^${testcaseIds[53]} +worse +1\\.000 +0\\.000`)),
      expect.stringMatching(new RegExp(`^${testcaseIds[54]} +worse`)),
    ]);
  });

  it('needs at least two runs', async () => {
    const { code, err } = await terminal.dokima(['compare', '1']);
    expect([code, err]).toEqual([4, expect.stringContaining('compare needs at least two runs.')]);
  });
});
