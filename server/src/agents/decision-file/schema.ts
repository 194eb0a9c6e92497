import { type Static, Type } from 'typebox';
import { text } from '../../engine/statistics/estimate-schema.ts';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named } from '../../platform/named-schema.ts';

export const DecisionExport = Type.Object(
  {
    runId: Type.String({ description: 'Run that is decided about.' }),
    rules: Type.Optional(FreeForm('The rules of the gate; default the registered ones.')),
    baselineRunId: Type.Optional(
      Type.String({
        pattern: '^[0-9]+$',
        expects: 'the id of a run',
        description: 'Run to compare with; default that of the rules, else the registered one.',
      }),
    ),
    level: Type.Optional(
      Type.Number({
        minimum: 0.5,
        maximum: 0.999999999,
        description: 'Confidence level of the gate; default the registered one.',
      }),
    ),
    commit: Type.Optional(
      Type.String({
        pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$',
        expects: 'a commit: 40 or 64 hexadecimal digits in lower case',
        description: 'Commit that is decided about, which becomes a subject of the statement.',
      }),
    ),
    texts: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the inputs, expected outputs and outputs are in the file, and not only their hashes.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type DecisionExport = Omit<Static<typeof DecisionExport>, 'rules'> & { rules?: unknown };

export const SignedDecision = named(
  'SignedDecision',
  Type.Object(
    {
      statement: FreeForm(
        'The in-toto statement about the commit or version; docs/deciding.md describes it.',
      ),
      publicKeyPem: text('The public key, as PEM.'),
      signatures: Type.Array(
        Type.Object({
          keyid: text('Name of the key, as in getPassportKey.'),
          sig: text('Signature of the statement as DSSE v1 signs it, in base64.'),
        }),
        { description: 'Signature of the service.' },
      ),
    },
    { description: 'A decision with all that it rests on, signed, so that anyone can compute it again.' },
  ),
);
