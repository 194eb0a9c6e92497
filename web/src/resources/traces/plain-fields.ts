import { parseAsWritten } from '../../../../client/src/written-number.ts';
import type { JsonObject, SpanDetail } from '../../types.ts';

/** A value as fields of a record: an object as it is, any other value under a name. */
export const asFields = (value: unknown, name: string): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : value === null || value === undefined
      ? {}
      : { [name]: value };

/** Attributes that hold an input or an output that is not a list of messages. */
const plainKeys = {
  input: ['input.value', 'langfuse.observation.input', 'traceloop.entity.input', 'input'],
  output: ['output.value', 'langfuse.observation.output', 'traceloop.entity.output', 'output'],
};

const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    return parseAsWritten(value);
  } catch {
    return value;
  }
};

/** The input or output of a span that has no messages, as fields. */
export const plainFields = ({ attributes }: SpanDetail, side: 'input' | 'output'): JsonObject => {
  const key = plainKeys[side].find((each) => Object.hasOwn(attributes, each));
  return key === undefined ? {} : asFields(parsed((attributes as JsonObject)[key]), side);
};
