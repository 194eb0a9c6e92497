import { type Static, Type } from 'typebox';
import {
  count,
  Estimate,
  level,
  nullable,
  nullableNumber,
  nullableText,
  number,
  text,
  texts,
} from '../../engine/statistics/estimate-schema.ts';
import {
  AgreementGain,
  BatteryVerdict,
  BiasTest,
  biases,
  Drift,
  Equivalence,
  edits,
} from '../../engine/statistics/trial-schema.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { sides } from '../labels/split.ts';
import { Rescoring, RescoringCreate } from './rescoring/schema.ts';

const optional = Type.Optional;

const margin = Type.Number({
  minimum: 0.005,
  maximum: 0.5,
  default: 0.05,
  description:
    'Largest difference of pass rates that counts as none: among the records that people pass, and among the records that people fail.',
});

const budgetUsd = Type.Number({
  minimum: 0,
  description:
    'Budget of all its verdicts in US dollars. What it does not reach stays pending, until it is raised for the runs of the trial or the trial is discarded.',
});

const CandidateFields = Type.Object(
  {
    evalModelName: optional(Type.String({ minLength: 1, description: 'Model that judges.' })),
    promptTemplate: optional(Type.String({ minLength: 1, description: 'Prompt for the judge.' })),
    guidelines: optional(Type.String({ description: 'How to score.' })),
    temperature: optional(Type.Number({ minimum: 0, maximum: 2, description: 'Temperature of the judge.' })),
    judgeRepeats: optional(
      Type.Integer({ minimum: 1, maximum: 9, description: 'How often the judge is asked.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** Trials on the pinned records. A drift trial is one whose candidate is the judge in use. */
const pinnedKinds = ['drift', 'succession', 'alignment', 'battery'] as const;
export type PinnedKind = (typeof pinnedKinds)[number];
const trialKinds = [...pinnedKinds, 'rescoring'] as const;
export type TrialKind = (typeof trialKinds)[number];
const hows = ['current', 'model', 'examples', 'rewrite', 'reference', 'placebo', ...edits] as const;
export type How = (typeof hows)[number];

const DriftCreate = Type.Object(
  { kind: Type.Literal('drift', { description: 'Tests whether the judge in use still decides as before.' }) },
  { additionalProperties: false },
);

const SuccessionCreate = Type.Object(
  {
    kind: Type.Literal('succession', { description: 'Tests whether another judge decides alike.' }),
    candidates: Type.Array(CandidateFields, {
      minItems: 1,
      maxItems: 8,
      description: 'Candidates. A field that a candidate leaves out keeps the value of the metric.',
    }),
    margin: optional(margin),
    runIds: optional(
      Type.Array(Type.String(), {
        minItems: 2,
        maxItems: 10,
        uniqueItems: true,
        description:
          'Stored runs on which the candidates are tried too, at 100 testcases. Each is compared with the baseline of its last gate if that is listed, else with the first.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SuccessionCreate = Static<typeof SuccessionCreate>;

const AlignmentCreate = Type.Object(
  {
    kind: Type.Literal('alignment', {
      description: 'Tests whether people agree more often with prompts made from disagreements.',
    }),
    rewriterModelName: optional(
      Type.String({
        minLength: 1,
        description:
          'Model that rewrites the guidelines, which may be the judge itself. Without it only examples are tried.',
      }),
    ),
    numExamples: optional(
      Type.Integer({
        minimum: 1,
        maximum: 12,
        default: 4,
        description: 'Number of disagreements that one candidate shows as examples.',
      }),
    ),
    seed: optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 31 - 1,
        default: 1,
        description:
          'Seed that splits the labels by their inputs. A metric keeps the seed of its first alignment.',
      }),
    ),
    candidates: optional(
      Type.Array(CandidateFields, {
        minItems: 1,
        maxItems: 8,
        description:
          'Prompts that a person wrote; then none are made, and the fields above must be left out. A field that a candidate leaves out keeps the value of the metric. Records without a verdict of the saved prompt are judged by it too.',
      }),
    ),
    split: optional(
      oneOf(sides, {
        default: 'test',
        description:
          'Only with candidates: labels on which they are tested. dev: labels for tuning, whose disagreements may be read; no candidate can be adopted. test: labels that are kept for the check. A calibration splits them in the same way.',
      }),
    ),
    budgetUsd: optional(budgetUsd),
  },
  { additionalProperties: false },
);
export type AlignmentCreate = Static<typeof AlignmentCreate>;

const BatteryCreate = Type.Object(
  {
    kind: Type.Literal('battery', {
      description: 'Tests whether edits that keep the truth change the verdicts of a judge.',
    }),
    edits: optional(
      Type.Array(oneOf(biases), {
        minItems: 1,
        uniqueItems: true,
        description:
          'Biases. Default all. padding: sentences without content. order: lists of the inputs and expectations, reversed. author: a name. authority: experts agree. format: Markdown as plain text, and plain text as Markdown. language: the author is not a native speaker. selfPreference: no edit; outputs of the judge’s own model against those of others that people judge alike.',
      }),
    ),
    margin: optional(
      Type.Number({
        minimum: 0.005,
        maximum: 0.5,
        default: 0.05,
        description:
          'Largest share of verdicts that an edit may change beyond a placebo, to be called clear.',
      }),
    ),
    budgetUsd: optional(budgetUsd),
    metricConfigId: optional(
      Type.String({
        description:
          'Configuration of the metric that is tested, such as a candidate of a succession. Default the current one.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type BatteryCreate = Static<typeof BatteryCreate>;

export const TrialEstimateRequest = Type.Union([BatteryCreate, AlignmentCreate]);

export const TrialCreate = Type.Union([
  DriftCreate,
  SuccessionCreate,
  AlignmentCreate,
  BatteryCreate,
  RescoringCreate,
]);

const Adoption = Type.Object(
  {
    decision: Type.Literal('adopted', {
      description:
        'Makes a candidate the configuration of the metric: trends and comparisons are anchored across the switch. Or makes the proposals of a rescoring the scores of its run: the replaced ones become history; scores of people and clients stay.',
    }),
    metricConfigId: optional(
      Type.String({
        description: 'Configuration of the candidate. A rescoring has only one and needs none.',
      }),
    ),
    evenIfNotShown: optional(
      Type.Boolean({
        default: false,
        description: 'Whether to adopt a candidate that the trial does not show to be a successor.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type Adoption = Static<typeof Adoption>;

const Discarding = Type.Object(
  {
    decision: Type.Literal('discarded', {
      description:
        'Ends the trial without a change of the metric or of a score. Its pending verdicts or proposals are dropped.',
    }),
  },
  { additionalProperties: false },
);
export const TrialDecision = Type.Union([Adoption, Discarding]);
export type TrialDecision = Static<typeof TrialDecision>;

export const TrialQuery = Type.Object({ level });

export const TrialsQuery = Type.Object({
  ...pageQuery,
  metricId: optional(
    Type.String({ description: 'Only trials of this metric. Either this or runId is required.' }),
  ),
  runId: optional(Type.String({ description: 'Only rescorings of this run.' })),
  kinds: optional(
    Type.Array(oneOf(trialKinds), {
      description: 'Only trials of these kinds.',
    }),
  ),
  level,
});

const decision = {
  verdict: text('better, worse or cannot tell.'),
  sentence: text('The verdict in words.'),
};

const Candidate = Type.Object({
  metricConfigId: text('Configuration of the candidate.'),
  how: oneOf(
    hows,
    'How it was made. current: the judge in use. model: given in the request. examples: disagreements as examples. rewrite: guidelines that a model rewrote. reference and placebo: the records as they are, judged twice by the tested judge; in an alignment, reference is the saved prompt, where it had no verdict. padding and others: the records with this edit.',
  ),
  evalModelName: nullableText('Model that judges; null for code.'),
  temperature: nullableNumber('Temperature; null for code.'),
  judgeRepeats: count('How often the judge is asked.'),
  promptTemplate: nullableText('Prompt; null for code.'),
  guidelines: text('How to score.'),
  runId: nullableText(
    'Run with copies of the pinned records and the new verdicts; null once it was deleted.',
  ),
  servedModelNames: texts('Models that answered, as named by their provider.'),
  numPending: count('Number of verdicts still pending.'),
  costUsd: nullableNumber('Mean cost of a verdict in US dollars; null if one is unknown.'),
  latencyMs: nullableNumber('Mean duration of a verdict in milliseconds.'),
  drift: nullable(
    Drift,
    'Comparison of the judge in use with its pinned verdicts; null in other trials, while verdicts are pending, and if the run was deleted before they were complete. If the run is deleted later, the comparison at the level 0.95 is kept.',
  ),
  equivalence: nullable(
    Equivalence,
    'Comparison with the judge in use; null in a drift trial, while verdicts are pending, and once the run was deleted.',
  ),
  agreement: nullable(
    AgreementGain,
    'Comparison of the agreement with people; null in a drift trial, while verdicts are pending, and once the run was deleted.',
  ),
  bias: nullable(
    BiasTest,
    'Comparison of an edit with the placebo; null in other trials, for the reference and the placebo, while verdicts are pending, and once a run was deleted.',
  ),
  gates: Type.Array(
    Type.Object({
      baselineRunId: text('Baseline run.'),
      runId: text('Run that is compared with the baseline.'),
      judge: Type.Object(decision, {
        description: 'Verdict by the judge in use, on the records of the trial.',
      }),
      candidate: Type.Object(decision, { description: 'Verdict by the candidate, on the same records.' }),
      changes: Type.Boolean({ description: 'Whether the verdicts differ.' }),
    }),
    { description: 'Comparisons of stored runs, by both judges. Empty once the run was deleted.' },
  ),
});

const PinnedTrial = named(
  'PinnedTrial',
  Type.Object(
    {
      number: count('Number of the trial, within its metric.'),
      metricId: text('Id of the metric.'),
      kind: oneOf(
        pinnedKinds,
        'drift: tests the judge in use again. succession: looks for another judge that decides alike. alignment: looks for a prompt that people agree with more often. battery: tests whether edits that keep the truth change verdicts.',
      ),
      state: oneOf(
        ['running', 'ready', 'adopted', 'discarded'],
        'running: verdicts are pending. ready: it can be decided. adopted: a candidate became the configuration. discarded: nothing changed.',
      ),
      metricConfigId: text('Configuration of the judge in use, which gave the pinned verdicts.'),
      evalModelName: nullableText('Model of the judge in use; null for code.'),
      margin: nullableNumber('Largest difference of pass rates that counts as none; null for a drift trial.'),
      level: number('Confidence level.'),
      seed: nullableNumber('Seed that split the labels of an alignment; null for other trials.'),
      split: nullable(
        oneOf(sides),
        'Labels on which prompts by a person are tested: dev for tuning, or test for the check; null for other trials.',
      ),
      runIds: texts('Stored runs on which the candidates were tried too.'),
      createdByUserId: nullableText('User who started it; null if the service did.'),
      createdAt: text('When it was started.'),
      labels: Type.Object(
        {
          numTested: count('Number of labelled records that the result rests on.'),
          numHumanPasses: count('Number of them that people pass.'),
          numForTuning: count('Number of labelled records for tuning. Nothing is claimed from them.'),
        },
        { description: 'Labels of the trial.' },
      ),
      stopped: Type.Boolean({
        description: 'Whether pending verdicts wait because the budget of the trial is used up.',
      }),
      battery: nullable(
        BatteryVerdict,
        'What a battery found, kept for good; null in other trials, and while verdicts are pending.',
      ),
      costUsd: nullableNumber('Mean cost of a pinned verdict of the judge in use.'),
      latencyMs: nullableNumber('Mean duration of its pinned verdicts in milliseconds.'),
      candidates: Type.Array(Candidate, { description: 'Candidates, in the order of the request.' }),
      proposedConfigId: nullableText(
        'Configuration to adopt: in a succession the cheapest equivalent one, in an alignment the best one that is shown to be better. Null without one.',
      ),
      sentence: text('The verdict of the trial in words.'),
      adopted: nullable(
        Type.Object({
          metricConfigId: text('Configuration that was adopted.'),
          equivalence: Equivalence,
        }),
        'The adopted candidate with what the trial found; null without one.',
      ),
      endedByUserId: nullableText('User who adopted a candidate or discarded the trial.'),
      endedAt: nullableText('When it was adopted or discarded.'),
    },
    { description: 'Candidates that decide the pinned records of a metric beside its judge.' },
  ),
);

export const TrialEstimate = named(
  'TrialEstimate',
  Type.Object(
    {
      numRecords: count('Number of pinned records; 0 if none is pinned.'),
      numVerdicts: count('Number of verdicts that the trial would ask for.'),
      costUsd: nullableNumber('Their cost in US dollars; null if it cannot be estimated.'),
      basis: oneOf(
        ['earlierScores', 'template', 'unknown'],
        'earlierScores: measured on the newest verdicts of this configuration. template: from the length of the prompt and of the records. unknown: the price of the model is not known.',
      ),
      numToClear: nullable(
        Type.Integer(),
        'Number of pinned records with which an edit that changes no verdict is shown to be clear; null for an alignment.',
      ),
      biases: Type.Array(
        Type.Object({
          bias: oneOf(biases, 'The bias.'),
          numRecords: count('Number of pinned records that can show it.'),
          reason: nullableText('Why it is not applicable; null if it is.'),
        }),
        { description: 'The biases that were asked for; none for an alignment.' },
      ),
      saved: nullable(
        Type.Object({
          dev: ref(Estimate, 'On the labels for tuning.'),
          test: ref(Estimate, 'On the labels for the check.'),
        }),
        'Share of pinned labels on which people agree with the prompt as it is saved; null for a battery.',
      ),
      numChecks: nullable(
        Type.Integer(),
        'Number of alignments that were tested on the labels for the check so far: the more there are, the less a further one proves. Null for a battery.',
      ),
      sentence: text('The estimate in words, with the next step if it cannot start.'),
    },
    {
      description:
        'What a battery or an alignment of written prompts would ask for and cost. Nothing is started.',
    },
  ),
);

export const Trial = named(
  'Trial',
  Type.Union([ref(PinnedTrial), ref(Rescoring)], {
    description: 'A trial of configurations of a metric: on its pinned records, or on the records of a run.',
  }),
);
