import { readFresh } from './fresh.ts';
import { type LedgerPolicy, readLedger } from './ledger.ts';
import { fields, isObject, number, numbers, type Problems, text, wholeNumber } from './policy-fields.ts';
import { isPolicyName, policyNames, readyPolicies } from './ready-policies.ts';
import { RulesError } from './rules-error.ts';
import { checkWeighted, readWeights, type Weights, weightField } from './weights.ts';

type Margin = { margin: number };

/**
 * The rules that a metric and its slices have in common. Two are alarms, which fail only if the data shows a loss: `noRegression` and
 * `notBelow`. The others require evidence to pass.
 */
export type CommonRules = {
  /** Passes if the lower end of the interval reaches this line. */
  atLeast?: number;
  /** Fails if the whole interval lies below this line. */
  notBelow?: number;
  /** Fails if the whole interval of the difference from the baseline lies below 0. */
  noRegression?: Record<string, never>;
  /** Passes only if the whole interval of the difference from the baseline lies above −margin. */
  nonInferiority?: Margin;
  /** Passes only if the whole interval of the difference from the baseline lies above the margin, by default 0. */
  superiority?: Margin;
};

/** Rules for one slice of the run: the records with a tag, or with a value of a field. Without a value, for every group. */
export type SlicePolicy = CommonRules & { field: string; value: string | undefined };

/** The rules for a metric. */
export type MetricPolicy = CommonRules & {
  /** Name or id. */
  metric: string;
  /** Measure of the rules: the share of testcases that pass, the mean score, or the pass rate corrected for the judge. */
  of: 'pass' | 'score' | 'corrected';
  /** Field by which the figures are weighted, if they are. */
  weightedBy?: string;
  /** Share of testcases whose k trials all pass (pass^k). */
  passHatK?: { k: number; atLeast: number };
  by?: SlicePolicy[];
};

/** A testcase that must pass a metric in at least `passes` of `of` trials. With more trials the same share applies. */
export type MustPass = { testcase: string; metric: string; passes: number; of: number };

export const costRules = ['systemUsdPerRecord', 'judgesUsdPerRecord'] as const;
export const latencyRules = ['medianMs', 'p95Ms'] as const;

/** What may rise over the baseline. */
export const riseMeasures = ['costUsd', 'latencyMs'] as const;
export type RiseMeasure = (typeof riseMeasures)[number];

/**
 * Rules on a rise over the baseline: an alarm if a rise is shown, and a required proof that the rise is at most a share of the value
 * before.
 */
export type RisePolicy = { noRise?: Record<string, never>; maxRise?: number };

/** The rules of a `dokima.yaml`. */
export type Policy = {
  project: string | undefined;
  /** Runs to compare with: ids, or marks as in `latest:main`. */
  baseline: string[];
  /** Runs that do not move with the baseline, so that many small steps down are seen. */
  anchor: string[];
  /** Number of records that may lack a score of a metric. */
  mayLack: number;
  /** Share of the baseline's testcases that the run must have. */
  covers: number;
  /** Whether runs that share no testcase may be compared. */
  unpaired: boolean;
  test: 'fixed' | 'sequential' | 'planned';
  /** The looks of `planned` at a growing run: numbers of testcases, or how many equal looks at all testcases of the baseline. */
  looks: number | number[] | undefined;
  /** How all looks at the testset share one level. Without it, each gate has the level of the command. */
  ledger: LedgerPolicy | undefined;
  /** How many fresh testcases a run should have taken. They are in no rule: they say whether the testset is worn. */
  fresh: number | undefined;
  /** What the testcases stand for. */
  weights: Weights;
  /** auto: a slice that lost more than the rest fails. Without it, the report names the slice. off: neither. */
  slices: 'auto' | 'off' | undefined;
  /**
   * Least sensitivity + specificity of a judge (lower end of the interval), in place of its grade, the greatest age of its newest label, and
   * whether a bias battery must have cleared it.
   */
  requireCalibrated:
    | { atLeast: number | undefined; maxAgeDays: number | undefined; battery?: boolean }
    | undefined;
  cost: Partial<Record<(typeof costRules)[number], number>>;
  latency: Partial<Record<(typeof latencyRules)[number], number>>;
  rises: Partial<Record<RiseMeasure, RisePolicy>>;
  metrics: MetricPolicy[];
  /** Rules for each metric of the run that a machine scores and that `metrics` does not name. */
  everyMetric: MetricPolicy | undefined;
  mustPass: MustPass[];
};

const lineRules = ['atLeast', 'notBelow'] as const;
const differenceRules = ['noRegression', 'nonInferiority', 'superiority'] as const;
const sliceRules = [...lineRules, ...differenceRules] as const;
const metricRules = [...sliceRules, 'passHatK', 'by'] as const;
const oneOf = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** Reads an alarm. A margin would only make it miss losses, so the error names the rule that takes one. */
const alarm = (value: unknown, path: string, problems: Problems): Record<string, never> => {
  if (isObject(value) && 'margin' in value) {
    const message = `takes no margin: it is an alarm that fails if a loss is shown, and a margin would hide losses. Write noRegression: {}; to ask for a proof that no more than ${value.margin} is lost, write nonInferiority: { margin: ${value.margin} }`;
    problems.push({ path, message });
  } else fields(value, path, problems, [], 'must be {}');
  return {};
};

const nonInferiority = (value: unknown, path: string, problems: Problems): Margin => {
  const given = fields(value, path, problems, ['margin']);
  const margin = number(given.margin, `${path}.margin`, problems, 0, 5);
  if (margin === 0)
    problems.push({
      path: `${path}.margin`,
      message: 'must be above 0. A proof that the run is better has its own rule: superiority: {}',
    });
  return { margin };
};

const superiority = (value: unknown, path: string, problems: Problems): Margin => {
  const { margin = 0 } = fields(value, path, problems, ['margin'], 'must be {} or { margin: … }');
  return { margin: number(margin, `${path}.margin`, problems, 0, 5) };
};

const passHatK = (value: unknown, path: string, problems: Problems): { k: number; atLeast: number } => {
  const given = fields(value, path, problems, ['k', 'atLeast']);
  return {
    k: wholeNumber(given.k, `${path}.k`, problems, 2),
    atLeast: number(given.atLeast, `${path}.atLeast`, problems, 0, 1),
  };
};

const commonRules = (given: Record<string, unknown>, path: string, problems: Problems): CommonRules => {
  const read = <Rule>(name: string, reader: (value: unknown, path: string, problems: Problems) => Rule) =>
    given[name] === undefined ? undefined : { [name]: reader(given[name], `${path}.${name}`, problems) };
  const line = (value: unknown, at: string) => number(value, at, problems, 0, 5);
  return {
    ...read('atLeast', line),
    ...read('notBelow', line),
    ...read('noRegression', alarm),
    ...read('nonInferiority', nonInferiority),
    ...read('superiority', superiority),
  };
};

/** Whether one of the rules is about a difference from a baseline. */
export const isDifference = (rules: CommonRules): boolean =>
  differenceRules.some((rule) => rules[rule] !== undefined);

/** Whether one of the rules is a line for the figure itself. */
export const hasLine = (rules: CommonRules): boolean => lineRules.some((rule) => rules[rule] !== undefined);

const slices = (value: unknown, path: string, problems: Problems): SlicePolicy[] =>
  (Array.isArray(value) ? value : [value]).map((entry, i) => {
    const at = Array.isArray(value) ? `${path}.${i}` : path;
    const given = fields(entry, at, problems, ['field', 'value', ...sliceRules]);
    const field = text(given.field, `${at}.field`, problems);
    if (field !== '' && !/^(tag|(metadata|inputs)\..+)$/.test(field))
      problems.push({ path: `${at}.field`, message: 'must be tag, metadata.<field> or inputs.<field>' });
    if (isObject(entry) && sliceRules.every((rule) => given[rule] === undefined))
      problems.push({ path: at, message: `must have a rule: ${oneOf(sliceRules)}` });
    return {
      field,
      value: given.value === undefined ? undefined : String(given.value),
      ...commonRules(given, at, problems),
    };
  });

const metricPolicy = (metric: string, path: string, value: unknown, problems: Problems): MetricPolicy => {
  const wanted = `must be an object with rules: ${metricRules.join(', ')}`;
  const given = fields(value, path, problems, ['of', ...metricRules], wanted);
  const { of = 'pass' } = given;
  const by = given.by === undefined ? undefined : slices(given.by, `${path}.by`, problems);
  if (of !== 'pass' && of !== 'score' && of !== 'corrected')
    problems.push({ path: `${path}.of`, message: 'must be pass, score or corrected' });
  if (isObject(value) && metricRules.every((rule) => given[rule] === undefined))
    problems.push({ path, message: `must have a rule: ${oneOf(metricRules)}` });
  if (of === 'corrected' && (given.passHatK !== undefined || by?.some(hasLine)))
    problems.push({ path, message: 'cannot have passHatK, or a line of a slice, with of: corrected' });
  return {
    metric,
    of: of === 'score' || of === 'corrected' ? of : 'pass',
    ...commonRules(given, path, problems),
    ...(given.passHatK !== undefined && {
      passHatK: passHatK(given.passHatK, `${path}.passHatK`, problems),
    }),
    ...(by && { by }),
  };
};

const mustPass = (value: unknown, index: number, problems: Problems): MustPass => {
  const path = `mustPass.${index}`;
  const entry = fields(value, path, problems, ['testcase', 'metric', 'passes', 'of']);
  const of = entry.of === undefined ? 1 : wholeNumber(entry.of, `${path}.of`, problems, 1);
  const passes = entry.passes === undefined ? of : wholeNumber(entry.passes, `${path}.passes`, problems, 1);
  if (passes > of) problems.push({ path: `${path}.passes`, message: 'must not be greater than of' });
  return {
    testcase: text(entry.testcase, `${path}.testcase`, problems),
    metric: text(entry.metric, `${path}.metric`, problems),
    passes,
    of,
  };
};

const requireCalibrated = (value: unknown, problems: Problems): Policy['requireCalibrated'] => {
  if (value === undefined || value === false) return undefined;
  if (value === true) return { atLeast: undefined, maxAgeDays: undefined };
  const path = 'requireCalibrated';
  const otherwise = 'must be true, false or { atLeast: …, maxAgeDays: …, battery: true }';
  const { atLeast, maxAgeDays, battery } = fields(
    value,
    path,
    problems,
    ['atLeast', 'maxAgeDays', 'battery'],
    otherwise,
  );
  if (battery !== undefined && typeof battery !== 'boolean')
    problems.push({ path: `${path}.battery`, message: 'must be true or false' });
  return {
    ...(battery === true && { battery }),
    // At 1 the judge is no better than chance, so the lower end must lie above 1.
    atLeast: atLeast === undefined ? undefined : number(atLeast, `${path}.atLeast`, problems, 1, 2),
    maxAgeDays:
      maxAgeDays === undefined ? undefined : number(maxAgeDays, `${path}.maxAgeDays`, problems, 0, 36_500),
  };
};

const riseRules = ['noRise', 'maxRise'] as const;

/** Reads the limits among the rules for cost or latency. */
const budgets = <Rule extends string>(
  value: unknown,
  path: string,
  rules: readonly Rule[],
  problems: Problems,
): Partial<Record<Rule, number>> => {
  if (value === undefined) return {};
  const { noRise: _, maxRise: __, ...limits } = fields(value, path, problems, [...rules, ...riseRules]);
  return numbers(limits, path, problems, rules);
};

/** Reads the rules on a rise among those for cost or latency. */
const risePolicy = (value: unknown, path: string, problems: Problems): RisePolicy => {
  if (!isObject(value)) return {};
  const { noRise, maxRise } = value;
  return {
    ...(noRise !== undefined && {
      noRise: fields(
        noRise,
        `${path}.noRise`,
        problems,
        [],
        'must be {}; maxRise: 0.1 asks for a proof',
      ) as Record<string, never>,
    }),
    ...(maxRise !== undefined && { maxRise: number(maxRise, `${path}.maxRise`, problems, 0.001, 100) }),
  };
};

/** Reads the name of a run; `{ mark: main, runs: 3 }` are the last three runs with a mark, taken together. */
const idText = (value: unknown): string | undefined => {
  if (value === undefined || value === null || value === '') return undefined;
  if (isObject(value)) return `latest:${value.mark}*${value.runs ?? 1}`;
  return String(value);
};

/** Reports the baselines that are objects of another form. */
const checkBaselines = (value: unknown, problems: Problems): void => {
  for (const one of Array.isArray(value) ? value : [value]) {
    if (!isObject(one)) continue;
    const { mark, runs } = fields(one, 'baseline', problems, ['mark', 'runs']);
    text(mark, 'baseline.mark', problems);
    if (wholeNumber(runs, 'baseline.runs', problems, 1) > 10)
      problems.push({ path: 'baseline.runs', message: 'must be at most 10' });
  }
};

/** Reads one run or a list of runs. */
export const runNames = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map(idText).filter((name) => name !== undefined);

/** Most looks of a plan. */
const maxLooks = 10;

const sizesOf = (given: readonly unknown[], problems: Problems): number[] => {
  const sizes = given.map((size, i) => wholeNumber(size, `looks.${i}`, problems, 2));
  if (sizes.length < 1 || sizes.length > maxLooks || sizes.some((size, i) => size <= (sizes[i - 1] ?? 1)))
    problems.push({ path: 'looks', message: `must be 1 to ${maxLooks} numbers of testcases that ascend` });
  return sizes;
};

const numLooksOf = (given: unknown, problems: Problems): number => {
  if (wholeNumber(given, 'looks', problems, 1) > maxLooks)
    problems.push({ path: 'looks', message: `must be at most ${maxLooks}` });
  return given as number;
};

/** Reads the test of differences. Looks alone say that it is planned. */
const testOf = (
  { looks, test = looks === undefined ? 'fixed' : 'planned' }: Record<string, unknown>,
  problems: Problems,
): Pick<Policy, 'test' | 'looks'> => {
  if (test !== 'fixed' && test !== 'sequential' && test !== 'planned') {
    problems.push({ path: 'test', message: 'must be fixed, sequential or planned' });
    return { test: 'fixed', looks: undefined };
  }
  if ((test === 'planned') !== (looks !== undefined))
    problems.push({ path: 'looks', message: 'and test: planned must be given together' });
  if (looks === undefined) return { test, looks };
  return { test, looks: Array.isArray(looks) ? sizesOf(looks, problems) : numLooksOf(looks, problems) };
};

/** Reports the rules that have no test for a run that grows. */
const checkGrowing = ({ test, metrics, everyMetric }: Policy, problems: Problems): void => {
  if (test === 'fixed') return;
  for (const { metric, of, by = [], ...rules } of everyMetric ? [...metrics, everyMetric] : metrics) {
    const path = `metrics.${metric}`;
    if (of === 'corrected' && [rules, ...by].some(isDifference))
      problems.push({ path, message: `cannot have of: corrected with test: ${test}` });
    // The groups of a run that grows become more, and the number of tests must be known from the start.
    if (test === 'planned' && by.some(({ value }) => value === undefined))
      problems.push({ path: `${path}.by`, message: 'must name a value with looks' });
  }
};

const rootKeys = [
  'policy',
  'project',
  'baseline',
  'anchor',
  'mayLack',
  'covers',
  'unpaired',
  'test',
  'looks',
  'ledger',
  'fresh',
  'weightBy',
  'shares',
  'slices',
  'requireCalibrated',
  'cost',
  'latency',
  'metrics',
  'everyMetric',
  'mustPass',
];

/** Puts the parts of the ready policy that a file names below those that the file has itself. */
const withReady = (root: Record<string, unknown>, problems: Problems): Record<string, unknown> => {
  const { policy, ...own } = root;
  if (policy === undefined) return own;
  if (isPolicyName(policy)) return { ...readyPolicies[policy].rules, ...own };
  problems.push({ path: 'policy', message: `must be one of: ${policyNames.join(', ')}` });
  return own;
};

/** Reads the rules. Throws one error that lists every problem with its place in the file. */
export const readPolicy = (document: unknown, file: string): Policy => {
  const problems: Problems = [];
  const given = fields(document ?? {}, '', problems, rootKeys, 'must be an object with rules');
  const root = withReady(given, problems);
  const { unpaired = false, slices: ofSlices } = root;
  if (ofSlices !== undefined && ofSlices !== 'auto' && ofSlices !== 'off')
    problems.push({ path: 'slices', message: 'must be auto or off' });
  if (typeof unpaired !== 'boolean') problems.push({ path: 'unpaired', message: 'must be true or false' });
  checkBaselines(root.baseline, problems);
  const metrics = isObject(root.metrics) ? root.metrics : {};
  const list = Array.isArray(root.mustPass) ? root.mustPass : [];
  const weights = readWeights(root, problems);
  const weightedBy = weightField(weights);
  const readMetric = (metric: string, path: string, value: unknown): MetricPolicy => ({
    ...metricPolicy(metric, path, value, problems),
    ...(weightedBy !== undefined && { weightedBy }),
  });
  const policy: Policy = {
    project: idText(root.project),
    baseline: runNames(root.baseline),
    anchor: runNames(root.anchor),
    mayLack: root.mayLack === undefined ? 0 : wholeNumber(root.mayLack, 'mayLack', problems, 0),
    covers: root.covers === undefined ? 1 : number(root.covers, 'covers', problems, 0, 1),
    unpaired: unpaired === true,
    ...testOf(root, problems),
    ledger: readLedger(root.ledger, problems),
    fresh: readFresh(root.fresh, problems),
    weights,
    slices: ofSlices === 'auto' || ofSlices === 'off' ? ofSlices : undefined,
    requireCalibrated: requireCalibrated(root.requireCalibrated, problems),
    cost: budgets(root.cost, 'cost', costRules, problems),
    latency: budgets(root.latency, 'latency', latencyRules, problems),
    rises: {
      costUsd: risePolicy(root.cost, 'cost', problems),
      latencyMs: risePolicy(root.latency, 'latency', problems),
    },
    metrics: Object.entries(metrics).map(([metric, value]) => readMetric(metric, `metrics.${metric}`, value)),
    everyMetric:
      root.everyMetric === undefined
        ? undefined
        : readMetric('every metric', 'everyMetric', root.everyMetric),
    mustPass: list.map((value, i) => mustPass(value, i, problems)),
  };
  checkGrowing(policy, problems);
  checkWeighted(policy, problems);
  const ofUsage = Object.keys({
    ...policy.cost,
    ...policy.latency,
    ...policy.rises.costUsd,
    ...policy.rises.latencyMs,
  });
  const numRules = policy.metrics.length + policy.mustPass.length + ofUsage.length;
  if (numRules === 0 && policy.everyMetric === undefined && problems.length === 0)
    problems.push({ path: 'metrics', message: 'must name at least one metric if there is no other rule' });
  if (problems.length === 0) return policy;
  const lines = problems.map(({ path, message }) => `\n  ${path} ${message}`);
  throw new RulesError(
    `${file} has invalid rules:${lines.join('')}`,
    'docs/cli.md, gate, describes the rules.',
  );
};
