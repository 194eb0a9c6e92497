import { type Static, Type } from 'typebox';
import { count, nullable, nullableText, number, text } from '../../engine/statistics/estimate-schema.ts';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

export const decisionFormat = 'dokima-decision';

const share = (description: string, value: number) =>
  Type.Optional(Type.Number({ minimum: 0.5, maximum: 0.999, default: value, description }));

export const DecisionCreate = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: 2_000, description: 'The question that is decided.' }),
    owner: Type.String({ minLength: 1, maxLength: 200, description: 'Who answers for the decision.' }),
    testsetId: Type.String({ description: 'Testset on which it is decided.' }),
    baselineRunId: Type.Optional(Type.String({ description: 'Run that later runs are compared with.' })),
    metricIds: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'Metrics that decide, with their current configurations.',
    }),
    rules: FreeForm('The rules, as in dokima.yaml.'),
    minTestcases: Type.Integer({
      minimum: 1,
      description: 'Testcases on which it is decided, as planned.',
    }),
    power: share('Chance to see the planned difference.', 0.8),
    level: share('Confidence level of the gate.', 0.95),
  },
  { additionalProperties: false },
);
export type DecisionCreate = Static<typeof DecisionCreate>;

const registeredTestset = Type.Object(
  {
    id: text('Id of the testset.'),
    name: text('Name of the testset.'),
    numTestcases: count('Testcases that it had.'),
    snapshot: count('Number of the snapshot that holds them.'),
    hash: text('Hash of that snapshot.'),
  },
  { description: 'The testset as it was.' },
);

const document = Type.Object(
  {
    format: Type.Literal(decisionFormat, { description: 'What this is.' }),
    version: Type.Literal(1, { description: 'Version of the format.' }),
    projectId: text('Id of the project.'),
    question: text('The question.'),
    owner: text('Who answers for it.'),
    testset: registeredTestset,
    baseline: nullable(
      Type.Object({
        runId: text('Id of the run.'),
        systemVersionId: nullableText('Version that answered; null if it is not known.'),
        createdAt: text('When the run was created.'),
      }),
      'The run that later runs are compared with; null without one.',
    ),
    metrics: Type.Array(
      Type.Object({
        id: text('Id of the metric.'),
        name: text('Name of the metric.'),
        configId: text('Its configuration.'),
        hash: text('SHA-256 of all that decides how the configuration scores.'),
        evalModelName: nullableText('Model that judges; null without one.'),
      }),
      { description: 'The metrics that decide, as they were.' },
    ),
    rules: FreeForm('The rules.'),
    minTestcases: count('Testcases on which it is decided, as planned.'),
    power: number('Chance to see the planned difference.'),
    level: number('Confidence level of the gate.'),
    registeredAt: text('When it was registered.'),
    registeredBy: nullableText('Member who registered it.'),
  },
  { description: 'What was registered. Nothing changes it.' },
);
export type DecisionDocument = Omit<Static<typeof document>, 'rules'> & { rules: unknown };

export const RegisteredDecision = named(
  'RegisteredDecision',
  Type.Object(
    {
      id: text('SHA-256 of the document as canonical JSON (RFC 8785), in hexadecimal.'),
      document,
    },
    { description: 'A decision that was registered before its run. The audit log holds it.' },
  ),
);

export const ListedDecision = named(
  'ListedDecision',
  Type.Object(
    {
      id: text('Id of the decision.'),
      question: text('The question.'),
      owner: text('Who answers for it.'),
      testset: registeredTestset,
      baselineRunId: nullableText('The run that later runs are compared with; null without one.'),
      minTestcases: count('Testcases on which it is decided, as planned.'),
      level: number('Confidence level of the gate.'),
      registeredAt: text('When it was registered.'),
      registeredBy: nullableText('Member who registered it.'),
    },
    { description: 'A registered decision without its rules and metrics.' },
  ),
);

export const deviationKinds = [
  'registeredAfter',
  'testcasesChanged',
  'testcasesMissing',
  'metricChanged',
  'rerun',
  'otherLooks',
  'runsDeleted',
  'tooFew',
] as const;

export const DecisionReading = named(
  'DecisionReading',
  Type.Object(
    {
      decisionId: text('Id of the decision.'),
      runId: text('Id of the run.'),
      deviations: Type.Array(
        Type.Object({
          kind: oneOf(deviationKinds, 'Kind of deviation.'),
          sentence: text('The deviation in words.'),
        }),
        { description: 'Where the run departs from what was registered.' },
      ),
      numLooks: count('Runs of the testset with scores since the registration, this one included.'),
      waivers: Type.Array(
        Type.Object({
          reason: text('Why.'),
          waivedBy: nullableText('Member who waived.'),
          waivedAt: text('When.'),
        }),
        { description: 'Who shipped this run in spite of the verdict, and why; oldest first.' },
      ),
    },
    { description: 'A run held against a registered decision.' },
  ),
);

export const WaiverCreate = Type.Object(
  {
    runId: Type.String({ description: 'Run that is shipped.' }),
    reason: Type.String({ minLength: 1, maxLength: 2_000, description: 'Why, in spite of the verdict.' }),
  },
  { additionalProperties: false },
);
export type WaiverCreate = Static<typeof WaiverCreate>;

export const Waiver = named(
  'Waiver',
  Type.Object(
    {
      id: text('Id of the waiver.'),
      decisionId: text('Id of the decision.'),
      runId: text('Run that is shipped.'),
      reason: text('Why.'),
      waivedBy: nullableText('Member who waived.'),
      waivedAt: text('When.'),
    },
    { description: 'A run that is shipped in spite of the verdict. The audit log holds it.' },
  ),
);
