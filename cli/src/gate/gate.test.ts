import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { exit } from '../errors.ts';
import { type Decision, decide, type MetricEvidence, type TrialEvidence } from './decide.ts';
import { type Policy, readPolicy } from './policy.ts';
import { githubReport, junitReport, markdownReport, terminalReport } from './report.ts';

const evidence = (fields: Partial<MetricEvidence> = {}): MetricEvidence => ({
  name: 'Right',
  n: 100,
  estimate: 0.8,
  interval: { low: 0.7, high: 0.9 },
  standardError: 0.051,
  level: 0.95,
  lacking: 0,
  ...fields,
});

const against = (difference: number, low: number, high: number, n = 100) => ({
  comparison: {
    n,
    difference,
    interval: { low, high },
    // 1.96 + .8416 standard errors; the interval has 1.96 on each side.
    minimumDetectable: ((high - low) / 2) * (2.8016 / 1.96),
    sentence: 'In words.',
  },
});

const outcomeOf = (rules: object, given: MetricEvidence, policy: object = {}) => {
  const { checks, outcome, exitCode } = decide(
    readPolicy({ metrics: { Right: rules }, ...policy }, 'dokima.yaml'),
    new Map([['Right', given]]),
    [],
  );
  expect(exitCode).toBe(exit[outcome]);
  return { outcome, said: checks.map(({ said }) => said).join('\n') };
};

describe('an absolute line', () => {
  it.each([
    [0.7, 'pass'],
    [0.71, 'inconclusive'],
    [0.9, 'inconclusive'],
    [0.91, 'worse'],
  ])('at %d against 0.7 … 0.9: %s', (atLeast, outcome) => {
    expect(outcomeOf({ atLeast }, evidence()).outcome).toBe(outcome);
  });

  it('says how many testcases there are and about how many it needs', () => {
    const { said } = outcomeOf({ atLeast: 0.75 }, evidence({ n: 40 }));
    expect(said).toContain('not enough data: n = 40, needs about 327; 0.800 (95 %: 0.700 … 0.900, n = 40)');
    // 40 × ((.1 + .8416 × .051) / .05)²: with this many the lower end reaches the line in four of five runs.
    expect(outcomeOf({ atLeast: 0.1 }, evidence({ level: 0.55 })).said).toContain('(55 %: 0.700');
    // If the estimate is at or below the line, no number of testcases helps.
    expect(outcomeOf({ atLeast: 0.85 }, evidence()).said).toContain('not enough data: n = 100; 0.800');
  });
});

describe('against a baseline with margin 0.02', () => {
  it.each([
    [-0.05, -0.08, -0.03, 'worse', 'worse'],
    [-0.05, -0.08, -0.02, 'pass', 'inconclusive'],
    [-0.01, -0.08, 0.06, 'pass', 'inconclusive'],
    [0.01, -0.019, 0.05, 'pass', 'pass'],
  ])(
    'a difference of %d (%d … %d) is %s for noRegression and %s for nonInferiority',
    (by, low, high, no, non) => {
      const given = evidence(against(by, low, high));
      expect(outcomeOf({ noRegression: { margin: 0.02 } }, given).outcome).toBe(no);
      expect(outcomeOf({ nonInferiority: { margin: 0.02 } }, given).outcome).toBe(non);
    },
  );

  it('says how many testcases would show it', () => {
    const given = evidence(against(0, -0.04, 0.04, 50));
    expect(outcomeOf({ nonInferiority: { margin: 0.02 } }, given).said).toContain('n = 50, needs about 409');
  });

  it('does not pass without a baseline or without shared testcases', () => {
    const rules = { noRegression: { margin: 0.02 } };
    expect(outcomeOf(rules, evidence()).outcome).toBe('incomplete');
    const comparison = {
      n: 0,
      difference: null,
      interval: null,
      minimumDetectable: null,
      sentence: 'Nothing pairs.',
    };
    expect(outcomeOf(rules, evidence({ comparison })).outcome).toBe('inconclusive');
  });
});

describe('missing scores', () => {
  it('more records without a score than mayLack are incomplete', () => {
    const rules = { atLeast: 0.5 };
    expect(outcomeOf(rules, evidence({ lacking: 3 })).outcome).toBe('incomplete');
    expect(outcomeOf(rules, evidence({ lacking: 3 }), { mayLack: 3 }).outcome).toBe('pass');
  });

  it('a broken rule decides before missing scores, and these before too little data', () => {
    expect(outcomeOf({ atLeast: 0.95 }, evidence({ lacking: 3 })).outcome).toBe('worse');
    expect(outcomeOf({ atLeast: 0.8 }, evidence({ lacking: 3 })).outcome).toBe('incomplete');
  });

  it('no score at all is incomplete', () => {
    expect(outcomeOf({ atLeast: 0.5 }, evidence({ estimate: null, interval: null, n: 0 })).outcome).toBe(
      'incomplete',
    );
  });
});

describe('testcases that must pass 4 of 5', () => {
  const policy = readPolicy({ mustPass: [{ testcase: '2-1', metric: 'Right', passes: 4, of: 5 }] }, 'f');
  it.each<[TrialEvidence, string]>([
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
    expect(decide(policy, new Map(), [trials]).outcome).toBe(outcome);
  });
});

describe('the rules', () => {
  it.each<[unknown, string]>([
    [{}, 'metrics must name at least one metric'],
    [{ metrics: { Right: {} } }, 'metrics.Right must have a rule'],
    [{ metrics: { Right: { atleast: 1 } } }, 'metrics.Right.atleast is unknown; known keys: of, atLeast'],
    [{ metrics: { Right: { atLeast: '0.5' } } }, 'metrics.Right.atLeast must be a number from 0 to 5'],
    [{ metrics: { Right: { noRegression: 0.1 } } }, 'metrics.Right.noRegression must be { margin: … }'],
    [{ metrics: { Right: { noRegression: {} } } }, 'noRegression.margin must be a number'],
    [
      { mustPass: [{ testcase: 'a', metric: 'b', passes: 3, of: 2 }] },
      'mustPass.0.passes must not be greater than of',
    ],
    [{ mustPass: [{ metric: 'b' }] }, 'mustPass.0.testcase must be text'],
    [{ gates: {} }, 'gates is unknown'],
  ])('%j is refused: %s', (document, said) => {
    expect(() => readPolicy(document, 'dokima.yaml')).toThrow(said);
  });
});

describe('reports', () => {
  const policy: Policy = readPolicy(
    { metrics: { Right: { atLeast: 0.75, noRegression: { margin: 0 } }, 'A <b> & "c"|d': { atLeast: 0.1 } } },
    'dokima.yaml',
  );
  const decision: Decision = decide(
    policy,
    new Map([
      ['Right', evidence(against(-0.1, -0.2, -0.05))],
      ['A <b> & "c"|d', evidence({ name: 'A <b> & "c"|d' })],
    ]),
    [],
  );
  const about = { runId: '17', baselineId: '12' };

  it('all show the same decision', () => {
    expect(decision.checks.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'worse', 'pass']);
    expect(terminalReport(decision, about)).toContain('Gate of run 17 against run 12: WORSE');
    expect(markdownReport(decision, about)).toContain('| ✅ pass | A &lt;b> &amp; "c"\\|d: at least 0.1 |');
    expect(junitReport(decision, about)).toContain('tests="3" failures="1" errors="1"');
    expect(junitReport(decision, about)).toContain('name="A &lt;b&gt; &amp; &quot;c&quot;|d: at least 0.1"');
    expect(githubReport(decision).split('\n')).toEqual([
      expect.stringMatching(/^::warning title=dokima%3A not enough data::Right: at least 0\.75: /),
      expect.stringMatching(
        /^::error title=dokima%3A WORSE::Right: not worse by more than 0: difference −0\.100/,
      ),
      '',
    ]);
  });

  const hostile =
    'A ]]> <b a=\'x\'> & "c" | `code` *b* _i_ [l](u) @team 😀 \ud83d \u0000\u001b[31m \ufffe % , :: é\n::error::x\ttab';
  const named = readPolicy({ metrics: { [hostile]: { atLeast: 0.99, noRegression: { margin: 0 } } } }, 'f');
  const ofHostile = decide(
    named,
    new Map([[hostile, evidence({ ...against(-0.1, -0.2, -0.05), name: hostile, lacking: 3 })]]),
    [],
  );

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
    expect(suite.children).toMatchObject(
      ofHostile.checks.map(({ rule, said, outcome }) => ({
        tag: 'testcase',
        classname: 'dokima gate',
        name: rule.replace(hostile, name),
        children: [
          { tag: outcome === 'worse' ? 'failure' : 'error', type: outcome, message: said, text: said },
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
