/** Rules on the rate of the traffic: what the testcases of a run stand for. */
import { isObject, type Problems } from './policy-fields.ts';

/** Parameters of weighted answers: at most one is given. */
export type Weights = { weightBy?: string; shares?: string };

/** Writes shares as the service takes them: `metadata.intent:refund=0.7,order=0.3`. */
const sharesText = (shares: Record<string, unknown>, problems: Problems): string => {
  const [field = '', ...others] = Object.keys(shares);
  const values = shares[field];
  if (
    others.length > 0 ||
    !isObject(values) ||
    !Object.values(values).every((share) => typeof share === 'number')
  ) {
    const message =
      'must name one field with the share of each value: shares: { metadata.intent: { refund: 0.7, order: 0.3 } }';
    problems.push({ path: 'shares', message });
    return '';
  }
  const list = Object.entries(values).map(([value, share]) => `${value}=${share}`);
  return `${field}:${list.join(',')}`;
};

/** Reads what the testcases stand for. The service checks it against the run. */
export const readWeights = (
  { weightBy, shares }: { weightBy?: unknown; shares?: unknown },
  problems: Problems,
): Weights => {
  if (weightBy !== undefined && shares !== undefined)
    problems.push({ path: 'shares', message: 'cannot be given with weightBy: choose one' });
  if (weightBy !== undefined) {
    if (typeof weightBy === 'string' && /^metadata\..+$/.test(weightBy)) return { weightBy };
    problems.push({ path: 'weightBy', message: 'must be metadata.<field>, a number of the testcase' });
    return {};
  }
  if (shares === undefined) return {};
  const text = isObject(shares) ? sharesText(shares, problems) : String(shares);
  return { shares: text };
};

/** Field by which the numbers of a policy are weighted. */
export const weightField = ({ weightBy, shares }: Weights): string | undefined =>
  weightBy ?? shares?.slice(0, shares.indexOf(':'));

type MetricRules = { metric: string; of: string };
/** The fields of a policy that decide whether it can be weighted. */
type Weighable = {
  weights: Weights;
  test: string;
  slices: string | undefined;
  metrics: readonly MetricRules[];
  everyMetric: MetricRules | undefined;
};

/** Reports the rules that have no weighted number. */
export const checkWeighted = (
  { weights, test, slices, metrics, everyMetric }: Weighable,
  problems: Problems,
): void => {
  const field = weightField(weights);
  if (field === undefined) return;
  const name = weights.shares === undefined ? 'weightBy' : 'shares';
  if (test !== 'fixed')
    problems.push({ path: name, message: `needs test: fixed: the ${test} test counts each testcase once` });
  if (slices === 'auto')
    problems.push({ path: 'slices', message: `cannot be weighted: write slices: off, or leave out ${name}` });
  for (const { metric, of } of everyMetric ? [...metrics, everyMetric] : metrics)
    if (of === 'corrected')
      problems.push({
        path: `metrics.${metric}.of`,
        message: `a rate corrected for its judge cannot be weighted: write of: pass, or leave out ${name}`,
      });
};
