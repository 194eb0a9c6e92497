import { type TSchema, Type } from 'typebox';
import { named } from '../named-schema.ts';

/** Body of every error. The document declares the usual errors of each operation; a route declares only the unusual ones. */
export const ApiErrorBody = named(
  'ApiError',
  Type.Object(
    {
      code: Type.String({ description: 'What went wrong, for programs. docs/errors.md lists the codes.' }),
      message: Type.String({ description: 'What went wrong and what to do, for people.' }),
      details: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'Details of this error; empty if there are none.',
      }),
    },
    { additionalProperties: false, description: 'The form of every error.' },
  ),
);

export const Success = named(
  'Success',
  Type.Object(
    { success: Type.Boolean({ description: 'Always true.' }) },
    { description: 'The request is done and has no other result.' },
  ),
);
/** Body of the answer to a deletion. */
export const successBody = '{"success":true}';

export const FreeForm = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

/** The answer of a list that comes whole. */
export const wholeOf = <T extends TSchema>(item: T, description: string) =>
  Type.Object({ data: Type.Array(item, { description }) });

export const pathParam = (resource: string) => Type.String({ description: `Id of the ${resource}.` });
