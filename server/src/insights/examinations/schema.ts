import { Type } from 'typebox';
import { level } from '../../engine/statistics/estimate-schema.ts';

export { TestsetExamination } from '../../engine/statistics/examination-schema.ts';

export const ExaminationQuery = Type.Object({
  metricId: Type.Optional(
    Type.String({
      description: 'Metric by which testcases pass; default the one with the most scores in the newest run.',
    }),
  ),
  against: Type.Optional(
    Type.String({
      description: 'Human metric whose scores are compared with the metric; default the one of its settings.',
    }),
  ),
  maxRuns: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 50,
      default: 30,
      description: 'Newest runs that are read, at most.',
    }),
  ),
  before: Type.Optional(
    Type.String({ description: 'Earlier run of the comparison that is repeated; needs `after`.' }),
  ),
  after: Type.Optional(
    Type.String({
      description:
        'Later run of that comparison; needs `before`. Default: the newest two of different versions.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'Findings of each kind that are listed, at most.',
    }),
  ),
  level,
});
