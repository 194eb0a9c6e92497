import { type Static, Type } from 'typebox';
import { FreeForm, named } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const nullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const oneOf = (values: readonly string[], description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { description },
  );

const operation = Type.Union(
  [
    ...['chat', 'tool', 'agent', 'chain', 'embedding', 'retrieval'].map((value) => Type.Literal(value)),
    Type.Null(),
  ],
  { description: 'What it does, as far as its attributes say.' },
);

const summary = {
  traceId: Type.String({ description: 'Id of its trace, 32 hexadecimal digits.' }),
  spanId: Type.String({ description: 'Id of the span, 16 hexadecimal digits.' }),
  parentSpanId: nullableText('Id of its parent; null for a root.'),
  name: Type.String({ description: 'Name of the span.' }),
  service: Type.String({ description: 'service.name of its resource; empty when it has none.' }),
  kind: oneOf(
    ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'],
    "OpenTelemetry's kind.",
  ),
  operation,
  model: nullableText('Model that answered, or else that was asked.'),
  failed: Type.Boolean({ description: 'Whether it ended in an error.' }),
  startTime: Type.String({ description: 'When it began: ISO 8601, UTC, nanoseconds.' }),
  endTime: Type.String({ description: 'When it ended.' }),
  durationMs: Type.Number({ description: 'Milliseconds from start to end.' }),
};
const recordId = nullableText('Record that it belongs to; null while the record of its link is not there.');

export const Span = named(
  'Span',
  Type.Object({ ...summary, recordId }, { description: 'A span of a trace.' }),
);

export const TreeSpan = named(
  'TreeSpan',
  Type.Object(
    {
      ...summary,
      depth: Type.Integer({ description: 'How deep below a root it stands.' }),
      parentMissing: Type.Boolean({
        description: 'True when its parent has not come: it is shown as a root.',
      }),
    },
    { description: 'A span and its place in the tree of a record.' },
  ),
);

const toolCall = Type.Object({
  id: nullableText('Id of the call.'),
  name: Type.String({ description: 'Name of the tool.' }),
  arguments: Type.Unknown({ description: 'What it was called with.' }),
});

const message = {
  role: Type.String({ description: 'system, user, assistant, tool, or what the sender called it.' }),
  content: Type.String({ description: 'The text.' }),
  reasoning: Type.Optional(Type.String({ description: 'What the model thought before it answered.' })),
  toolCalls: Type.Optional(Type.Array(toolCall, { description: 'Tools that the model asked for.' })),
  toolCallId: Type.Optional(Type.String({ description: 'Call that this answers.' })),
  name: Type.Optional(Type.String({ description: 'Tool that answers.' })),
  media: Type.Optional(Type.Array(Type.Unknown(), { description: 'Parts that are no text, as they came.' })),
};

const attributes = FreeForm('As they came.');
const usage = {
  provider: nullableText('Provider of the model.'),
  inputTokens: nullableNumber('Tokens that went in.'),
  outputTokens: nullableNumber('Tokens that came out.'),
  cachedInputTokens: nullableNumber('Of those that went in, read from a cache.'),
  reasoningTokens: nullableNumber('Of those that came out, spent on reasoning.'),
  costUsd: nullableNumber('Cost that the sender gave, in US dollars.'),
};

export const SpanDetail = named(
  'SpanDetail',
  Type.Object(
    {
      ...summary,
      recordId,
      ...usage,
      error: nullableText('Why it failed, as far as it says.'),
      input: Type.Array(Type.Object(message), { description: 'Messages that went in.' }),
      output: Type.Array(Type.Object(message), { description: 'Messages that came out.' }),
      tool: Type.Union(
        [
          Type.Object({
            ...toolCall.properties,
            result: Type.Unknown({ description: 'What it gave back.' }),
          }),
          Type.Null(),
        ],
        { description: 'The tool that it ran; null when it ran none.' },
      ),
      traceState: Type.String({ description: 'W3C trace state.' }),
      dropped: Type.Object(
        {
          attributes: Type.Integer({ description: 'Attributes.' }),
          events: Type.Integer({ description: 'Events.' }),
          links: Type.Integer({ description: 'Links.' }),
        },
        { description: 'How many the sender left out.' },
      ),
      attributes,
      events: Type.Array(FreeForm('An event.'), { description: 'Events, as they came.' }),
      links: Type.Array(FreeForm('A link.'), { description: 'Links to other spans, as they came.' }),
      resource: attributes,
      scope: FreeForm('Instrumentation scope: name, version, attributes.'),
    },
    { description: 'A span with everything that came with it.' },
  ),
);

export const ConversationEntry = named(
  'ConversationEntry',
  Type.Object(
    {
      ...message,
      traceId: Type.String({ description: 'Trace that it was said in.' }),
      spanId: Type.String({ description: 'Span that it was first seen in.' }),
      agentSpanId: nullableText(
        'Sub-agent in whose conversation it was said; null for the conversation itself.',
      ),
      path: nullableText(
        'Where the text stands in the span as getSpan gives it, a JSON Pointer, for annotations on a passage; null when it stands nowhere.',
      ),
      time: Type.String({ description: 'When.' }),
      model: nullableText('Model of that span.'),
      error: nullableText('Why the span failed; null when it did not.'),
    },
    { description: 'A message of a conversation.' },
  ),
);

/** Spans of a record that are shown at most: first by start. */
export const maxTreeSpans = 10_000;
export const TreeQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxTreeSpans,
      default: maxTreeSpans,
      description: 'Gives the first so many by start; `limit=1` tells whether there are any.',
    }),
  ),
});

const truncated = Type.Boolean({ description: 'True when there is more than is shown here.' });
export const RecordSpans = Type.Object({
  data: Type.Array(Type.Unsafe<unknown>({ $ref: `${TreeSpan.name}#` }), {
    description: 'The spans in the order of the tree: each after its parent, siblings by start.',
  }),
  truncated,
});
export const Conversation = Type.Object({
  data: Type.Array(Type.Unsafe<unknown>({ $ref: `${ConversationEntry.name}#` }), {
    description: 'The messages, each once, the conversation itself first and then that of each sub-agent.',
  }),
  agents: Type.Array(
    Type.Object({
      traceId: Type.String({ description: 'Trace of the agent.' }),
      spanId: Type.String({ description: 'Span of the agent.' }),
      name: Type.String({ description: 'Name of the agent.' }),
      parentAgentSpanId: nullableText('Sub-agent that it works for; null when it works for the main one.'),
      error: nullableText('Why it failed; null when it did not.'),
    }),
    { description: 'The sub-agents.' },
  ),
  truncated,
});

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description }));
const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));
const duration = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

export const SpanSearch = Type.Object({
  ...pageQuery,
  traceId: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{32}$',
      expects: '32 hexadecimal digits',
      description: 'Keeps spans of this trace.',
    }),
  ),
  service: text('Keeps spans of this service.'),
  name: text('Keeps spans of this name.'),
  model: text('Keeps spans of this model.'),
  root: Type.Optional(
    Type.Boolean({
      description: 'true keeps spans without a parent, one a trace as a rule; false the others.',
    }),
  ),
  error: Type.Optional(
    Type.Boolean({ description: 'true keeps spans that failed, false those that did not.' }),
  ),
  minDurationMs: duration('Keeps spans that took at least as many milliseconds.'),
  maxDurationMs: duration('Keeps spans that took at most as many milliseconds.'),
  startedAfter: time('Keeps spans that began then or later.'),
  startedBefore: time('Keeps spans that began earlier.'),
});
export type SpanSearch = Static<typeof SpanSearch>;

const retentionDays = Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
  description:
    'Days that traces are kept after they came, with the records made for them; null keeps them for ever.',
});
export const TraceSettings = named(
  'TraceSettings',
  Type.Object({ retentionDays }, { description: 'How a project keeps traces.' }),
);
export const TraceSettingsUpdate = Type.Object({ retentionDays }, { additionalProperties: false });

export const TestcaseFromRecord = Type.Object(
  { testsetId: Type.String({ description: 'Testset that the testcase goes into.' }) },
  { additionalProperties: false },
);
