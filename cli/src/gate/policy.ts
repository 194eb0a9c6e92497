import { CliError } from '../errors.ts';
import { isObject } from '../import/rows.ts';

/** The rules for a metric. */
export type MetricPolicy = {
  /** Name or id. */
  metric: string;
  /** What the rules apply to: the share of testcases that pass, or the mean score. */
  of: 'pass' | 'score';
  /** Passes if the lower end of the interval reaches this line. */
  atLeast?: number;
  /** Fails if the whole interval of the difference from the baseline lies below −margin. */
  noRegression?: { margin: number };
  /** Passes only if the whole interval of the difference from the baseline lies above −margin. */
  nonInferiority?: { margin: number };
};

/** A testcase that must pass a metric in at least `passes` of `of` trials. With more trials the same share applies. */
export type MustPass = { testcase: string; metric: string; passes: number; of: number };

/** The rules of a `dokima.yaml`. */
export type Policy = {
  project: string | undefined;
  baseline: string | undefined;
  /** How many records may lack a score of a metric. */
  mayLack: number;
  metrics: MetricPolicy[];
  mustPass: MustPass[];
};

type Problems = { path: string; message: string }[];

const number = (value: unknown, path: string, problems: Problems, min: number, max: number): number => {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  problems.push({ path, message: `must be a number from ${min} to ${max}` });
  return Number.NaN;
};

const wholeNumber = (value: unknown, path: string, problems: Problems, min: number): number => {
  if (Number.isInteger(value) && (value as number) >= min) return value as number;
  problems.push({ path, message: `must be a whole number of at least ${min}` });
  return Number.NaN;
};

/** Reports every unknown key, so that a misspelt rule is not silently ignored. */
const rejectUnknownKeys = (value: object, path: string, problems: Problems, ...known: string[]): void => {
  for (const key of Object.keys(value)) {
    if (!known.includes(key))
      problems.push({ path: `${path}${key}`, message: `is unknown; known keys: ${known.join(', ')}` });
  }
};

const margin = (value: unknown, path: string, problems: Problems): { margin: number } => {
  if (!isObject(value)) {
    problems.push({ path, message: 'must be { margin: … }' });
    return { margin: Number.NaN };
  }
  rejectUnknownKeys(value, `${path}.`, problems, 'margin');
  return { margin: number(value.margin, `${path}.margin`, problems, 0, 5) };
};

const metricPolicy = (metric: string, value: unknown, problems: Problems): MetricPolicy => {
  const path = `metrics.${metric}`;
  if (!isObject(value)) {
    problems.push({ path, message: 'must be an object with rules: atLeast, noRegression, nonInferiority' });
    return { metric, of: 'pass' };
  }
  rejectUnknownKeys(value, `${path}.`, problems, 'of', 'atLeast', 'noRegression', 'nonInferiority');
  const { of = 'pass', atLeast, noRegression, nonInferiority } = value;
  if (of !== 'pass' && of !== 'score')
    problems.push({ path: `${path}.of`, message: 'must be pass or score' });
  if ([atLeast, noRegression, nonInferiority].every((rule) => rule === undefined)) {
    problems.push({ path, message: 'must have a rule: atLeast, noRegression or nonInferiority' });
  }
  return {
    metric,
    of: of === 'score' ? 'score' : 'pass',
    ...(atLeast !== undefined && { atLeast: number(atLeast, `${path}.atLeast`, problems, 0, 5) }),
    ...(noRegression !== undefined && {
      noRegression: margin(noRegression, `${path}.noRegression`, problems),
    }),
    ...(nonInferiority !== undefined && {
      nonInferiority: margin(nonInferiority, `${path}.nonInferiority`, problems),
    }),
  };
};

const mustPass = (value: unknown, index: number, problems: Problems): MustPass => {
  const path = `mustPass.${index}`;
  const entry = isObject(value) ? value : {};
  rejectUnknownKeys(entry, `${path}.`, problems, 'testcase', 'metric', 'passes', 'of');
  const text = (key: string): string => {
    if (typeof entry[key] === 'string') return entry[key];
    problems.push({ path: `${path}.${key}`, message: 'must be text' });
    return '';
  };
  const of = entry.of === undefined ? 1 : wholeNumber(entry.of, `${path}.of`, problems, 1);
  const passes = entry.passes === undefined ? of : wholeNumber(entry.passes, `${path}.passes`, problems, 1);
  if (passes > of) problems.push({ path: `${path}.passes`, message: 'must not be greater than of' });
  return { testcase: text('testcase'), metric: text('metric'), passes, of };
};

const idText = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value);

/** Reads the rules. Throws one error that lists every problem with its place in the file. */
export const readPolicy = (document: unknown, file: string): Policy => {
  const problems: Problems = [];
  const root = isObject(document) ? document : {};
  rejectUnknownKeys(root, '', problems, 'project', 'baseline', 'mayLack', 'metrics', 'mustPass');
  const metrics = isObject(root.metrics) ? root.metrics : {};
  const list = Array.isArray(root.mustPass) ? root.mustPass : [];
  const policy: Policy = {
    project: idText(root.project),
    baseline: idText(root.baseline),
    mayLack: root.mayLack === undefined ? 0 : wholeNumber(root.mayLack, 'mayLack', problems, 0),
    metrics: Object.entries(metrics).map(([metric, value]) => metricPolicy(metric, value, problems)),
    mustPass: list.map((value, i) => mustPass(value, i, problems)),
  };
  if (policy.metrics.length + policy.mustPass.length === 0) {
    problems.push({ path: 'metrics', message: 'must name at least one metric if mustPass is empty' });
  }
  if (problems.length === 0) return policy;
  const lines = problems.map(({ path, message }) => `\n  ${path} ${message}`);
  throw new CliError(
    `${file} has invalid rules:${lines.join('')}`,
    'docs/cli.md, gate, describes the rules.',
  );
};
