import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named } from '../../platform/named-schema.ts';

const fields = (description: string) => Type.Array(Type.String(), { description });

export const FieldMapping = Type.Object(
  {
    inputs: fields('Fields of jsonData that the system gets.'),
    expected: fields('Fields of jsonData with the expected output.'),
    metadata: fields('Fields of jsonData that only describe the testcase.'),
  },
  { description: 'Meaning of the top-level fields of a testcase.' },
);

const name = Type.String({ description: 'Name of the testset.' });
const description = Type.String({ description: 'Description of the testset.' });
const jsonSchema = FreeForm(
  'JSON Schema that validates each testcase. `$schema` chooses draft 2020-12 or 2019-09; default draft 7. Drafts 4 and 6 are read as draft 7; `exclusiveMinimum: true`, `exclusiveMaximum: true` and a top-level `id` of draft 4 are refused.',
);

export const Testset = named(
  'Testset',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the testset.' }),
      name,
      description,
      jsonSchema,
      fieldMapping: FieldMapping,
    },
    { description: 'A set of testcases that share one schema.' },
  ),
);

export const ListedTestset = named(
  'ListedTestset',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the testset.' }),
      name,
      description,
      fieldMapping: FieldMapping,
      numTestcases: Type.Integer({ description: 'Testcases that it has.' }),
      createdAt: Type.String({ description: 'When the testset was created.' }),
    },
    { description: 'A testset without its schema, and how large it is.' },
  ),
);

/** The testset of a run, as the details of the run name it. */
export const TestsetOfRun = Type.Union(
  [
    Type.Object({
      id: Type.String({ description: 'Id of the testset.' }),
      name,
      fieldMapping: FieldMapping,
    }),
    Type.Null(),
  ],
  { description: 'Testset of the run; null without one.' },
);

export const TestsetCreate = Type.Object({ name, description, jsonSchema, fieldMapping: FieldMapping });
export type TestsetCreate = Static<typeof TestsetCreate>;

export const TestsetUpdate = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
  jsonSchema: Type.Optional(jsonSchema),
  fieldMapping: Type.Optional(FieldMapping),
});
export type TestsetUpdate = Static<typeof TestsetUpdate>;

export const split = Type.String({
  pattern: '^[^\\s",]{1,100}$',
  expects: '1 to 100 characters without spaces, commas and quotes',
  description: 'Name of the split, such as dev or test.',
});
const testcaseTags = (description: string) =>
  Type.Array(
    Type.String({
      pattern: '^[^\\s,][^,\\n]*$',
      maxLength: 100,
      expects: '1 to 100 characters without a comma, not starting with a space',
    }),
    { maxItems: 20, uniqueItems: true, description },
  );
export const testcaseSearch = Type.String({
  maxLength: 2000,
  description:
    'A search such as `split:dev tag:hard data.lang:de refund`: filters, and words that jsonData contains (docs/searching.md).',
});
const share = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1,
  description: 'A drawn share of them, from 0 to 1.',
});

const SplitRule = Type.Object(
  {
    split,
    q: Type.Optional(testcaseSearch),
    share: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description:
          'Share of the testcases. It is drawn by the group of a testcase, so that no group is in two splits; the shares of the rules are of different testcases.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SplitRule = Static<typeof SplitRule>;
/** The rules of a testset as an archive has them. */
export const archivedRules = Type.Array(SplitRule, { maxItems: 20 });

const settings = {
  groupingField: Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()], {
    description:
      'Top-level field of jsonData. Testcases with the same value form a group; one without the field is its own group. Null: no groups.',
  }),
  splitRules: Type.Array(SplitRule, {
    maxItems: 20,
    description:
      'Which split a testcase gets that has none. The first rule that fits decides. Setting them splits the testcases that have no split; later ones get theirs when they are created.',
  }),
};
export const TestsetSettings = named(
  'TestsetSettings',
  Type.Object(settings, {
    description:
      'Which testcases of a testset depend on each other, for example by a shared document, conversation or author.',
  }),
);
export const TestsetSettingsUpdate = Type.Partial(Type.Object(settings), {
  additionalProperties: false,
  minProperties: 1,
});
export type TestsetSettingsUpdate = Static<typeof TestsetSettingsUpdate>;

export const ValidationErrors = Type.Array(
  Type.Object({
    path: Type.String({ description: 'JSON Pointer to the problem.' }),
    message: Type.String({ description: 'What the value must be.' }),
  }),
  { description: 'What does not fit the metric; absent if everything fits.' },
);

const jsonData = FreeForm('The testcase as sent.');

export const Testcase = named(
  'Testcase',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the testcase, `<testset>-<n>`.' }),
      testsetId: Type.String({ description: 'Id of its testset.' }),
      jsonData,
      inputs: FreeForm('The fields of jsonData that the testset maps to inputs.'),
      expected: FreeForm('The fields of jsonData that the testset maps to expected.'),
      split: Type.Optional(Type.String({ description: 'Its split; absent without one.' })),
      tags: Type.Optional(Type.Array(Type.String(), { description: 'Its tags; absent without any.' })),
      validationErrors: Type.Optional(ValidationErrors),
    },
    { description: 'A test case for the system: its input and the expected output.' },
  ),
);

export const TestcasesCreate = Type.Object({
  items: Type.Array(
    Type.Object({
      jsonData,
      split: Type.Optional(split),
      tags: Type.Optional(testcaseTags('Tags of the testcase.')),
    }),
    { minItems: 1, maxItems: 100, description: 'The testcases, 1 to 100.' },
  ),
});
export type TestcasesCreate = Static<typeof TestcasesCreate>;

export const TestcasesCreated = Type.Object({
  items: Type.Array(Type.Unsafe<Static<typeof Testcase.schema>>({ $ref: 'Testcase#' }), {
    description: 'The testcases in the order sent.',
  }),
});

export const TestcaseUpdate = Type.Object({ jsonData });

export const TestcaseListQuery = Type.Object({
  ...pageQuery,
  q: Type.Optional(testcaseSearch),
  snapshot: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Number of a snapshot: its testcases, as they were then. Default the testcases of now.',
    }),
  ),
});
export type TestcaseListQuery = Static<typeof TestcaseListQuery>;

export const TestcasesMark = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Type.String(), { minItems: 1, maxItems: 10_000, description: 'Only these testcases.' }),
    ),
    q: Type.Optional(testcaseSearch),
    share: Type.Optional(share),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 32 - 1,
        default: 1,
        description: 'Seed of the draw of the share.',
      }),
    ),
    split: Type.Optional(
      Type.Union([split, Type.Null()], { description: 'Split that they get; null takes it away.' }),
    ),
    addTags: Type.Optional(testcaseTags('Tags that they get.')),
    removeTags: Type.Optional(testcaseTags('Tags that they lose.')),
    dryRun: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether testcases are only counted, and none is changed.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type TestcasesMark = Static<typeof TestcasesMark>;

export const TestcasesMarked = named(
  'TestcasesMarked',
  Type.Object(
    {
      numTestcases: Type.Integer({ description: 'Testcases that fit.' }),
      numChanged: Type.Integer({ description: 'Those whose split or tags changed.' }),
    },
    { description: 'How many testcases got a split or tags.' },
  ),
);

const numTestcases = Type.Integer({ description: 'Number of testcases.' });
export const TestsetCounts = named(
  'TestsetCounts',
  Type.Object(
    {
      numTestcases,
      numInvalid: Type.Integer({ description: 'Testcases that do not match the schema.' }),
      splits: Type.Array(
        Type.Object({ split: Type.String({ description: 'Name of the split.' }), numTestcases }),
        { description: 'The splits, largest first.' },
      ),
      tags: Type.Array(Type.Object({ tag: Type.String({ description: 'The tag.' }), numTestcases }), {
        description: 'The 100 most frequent tags.',
      }),
    },
    { description: 'What a testset has.' },
  ),
);

export const TestcasesDelete = Type.Object({
  ids: Type.Array(Type.String(), {
    description: 'Ids of the testcases to delete. All are deleted or none.',
  }),
  erase: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether their texts are erased from the snapshots of the testset too. By default, snapshots that have them keep them.',
    }),
  ),
});
