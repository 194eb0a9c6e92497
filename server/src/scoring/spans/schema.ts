import { Type } from 'typebox';
import { StatedMaker } from '../../evaluation/scores/made-by.ts';
import { replaced, ScoreState } from '../../evaluation/scores/schema.ts';
import { ValidationErrors } from '../../evaluation/testsets/schema.ts';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { omit } from '../../platform/omit.ts';
import { oneOf } from '../../platform/one-of.ts';

const traceId = Type.String({ description: 'Id of the trace, 32 hexadecimal digits.' });

const fields = {
  recordId: Type.String({ description: 'Id of the record.' }),
  traceId,
  spanId: Type.String({ description: 'Id of the span, 16 hexadecimal digits.' }),
  ...omit(ScoreState.schema.properties, 'validationErrors'),
  validationErrors: Type.Union([ValidationErrors, Type.Null()], {
    description: 'Why the score does not fit the metric; null if it fits.',
  }),
};

export const SpanScore = named(
  'SpanScore',
  Type.Object(fields, { description: 'Score of a span of a record by a metric that scores spans.' }),
);

export const SpanScores = Type.Object({
  data: Type.Array(ref(SpanScore), { description: 'Scores of the spans of the record, by metric.' }),
  toScore: Type.Array(
    Type.Object({
      metricId: fields.metricId,
      metricName: fields.metricName,
      metricConfigId: fields.metricConfigId,
      outputType: oneOf(['int', 'float', 'boolean'], 'Kind of score.'),
      traceId,
      spanId: fields.spanId,
    }),
    { description: 'Spans that human metrics of the project choose, with or without a score.' },
  ),
});

export const SpanScoreDetail = named(
  'SpanScoreDetail',
  Type.Object(
    {
      ...fields,
      evidence: Type.Union([FreeForm('Evidence of the score.'), Type.Null()], {
        description: 'Evidence of the score, as in the score of a record.',
      }),
      history: Type.Array(Type.Object(omit(replaced, 'metricConfigId')), {
        description: 'Verdicts of this span by this configuration that were replaced, newest first.',
      }),
    },
    { description: 'Score of a span with its evidence and the verdicts that it replaced.' },
  ),
);

/** Ids of spans are unique only within a trace. */
export const OfTrace = Type.Object({
  traceId: Type.Optional(
    Type.String({
      description: 'Trace of the span. Needed only if two traces of the record have a span of this id.',
    }),
  ),
});

export const SpanScoreUpsert = Type.Object(
  {
    score: FreeForm('One of binaryScore, intScore and floatScore, with reasoning.'),
    madeBy: StatedMaker,
    ...OfTrace.properties,
  },
  { additionalProperties: false },
);
