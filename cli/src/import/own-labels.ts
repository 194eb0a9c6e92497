import { type Labels, problemOfLabels } from '../../../client/src/labels.ts';
import { isObject, type MetricDefinition } from './rows.ts';

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

const labelsOf = (value: unknown): Labels | undefined => {
  if (!isObject(value)) return undefined;
  const labels = {
    items: textsOf(value.items),
    passing: textsOf(value.passing),
    ordered: value.ordered === true,
  };
  return problemOfLabels(labels) ? undefined : labels;
};

/** The categories that an export of Dokima names in another tool's format: their labels by the name of the metric. */
export const ownCategories = (given: unknown): Map<string, MetricDefinition> =>
  new Map(
    Object.entries(isObject(given) ? given : {}).flatMap(([name, value]) => {
      const labels = labelsOf(value);
      if (!labels) return [];
      return [[name, { kind: 'labels', evalType: 'heuristic', outputType: 'category', labels }] as const];
    }),
  );
