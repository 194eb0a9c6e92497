/** Criteria of a metric: the service, its pages and the command line read and weigh them with this file. It imports nothing. */

/** One thing that a record must do, or with a negative weight must not do. */
export type Criterion = { id: string; text: string; weight: number; mustPass: boolean };

/** What was said about a criterion. `yes` of `of` votes said that it is met, if there were several. */
export type CriterionVerdict =
  | { id: string; met: boolean; reason?: string; quote?: string; yes?: number; of?: number }
  | { id: string; state: 'unscored'; why: string };

/** Criteria of a metric, and where others come from. */
export type Criteria = {
  items: Criterion[];
  /** Whether the testcase adds its own, in `expected.criteria`. */
  fromExpected: boolean;
  /** Whether the judge is asked about each criterion by itself. */
  isolate: boolean;
};

/** Most criteria of one score. */
export const maxCriteria = 100;
const longestId = 64;
const longestText = 4_000;
const largestWeight = 1_000;

/** FNV-1a, so that long texts with the same beginning get different ids. */
const hashOf = (text: string): string => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(36);
};

/** Returns the id of a criterion that names none. The same text has the same id in each testcase. */
export const criterionId = (text: string): string => {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return words !== '' && words.length <= 40 ? words : `${words.slice(0, 40)}-${hashOf(text)}`;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readOne = (value: unknown): Criterion | string => {
  const given = typeof value === 'string' ? { text: value } : value;
  if (!isObject(given)) return 'must be a text, or an object with a text';
  const { text, weight = 1, mustPass = false } = given;
  if (typeof text !== 'string' || text.trim() === '') return 'needs a text';
  if (text.length > longestText) return `has a text of more than ${longestText} characters`;
  const id = given.id ?? criterionId(text);
  if (typeof id !== 'string' || id === '' || id.length > longestId)
    return `needs an id of 1 to ${longestId} characters`;
  if (typeof weight !== 'number' || !Number.isFinite(weight) || weight === 0)
    return 'needs a weight that is a number and not 0';
  if (Math.abs(weight) > largestWeight) return `has a weight beyond ${largestWeight}`;
  if (typeof mustPass !== 'boolean') return 'needs true or false as mustPass';
  if (mustPass && weight < 0) return 'must pass, so its weight must be positive';
  return { id, text, weight, mustPass };
};

/** Returns why a list of criteria has no share; undefined if it has one. */
export const problemOf = (criteria: readonly Criterion[]): string | undefined => {
  if (criteria.length > maxCriteria)
    return `has ${criteria.length} criteria: at most ${maxCriteria} are scored`;
  const ids = criteria.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) < i);
  if (twice !== undefined) return `has the criterion '${twice}' twice`;
  if (criteria.length > 0 && !criteria.some(({ weight }) => weight > 0))
    return 'needs a criterion with a positive weight';
  return undefined;
};

/** Reads a list of criteria: texts, or objects with a text. Returns the first problem with its place. */
export const readCriteria = (
  value: unknown,
): { criteria: Criterion[] } | { path: string; problem: string } => {
  if (!Array.isArray(value)) return { path: '', problem: 'must be a list of criteria' };
  const criteria: Criterion[] = [];
  for (const [i, each] of value.entries()) {
    const read = readOne(each);
    if (typeof read === 'string') return { path: `/${i}`, problem: read };
    criteria.push(read);
  }
  return { criteria };
};

/** The criteria of a record, or why it has none: those of the metric, then those of its testcase. */
export const criteriaOf = (
  { items, fromExpected }: Pick<Criteria, 'items' | 'fromExpected'>,
  expected: unknown,
): { criteria: Criterion[] } | { reason: string } => {
  const own = fromExpected && isObject(expected) ? (expected.criteria ?? []) : [];
  const read = readCriteria(own);
  if ('problem' in read)
    return { reason: `criteria_invalid: expected.criteria${read.path.replaceAll('/', '.')} ${read.problem}` };
  const criteria = [...items, ...read.criteria];
  if (criteria.length === 0) return { reason: 'no_criteria: the testcase has no expected.criteria' };
  const problem = problemOf(criteria);
  return problem ? { reason: `criteria_invalid: the record ${problem}` } : { criteria };
};

const isMet = (verdict: CriterionVerdict | undefined): boolean | undefined =>
  verdict && 'met' in verdict ? verdict.met : undefined;

/** The share of a record's criteria, or which of them have no verdict. */
export type Weighed =
  | { value: number /** The share without the rule of mustPass, if that made it 0. */; share?: number }
  | { unscored: string[] };

/**
 * Returns the weights of the met criteria, as a share of all positive weights from 0 to 1; 0 if one that must pass is not met. A criterion
 * without a verdict is no "no": the record then has no share.
 */
export const weigh = (criteria: readonly Criterion[], verdicts: readonly CriterionVerdict[]): Weighed => {
  const said = new Map(verdicts.map((verdict) => [verdict.id, isMet(verdict)]));
  const unscored = criteria.filter(({ id }) => said.get(id) === undefined).map(({ id }) => id);
  if (unscored.length > 0) return { unscored };
  const sum = (of: readonly Criterion[]) => of.reduce((total, { weight }) => total + weight, 0);
  const positive = criteria.filter(({ weight }) => weight > 0);
  const met = criteria.filter(({ id }) => said.get(id));
  const share = Math.min(1, Math.max(0, sum(met) / sum(positive)));
  const hasFailed = criteria.some(({ id, mustPass }) => mustPass && !said.get(id));
  return hasFailed && share > 0 ? { value: 0, share } : { value: share };
};
