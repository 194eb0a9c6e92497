import { type Static, Type } from 'typebox';
import { FreeForm, named, ref } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { BroughtScores, Score, ScoreStates } from '../scores/schema.ts';

const inputs = FreeForm('What went into the system.');
const expected = FreeForm('What was expected of it.');
const outputs = FreeForm('What it answered.');
const sessionId = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Session that the record belongs to.',
});
const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const fields = {
  id: Type.String({ description: 'Id of the record, `<run>-<n>`.' }),
  runId: Type.String({ description: 'Id of its run.' }),
  testcaseId: Type.Optional(
    Type.String({ description: 'Id of the testcase that it answers; absent without one.' }),
  ),
  inputs,
  expected,
  outputs,
};
const scores = Type.Array(ref(Score), { description: 'The scores that are there.' });

export const Record = named(
  'Record',
  Type.Object(fields, {
    description: 'What the system made of one case: inputs, what was expected, outputs.',
  }),
);

export const RecordWithScores = named(
  'RecordWithScores',
  Type.Object({ ...fields, scores }, { description: 'A record with all its scores.' }),
);

export const RecordDetail = named(
  'RecordDetail',
  Type.Object(
    {
      ...fields,
      scores,
      scoreStates: ScoreStates,
      tags: Type.Array(Type.String(), { description: 'Tags, oldest first.' }),
      assigneeUserIds: Type.Array(Type.String(), {
        description: 'Who it is assigned to, first assigned first.',
      }),
      annotationCounts: Type.Object(
        {
          positive: Type.Integer({ description: 'Annotations that rate it up.' }),
          negative: Type.Integer({ description: 'Annotations that rate it down.' }),
          comments: Type.Integer({ description: 'Annotations that say something.' }),
        },
        { description: 'What people said of it, in numbers.' },
      ),
      testcaseRevision: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Revision of the testcase when the record was made.',
      }),
      otelLinkId: nullableText('Link to its trace.'),
      sessionId: nullableText('Session that it belongs to.'),
      createdAt: Type.String({ description: 'When it was made.' }),
    },
    { description: 'A record with everything about it but annotations and attachments.' },
  ),
);

const content = {
  testcaseId: Type.Optional(Type.String({ description: 'Testcase that the record answers.' })),
  inputs,
  expected,
  outputs,
  otelLinkId: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'Link to a trace. A second create in the run with the same one returns the first record; a blank one links nothing.',
    }),
  ),
  sessionId: Type.Optional(sessionId),
};

export const RecordCreate = Type.Object(content);
export type RecordCreate = Static<typeof RecordCreate>;

/** Most records in one bulk call. */
export const maxBulkRecords = 1_000;

export const RecordItem = Type.Object({ ...content, scores: BroughtScores }, { additionalProperties: false });
export type RecordItem = Static<typeof RecordItem>;
export const RecordsCreate = Type.Object(
  {
    items: Type.Array(RecordItem, {
      minItems: 1,
      maxItems: maxBulkRecords,
      description: `The records, 1 to ${maxBulkRecords}; all of them are made or none.`,
    }),
  },
  { additionalProperties: false },
);

export const RecordsCreated = Type.Object({
  ids: Type.Array(Type.String(), { description: 'Ids of the records, in the order sent.' }),
});

const tagsFilter = Type.Optional(
  Type.Array(Type.String({ minLength: 1 }), {
    maxItems: 50,
    description: 'Keeps records that carry every one of these tags; repeated or joined with commas.',
  }),
);

export const RecordListQuery = Type.Object({ ...pageQuery, tags: tagsFilter });

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

const filters = {
  tags: tagsFilter,
  runId: Type.Optional(Type.String({ description: 'Keeps records of this run.' })),
  metricId: Type.Optional(
    Type.String({ description: 'Metric that `result` speaks of; without it any metric.' }),
  ),
  result: Type.Optional(
    Type.Union(
      ['pass', 'fail', 'pending', 'unscored', 'failed'].map((result) => Type.Literal(result)),
      {
        description:
          'Keeps records with a score of this result: pass and fail are values, the rest are states.',
      },
    ),
  ),
  assigneeUserId: Type.Optional(Type.String({ description: 'Keeps records assigned to this user.' })),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'Keeps records with this text in a key, a string or a number of inputs, expected or outputs, in upper or lower case.',
    }),
  ),
  createdAfter: time('Keeps records made at this time or later.'),
  createdBefore: time('Keeps records made before this time.'),
};
const Filters = Type.Object(filters);
export type RecordFilters = Static<typeof Filters>;

export const ProjectRecordsQuery = Type.Object({
  ...pageQuery,
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000_000,
      default: 0,
      description:
        'Leaves out so many of the first records: a jump into the middle, which costs what it leaves out. To read on from ' +
        'there use cursor; with one, offset is ignored.',
    }),
  ),
  ...filters,
});

/** Most stretches of time that records are counted in. */
const maxBuckets = 500;

export const RecordHistogramQuery = Type.Object({
  buckets: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: maxBuckets,
      default: 60,
      description: `Most stretches of time to count in, 2 to ${maxBuckets}.`,
    }),
  ),
  ...filters,
});

export const RecordHistogram = named(
  'RecordHistogram',
  Type.Object(
    {
      total: Type.Integer({ description: 'All records that fit the filters.' }),
      start: Type.Union([Type.String(), Type.Null()], {
        description: 'When the first stretch begins; null when the project has no records.',
      }),
      bucketSeconds: Type.Number({
        description:
          'Length of each stretch: a round number of milliseconds (0.005 is five), seconds, minutes, hours or days.',
      }),
      counts: Type.Array(Type.Integer(), {
        description:
          'How many records were made in each stretch, oldest first; together from the first record of the project, or ' +
          'createdAfter, to the last, or createdBefore.',
      }),
    },
    { description: 'Records counted over time.' },
  ),
);
