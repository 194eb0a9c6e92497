import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named } from '../../platform/named-schema.ts';
import { ValidationErrors } from './schema.ts';

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const number = Type.Integer({ description: 'Its number among the fresh testcases of the testset.' });
const probability = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const jsonData = FreeForm('The testcase as sent.');

export const FreshTestcase = named(
  'FreshTestcase',
  Type.Object(
    {
      number,
      testsetId: Type.String({ description: 'Id of its testset.' }),
      jsonData: Type.Optional(
        FreeForm('The testcase as sent; absent once a run took it: its testcase has it.'),
      ),
      validationErrors: Type.Optional(ValidationErrors),
      inclusionProbability: probability(
        'Chance with which it was drawn from the traffic; null for one that was added.',
      ),
      recordId: nullableText('Record of the traffic that it was made of; null for one that was added.'),
      runId: nullableText('Run that took it and for which alone it is fresh; null while it waits.'),
      testcaseId: nullableText('Testcase that it became; null while it waits.'),
      createdAt: Type.String({ description: 'When it was added.' }),
    },
    {
      description:
        'A testcase that no version was chosen by. It waits outside of the testset until a run takes it.',
    },
  ),
);

export const FreshTestcasesCreate = Type.Object(
  {
    items: Type.Array(Type.Object({ jsonData }, { additionalProperties: false }), {
      minItems: 1,
      maxItems: 100,
      description: 'The testcases, 1 to 100.',
    }),
  },
  { additionalProperties: false },
);

const numbers = (description: string) => Type.Array(Type.Integer({ minimum: 1 }), { description });

export const FreshTestcasesCreated = named(
  'FreshTestcasesCreated',
  Type.Object(
    {
      numbers: numbers('Their numbers, in the order sent.'),
      numMisfits: Type.Integer({ description: 'Those that break the schema: no run takes them.' }),
    },
    { description: 'Fresh testcases that were added.' },
  ),
);

export const FreshDrawCreate = Type.Object(
  {
    numTestcases: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 60, description: 'Number of testcases.' }),
    ),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 365, default: 30, description: 'Traffic of so many days.' }),
    ),
    seed: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, default: 1, description: 'Seed of the draw.' }),
    ),
    dryRun: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether nothing is added: a preview.' }),
    ),
  },
  { additionalProperties: false },
);
export type FreshDrawCreate = Static<typeof FreshDrawCreate>;

export const FreshDraw = named(
  'FreshDraw',
  Type.Object(
    {
      numRecords: Type.Integer({
        description: 'Records of the traffic that could be drawn, the newest 100,000 at most.',
      }),
      numDrawn: Type.Integer({ description: 'Records that were drawn.' }),
      inclusionProbability: probability('Chance of each of them to be drawn; null without any.'),
      numMisfits: Type.Integer({
        description:
          'Drawn ones that break the schema of the testset, often because traffic has no expected answer. No run takes them.',
      }),
      numbers: numbers('Numbers of the new fresh testcases; none of a preview.'),
      first: Type.Array(FreeForm('A testcase.'), { description: 'The first five.' }),
    },
    { description: 'Fresh testcases that were drawn from the traffic, each record with the same chance.' },
  ),
);

export const FreshTestcasesDelete = Type.Object(
  {
    numbers: Type.Array(Type.Integer({ minimum: 1 }), {
      minItems: 1,
      maxItems: 500,
      description: 'Numbers of fresh testcases that wait. All are deleted or none.',
    }),
  },
  { additionalProperties: false },
);
