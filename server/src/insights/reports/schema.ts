import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { RunComparison } from '../analysis/compare-schema.ts';

/** Longest life of a link in days. */
const mostDays = 90;

const name = Type.String({ minLength: 1, maxLength: 200, description: 'For whom or for what the link is.' });
const asked = {
  runs: Type.Array(Type.String(), {
    minItems: 2,
    maxItems: 8,
    description: 'The compared runs of the project, 2 to 8 ids, the baseline first.',
  }),
  measure: oneOf(['pass', 'score'], 'What is compared: pass rates or mean scores.'),
};
const further = {
  looks: Type.Optional(
    Type.Array(Type.Integer({ minimum: 2 }), {
      minItems: 1,
      maxItems: 20,
      description: 'Planned looks, as in the comparison of runs.',
    }),
  ),
  weightBy: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Weights of testcases, as in the comparison.' }),
  ),
  shares: Type.Optional(
    Type.String({ minLength: 1, maxLength: 10_000, description: 'Shares of strata, as in the comparison.' }),
  ),
  pooled: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 9,
      description: 'More runs of the baseline by id, as in the comparison.',
    }),
  ),
};

export const ReportLinkCreate = Type.Object(
  {
    name,
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostDays,
        default: 14,
        description: `Days until the link ends, 1 to ${mostDays}.`,
      }),
    ),
    ...asked,
    ...further,
  },
  { additionalProperties: false },
);
export type ReportLinkCreate = Static<typeof ReportLinkCreate>;

const fields = {
  id: Type.String({ description: 'Id of the link.' }),
  projectId: Type.String({ description: 'Id of the project.' }),
  name,
  ...asked,
  userId: Type.String({
    description: 'Who made it. The link ends when they can no longer read the project.',
  }),
  numUses: Type.Integer({ description: 'How often it was used.' }),
  lastUsedAt: Type.Union([Type.String(), Type.Null()], {
    description: 'When it was last used; null if never.',
  }),
  createdAt: Type.String({ description: 'When it was made.' }),
  expiresAt: Type.String({ description: 'When it ends.' }),
};

export const ReportLink = named(
  'ReportLink',
  Type.Object(fields, {
    description: 'A link that shows a report without an account, without its secret part.',
  }),
);

export const ReportLinkCreated = named(
  'ReportLinkCreated',
  Type.Object(
    {
      ...fields,
      url: Type.String({ description: 'The link itself. It is shown only here; the service stores a hash.' }),
    },
    { description: 'A new link to a report.' },
  ),
);

export const ReportLinks = named(
  'ReportLinks',
  Type.Object(
    {
      data: Type.Array(ref(ReportLink), { description: 'Links that have not ended, newest first.' }),
      allowed: Type.Boolean({ description: 'Whether the admins of the organization allow such links.' }),
    },
    { description: 'The links to reports of a project.' },
  ),
);

export const ReportLinkRead = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 200, description: 'What follows the # of the link.' }),
  },
  { additionalProperties: false },
);

export const SharedReport = named(
  'SharedReport',
  Type.Object(
    {
      name,
      projectName: Type.String({ description: 'Name of the project.' }),
      expiresAt: Type.String({ description: 'When the link ends.' }),
      ...asked,
      ...further,
      details: Type.Array(
        Type.Object({
          id: Type.String({ description: 'Id of the run.' }),
          name: Type.Union([Type.String(), Type.Null()], { description: 'Its name; null without one.' }),
          title: Type.String({ description: 'Its name, or what it is of.' }),
          notesStart: Type.Union([Type.String(), Type.Null()], {
            description: 'The start of its notes; null without any.',
          }),
          numRecords: Type.Integer({ description: 'Number of its records.' }),
          createdAt: Type.String({ description: 'When it was started.' }),
        }),
        { description: 'The compared runs.' },
      ),
      comparison: ref(RunComparison),
    },
    { description: 'A report as its link shows it.' },
  ),
);
