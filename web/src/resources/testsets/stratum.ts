import type { JsonObject, Testset } from '../../types.ts';

/** The field of a testcase that says that a model wrote it. */
export const originField = 'origin';

/** Whether runs of the testset show the rate of testcases that a model wrote apart from the others. */
export const hasStratum = ({ fieldMapping }: Pick<Testset, 'fieldMapping'>): boolean =>
  fieldMapping.metadata.includes(originField);

/** Returns what must change before a testset takes testcases that a model wrote; undefined if nothing must. */
export const withStratum = (
  testset: Testset,
): Partial<Pick<Testset, 'fieldMapping' | 'jsonSchema'>> | undefined => {
  if (hasStratum(testset)) return undefined;
  const { fieldMapping, jsonSchema } = testset;
  const properties = jsonSchema.properties as JsonObject | undefined;
  const isClosed = jsonSchema.additionalProperties === false && !properties?.[originField];
  return {
    fieldMapping: { ...fieldMapping, metadata: [...fieldMapping.metadata, originField] },
    ...(isClosed && {
      jsonSchema: { ...jsonSchema, properties: { ...properties, [originField]: { type: 'string' } } },
    }),
  };
};
