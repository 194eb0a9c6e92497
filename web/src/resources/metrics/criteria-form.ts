import type { Criteria } from '../../../../client/src/criteria.ts';
import type { Metric } from '../../types.ts';

/** A criterion in a form. The id is that of a saved one: a text that is improved stays the same criterion. */
type CriterionForm = { id?: string; text: string; weight: string; mustPass: boolean };
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
