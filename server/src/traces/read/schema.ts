import { type Static, Type } from 'typebox';
import { ScoreState } from '../../evaluation/scores/schema.ts';
import { FreeForm } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { groupsQuery } from '../../platform/search/value-groups.ts';

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const nullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

const operation = Type.Union(
  [
    ...['chat', 'tool', 'agent', 'chain', 'embedding', 'retrieval'].map((value) => Type.Literal(value)),
    Type.Null(),
  ],
  { description: 'Operation, if its attributes name one.' },
);

const summary = {
  traceId: Type.String({ description: 'Id of its trace, 32 hexadecimal digits.' }),
  spanId: Type.String({ description: 'Id of the span, 16 hexadecimal digits.' }),
  parentSpanId: nullableText('Id of its parent; null for a root.'),
  name: Type.String({ description: 'Name of the span.' }),
  service: Type.String({ description: 'service.name of its resource; empty without one.' }),
  kind: oneOf(
    ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'],
    'Kind of the span in OpenTelemetry.',
  ),
  operation,
  modelName: nullableText('Model that answered, else the model that was asked.'),
  failed: Type.Boolean({ description: 'Whether it failed.' }),
  startTime: Type.String({ description: 'When it started: ISO 8601, UTC, nanoseconds.' }),
  endTime: nullableText('When it ended; null while it is open.'),
  durationMs: nullableNumber(
    'Milliseconds from start to end; null while it is open, and if it ends before it starts.',
  ),
};
const recordId = nullableText('Record that it belongs to; null while that record does not exist.');

export const Span = named(
  'Span',
  Type.Object({ ...summary, recordId }, { description: 'A span of a trace.' }),
);

export const TreeSpan = named(
  'TreeSpan',
  Type.Object(
    {
      ...summary,
      depth: Type.Integer({ description: 'Depth below the root.' }),
      parentMissing: Type.Boolean({
        description: 'Whether its parent has not arrived. The span is then shown as a root.',
      }),
    },
    { description: 'A span and its place in the tree of a record.' },
  ),
);

const toolCall = Type.Object({
  id: nullableText('Id of the call.'),
  name: Type.String({ description: 'Name of the tool.' }),
  arguments: Type.Unknown({ description: 'Arguments of the call.' }),
});

const message = {
  role: Type.String({ description: 'system, user, assistant, tool, or another word of the sender.' }),
  content: Type.String({ description: 'Text of the message.' }),
  reasoning: Type.Optional(Type.String({ description: 'Reasoning of the model before its answer.' })),
  toolCalls: Type.Optional(Type.Array(toolCall, { description: 'Tool calls of the model.' })),
  toolCallId: Type.Optional(Type.String({ description: 'Id of the tool call that this answers.' })),
  name: Type.Optional(Type.String({ description: 'Name of the tool that answers.' })),
  media: Type.Optional(Type.Array(Type.Unknown(), { description: 'Parts that are not text, as received.' })),
};

const attributes = FreeForm('Attributes as received.');
const usage = {
  provider: nullableText('Provider of the model.'),
  inputTokens: nullableNumber('Input tokens.'),
  outputTokens: nullableNumber('Output tokens.'),
  cachedInputTokens: nullableNumber('Input tokens that were read from a cache.'),
  reasoningTokens: nullableNumber('Output tokens that were spent on reasoning.'),
  costUsd: nullableNumber(
    'Cost in US dollars: as the sender reported it, else computed for a call of a model.',
  ),
  costComputed: Type.Boolean({
    description:
      'Whether the cost was computed from the tokens by the price table, since the sender reported none.',
  }),
};

const callParts = {
  error: nullableText('Error, if the sender reported one.'),
  tool: Type.Union(
    [
      Type.Object({
        ...toolCall.properties,
        result: Type.Unknown({ description: 'Result of the call.' }),
      }),
      Type.Null(),
    ],
    { description: 'Tool that it called; null without one.' },
  ),
};

export const SpanDetail = named(
  'SpanDetail',
  Type.Object(
    {
      ...summary,
      recordId,
      ...usage,
      error: callParts.error,
      input: Type.Array(Type.Object(message), { description: 'Input messages.' }),
      output: Type.Array(Type.Object(message), { description: 'Output messages.' }),
      tool: callParts.tool,
      traceState: Type.String({ description: 'W3C trace state.' }),
      dropped: Type.Object(
        {
          numAttributes: Type.Integer({ description: 'Attributes.' }),
          numEvents: Type.Integer({ description: 'Events.' }),
          numLinks: Type.Integer({ description: 'Links.' }),
        },
        { description: 'Numbers of items that the sender dropped.' },
      ),
      attributes,
      events: Type.Array(FreeForm('An event.'), { description: 'Events as received.' }),
      links: Type.Array(FreeForm('A link.'), { description: 'Links to other spans, as received.' }),
      resource: attributes,
      scope: FreeForm('Instrumentation scope: name, version, attributes.'),
    },
    { description: 'A span with all its data.' },
  ),
);

export const ConversationEntry = named(
  'ConversationEntry',
  Type.Object(
    {
      ...message,
      traceId: Type.String({ description: 'Trace of the message.' }),
      spanId: Type.String({ description: 'First span with the message.' }),
      agentSpanId: nullableText(
        'Span of the sub-agent whose conversation it belongs to; null for the main conversation.',
      ),
      path: nullableText(
        'JSON Pointer to the text in the span as getSpan returns it, for annotations of a passage; null if the span does not have it.',
      ),
      time: Type.String({ description: 'Time of the message.' }),
      modelName: nullableText('Model of the span.'),
      error: nullableText('Error of the span; null if it did not fail.'),
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
      description: 'Maximum number of spans, by start. `limit=1` shows whether there are any.',
    }),
  ),
});

/** What a span says beside its messages. */
export const CalledSpan = named(
  'CalledSpan',
  Type.Object(
    {
      ...summary,
      call: Type.Union(
        [
          Type.Object({
            ...usage,
            ...callParts,
          }),
          Type.Null(),
        ],
        {
          description:
            'What the call of a model or a tool used, its error and its tool; null for other spans.',
        },
      ),
    },
    { description: 'A span with what its call used and answered.' },
  ),
);

const truncated = Type.Boolean({ description: 'Whether there is more than shown here.' });
export const RecordSpans = Type.Object({
  data: Type.Array(Type.Unsafe<unknown>({ $ref: `${TreeSpan.name}#` }), {
    description: 'The spans in the order of the tree: each after its parent, siblings by start.',
  }),
  truncated,
});
export const Conversation = Type.Object({
  data: Type.Array(Type.Unsafe<unknown>({ $ref: `${ConversationEntry.name}#` }), {
    description: 'The messages, each once: first the main conversation, then that of each sub-agent.',
  }),
  agents: Type.Array(
    Type.Object({
      traceId: Type.String({ description: 'Trace of the agent.' }),
      spanId: Type.String({ description: 'Span of the agent.' }),
      name: Type.String({ description: 'Name of the agent.' }),
      parentAgentSpanId: nullableText('Span of the sub-agent that it works for; null for the main agent.'),
      error: nullableText('Error; null if it did not fail.'),
    }),
    { description: 'The sub-agents.' },
  ),
  spans: Type.Optional(
    Type.Array(Type.Unsafe<unknown>({ $ref: `${CalledSpan.name}#` }), {
      description: 'With `spans=true`: all spans in the order of the tree.',
    }),
  ),
  truncated,
});
export const ConversationQuery = Type.Object({
  spans: Type.Optional(
    Type.Boolean({ description: 'true: also the spans, with what each call used and answered.' }),
  ),
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
      description: 'Only spans of this trace.',
    }),
  ),
  service: text('Only spans of this service.'),
  name: text('Only spans with this name.'),
  modelName: text('Only spans of this model.'),
  root: Type.Optional(
    Type.Boolean({
      description: 'true: only spans without a parent, usually one in each trace. false: only the others.',
    }),
  ),
  error: Type.Optional(
    Type.Boolean({ description: 'true: only spans that failed. false: only the others.' }),
  ),
  minDurationMs: duration('Minimum duration in milliseconds.'),
  maxDurationMs: duration('Maximum duration in milliseconds.'),
  startedAfter: time('Only spans that started at this time or later.'),
  startedBefore: time('Only spans that started before this time.'),
});
export type SpanSearch = Static<typeof SpanSearch>;

const whole = (description: string) => Type.Integer({ description });
const sums = {
  inputTokens: nullableNumber('Input tokens of the calls of models; null when none was reported.'),
  outputTokens: nullableNumber('Output tokens of the calls of models.'),
  costUsd: nullableNumber('Cost in US dollars: as reported, else computed from tokens by the price table.'),
};

const TraceScoreState = named(
  'TraceScoreState',
  Type.Object(
    {
      ...ScoreState.schema.properties,
      whose: oneOf(
        ['trace', 'record'],
        'trace: what it says is about this trace alone. record: it is about all traces of the record, such as those of a session.',
      ),
    },
    {
      description:
        'State and score of one metric on the record of a trace. If the record has several traces, a metric of spans has the lowest score ' +
        'of the spans of this trace, once all spans of the record have theirs.',
    },
  ),
);

export const Trace = named(
  'Trace',
  Type.Object(
    {
      traceId: Type.String({ description: 'Id of the trace, 32 hexadecimal digits.' }),
      name: nullableText('Name of its root span.'),
      service: nullableText('service.name of its root span; empty without one.'),
      modelName: nullableText('Model that answered in it; the first by name if there are several.'),
      startTime: Type.String({ description: 'When it started: ISO 8601, UTC, nanoseconds.' }),
      durationMs: nullableNumber(
        'Milliseconds from its first start to its last end; null if no span has ended.',
      ),
      numSpans: whole('Number of its spans.'),
      numErrors: whole('Number of its failed spans.'),
      ...sums,
      input: nullableText('The beginning of its input, as one line of at most 300 characters.'),
      output: nullableText('The beginning of its output.'),
      sessionId: nullableText('Session that it belongs to.'),
      userId: nullableText('User that it names.'),
      recordId: nullableText('Its record; null while that record does not exist.'),
      scoreStates: Type.Array(ref(TraceScoreState), { description: 'State of every score of its record.' }),
    },
    { description: 'A trace with its sums and the scores of its record.' },
  ),
);

const search = {
  q: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description:
        'Search as typed in the search field, for example `latency:>2s model:gpt-5 -error refund`. An unknown filter is ' +
        'a 400 with a suggestion. docs/searching.md lists the filters.',
    }),
  ),
};

export const TraceSearchQuery = Type.Object({
  ...pageQuery,
  ...search,
  sort: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'Order: started, latency, cost, tokens or score and a metric, such as `score.Accuracy`; with a minus the greatest ' +
        'first. Default -started. Traces without a value come last. Takes the place of `sort:` in q.',
    }),
  ),
});

export const TraceGroupsQuery = Type.Object({
  by: Type.String({
    minLength: 1,
    maxLength: 1000,
    description:
      'What to group by: service, name, model, session, user or error of the trace, or what its record has: a field such as ' +
      '`outputs.answer`, a score such as `score.Accuracy`, tag or testcase.',
  }),
  ...groupsQuery,
  ...search,
});

const seen = {
  numTraces: whole('Number of its traces.'),
  numErrors: whole('Number of failed spans.'),
  ...sums,
  firstSeen: Type.String({ description: 'Start of its first trace.' }),
  lastSeen: Type.String({ description: 'End of its last trace.' }),
};

export const TraceSession = named(
  'TraceSession',
  Type.Object(
    {
      sessionId: Type.String({ description: 'Id of the session, as its traces name it.' }),
      userId: nullableText('User that its traces name.'),
      recordId: nullableText('Record of the session.'),
      input: nullableText('The beginning of its first input.'),
      ...seen,
    },
    { description: 'A session: traces with one session id.' },
  ),
);

export const TraceUser = named(
  'TraceUser',
  Type.Object(
    {
      userId: Type.String({ description: 'Id of the user, as the traces name it.' }),
      numSessions: whole('Number of sessions.'),
      ...seen,
    },
    { description: 'A user of the system, as traces name them.' },
  ),
);

export const SessionQuery = Type.Object({
  ...pageQuery,
  userId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Only sessions of this user.' }),
  ),
});

export const TestcaseFromRecord = Type.Object(
  { testsetId: Type.String({ description: 'Testset of the new testcase.' }) },
  { additionalProperties: false },
);
