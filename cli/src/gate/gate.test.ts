import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { costChecks, quantile } from '../../../client/src/gate/budgets.ts';
import type { Check } from '../../../client/src/gate/check.ts';
import { claim } from '../../../client/src/gate/claims.ts';
import { type Decision, decide, type Evidence, type Test } from '../../../client/src/gate/decide.ts';
import { mustPassCheck } from '../../../client/src/gate/facts.ts';
import { readPolicy } from '../../../client/src/gate/policy.ts';
import { policyNames, readyPolicies } from '../../../client/src/gate/ready-policies.ts';
import { riseTests } from '../../../client/src/gate/rises.ts';
import { decimals } from '../../../client/src/gate/rules.ts';
import type { Source } from '../../../client/src/gate/source.ts';
import { exit } from '../errors.ts';
import { githubReport, junitReport, markdownReport, terminalReport } from './report.ts';

/** Half a normal interval in standard errors, at the levels that these tests use. */
const z: Record<string, number> = {
  '0.9500': 1.959964,
  '0.9750': 2.241403,
  '0.9833': 2.39398,
  '0.9900': 2.575829,
};

/** A figure with a normal interval. */
const normal =
  (value: number, standardError: number, n = 100) =>
  async (level: number): Promise<Evidence> => {
    const half = z[level.toFixed(4)]! * standardError;
    return { n, value, standardError, interval: { low: value - half, high: value + half } };
  };

const test = (at: Test['at'], fields: Partial<Test> = {}): Test => ({
  ...claim('Right', { must: 'at least 0.75', pass: 'is at least 0.75', worse: 'is below 0.75' }),
  side: 'atLeast',
  line: 0.75,
  difference: false,
  mustShow: true,
  write: decimals,
  at,
  ...fields,
});
const difference = (at: Test['at'], margin: number, mustShow = false): Test =>
  test(at, { rule: `within ${margin}`, line: -margin, difference: true, mustShow });

const outcomesOf = async (tests: Test[]): Promise<Record<string, string>> => {
  const { checks, outcome, exitCode } = await decide(tests, [], 0.95);
  expect(exitCode).toBe(exit[outcome]);
  return Object.fromEntries(checks.map((check) => [check.rule, check.outcome]));
};
const only = async (one: Test) => (await decide([one], [], 0.95)).checks[0]!;

describe('an absolute line', () => {
  const fixed = async (): Promise<Evidence> => ({
    n: 100,
    value: 0.8,
    standardError: 0.051,
    interval: { low: 0.7, high: 0.9 },
  });
  it.each([
    [0.7, 'pass'],
    [0.71, 'inconclusive'],
    [0.9, 'inconclusive'],
    [0.91, 'worse'],
  ])('at %d against 0.7 … 0.9: %s', async (line, outcome) => {
    expect((await only(test(fixed, { line }))).outcome).toBe(outcome);
  });

  const saidOf = async (at: Partial<Evidence>, fields: Partial<Test> = {}) =>
    (await only(test(async () => ({ ...(await fixed()), ...at }), fields))).said;

  it('says how many testcases there are and about how many more it needs', async () => {
    // 100 × ((.1 + .8416 × .051) / .05)² = 818: with this many the lower end reaches the line in four of five runs.
    const figures = '0.800 (95 %: 0.700 … 0.900, n = 100)';
    expect(await saidOf({})).toBe(`${figures}; about 720 more needed`);
    expect(await saidOf({ n: 10_000 })).toMatch(/; about 72,000 more needed$/);
    expect(await saidOf({ detectable: 0.11 }, { line: 0.8 })).toBe(
      `${figures}; if it stays so, no number of testcases lets it pass; n = 100 can show only a difference of 0.110 or more`,
    );
  });

  it('asks for no testcases that would only show a failure, nor for more than a hundred times as many', async () => {
    const figures = '0.800 (95 %: 0.700 … 0.900, n = 100)';
    expect(await saidOf({}, { line: 0.85 })).toBe(
      `${figures}; if it stays so, no number of testcases lets it pass`,
    );
    expect(await saidOf({}, { line: 0.798 })).toBe(
      `${figures}; more than 100 times as many testcases are needed`,
    );
  });

  it('a lenient line fails only if the whole interval lies below it', async () => {
    const lenient = (line: number) => only(test(fixed, { line, mustShow: false }));
    expect(await lenient(0.91)).toMatchObject({ outcome: 'worse' });
    expect(await lenient(0.85)).toMatchObject({
      outcome: 'pass',
      said: '0.800 (95 %: 0.700 … 0.900, n = 100); 0.700 is still possible',
    });
  });

  it('says how many more it needs where nothing differs yet, or all pass', async () => {
    // Tango's ends of n ties are z²/(n + z²) away; with 188 + 1 they are less than .02 away.
    const tied = (n: number) => 3.8415 / (n + 3.8415);
    const ties = { n: 20, value: 0, standardError: 0, interval: { low: -tied(20), high: tied(20) } };
    expect(await saidOf(ties, { line: -0.02, difference: true })).toMatch(/n = 20\); about 170 more needed$/);
    expect([tied(188) > 0.02, tied(189) < 0.02]).toEqual([true, true]);
    const allPass = { n: 20, value: 1, standardError: 0, interval: { low: 1 - tied(20), high: 1 } };
    expect(await saidOf(allPass, { line: 0.98 })).toMatch(/; about 170 more needed$/);
  });

  it('an upper limit is the mirror of it', async () => {
    const limit = (line: number) => only(test(fixed, { side: 'atMost', line }));
    expect((await limit(0.9)).outcome).toBe('pass');
    expect((await limit(0.85)).outcome).toBe('inconclusive');
    expect((await limit(0.69)).outcome).toBe('worse');
  });

  it('no score at all is incomplete, too few for an interval are inconclusive', async () => {
    const none = test(async () => ({ n: 0, value: null, interval: null }));
    expect(await only(none)).toMatchObject({
      outcome: 'incomplete',
      said: 'there are no scores to decide by',
    });
    const few = test(async () => ({ n: 1, value: 1, interval: null, reason: 'one testcase' }));
    expect(await only(few)).toMatchObject({ outcome: 'inconclusive', said: 'one testcase' });
  });
});

describe('against a baseline', () => {
  it.each([
    [-0.05, -0.08, -0.03, 'worse', 'worse', 'worse'],
    [-0.02, -0.05, -0.01, 'worse', 'inconclusive', 'worse'],
    [-0.01, -0.08, 0.06, 'pass', 'inconclusive', 'inconclusive'],
    [0.01, -0.019, 0.05, 'pass', 'pass', 'inconclusive'],
    [0.03, 0.001, 0.06, 'pass', 'pass', 'pass'],
  ])(
    'a difference of %d (%d … %d): %s for noRegression, %s for nonInferiority of 0.02, %s for superiority',
    async (...row) => {
      const [value, low, high, alarm, proof, better] = row;
      const at = async () => ({ n: 100, value, interval: { low, high }, standardError: 0.02 });
      expect((await only(difference(at, 0))).outcome).toBe(alarm);
      expect((await only(difference(at, 0.02, true))).outcome).toBe(proof);
      expect((await only(difference(at, 0, true))).outcome).toBe(better);
    },
  );

  it('without a margin the test must reject as well as the interval', async () => {
    const at = (p: number) => async () => ({ n: 100, value: -0.1, interval: { low: -0.2, high: -0.001 }, p });
    expect((await only(difference(at(0.049), 0))).outcome).toBe('worse');
    expect((await only(difference(at(0.051), 0))).outcome).toBe('pass');
    const gain = (p: number) => async () => ({ n: 100, value: 0.1, interval: { low: 0.001, high: 0.2 }, p });
    expect((await only(difference(gain(0.049), 0, true))).outcome).toBe('pass');
    expect((await only(difference(gain(0.051), 0, true))).outcome).toBe('inconclusive');
  });

  it('a pass says how large a loss it may have missed', async () => {
    const check = await only(difference(normal(0, 0.02), 0));
    expect(check.said).toBe(
      'difference 0.000 (95 %: −0.039 … 0.039, n = 100); a loss of up to 0.039 is still possible',
    );
  });
});

describe('several rules', () => {
  it('fail together at the level of one: five at 95 % are taken at 99 %', async () => {
    const slightly = difference(normal(-0.05, 0.022), 0);
    expect((await only(slightly)).outcome).toBe('worse');
    const others = Array.from({ length: 4 }, (_, i) => ({ ...difference(normal(0, 0.02), 0), rule: `${i}` }));
    const { outcome, checks, tests } = await decide([slightly, ...others], [], 0.95);
    expect([outcome, tests]).toEqual(['pass', 5]);
    // The interval shown is the one that decided, and says its level.
    expect(checks[0]!.said).toBe(
      'difference −0.050 (99 %: −0.107 … 0.007, n = 100); a loss of up to 0.107 is still possible',
    );
  });

  it('step down: where one has failed, the others are taken as if it were not there', async () => {
    const rules = [
      { ...difference(normal(-0.5, 0.02), 0), rule: 'clear' },
      { ...difference(normal(-0.046, 0.02), 0), rule: 'slight' },
    ];
    expect(await outcomesOf(rules)).toEqual({ clear: 'worse', slight: 'worse' });
    expect(await outcomesOf([...rules, { ...difference(normal(0, 0.02), 0), rule: 'same' }])).toEqual({
      clear: 'worse',
      slight: 'worse',
      same: 'pass',
    });
    // At 97.5 % its interval reaches 0.
    const unclear = [
      { ...rules[0]!, ...difference(normal(0, 0.02), 0), rule: 'same' },
      { ...rules[1]!, at: normal(-0.042, 0.02) },
    ];
    expect(await outcomesOf(unclear)).toEqual({ same: 'pass', slight: 'pass' });
  });

  it('need no adjustment to pass, because each of them must', async () => {
    const nearly = test(normal(0.8, 0.024));
    expect(await outcomesOf([nearly, { ...nearly, rule: 'again' }])).toEqual({
      [nearly.rule]: 'pass',
      again: 'pass',
    });
  });

  it('the most serious decides and comes first', async () => {
    const facts: Check[] = [
      { rule: 'a', outcome: 'pass', sentence: '', said: '' },
      { rule: 'b', outcome: 'incomplete', sentence: '', said: '' },
    ];
    const unclear = test(normal(0.8, 0.1));
    const decision = await decide([unclear], facts, 0.95);
    expect(decision.checks.map(({ outcome }) => outcome)).toEqual(['incomplete', 'inconclusive', 'pass']);
    expect(decision.exitCode).toBe(3);
  });
});

describe('the interval of a percentile', () => {
  const values = Array.from({ length: 100 }, (_, i) => i + 1);
  it('lies between two of the values', () => {
    // R: qbinom(c(.025, .975), 100, .5) gives 40 and 60: the ranks 40 and 61 hold the median in 96.5 %.
    expect(quantile(values, 0.5, 0.95)).toMatchObject({ value: 50, interval: { low: 40, high: 61 } });
    expect(quantile(values, 0.95, 0.95)).toMatchObject({ value: 95, interval: { low: 90, high: 100 } });
  });
  it('needs enough of them', () => {
    expect(quantile(values.slice(0, 50), 0.95, 0.95)).toMatchObject({
      interval: null,
      reason: expect.stringContaining('50 calls are too few'),
    });
  });
});

describe('the cost of a record', () => {
  const spent = (...costs: (number | null)[]) =>
    ({ executions: async () => costs.map((costUsd) => ({ costUsd })) }) as unknown as Source;
  const judged = (priced: number) =>
    ({
      numRecords: 10,
      metrics: [{ evalType: 'ai', cost: { costUsd: 0.05, priced }, states: { scored: 10 } }],
    }) as never;
  it('is the sum of the run by its records', async () => {
    const checks = await costChecks(
      spent(0.01, 0.03),
      { systemUsdPerRecord: 0.02, judgesUsdPerRecord: 0.004 },
      judged(10),
    );
    expect(checks.map(({ outcome, said }) => [outcome, said])).toEqual([
      ['pass', '$0.02 a record, $0.04 in all (a sum, so it has no interval)'],
      ['worse', '$0.005 a record, $0.05 in all (a sum, so it has no interval)'],
    ]);
  });
  it('is incomplete if one is unknown', async () => {
    const limits = { systemUsdPerRecord: 1, judgesUsdPerRecord: 1 };
    const checks = await costChecks(spent(0.01, null), limits, judged(9));
    expect(checks.map(({ outcome }) => outcome)).toEqual(['incomplete', 'incomplete']);
  });
});

describe('a rise over the baseline', () => {
  const decided = async (rules: object, rise: object) => {
    const source = {
      grows: async () => false,
      rise: async () => ({ n: 40, p: 0.01, sentence: 'the cost is not known', warnings: [], ...rise }),
    } as unknown as Source;
    const policy = readPolicy({ cost: rules }, 'dokima.yaml');
    const { tests, facts } = await riseTests(source, policy, [{ name: '12', id: '12', anchor: false }], 0.95);
    return (await decide(tests, facts, 0.95)).checks.map(({ outcome, sentence, said }) => [
      outcome,
      sentence,
      said,
    ]);
  };
  const rose = { rise: 0.12, interval: { low: 0.03, high: 0.21 } };
  const unclear = { rise: 0.02, interval: { low: -0.05, high: 0.09 }, p: 0.5 };

  it('noRise is the alarm, maxRise the proof', async () => {
    expect(await decided({ noRise: {} }, rose)).toEqual([
      [
        'worse',
        'cost of a record has risen since run 12',
        'difference +12.0 % (95 %: +3.0 % … +21.0 %, n = 40)',
      ],
    ]);
    expect(await decided({ noRise: {} }, unclear)).toEqual([
      [
        'pass',
        'cost of a record is not shown to have risen since run 12',
        'difference +2.0 % (95 %: −5.0 % … +9.0 %, n = 40); +9.0 % is still possible',
      ],
    ]);
    const [[outcome, sentence]] = (await decided({ maxRise: 0.1 }, unclear)) as [string[]];
    expect([outcome, sentence]).toEqual([
      'pass',
      'cost of a record has risen by no more than 10.0 % since run 12',
    ]);
    expect((await decided({ maxRise: 0.1 }, rose))[0]![0]).toBe('inconclusive');
    expect((await decided({ noRise: {} }, { rise: null, interval: null }))[0]![0]).toBe('incomplete');
  });

  it('the alarm takes no margin', () => {
    expect(() => readPolicy({ cost: { noRise: { margin: 0.1 } } }, 'f')).toThrow(
      'cost.noRise.margin is unknown',
    );
    expect(() => readPolicy({ cost: { noRise: true } }, 'f')).toThrow('cost.noRise must be {}; maxRise: 0.1');
  });
});

describe('testcases that must pass 4 of 5', () => {
  const rule = { testcase: '2-1', metric: 'Right', passes: 4, of: 5 };
  it.each<[Parameters<typeof mustPassCheck>[1], string]>([
    [{ passed: 4, failed: 1, lacking: 0 }, 'pass'],
    [{ passed: 3, failed: 2, lacking: 0 }, 'worse'],
    [{ passed: 4, failed: 0, lacking: 1 }, 'incomplete'],
    [{ passed: 2, failed: 1, lacking: 2 }, 'incomplete'],
    [{ passed: 0, failed: 0, lacking: 0 }, 'incomplete'],
    [{ passed: 9, failed: 1, lacking: 0 }, 'pass'],
    [{ passed: 8, failed: 2, lacking: 0 }, 'pass'],
    [{ passed: 4, failed: 6, lacking: 0 }, 'worse'],
    [{ passed: 7, failed: 3, lacking: 0 }, 'worse'],
  ])('%o: %s', (trials, outcome) => {
    expect(mustPassCheck(rule, trials).outcome).toBe(outcome);
  });
});

describe('the rules', () => {
  it.each<[unknown, string]>([
    [{}, 'metrics must name at least one metric'],
    [{ metrics: { Right: {} } }, 'metrics.Right must have a rule'],
    [
      { metrics: { Right: { atleast: 1 } } },
      'metrics.Right.atleast is unknown; known keys: of, atLeast, notBelow',
    ],
    [{ metrics: { Right: { atLeast: '0.5' } } }, 'metrics.Right.atLeast must be a number from 0 to 5'],
    [{ metrics: { Right: { atLeast: '95%' } } }, 'must be a number from 0 to 5; write 95 % as 0.95'],
    [{ metrics: { Right: { notBelow: 80 } } }, 'must be a number from 0 to 5; write 80 % as 0.8'],
    [{ metrics: { Right: { noRegression: 0.1 } } }, 'metrics.Right.noRegression must be {}'],
    [
      { metrics: { Right: { noRegression: { margin: 0.02 } } } },
      'metrics.Right.noRegression takes no margin: it is an alarm that fails if a loss is shown, and a margin would hide losses. Write noRegression: {}; to ask for a proof that no more than 0.02 is lost, write nonInferiority: { margin: 0.02 }',
    ],
    [
      { metrics: { Right: { by: { field: 'tag', noRegression: { margin: 0.1 } } } } },
      'metrics.Right.by.noRegression takes no margin',
    ],
    [{ metrics: { Right: { nonInferiority: {} } } }, 'nonInferiority.margin must be a number'],
    [
      { metrics: { Right: { nonInferiority: { margin: 0 } } } },
      'nonInferiority.margin must be above 0. A proof that the run is better has its own rule: superiority: {}',
    ],
    [{ metrics: { Right: { superiority: true } } }, 'superiority must be {} or { margin: … }'],
    [
      { mustPass: [{ testcase: 'a', metric: 'b', passes: 3, of: 2 }] },
      'mustPass.0.passes must not be greater than of',
    ],
    [{ mustPass: [{ metric: 'b' }] }, 'mustPass.0.testcase must be text'],
    [{ gates: {} }, 'gates is unknown'],
    [{ covers: 2, metrics: {} }, 'covers must be a number from 0 to 1'],
    [{ test: 'peek' }, 'test must be fixed, sequential or planned'],
    [{ test: 'planned', metrics: {} }, 'looks and test: planned must be given together'],
    [{ test: 'sequential', looks: 4 }, 'looks and test: planned must be given together'],
    [{ looks: [250, 125] }, 'looks must be 1 to 10 numbers of testcases that ascend'],
    [{ looks: 11 }, 'looks must be at most 10'],
    [
      { looks: 4, metrics: { Right: { by: { field: 'tag', noRegression: {} } } } },
      'metrics.Right.by must name a value with looks',
    ],
    [
      { looks: 4, metrics: { Right: { of: 'corrected', noRegression: {} } } },
      'cannot have of: corrected with test: planned',
    ],
    [
      { looks: 4, weightBy: 'metadata.visits', metrics: { Right: { noRegression: {} } } },
      'weightBy needs test: fixed: the planned test counts each testcase once',
    ],
    [
      { looks: 4, shares: { 'metadata.intent': { a: 0.7, b: 0.3 } }, everyMetric: { noRegression: {} } },
      'shares needs test: fixed: the planned test counts each testcase once',
    ],
    [{ requireCalibrated: { atLeast: 0.5 } }, 'requireCalibrated.atLeast must be a number from 1 to 2'],
    [{ latency: { p99Ms: 1 } }, 'latency.p99Ms is unknown; known keys: medianMs, p95Ms, noRise, maxRise'],
    [
      { metrics: { Right: { by: { field: 'language', atLeast: 0 } } } },
      'by.field must be tag, metadata.<field>',
    ],
    [
      { metrics: { Right: { passHatK: { k: 1, atLeast: 0 } } } },
      'passHatK.k must be a whole number of at least 2',
    ],
    [
      { metrics: { Right: { of: 'corrected', passHatK: { k: 2, atLeast: 0 } } } },
      'cannot have passHatK, or a line of a slice, with of: corrected',
    ],
    [
      { metrics: { Right: { by: { field: 'tag', value: 'x' } } } },
      'metrics.Right.by must have a rule: atLeast, notBelow, noRegression, nonInferiority or superiority',
    ],
    [
      { test: 'sequential', metrics: { Right: { of: 'corrected', noRegression: {} } } },
      'cannot have of: corrected with test: sequential',
    ],
  ])('%j is refused: %s', (document, said) => {
    expect(() => readPolicy(document, 'dokima.yaml')).toThrow(said);
  });
});

describe('the ready policies', () => {
  it.each(policyNames)('%s is a file of rules that a team can edit, with an anchor', (name) => {
    const { project: _, ...read } = readPolicy({ policy: name }, 'dokima.yaml');
    expect(read.anchor).toHaveLength(1);
    expect(read.everyMetric).toBeDefined();
    expect(readPolicy(readyPolicies[name].rules, 'dokima.yaml')).toEqual({ project: undefined, ...read });
  });

  it('give way to what the file says itself', () => {
    const own = readPolicy(
      {
        policy: 'nightly',
        everyMetric: { noRegression: {} },
        anchor: 12,
        metrics: { Right: { atLeast: 0.5 } },
      },
      'dokima.yaml',
    );
    expect(own).toMatchObject({
      anchor: ['12'],
      baseline: ['latest:main'],
      metrics: [{ metric: 'Right', atLeast: 0.5 }],
      everyMetric: { noRegression: {} },
    });
    expect(own.everyMetric!.nonInferiority).toBeUndefined();
    expect(() => readPolicy({ policy: 'daily' }, 'dokima.yaml')).toThrow(
      'policy must be one of: pull-request, nightly, release',
    );
  });
});

describe('reports', () => {
  const about = {
    runId: '17',
    baselines: [{ name: '12', id: '12', anchor: false }],
    notes: ['Right: a note'],
  };
  const check = (rule: string, outcome: Check['outcome']): Check => ({
    rule,
    outcome,
    sentence: `${rule}, in a sentence`,
    said: `found ${outcome}`,
  });
  const decisionOf = (checks: Check[]): Decision => ({
    outcome: 'worse',
    exitCode: 1,
    level: 0.95,
    tests: 2,
    checks,
  });
  const decision = decisionOf([
    check('Right: must not be worse', 'worse'),
    check('Right: at least 0.75', 'inconclusive'),
    check('A <b> & "c"|d: at least 0.1', 'pass'),
  ]);

  it('all show the same decision', () => {
    expect(terminalReport(decision, about)).toMatch(/^WORSE: run 17 against run 12\n\n/);
    expect(terminalReport(decision, about)).toMatch(
      /WORSE +Right: must not be worse, in a sentence +found worse\n/,
    );
    expect(terminalReport(decision, about)).toContain(
      'the chance that any of them says WORSE is at most 2.5 %',
    );
    expect(terminalReport(decision, about)).toMatch(/- Right: a note$/);
    expect(markdownReport(decision, about)).toContain('### ❌ WORSE: run 17 against run 12\n');
    expect(markdownReport(decision, about)).toContain('\n- Right: a note\n');
    expect(junitReport(decision, about)).toContain('Right: a note</system-out>');
    expect(markdownReport(decision, about)).toContain(
      '| ✅ pass | A &lt;b> &amp; "c"\\|d: at least 0.1, in a sentence |',
    );
    expect(junitReport(decision, about)).toContain('tests="3" failures="1" errors="1"');
    expect(junitReport(decision, about)).toContain('name="A &lt;b&gt; &amp; &quot;c&quot;|d: at least 0.1"');
    expect(githubReport(decision).split('\n')).toEqual([
      '::error title=dokima%3A WORSE::Right: must not be worse, in a sentence: found worse',
      '::warning title=dokima%3A not enough data::Right: at least 0.75, in a sentence: found inconclusive',
      '',
    ]);
  });

  const hostile =
    'A ]]> <b a=\'x\'> & "c" | `code` *b* _i_ [l](u) @team 😀 \ud83d \u0000\u001b[31m \ufffe % , :: é\n::error::x\ttab';
  const ofHostile = decisionOf([
    check(`${hostile}: must not be worse`, 'worse'),
    check(`${hostile}: at least 0.99`, 'worse'),
    check(`${hostile}: complete`, 'incomplete'),
  ]);

  it('JUnit XML holds any name for a real XML parser, in the form that GitLab and Jenkins read', () => {
    const script = `
import json, sys, xml.etree.ElementTree as tree
def of(e): return {'tag': e.tag, 'text': (e.text or '').strip(), **e.attrib, 'children': [of(c) for c in e]}
print(json.dumps(of(tree.fromstring(sys.stdin.buffer.read()))))`;
    const read = spawnSync('python3', ['-c', script], { input: junitReport(ofHostile, about) });
    expect(read.stderr.toString()).toBe('');
    const suites = JSON.parse(read.stdout.toString());
    const counts = { tests: '3', failures: '2', errors: '1', time: '0' };
    expect(suites).toMatchObject({ tag: 'testsuites', ...counts });
    expect(suites.children).toMatchObject([{ tag: 'testsuite', skipped: '0', ...counts }]);
    const [suite] = suites.children;
    // Characters that XML cannot hold are replaced. All others come back unchanged.
    const name = hostile.toWellFormed().replaceAll(/(?![\t\n])[\p{Cc}\ufffe]/gu, '�');
    expect(suite.children.filter((one: { tag: string }) => one.tag === 'testcase')).toMatchObject(
      ofHostile.checks.map(({ rule, sentence, said, outcome }) => ({
        tag: 'testcase',
        classname: 'dokima gate',
        name: rule.replace(hostile, name),
        children: [
          {
            tag: outcome === 'worse' ? 'failure' : 'error',
            type: outcome,
            message: `${sentence}: ${said}`.replace(hostile, name),
            text: `${sentence}: ${said}`.replace(hostile, name),
          },
        ],
      })),
    );
  });

  it('a name breaks neither a Markdown table nor a workflow command, and mentions no GitHub user', () => {
    const rows = markdownReport(ofHostile, about)
      .split('\n')
      .filter((line) => line.startsWith('| '));
    expect(rows).toHaveLength(2 + 3);
    for (const row of rows.slice(2)) {
      expect(row.match(/(?<!\\)\|/g)).toHaveLength(4);
      expect(row).toContain('\\`code\\` \\*b\\* \\_i\\_ \\[l\\](u) @<!-- -->team');
    }
    const commands = githubReport(ofHostile).trimEnd().split('\n');
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      expect(command).toMatch(/^::error title=dokima%3A (WORSE|INCOMPLETE)::A ]]> /);
      expect(command).toContain('%25 , :: é%0A::error::x');
    }
    const lines = terminalReport(ofHostile, about).split('\n');
    expect(lines.filter((line) => line.startsWith('::'))).toEqual([]);
    expect(lines.join('')).not.toContain('\u001b');
  });
});
