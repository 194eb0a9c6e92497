import type { Metric } from './generated.ts';
import { type Labels, labelList } from './labels.ts';
import { valueFields } from './score-value.ts';
import type { JsonObject } from './types.ts';

type Written = Pick<Metric, 'id' | 'outputType'> & { labels?: Labels };

const readValue = (
  { outputType, labels }: Written,
  written: string,
): boolean | number | string | undefined => {
  if (outputType === 'category') return labels && !labels.items.includes(written) ? undefined : written;
  if (outputType === 'boolean') return written === 'true' ? true : written === 'false' ? false : undefined;
  const number = written.trim() === '' ? Number.NaN : Number(written);
  return Number.isNaN(number) ? undefined : number;
};

const possible = ({ outputType, labels }: Written): string => {
  if (labels) return `one of ${labelList(labels.items)}`;
  return outputType === 'boolean' ? 'true or false' : 'a number';
};

/** Returns a score as the service takes it. `written`: true, false, a number, or a label. Throws `RangeError` for a value that the metric cannot have. */
export const writtenScore = (metric: Written, written: string, reasoning?: string): JsonObject => {
  const { id, outputType } = metric;
  const value = readValue(metric, written);
  if (value === undefined)
    throw new RangeError(`A score of metric ${id} is ${possible(metric)}, not '${written}'.`);
  return { [valueFields[outputType]]: value, ...(reasoning !== undefined && { reasoning }) };
};
