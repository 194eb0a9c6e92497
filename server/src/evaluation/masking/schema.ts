import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named } from '../../platform/named-schema.ts';

const builtIn = Type.Union(
  [
    Type.Literal('email'),
    Type.Literal('phone'),
    Type.Literal('creditCard'),
    Type.Literal('iban'),
    Type.Literal('ipAddress'),
    Type.Literal('secret'),
  ],
  {
    description:
      'email, phone, creditCard (with a valid check digit), iban (with a valid checksum), ipAddress (version 4 and 6), and secret: API keys, tokens, private keys, passwords in URLs.',
  },
);

const rules = {
  patterns: Type.Array(builtIn, { maxItems: 6, description: 'Built-in patterns to look for.' }),
  custom: Type.Array(
    Type.Object(
      {
        name: Type.String({
          pattern: '^[A-Za-z][A-Za-z0-9_]{0,31}$',
          expects: '1 to 32 letters, digits and _, with a letter first',
          description: 'Name of the pattern. The match is replaced by this name in capitals: [NAME].',
        }),
        pattern: Type.String({
          minLength: 1,
          maxLength: 500,
          description:
            'Regular expression in the syntax of RE2, which always takes linear time. It must not match the empty text.',
        }),
      },
      { additionalProperties: false },
    ),
    { maxItems: 20, description: 'Custom patterns, applied before the built-in ones.' },
  ),
  fields: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    maxItems: 100,
    description:
      'Paths of fields whose values are replaced whole by [MASKED], such as inputs.user.email. The first part is inputs, outputs, expected, ' +
      'attributes or resource (of spans), jsonData (of testcases) or score. * is any key, ** any number of keys; lists count as their items.',
  }),
  hashed: Type.Boolean({
    description:
      'Whether each token contains a keyed hash of the value that it replaces, such as [EMAIL:1a2b3c4d5e6f], so that equal values stay equal.',
  }),
  testcases: Type.Boolean({ description: 'Whether testcases are masked too.' }),
  comments: Type.Boolean({
    description:
      'Whether comments of annotations, replies, preferences and the reasoning of scores by people are masked too.',
  }),
};

export const MaskingSettings = named(
  'MaskingSettings',
  Type.Object(rules, {
    description: 'What a project replaces in data that arrives, before anything is stored.',
  }),
);
export const MaskingRules = Type.Object(rules, {
  additionalProperties: false,
  description: 'What the project replaces in data that arrives from now on.',
});
export type MaskingSettings = Static<typeof MaskingRules>;

export const MaskingPreviewAsk = Type.Object(
  {
    settings: Type.Optional(
      Type.Object(rules, {
        additionalProperties: false,
        description: 'Settings to try. Default: those of the project.',
      }),
    ),
    data: FreeForm(
      'An object to mask. A path of a field begins at its first key, so put a record as {"inputs": {}, "outputs": {}}.',
    ),
  },
  { additionalProperties: false },
);

export const MaskingPreview = named(
  'MaskingPreview',
  Type.Object(
    {
      data: FreeForm('The object as it would be stored.'),
      numReplaced: Type.Integer({ description: 'Number of values that were replaced.' }),
    },
    { description: 'Result of masking an object. It is not stored.' },
  ),
);

/** Settings that mask nothing. */
export const noMasking: MaskingSettings = {
  patterns: [],
  custom: [],
  fields: [],
  hashed: false,
  testcases: false,
  comments: false,
};
