import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { groupsQuery } from '../../platform/search/value-groups.ts';
import { BroughtScores, Score, ScoreStates } from '../scores/schema.ts';

const inputs = FreeForm('Input of the system.');
const expected = FreeForm('Expected output.');
const outputs = FreeForm('Output of the system.');
const sessionId = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Session that the record belongs to.',
});
const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const fields = {
  id: Type.String({ description: 'Id of the record, `<run>-<n>`.' }),
  runId: Type.String({ description: 'Id of its run.' }),
  testcaseId: Type.Optional(Type.String({ description: 'Id of its testcase; absent without one.' })),
  inputs,
  expected,
  outputs,
};
const scores = Type.Array(ref(Score), { description: 'The scores that have been given.' });

export const Record = named(
  'Record',
  Type.Object(fields, {
    description: 'One case that the system handled: inputs, expected output, outputs.',
  }),
);

export const RecordWithScores = named(
  'RecordWithScores',
  Type.Object({ ...fields, scores }, { description: 'A record with all its scores.' }),
);

const nullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const Measures = Type.Object({
  latencyMs: nullableNumber('Latency in milliseconds.'),
  inputTokens: nullableNumber('Input tokens.'),
  outputTokens: nullableNumber('Output tokens.'),
  costUsd: nullableNumber(
    'Cost in US dollars, as reported: earlier attempts included, without judges and simulated users.',
  ),
  numErrors: Type.Integer({ description: 'Number of failed spans.' }),
  userId: nullableText('User whom its traces name.'),
});

export const RecordDetail = named(
  'RecordDetail',
  Type.Object(
    {
      ...fields,
      scores,
      scoreStates: ScoreStates,
      blind: Type.Optional(
        Type.Boolean({
          description:
            'Whether the scores and annotations of others are left out, because you have yet to score the record in a review queue. Only for a single record.',
        }),
      ),
      tags: Type.Array(Type.String(), { description: 'Tags, oldest first.' }),
      assigneeUserIds: Type.Array(Type.String(), {
        description: 'Users whom the record is assigned to, oldest assignment first.',
      }),
      annotationCounts: Type.Object(
        {
          positive: Type.Integer({ description: 'Positive annotations.' }),
          negative: Type.Integer({ description: 'Negative annotations.' }),
          commented: Type.Integer({ description: 'Annotations with a comment.' }),
        },
        { description: 'Numbers of annotations.' },
      ),
      measures: Type.Union([Measures, Type.Null()], {
        description:
          'Latency, tokens and cost of the record, from its traces or else the call of its system; null without either.',
      }),
      testcaseRevision: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Revision of the testcase when the record was created.',
      }),
      currentTestcaseRevision: Type.Optional(
        Type.Union([Type.Integer(), Type.Null()], {
          description:
            'Revision of the testcase now; null if it was deleted, or without one. Only for a single record.',
        }),
      ),
      otelLinkId: nullableText('Id that links the record to a trace.'),
      originRecordId: nullableText('Record that was copied into this one for the trial of a judge.'),
      sessionId: nullableText('Session that it belongs to.'),
      createdAt: Type.String({
        description: 'When it was created; for a record of traces, when the first of them began.',
      }),
    },
    { description: 'A record with everything except annotations and attachments.' },
  ),
);

const content = {
  testcaseId: Type.Optional(Type.String({ description: 'Testcase that the record belongs to.' })),
  inputs,
  expected,
  outputs,
  otelLinkId: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'Id that links the record to a trace. A second create in the run with the same id returns the first record. An empty id means no link.',
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
      description: `The records, 1 to ${maxBulkRecords}. All are created or none.`,
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
    description: 'Only records with all of these tags. Repeat the parameter or separate tags with commas.',
  }),
);

export const RecordListQuery = Type.Object({ ...pageQuery, tags: tagsFilter });

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

const filters = {
  q: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description:
        'Search as typed in the search field, for example `score.Accuracy:<0.5 latency:>2s -error refund`. An unknown ' +
        'filter is a 400 with a suggestion. docs/searching.md lists the filters.',
    }),
  ),
  tags: tagsFilter,
  runId: Type.Optional(Type.String({ description: 'Only records of this run.' })),
  metricId: Type.Optional(
    Type.String({ description: 'Metric that `result` refers to; default any metric.' }),
  ),
  result: Type.Optional(
    oneOf(
      ['pass', 'fail', 'pending', 'unscored', 'failed'],
      'Only records with a score of this result. pass and fail are values; the rest are states.',
    ),
  ),
  assigneeUserId: Type.Optional(Type.String({ description: 'Only records assigned to this user.' })),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'Only records with this text in a key, a string or a number of inputs, expected or outputs. Case does not matter.',
    }),
  ),
  createdAfter: time('Only records created at this time or later.'),
  createdBefore: time('Only records created before this time.'),
};
const Filters = Type.Object(filters);
export type RecordFilters = Static<typeof Filters>;

const sort = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1000,
    description:
      'Order: created, latency, cost, tokens or score and a metric, such as `score.Accuracy`; with a minus the greatest ' +
      'first. Default -created. Records without a value come last. Takes the place of `sort:` in q.',
  }),
);

export const ProjectRecordsQuery = Type.Object({
  ...pageQuery,
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000_000,
      default: 0,
      description:
        'Number of records to skip. Skipping costs as much as reading them. To continue from there use ' +
        'cursor; with a cursor, offset is ignored.',
    }),
  ),
  sort,
  ...filters,
});

export const RecordExportQuery = Type.Object({
  format: oneOf(
    ['csv', 'jsonl', 'parquet', 'arrow'],
    'Form of the file: CSV, JSON lines, Parquet, or a stream of Arrow (IPC).',
  ),
  sort,
  ...filters,
});

/** Maximum number of time intervals in a count of records. */
const maxBuckets = 500;

export const RecordHistogramQuery = Type.Object({
  buckets: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: maxBuckets,
      default: 60,
      description: `Maximum number of time intervals, 2 to ${maxBuckets}.`,
    }),
  ),
  ...filters,
});

export const RecordHistogram = named(
  'RecordHistogram',
  Type.Object(
    {
      numRecords: Type.Integer({ description: 'Number of records that match the filters.' }),
      start: Type.Union([Type.String(), Type.Null()], {
        description: 'Start of the first interval; null if the project has no records.',
      }),
      bucketSeconds: Type.Number({
        description:
          'Length of each interval in seconds: a round number of milliseconds (0.005 is five), seconds, minutes, hours or days.',
      }),
      counts: Type.Array(Type.Integer(), {
        description:
          'Number of records created in each interval, oldest first. The intervals reach from createdAfter, or ' +
          'the first record of the project, to createdBefore, or the last record.',
      }),
      estimated: Type.Boolean({
        description:
          'Whether the counts are estimates: in each interval of a large project, up to 300 records are tested against the filters. ' +
          'Without filters, or with those that an index answers, counts are exact.',
      }),
    },
    { description: 'Number of records over time.' },
  ),
);

export const RecordGroupsQuery = Type.Object({
  by: Type.String({
    minLength: 1,
    maxLength: 1000,
    description:
      'What to group by, in the words of the search: a field such as `outputs.answer`, a score such as `score.Accuracy`, or ' +
      'tag, model, version, run, user, session, source, error or testcase.',
  }),
  ...groupsQuery,
  ...filters,
});

export const RecordFields = named(
  'RecordFields',
  Type.Object(
    {
      fields: Type.Array(Type.String(), {
        description:
          'Paths of fields that records have, at most 500, as the search writes them, such as `outputs.answer`. Fields within arrays are left out. A new field appears some seconds after its first record.',
      }),
    },
    { description: 'The fields of the records of a project.' },
  ),
);
