import type { Operations } from './generated.ts';

/** A score of a span by a person or a client, as words. `value`: true, false, or a number. */
export type GivenSpanScore = {
  recordId: string;
  spanId: string;
  traceId?: string;
  metricId: string;
  value: string;
  reasoning?: string;
};

const fields = { boolean: 'binaryScore', int: 'intScore', float: 'floatScore' } as const;

const givenValue = (outputType: keyof typeof fields, value: string): boolean | number | undefined => {
  if (outputType === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isNaN(number) ? undefined : number;
};

/** Stores a score of a span by the present configuration of a metric. Throws `RangeError` for a value that the metric cannot have. */
export const scoreSpan = async (
  client: Operations,
  { recordId, spanId, traceId, metricId, value, reasoning }: GivenSpanScore,
) => {
  const { outputType } = await client.getMetric(metricId);
  const given = givenValue(outputType, value);
  if (given === undefined)
    throw new RangeError(
      `A score of metric ${metricId} is ${outputType === 'boolean' ? 'true or false' : 'a number'}, not '${value}'.`,
    );
  const { data } = await client.listMetricVersions(metricId, { limit: 1 });
  const score = { [fields[outputType]]: given, ...(reasoning !== undefined && { reasoning }) };
  return client.upsertSpanScore(recordId, data[0]!.id, spanId, {
    score,
    ...(traceId !== undefined && { traceId }),
  });
};
