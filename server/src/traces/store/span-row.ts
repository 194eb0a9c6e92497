import { createHash } from 'node:crypto';
import type { PriceTable } from '../../engine/models/provider.ts';
import { parseTestcaseKey } from '../../platform/http/ids.ts';
import { type Attributes, firstText } from '../conventions/attribute.ts';
import { fields } from '../conventions/fields.ts';
import { isFailed, modelOf, operationOf, usageOf } from '../conventions/understand.ts';
import { unknownNames } from '../conventions/unknown-names.ts';
import { measuresOfContent } from './contents.ts';
import type { SpanRow } from './queries.ts';
import { refusedTags } from './read-tags.ts';
import { contentText, maxSpanBytes, type Span } from './span.ts';
import { computedCost } from './span-cost.ts';

/** Longest link and session id, as in the API. */
const maxIdLength = 256;

/** Longest name, service and model of a span. Indexes have no room for longer ones. */
export const maxName = 500;

/** The attributes of a span and its resource. */
export type WithSource = { attributes: Attributes; source: { resource: Attributes } };

/** Reads an attribute of the span, or else of its resource. */
export const attributeOf = (
  { attributes, source }: WithSource,
  keys: readonly string[],
): string | undefined => firstText(attributes, keys) ?? firstText(source.resource, keys);

/** Whether the API would take an id for a record or an attachment, but for its length. */
const isReadable = (id: string): boolean => id.trim() !== '' && !id.includes('\0') && id.isWellFormed();

/** Reads an id as it was sent; null for one that the API would refuse for a record or an attachment. */
const idOf = (span: WithSource, keys: readonly string[]): string | null => {
  const id = attributeOf(span, keys);
  return id !== undefined && id.length <= maxIdLength && isReadable(id) ? id : null;
};

/** Reads an id that groups spans. One that is too long becomes its beginning with a hash of all of it, so that it still groups them. */
const groupIdOf = (span: WithSource, keys: readonly string[]): string | null => {
  const id = attributeOf(span, keys);
  if (id === undefined || !isReadable(id)) return null;
  if (id.length <= maxIdLength) return id;
  const hash = createHash('sha256').update(id).digest('hex');
  return `${id.slice(0, maxIdLength - hash.length - 1).toWellFormed()}…${hash}`;
};

/** Returns the span's link to records, if it has one. */
export const linkOf = (span: WithSource): string | null => idOf(span, fields.link);
/** Returns the id of the session that the span belongs to, if it names one. */
export const sessionIdOf = (span: WithSource): string | null => groupIdOf(span, fields.sessionId);

/** Returns the id of the user that the span names, if it names one. */
export const userIdOf = (span: WithSource): string | null => groupIdOf(span, fields.userId);

/** Returns the id of the testcase that the span is about, if it names one. */
export const testcaseIdOf = (span: WithSource): string | null => {
  const id = idOf(span, fields.testcaseId);
  return id !== null && parseTestcaseKey(id) ? id : null;
};

/** A test suite with the execution and the test that a span belongs to; empty texts for those that it does not name. */
export type Suite = { name: string; execution: string; test: string };

/** Returns the test suite that the span belongs to, if it names one. */
export const suiteOf = (span: WithSource): Suite | null => {
  const name = suiteNameOf(span);
  if (name === null) return null;
  return {
    name,
    execution: groupIdOf(span, fields.execution) ?? '',
    test: groupIdOf(span, fields.test) ?? '',
  };
};
const suiteNameOf = (span: WithSource): string | null => idOf(span, fields.suite);
const testOf = (span: WithSource): string | null => groupIdOf(span, fields.test);

/** Whether a span ran one test of a suite whose other tests are in its trace too: runners make a trace for a test, or one for the suite. */
export const isTestWithin = (span: WithSource & { parentSpanId: string }): boolean =>
  !/^0*$/.test(span.parentSpanId) &&
  firstText(span.attributes, fields.test) !== undefined &&
  firstText(span.attributes, fields.suite) !== undefined &&
  testOf(span) !== null &&
  suiteNameOf(span) !== null;

/** Whether a span ran a whole suite, whose tests are other spans. */
export const isSuiteRun = ({ attributes }: WithSource): boolean =>
  firstText(attributes, ['test.suite.run.status']) !== undefined &&
  firstText(attributes, fields.test) === undefined;

/** Ids with the function that reads them. */
const readers = [
  ['session id', fields.sessionId, sessionIdOf],
  ['user id', fields.userId, userIdOf],
  ['link', fields.link, linkOf],
  ['testcase id', fields.testcaseId, testcaseIdOf],
  ['test suite', fields.suite, suiteNameOf],
  ['test', fields.test, testOf],
] as const;

/** Says which ids of a span are stored otherwise than they were sent, and why. */
const idWarnings = (span: WithSource): string[] =>
  readers.flatMap(([name, keys, read]) => {
    const sent = attributeOf(span, keys);
    const stored = sent === undefined ? sent : read(span);
    if (sent === stored) return [];
    const problem = `its ${name} ${sent!.length > maxIdLength ? `is longer than ${maxIdLength} characters` : 'is no such id'}`;
    return [
      stored === null ? `${problem} and was left out` : `${problem}, so its end was replaced by a hash`,
    ];
  });

/** Says what of a span is not stored as it was sent, or not read as it was meant, and why. */
export const lossesOf = (span: Span): string[] => [
  ...unknownNames(span),
  ...idWarnings(span),
  ...(span.name.length > maxName
    ? [`its name is longer than ${maxName} characters, so its end was left out`]
    : []),
  ...refusedTags(span).map((problem) => `a tag was left out: ${problem}`),
  ...[...new Set([...span.source.unknownFields, ...span.unknownFields])]
    .slice(0, 5)
    .map((field) => `OTLP has no field ${JSON.stringify(field)}, so it was left out`),
];

const isId = (id: string, bytes: number): boolean => id.length === bytes * 2 && /^(?!0+$)[0-9a-f]+$/.test(id);
const isTime = (time: bigint): boolean => time >= -(2n ** 63n) && time < 2n ** 64n;

/** Says why a span can't be stored in any project; undefined when it can. */
export const problemOf = (span: Span): string | undefined => {
  if (span.bytes > maxSpanBytes) return `a span may have at most ${maxSpanBytes} bytes`;
  if (!isId(span.traceId, 16)) return 'the trace id must be 16 bytes, not all of them zero';
  if (!isId(span.spanId, 8)) return 'the span id must be 8 bytes, not all of them zero';
  if (span.parentSpanId !== '' && !isId(span.parentSpanId, 8) && !/^0*$/.test(span.parentSpanId))
    return 'the parent span id must be 8 bytes or none';
  if (!isTime(span.start) || !isTime(span.end)) return 'times must be nanoseconds in 64 bits';
  return undefined;
};

type Amounts = Pick<SpanRow, 'inputTokens' | 'outputTokens' | 'costUsd'>;
const noAmounts: Amounts = { inputTokens: null, outputTokens: null, costUsd: null };
const maxTokens = 1e12;

/** Returns the usage of a call of a model, with the cost that was sent or else the computed one. Other spans have none: agents report the sums of their calls again. */
const amountsOf = ({ attributes, start }: Span, operation: string | null, prices: PriceTable): Amounts => {
  if (operation !== 'chat' && operation !== 'embedding') return noAmounts;
  const { inputTokens, outputTokens, costUsd } = usageOf(attributes);
  const whole = (n: number | null) => (n !== null && n >= 0 && n <= maxTokens ? Math.round(n) : null);
  return {
    inputTokens: whole(inputTokens),
    outputTokens: whole(outputTokens),
    costUsd: costUsd ?? computedCost(prices, attributes, start),
  };
};

/** Cuts a name to the length that is stored. */
export const cutName = (name: string): string => name.slice(0, maxName).toWellFormed();
export const cutModel = (model: string | null): string | null => model && cutName(model);

const withMeasures = (content: string) => ({ content, ...measuresOfContent(content) });

/** Returns a span as the database has it. */
export const spanRow = (
  span: Span,
  projectId: bigint,
  traceId: bigint,
  sourceId: bigint,
  prices: PriceTable,
): SpanRow => ({
  ...amountsOf(span, operationOf(span), prices),
  projectId,
  traceId,
  spanId: span.spanId,
  parentSpanId: /^0*$/.test(span.parentSpanId) ? '' : span.parentSpanId,
  sourceId,
  link: linkOf(span),
  name: cutName(span.name),
  service: cutName(firstText(span.source.resource, ['service.name']) ?? ''),
  kind: span.kind >= 0 && span.kind <= 5 ? span.kind : 0,
  operation: operationOf(span),
  model: cutModel(modelOf(span.attributes)),
  responseId: firstText(span.attributes, fields.responseId)?.slice(0, maxIdLength) ?? null,
  failed: isFailed(span.status, span.attributes),
  start: span.start,
  end: span.end,
  ...withMeasures(contentText(span)),
});

/** A span with its row. */
export type RowOfSpan = { span: Span; row: SpanRow };

/** Returns one row for each span: of several, the one that insertSpans would keep. */
export const distinctSpans = (items: RowOfSpan[]): RowOfSpan[] => {
  const kept = new Map<string, RowOfSpan>();
  for (const item of items) {
    const name = `${item.row.traceId} ${item.row.spanId}`;
    const other = kept.get(name);
    if (!other || item.row.end >= other.row.end) kept.set(name, item);
  }
  return [...kept.values()];
};
