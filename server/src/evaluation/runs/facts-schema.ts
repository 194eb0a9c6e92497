import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

export const Mark = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$',
  expects: 'letters, digits and . _ / -, at most 100',
  description: 'Name of a mark.',
});

export const Marks = Type.Array(Mark, {
  maxItems: 100,
  uniqueItems: true,
  description: 'Marks of the run. The newest run with a mark is the baseline latest:MARK of later runs.',
});

const outcomes = ['pass', 'worse', 'inconclusive', 'incomplete'] as const;
export type Outcome = (typeof outcomes)[number];

export const VerdictOutcome = oneOf(
  outcomes,
  'pass, worse, inconclusive (not enough data to decide) or incomplete (scores, testcases or labels are missing).',
);

const optionalText = (maxLength: number, description: string) =>
  Type.Union([Type.String({ maxLength }), Type.Null()], { description });

const verdict = {
  outcome: VerdictOutcome,
  baselineRunId: Type.Union([Type.String(), Type.Null()], {
    description: 'Run that it was compared with; null without one.',
  }),
  against: optionalText(500, 'The runs that it was compared with, in words; null without one.'),
  reason: optionalText(500, 'The first rule that did not pass; null if all passed.'),
};

export const RunVerdict = named(
  'RunVerdict',
  Type.Object(
    {
      gate: Type.String({ description: 'Name of the gate, such as the file with its rules.' }),
      ...verdict,
      decidedAt: Type.String({ description: 'When the gate decided.' }),
    },
    { description: 'Verdict of a gate on a run.' },
  ),
);

export const RunVerdictUpsert = Type.Object(
  {
    ...verdict,
    baselineRunId: Type.Optional(verdict.baselineRunId),
    against: Type.Optional(verdict.against),
    reason: Type.Optional(verdict.reason),
    mark: Type.Optional({ ...Mark, description: 'Mark that the run gets. Only with the outcome pass.' }),
  },
  { additionalProperties: false },
);
export type RunVerdictUpsert = Static<typeof RunVerdictUpsert>;

export const Origin = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Origin of the run, such as the tool and id of an import. Lists find the run by it.',
});

/** Facts of a run in ListedRun. */
export const runFacts = {
  origin: Type.Union([Type.String(), Type.Null()], {
    description: 'Origin of the run, as its creator gave it; null if none was given.',
  }),
  marks: Marks,
  verdicts: Type.Array(ref(RunVerdict), { description: 'Newest verdict of each gate, newest first.' }),
};

/** Filters of a list of runs. */
export const factFilters = {
  origin: Type.Optional({ ...Origin, description: 'Only runs with this origin.' }),
  mark: Type.Optional({ ...Mark, description: 'Only runs with this mark.' }),
  gate: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only runs that this gate decided about.' }),
  ),
  outcome: Type.Optional({
    ...VerdictOutcome,
    description: 'Only runs with this verdict of a gate; with `gate`, of that gate.',
  }),
};
