import { type Static, Type } from 'typebox';
import { FreeForm, named } from '../../platform/http/openapi.ts';

const id = (digits: number, description: string) =>
  Type.String({
    pattern: `^[0-9a-f]{${digits}}$`,
    expects: `${digits} hexadecimal digits in lower case`,
    description,
  });
const nanoseconds = (description: string) =>
  Type.String({
    pattern: '^-?[0-9]{1,20}$',
    expects: 'nanoseconds since 1970 as a string of digits',
    description,
  });

/** A span as the database has it: what getSpan understands of it is left to whoever has it. */
export const ExportedSpan = named(
  'ExportedSpan',
  Type.Object(
    {
      traceId: id(32, 'Id of its trace, 32 hexadecimal digits.'),
      spanId: id(16, 'Id of the span, 16 hexadecimal digits.'),
      parentSpanId: Type.Union([id(16, 'Id of its parent.'), Type.Null()], {
        description: 'Id of its parent, 16 hexadecimal digits; null for a root.',
      }),
      recordId: Type.Union([Type.String(), Type.Null()], {
        description:
          'Record that was made for its trace or session; null for a trace that is linked to records.',
      }),
      name: Type.String({ description: 'Name of the span.' }),
      kind: Type.Integer({ minimum: 0, maximum: 5, description: "OpenTelemetry's kind, 0 to 5." }),
      startTimeUnixNano: nanoseconds('When it began, in nanoseconds since 1970.'),
      endTimeUnixNano: nanoseconds('When it ended.'),
      content: FreeForm(
        'Everything else that came with it, as it is stored: status, statusMessage, traceState, attributes, events, links and ' +
          'how many of these the sender left out.',
      ),
      source: FreeForm('Its resource, and its scope with name, version and attributes.'),
    },
    { additionalProperties: false, description: 'A span as it is stored, for another place to store it.' },
  ),
);
export type ExportedSpan = Static<typeof ExportedSpan.schema>;

/** Most spans in one import. */
const maxImportedSpans = 1_000;

export const SpansImport = Type.Object(
  {
    items: Type.Array(ExportedSpan.schema, {
      minItems: 1,
      maxItems: maxImportedSpans,
      description: `The spans as exportSpans gave them, but for the ids of their records, 1 to ${maxImportedSpans}.`,
    }),
  },
  { additionalProperties: false },
);
export type SpansImport = Static<typeof SpansImport>;

export const SpansImported = Type.Object({
  imported: Type.Integer({ description: 'How many spans were taken; those that were there already count.' }),
});
