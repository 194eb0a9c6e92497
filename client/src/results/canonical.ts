import { parseAsWritten, WrittenNumber } from '../written-number.ts';

const numberText = (value: number): string => JSON.stringify(value) ?? 'null';

/** An integer that JavaScript cannot hold keeps its digits. Any other number is the same however it is written: 1, 1.0 and 1e0. */
const writtenText = ({ source }: WrittenNumber): string =>
  /^-?\d+$/.test(source) && !Number.isSafeInteger(Number(source)) ? source : numberText(Number(source));

/**
 * Writes a value so that neither the order of its keys nor the way in which a number is written matters. The Python package writes the
 * same text (testing/results.py), so that both find the same testcase.
 */
export const canonical = (value: unknown): string => {
  if (value instanceof WrittenNumber) return writtenText(value);
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function')
    return canonical(parseAsWritten(JSON.stringify(value)));
  const fields = Object.entries(value)
    .filter(([, one]) => one !== undefined && typeof one !== 'function')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
};
