import { type Criteria, problemOf, readCriteria } from '../../../../client/src/criteria.ts';
import type { JsonObject, Metric } from '../../types.ts';

/** A criterion in a form. The id is that of a saved one: a text that is improved stays the same criterion. */
export type CriterionForm = { id?: string; text: string; weight: string; mustPass: boolean };
/** The criteria in the form of a metric; none if there are no items and testcases add none. */
export type CriteriaForm = { items: CriterionForm[]; fromExpected: boolean; isolate: boolean };

export const emptyCriterion: CriterionForm = { text: '', weight: '1', mustPass: false };
export const noCriteria: CriteriaForm = { items: [], fromExpected: false, isolate: false };

export const criteriaFormOf = (criteria: Criteria | undefined): CriteriaForm =>
  criteria
    ? { ...criteria, items: criteria.items.map((item) => ({ ...item, weight: String(item.weight) })) }
    : noCriteria;

/** Whether this kind of metric may have criteria. */
export const mayHaveCriteria = ({ evalType, outputType }: Pick<Metric, 'evalType' | 'outputType'>): boolean =>
  outputType === 'float' && evalType !== 'heuristic';

/** The criteria as a request sends them; null for none. */
export const criteriaBodyOf = ({ items, fromExpected, isolate }: CriteriaForm) =>
  items.length === 0 && !fromExpected
    ? null
    : { items: items.map((item) => ({ ...item, weight: Number(item.weight) })), fromExpected, isolate };

/** A criterion of a testcase in a form, with the members that the form does not show, such as tags. */
export type TestcaseCriterion = CriterionForm & { more: JsonObject };

const readOne = (value: unknown): TestcaseCriterion | undefined => {
  if (typeof value === 'string') return { text: value, weight: '1', mustPass: false, more: {} };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { id, text, weight = 1, mustPass = false, ...more } = value as JsonObject;
  const isKnown =
    typeof text === 'string' && typeof mustPass === 'boolean' && (id === undefined || typeof id === 'string');
  // A weight may be a number that is written with digits of its own.
  if (!isKnown || !Number.isFinite(Number(weight))) return undefined;
  return { ...(id !== undefined && { id }), text, weight: String(weight), mustPass, more };
};

/** Reads the criteria of a testcase for a form; undefined for what a form cannot show. */
export const testcaseCriteriaOf = (value: unknown): TestcaseCriterion[] | undefined => {
  if (value === undefined || value === null || value === '') return [];
  if (!Array.isArray(value)) return undefined;
  const items = value.map(readOne);
  return items.every((item) => item !== undefined) ? items : undefined;
};

/** The criteria of a testcase as they are stored: a text where there is nothing else to say. */
export const testcaseCriteriaValue = (items: readonly TestcaseCriterion[]): unknown[] =>
  items.map(({ id, text, weight, mustPass, more }) => {
    const object = {
      ...(id && { id }),
      text,
      ...(Number(weight) !== 1 && { weight: Number(weight) }),
      ...(mustPass && { mustPass }),
      ...more,
    };
    return Object.keys(object).length === 1 ? text : object;
  });

/** Why no judge could score by the criteria of a testcase; undefined for an empty list, and for what is no list. */
export const criteriaProblem = (value: unknown): string | undefined => {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const read = readCriteria(value);
  if ('criteria' in read) return problemOf(read.criteria);
  return `Criterion ${Number(read.path.slice(1)) + 1} ${read.problem}`;
};
