import { type Static, Type } from 'typebox';
import { FreeForm, named } from '../../platform/http/openapi.ts';

const fields = (description: string) => Type.Array(Type.String(), { description });

export const FieldMapping = Type.Object(
  {
    inputs: fields('Fields of jsonData that go into the system.'),
    expected: fields('Fields of jsonData that hold what is expected of it.'),
    metadata: fields('Fields of jsonData that only describe the testcase.'),
  },
  { description: 'Which top-level fields of a testcase mean what.' },
);

const name = Type.String({ description: 'Name of the testset.' });
const description = Type.String({ description: 'What the testset covers.' });
const jsonSchema = FreeForm(
  'JSON Schema that each testcase is held against: by $schema draft 2020-12 or 2019-09, else draft 7. Drafts 4 and 6 are read as draft 7 too: `exclusiveMinimum: true`, `exclusiveMaximum: true` and `id` for the whole, which draft 4 has, are refused.',
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

export const TestsetCreate = Type.Object({ name, description, jsonSchema, fieldMapping: FieldMapping });
export type TestsetCreate = Static<typeof TestsetCreate>;

export const TestsetUpdate = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
  jsonSchema: Type.Optional(jsonSchema),
  fieldMapping: Type.Optional(FieldMapping),
});
export type TestsetUpdate = Static<typeof TestsetUpdate>;

const groupingField = Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()], {
  description:
    'Top-level field of jsonData: testcases with the same value belong together, and one without it stands for itself. Null: none do.',
});

export const Grouping = named(
  'Grouping',
  Type.Object(
    { testsetId: Type.String({ description: 'Id of the testset.' }), field: groupingField },
    { description: 'What makes testcases depend on each other: a shared document, conversation or author.' },
  ),
);
export const GroupingUpdate = Type.Object({ field: groupingField }, { additionalProperties: false });

export const ValidationErrors = Type.Array(
  Type.Object({
    path: Type.String({ description: 'JSON Pointer to what is wrong.' }),
    message: Type.String({ description: 'What it must be instead.' }),
  }),
  { description: 'What does not fit; absent when everything does.' },
);

const jsonData = FreeForm('The testcase as it was sent.');

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
    { description: 'One case to put to the system: what goes in and what should come out.' },
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
    description: 'Ids of the testcases to delete; either all of them go or none.',
  }),
});
