import type { Metric } from './generated.ts';
import { valueFields } from './score-value.ts';
import type { JsonObject } from './types.ts';

const readValue = (
  outputType: keyof typeof valueFields,
  written: string,
): boolean | number | string | undefined => {
  if (outputType === 'category') return written;
  if (outputType === 'boolean') return written === 'true' ? true : written === 'false' ? false : undefined;
  const number = written.trim() === '' ? Number.NaN : Number(written);
  return Number.isNaN(number) ? undefined : number;
};

/** Returns a score as the service takes it. `written`: true, false, a number, or a label. Throws `RangeError` for a value that the metric cannot have. */
export const writtenScore = (
  { id, outputType }: Pick<Metric, 'id' | 'outputType'>,
  written: string,
  reasoning?: string,
): JsonObject => {
  const value = readValue(outputType, written);
  if (value === undefined)
    throw new RangeError(
      `A score of metric ${id} is ${outputType === 'boolean' ? 'true or false' : 'a number'}, not '${written}'.`,
    );
  return { [valueFields[outputType]]: value, ...(reasoning !== undefined && { reasoning }) };
};
