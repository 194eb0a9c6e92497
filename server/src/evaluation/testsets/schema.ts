import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
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

const settings = {
  groupingField: Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()], {
    description:
      'Top-level field of jsonData. Testcases with the same value form a group; one without the field is its own group. Null: no groups.',
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
      validationErrors: Type.Optional(ValidationErrors),
    },
    { description: 'A test case for the system: its input and the expected output.' },
  ),
);

export const TestcasesCreate = Type.Object({
  items: Type.Array(Type.Object({ jsonData }), {
    minItems: 1,
    maxItems: 100,
    description: 'The testcases, 1 to 100.',
  }),
});

export const TestcasesCreated = Type.Object({
  items: Type.Array(Type.Unsafe<Static<typeof Testcase.schema>>({ $ref: 'Testcase#' }), {
    description: 'The testcases in the order sent.',
  }),
});

export const TestcaseUpdate = Type.Object({ jsonData });

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
