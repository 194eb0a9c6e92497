import type { FastifySchemaCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { type Issue, invalidAll } from '../../platform/errors.ts';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named } from '../../platform/named-schema.ts';
import { validator, validatorCompiler } from '../../platform/validation.ts';
import { type CriteriaBody, criteriaFields } from './criteria.ts';
import { type LabelsBody, labelFields } from './labels.ts';

export const evalTypes = ['ai', 'human', 'heuristic'] as const;
/** The contract's three, and Dokima's own: docs/decisions/0240. */
export const outputTypes = ['int', 'float', 'boolean', 'category'] as const;
export type EvalType = (typeof evalTypes)[number];
export type OutputType = (typeof outputTypes)[number];

const nullableText = Type.Union([Type.String(), Type.Null()], {
  default: null,
  description: 'Purpose of the metric.',
});

/** Fields of every variant. */
const common = {
  name: Type.String({ description: 'Name of the metric, shown beside its scores.' }),
  description: nullableText,
  guidelines: Type.String({
    description:
      'ai: how to score. human: instructions for reviewers. heuristic: the logic, as code or as text.',
  }),
};

/** Fields of the variants with a judge. */
const ai = {
  promptTemplate: Type.String({
    description: 'Prompt for the judge, with placeholders like {{outputs.answer}}.',
  }),
  evalModelName: Type.String({ minLength: 1, description: 'Model that judges.' }),
  temperature: Type.Number({ minimum: 0, maximum: 2, default: 0, description: 'Temperature of the judge.' }),
};

/** The value field, range and passing threshold of each output type. */
export const outputs = {
  int: {
    valueField: 'intScore',
    value: Type.Integer({ minimum: 1, maximum: 5, description: 'Score from 1 to 5.' }),
    threshold: Type.Integer({ minimum: 1, maximum: 5, default: 4, description: 'Lowest score that passes.' }),
    defaultThreshold: 4,
  },
  float: {
    valueField: 'floatScore',
    value: Type.Number({ minimum: 0, maximum: 1, description: 'Score from 0 to 1.' }),
    threshold: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.9,
      description: 'Lowest score that passes.',
    }),
    defaultThreshold: 0.9,
  },
  boolean: {
    valueField: 'binaryScore',
    value: Type.Boolean({ description: 'True passes.' }),
    threshold: undefined,
    defaultThreshold: null,
  },
  category: {
    valueField: 'categoryScore',
    value: Type.String({ description: 'One of the labels of the metric.' }),
    threshold: undefined,
    defaultThreshold: null,
  },
} as const;

/** Which spans of a record a metric scores. */
const spansOf = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description:
    'The metric scores each span of a record that this search chooses, such as `kind:tool name:refund`, and not the record. The record gets the lowest score of its spans. Filters: kind, name, service, model, error, latency. Absent: the metric scores records.',
});
const spans = Type.Optional(spansOf);
const newSpans = Type.Optional(
  Type.Union([spansOf, Type.Null()], {
    description: 'Search of the spans to score, as in the metric. null: the metric scores records.',
  }),
);

const id = Type.String({ description: 'Id of the metric.' });
const { name, description, guidelines } = common;
const optional = Type.Optional;

/** Fields of the judge in a new metric. */
const newJudge = {
  promptTemplate: ai.promptTemplate,
  evalModelName: optional(ai.evalModelName),
  temperature: optional(ai.temperature),
};

const items = (description: string) =>
  optional(Type.Array(Type.Unknown(), { maxItems: 10_000, description }));
/** Parts of a trace that metrics read, as in docs/tracing.md. */
export const PreviewTrace = Type.Object(
  {
    trace: items('Spans.'),
    conversation: items('Messages.'),
    toolCalls: items('Tool calls.'),
  },
  { additionalProperties: false, description: 'The parts of its trace that metrics read.' },
);

const PreviewRecord = Type.Object(
  {
    inputs: optional(FreeForm('Input of the system.')),
    outputs: optional(FreeForm('Output of the system.')),
    expected: optional(FreeForm('Expected output.')),
    trace: optional(PreviewTrace),
  },
  { additionalProperties: false, description: 'A record to score that is not in the project.' },
);

const modelName = Type.String({ minLength: 1, maxLength: 600 });

const previewedMetric = Type.String({
  description:
    'Saved metric of the project. Records that people scored by it are the examples of `gradingInstructionsAndExamples`. Default: none.',
});

/** Which span of the record a metric of spans is tried on. */
const previewedSpan = {
  spans: optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Search of spans: one of those of the record that it chooses is scored.',
    }),
  ),
  spanId: optional(
    Type.String({ description: 'The span to score. Default: the first that `spans` chooses.' }),
  ),
  traceId: optional(
    Type.String({
      description:
        'Trace of the span. Default: the first trace of the record with a span of this id that `spans` chooses.',
    }),
  ),
};

const previewedJury = {
  metricId: optional(previewedMetric),
  juryModelNames: optional(
    Type.Array(modelName, {
      maxItems: 8,
      uniqueItems: true,
      default: [],
      description: 'Models that judge the record beside evalModelName.',
    }),
  ),
};

const mayHaveCriteria = (evalType: EvalType, outputType: OutputType): boolean =>
  outputType === 'float' && evalType !== 'heuristic';

/** Fields of a new or changed metric that say how it scores. */
const newScoring = (evalType: EvalType, outputType: OutputType) => {
  const { threshold } = outputs[outputType];
  return {
    ...(threshold && { passingThreshold: optional(threshold) }),
    ...(outputType !== 'category' && { spans: newSpans }),
    ...(mayHaveCriteria(evalType, outputType) && { criteria: criteriaFields.given }),
  };
};

const kindOf = (evalType: EvalType, outputType: OutputType) => ({
  evalType: Type.Literal(evalType, {
    description: 'ai: a model scores. human: people score. heuristic: code or a client scores.',
  }),
  outputType: Type.Literal(outputType, {
    description:
      outputType === 'category'
        ? 'Kind of score: one of `labels`. Clients of the contract read it as text, and make the other nine variants.'
        : 'Kind of score.',
  }),
});

/** The contract's nine variants, each eval type with each output type, and three that give a label. */
const variants = evalTypes.flatMap((evalType) =>
  outputTypes.map((outputType) => {
    const kind = kindOf(evalType, outputType);
    const isAi = evalType === 'ai';
    const hasCriteria = mayHaveCriteria(evalType, outputType);
    const { threshold } = outputs[outputType];
    const isCategory = outputType === 'category';
    const scoring = newScoring(evalType, outputType);
    const title = `${evalType}, ${outputType}`;
    return {
      evalType,
      outputType,
      response: Type.Object(
        {
          id,
          ...common,
          ...kind,
          ...(isAi && ai),
          ...(threshold && { passingThreshold: threshold }),
          ...(isCategory ? { labels: labelFields.shown } : { spans }),
          ...(hasCriteria && { criteria: criteriaFields.shown }),
        },
        { title, additionalProperties: false },
      ),
      create: Type.Object(
        {
          name,
          description: optional(description),
          guidelines: optional(guidelines),
          ...kind,
          ...(isAi && newJudge),
          ...scoring,
          ...(isCategory && { labels: labelFields.given }),
        },
        { title },
      ),
      preview: Type.Object(
        {
          guidelines: optional(guidelines),
          ...kind,
          ...(isAi && newJudge),
          recordId: optional(
            Type.String({ description: 'Record of the project to score. Either this or `record`.' }),
          ),
          record: optional(PreviewRecord),
          ...(isCategory ? { labels: labelFields.given } : previewedSpan),
          ...(isAi && hasCriteria && { criteria: criteriaFields.given }),
          ...(isAi && previewedJury),
        },
        { title, additionalProperties: false },
      ),
      update: Type.Object(
        {
          name: optional(name),
          description: optional(description),
          guidelines: optional(guidelines),
          ...kind,
          ...(isAi && { ...newJudge, promptTemplate: optional(ai.promptTemplate) }),
          ...scoring,
          ...(isCategory && { labels: optional(labelFields.given) }),
        },
        { title },
      ),
    };
  }),
);

/** A body of any variant, after its schema has accepted it. */
export type MetricBody = {
  name?: string;
  description?: string | null;
  guidelines?: string;
  evalType: EvalType;
  outputType: OutputType;
  promptTemplate?: string;
  evalModelName?: string;
  temperature?: number;
  passingThreshold?: number;
  spans?: string | null;
  criteria?: CriteriaBody | null;
  labels?: LabelsBody;
};
export type MetricCreate = MetricBody & { name: string };

export const Metric = named(
  'Metric',
  Type.Union(
    variants.map((variant) => variant.response),
    {
      description:
        'How outputs are scored. evalType and outputType choose one of nine variants, or with `category` one of three that give a label.',
    },
  ),
);

export const MetricVersion = named(
  'MetricVersion',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the configuration; the metricConfigId of its scores.' }),
      current: Type.Boolean({ description: 'Whether new runs use it.' }),
      createdAt: Type.String({ description: 'When it was created.' }),
      evalType: Type.Enum([...evalTypes], {
        description: 'ai: a model scores. human: people score. heuristic: code or a client scores.',
      }),
      outputType: Type.Enum([...outputTypes], { description: 'Kind of score.' }),
      guidelines: common.guidelines,
      promptTemplate: Type.Optional(ai.promptTemplate),
      evalModelName: Type.Optional(ai.evalModelName),
      temperature: Type.Optional(ai.temperature),
      passingThreshold: Type.Optional(Type.Number({ description: 'Lowest score that passes.' })),
      spans,
      criteria: criteriaFields.shown,
      labels: Type.Optional(labelFields.shown),
    },
    { description: 'A present or past configuration of a metric. It never changes.' },
  ),
);
export const MetricCreate = Type.Unsafe<MetricCreate>(Type.Union(variants.map((variant) => variant.create)));
export const MetricUpdate = Type.Unsafe<MetricBody>(Type.Union(variants.map((variant) => variant.update)));

export type MetricPreview = MetricBody & {
  metricId?: string;
  juryModelNames?: string[];
  recordId?: string;
  spanId?: string;
  traceId?: string;
  record?: { inputs?: object; outputs?: object; expected?: object; trace?: object };
};
export const MetricPreview = Type.Unsafe<MetricPreview>(
  Type.Union(variants.map((variant) => variant.preview)),
);

const nullable = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description });
const PreviewedJuror = Type.Object({
  modelName: Type.String({ description: 'Name of the model as it was asked.' }),
  verdict: nullable(
    Type.Object({
      value: Type.Union([Type.Boolean(), Type.Number(), Type.String()], { description: 'Its score.' }),
      reasoning: Type.String({ description: 'Reason for the score.' }),
    }),
    'Its verdict; null without one.',
  ),
  reason: nullable(Type.String(), 'Why it gave no verdict.'),
  error: nullable(Type.String(), 'Error in its last reply.'),
  costUsd: nullable(Type.Number(), 'Cost in US dollars; null if the price is unknown.'),
});

export const MetricPreviewed = Type.Object({
  state: Type.String({ description: 'scored, unscored or failed.' }),
  score: nullable(FreeForm('The score.'), 'The score that would be stored; null without one.'),
  reason: nullable(Type.String(), 'Why there is no score.'),
  language: nullable(
    Type.Union([Type.Literal('javascript'), Type.Literal('python')]),
    'Language of the code: javascript stands for TypeScript too; null for a judge.',
  ),
  prompt: nullable(Type.String(), 'The prompt as sent; null for code.'),
  rawReply: nullable(Type.String(), 'Raw reply of the model; null for code.'),
  error: nullable(
    Type.String(),
    'Why the last reply is not a verdict, or the message of the provider about files that its model refused; null for a verdict.',
  ),
  jury: nullable(Type.Array(PreviewedJuror), 'Verdict of each model of the jury; null without a jury.'),
  modelAnswered: nullable(Type.String(), 'The model that answered, as named by its provider.'),
  inputTokens: nullable(Type.Integer(), 'Tokens of the prompt.'),
  outputTokens: nullable(Type.Integer(), 'Tokens of the reply.'),
  costUsd: nullable(Type.Number(), 'Cost; null if the price is unknown.'),
  trace: nullable(
    Type.Object({
      numSpans: Type.Integer({ description: 'Number of spans of the record.' }),
      cut: Type.Array(Type.String(), { description: 'Parts that were cut to fit the limits.' }),
    }),
    "The parts of the record's trace that the metric read; null if it reads none, or without a trace.",
  ),
  spans: nullable(
    Type.Array(
      Type.Object({
        traceId: Type.String({ description: 'Trace of the span.' }),
        spanId: Type.String({ description: 'Id of the span.' }),
        name: Type.String({ description: 'Name of the span.' }),
      }),
    ),
    'The spans of the record that `spans` chooses; null without it.',
  ),
  spanId: nullable(Type.String(), 'The span that was scored; null without `spans`.'),
  traceId: nullable(Type.String(), 'Trace of the span that was scored; null without `spans`.'),
  latencyMs: Type.Integer({ description: 'Duration in milliseconds.' }),
});

const Kind = Type.Object({
  evalType: Type.Enum([...evalTypes]),
  outputType: Type.Enum([...outputTypes]),
});

const kindIssues = validator(Kind);
const key = ({ evalType, outputType }: { evalType: EvalType; outputType: OutputType }) =>
  `${evalType} ${outputType}`;

/** Validates a body against the variant that its evalType and outputType name, so that errors are about that variant only. */
const variantValidator = (part: 'create' | 'update' | 'preview'): FastifySchemaCompiler<TSchema> => {
  const issuesOf = new Map<string, (body: unknown) => Issue[]>(
    variants.map((variant) => [key(variant), validator(variant[part] as TSchema)]),
  );
  const validateBody = (body: unknown) => {
    const issues = kindIssues(body);
    if (issues.length === 0) issues.push(...issuesOf.get(key(body as MetricBody))!(body));
    return issues.length > 0 ? { error: invalidAll(issues) } : { value: body };
  };
  return (route) => (route.httpPart === 'body' ? validateBody : validatorCompiler(route));
};

/** Fastify's validator compilers, one for each body of a metric. */
export const createValidator = variantValidator('create');
export const updateValidator = variantValidator('update');
export const previewValidator = variantValidator('preview');

/** Voting of a judge: settings that each configuration of a metric has. */
export const judging = {
  judgeRepeats: Type.Integer({
    minimum: 1,
    maximum: 9,
    description:
      'How often the judge is asked about each record. The score is the majority or the median; every vote is kept.',
  }),
  juryModelNames: Type.Array(modelName, {
    maxItems: 8,
    uniqueItems: true,
    description:
      'Models that judge in addition to evalModelName, each judgeRepeats times. The score is the majority or the median of all verdicts; each verdict is kept.',
  }),
};
export type Judging = { judgeRepeats: number; juryModelNames: string[] };
