import {
  type Criteria,
  type Criterion,
  type CriterionVerdict,
  criteriaOf,
  type Weighed,
  weigh,
} from '../../../../client/src/criteria.ts';
import { type Issue, invalidAll } from '../../platform/errors.ts';
import { members, type RawJson } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { omit } from '../../platform/omit.ts';
import { outputs } from '../metrics/schema.ts';

const { valueField } = outputs.float;

/** A score by criteria: ready to be stored, or the reason why it has no value, with the verdicts that there are. */
export type ByCriteria =
  | { score: Record<string, unknown>; raw: RawJson }
  | { reason: string; verdicts: CriterionVerdict[] };

/** The reason of a score whose criteria do not all have a verdict. */
export const criterionUnscored = (ids: readonly string[]): string =>
  `criterion_unscored: ${ids.join(', ')}`.slice(0, 1_000);

const hint = 'send criteria: [{ id, met }], from which the score is computed';

/** Reads one verdict; a text says what is wrong with it. */
const readVerdict = (value: unknown, ids: ReadonlySet<string>): CriterionVerdict | string => {
  const { id, met, state, why, reason, quote } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string') return 'needs the id of a criterion';
  if (!ids.has(id)) return `names '${id}', which is none of ${[...ids].join(', ')}`.slice(0, 500);
  if (state === 'unscored') return { id, state, why: typeof why === 'string' ? why : '' };
  if (typeof met !== 'boolean') return "needs met: true or false, or state: 'unscored' with why";
  return {
    id,
    met,
    ...(typeof reason === 'string' && { reason }),
    ...(typeof quote === 'string' && { quote }),
  };
};

const readVerdicts = (
  given: unknown,
  criteria: readonly Criterion[],
): { verdicts: CriterionVerdict[]; issues: Issue[] } => {
  if (!Array.isArray(given)) return { verdicts: [], issues: [{ path: '', message: `is required: ${hint}` }] };
  const ids = new Set(criteria.map(({ id }) => id));
  const verdicts: CriterionVerdict[] = [];
  const issues: Issue[] = [];
  for (const [i, each] of given.entries()) {
    const read = readVerdict(each, ids);
    if (typeof read === 'string') issues.push({ path: `/${i}`, message: read });
    else if (verdicts.some(({ id }) => id === read.id))
      issues.push({ path: `/${i}`, message: `must not repeat '${read.id}'` });
    else verdicts.push(read);
  }
  const without = [...ids].filter((id) => !verdicts.some((verdict) => verdict.id === id));
  if (issues.length === 0 && without.length > 0)
    issues.push({
      path: '',
      message: `needs a verdict on ${without.join(', ')}. For one that cannot be judged, send { id, state: 'unscored', why }`,
    });
  return { verdicts, issues };
};

/** The members of a score by criteria that are made of its verdicts. */
export const membersOf = (
  weighed: Exclude<Weighed, { unscored: string[] }>,
  verdicts: CriterionVerdict[],
) => ({
  [valueField]: weighed.value,
  ...(weighed.share !== undefined && { share: weighed.share }),
  criteria: verdicts,
});

/** Puts members in the place of those that are made of verdicts; all others stay as they were sent. */
export const withMembers = (made: ReturnType<typeof membersOf>, raw: RawJson): RawJson => {
  const rest = [...members(raw)].filter(([key]) => ![valueField, 'share', 'criteria'].includes(key));
  const texts = [...Object.entries(made).map(([key, value]) => [key, JSON.stringify(value)]), ...rest];
  return `{${texts.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
};

/**
 * Makes the score of a metric with criteria of the verdicts that a person or a client sent. Throws 400 for a value without verdicts, and for
 * verdicts that are not one for each criterion of the record. `expected` is the record's, as JSON text.
 */
export const scoreByCriteria = (
  settings: Criteria,
  expected: RawJson,
  { score, raw }: { score: Record<string, unknown>; raw: RawJson },
  path = '/score',
): ByCriteria => {
  const found = criteriaOf(settings, settings.fromExpected ? parseJson(expected) : undefined);
  if ('reason' in found) return { reason: found.reason, verdicts: [] };
  const { verdicts, issues } = readVerdicts(score.criteria, found.criteria);
  if (issues.length > 0)
    throw invalidAll(issues.map((issue) => ({ ...issue, path: `${path}/criteria${issue.path}` })));
  const weighed = weigh(found.criteria, verdicts);
  if ('unscored' in weighed) return { reason: criterionUnscored(weighed.unscored), verdicts };
  const made = membersOf(weighed, verdicts);
  // A score that was read may be sent back as it is.
  if (Object.hasOwn(score, valueField) && score[valueField] !== weighed.value)
    throw invalidAll([
      { path: `${path}/${valueField}`, message: `is ${weighed.value} by these criteria: leave it out` },
    ]);
  return { score: { ...omit(score, 'share'), ...made }, raw: withMembers(made, raw) };
};
