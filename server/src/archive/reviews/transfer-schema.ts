import { type Static, Type } from 'typebox';
import { named } from '../../platform/http/openapi.ts';
import { ReviewSample } from '../../reviews/samples/sample-schema.ts';

const { metricId, seed, stratifyBy, allocation } = ReviewSample.schema.properties;
const count = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: 2 ** 31 - 1, description });

const stratum = Type.Object(
  {
    value: Type.Union([Type.String({ maxLength: 256 }), Type.Null()], {
      description: 'The tag, the value or the verdict; null for records without it.',
    }),
    wave: count(1, 'Which draw its records came to first.'),
    numRecords: count(1, 'Records of the stratum when it was first drawn from.'),
    numDrawn: count(0, 'How many of them are in the sample: those with the first places.'),
    records: Type.Array(
      Type.Object(
        {
          recordId: Type.String({ description: 'Id of the record.' }),
          place: count(1, 'Its place in the random order of the stratum.'),
        },
        { additionalProperties: false },
      ),
      { description: 'Those that are still there, drawn or not, in that order.' },
    ),
  },
  { additionalProperties: false },
);
const metricConfigId = Type.String({
  format: 'uuid',
  description: 'Configuration of the metric that people score by; by default the current one.',
});
const design = {
  metricId,
  seed,
  stratifyBy,
  allocation,
  strata: Type.Array(stratum, {
    minItems: 1,
    maxItems: 100,
    description: 'In the order that they were made in.',
  }),
};

export const ExportedReviewSample = named(
  'ExportedReviewSample',
  Type.Object(
    { id: Type.String({ description: 'Id of the sample.' }), metricConfigId, ...design },
    {
      description:
        'A random sample with all records that could have been drawn, for another place to store it.',
    },
  ),
);

export const ReviewSampleImport = Type.Object(
  { metricConfigId: Type.Optional(metricConfigId), ...design },
  { additionalProperties: false },
);
export type ReviewSampleImport = Static<typeof ReviewSampleImport>;
