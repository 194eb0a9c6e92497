import type { JsonObject } from '../../../../client/src/main.ts';
import { CliError } from '../../errors.ts';
import { callSpan, toolSpan } from '../call-span.ts';
import type { Content } from '../content.ts';
import type { Format } from '../format.ts';
import {
  amountIn,
  listAt,
  makerIn,
  numberIn,
  objectAt,
  type Row,
  scoreValue,
  sumOf,
  type TraceSpan,
  textOf,
  underKey,
} from '../rows.ts';
import { itemsOf, parsed, singleRun, strings } from './items.ts';

/** Fields are in camel case in files of the API and the pages, in snake case in those of the SDK for Python. */
const either = (item: JsonObject, camel: string, snake: string): unknown => item[camel] ?? item[snake];

/** Returns a score of Langfuse. The value of a category is its place in a list, or 0: only its name says what it means. */
const langfuseValue = (score: JsonObject) => {
  const dataType = either(score, 'dataType', 'data_type');
  const text = either(score, 'stringValue', 'string_value');
  if (dataType === 'BOOLEAN') return Number(score.value) === 1;
  return scoreValue(dataType === 'CATEGORICAL' ? (text ?? score.value) : (score.value ?? text));
};

/** Returns the names that both people and evaluators score by. Their verdicts are separate metrics. */
const namesOfSeveralSources = (traces: readonly JsonObject[]): ReadonlySet<string> => {
  const sources = new Map<string, Set<unknown>>();
  for (const { name, source } of traces.flatMap((trace) => listAt(trace, 'scores'))) {
    const key = textOf(name) ?? 'score';
    sources.set(key, (sources.get(key) ?? new Set()).add(source));
  }
  return new Set([...sources].flatMap(([name, all]) => (all.size > 1 ? [name] : [])));
};

/** Returns the scores of a Langfuse trace, which are a list of entries, or values by name. A correction is a text and no score. */
const langfuseScores = (trace: JsonObject, shared: ReadonlySet<string>): Row['scores'] => {
  const given = listAt(trace, 'scores').filter(
    (score) => either(score, 'dataType', 'data_type') !== 'CORRECTION',
  );
  // The score of a trace counts before that of one of its observations.
  const ofWhole = given.filter((score) => !textOf(either(score, 'observationId', 'observation_id')));
  const names = new Set(ofWhole.map(({ name, source }) => `${name} ${source}`));
  const ofParts = given.filter(
    (score) => !ofWhole.includes(score) && !names.has(`${score.name} ${score.source}`),
  );
  const entries = [...ofWhole, ...ofParts].map((score) => {
    const name = textOf(score.name) ?? 'score';
    return {
      name: shared.has(name) ? `${name} (${textOf(score.source) ?? 'no source'})` : name,
      value: langfuseValue(score),
      reasoning: textOf(score.comment),
      madeBy: makerIn(score.source),
    };
  });
  const named = Object.entries(objectAt(trace, 'scores')).map(([name, value]) => ({
    name,
    value: scoreValue(Array.isArray(value) ? value[0] : value),
  }));
  return [...entries, ...named];
};

/**
 * Returns the columns with scores of a batch export of the pages. They are named after the scores, and stand behind the column with
 * the comments, which is the last of the trace's own.
 */
const scoreColumnsOf = ({ table }: Content): string[] => {
  const columns = table?.columns ?? [];
  const comments = columns.indexOf('comments');
  return comments === -1 ? [] : columns.slice(comments + 1);
};

/** Returns the scores in columns: a list of the values of one name, without their source. Several that differ are no score. */
const columnScores = (item: JsonObject, columns: readonly string[]): Row['scores'] =>
  columns.map((name) => {
    const given = parsed(item[name]);
    const values = [...new Set(Array.isArray(given) ? given : [])];
    if (values.length > 1)
      return { name, value: null, reasoning: `several scores in the file: ${values.join(', ')}` };
    return { name, value: scoreValue(values[0]) };
  });

// Braintrust's events also have a project_id, but always a span_id.
const isLangfuse = (item: JsonObject): boolean =>
  'input' in item &&
  'output' in item &&
  !('span_id' in item) &&
  ['projectId', 'project_id', 'bookmarked', 'htmlPath', 'costDetails'].some((field) => field in item);

/** Whether this is a score without its trace, as the pages export them. */
const isScore = (item: JsonObject): boolean =>
  !('input' in item) && ['traceId', 'source', 'dataType', 'name'].every((field) => field in item);

/** Tables keep a time as the text of a JSON text. */
const timeIn = (value: unknown): number => Date.parse((textOf(value) ?? '').replaceAll('"', ''));

/** Returns when a trace or an observation began and ended, if the file says it. */
const timesOf = (trace: JsonObject): [number, number] | undefined => {
  const startMs = timeIn(trace.timestamp ?? either(trace, 'startTime', 'start_time'));
  const seconds = amountIn(trace.latency);
  const endMs =
    seconds === undefined ? timeIn(either(trace, 'endTime', 'end_time')) : startMs + seconds * 1_000;
  return Number.isNaN(startMs) || Number.isNaN(endMs) ? undefined : [startMs, endMs];
};

/** Returns the call of a trace: its latency, its cost, and the tokens and tools of its observations. */
const langfuseCall = (trace: JsonObject, observations: readonly JsonObject[]): TraceSpan[] => {
  const times = timesOf(trace);
  if (!times) return [];
  const usageOf = (one: JsonObject) =>
    objectAt({ usage: parsed(either(one, 'usageDetails', 'usage_details')) }, 'usage');
  const tokensOf = (name: string): number | undefined => {
    const own = numberIn(usageOf(trace)[name]);
    return own ?? sumOf(observations.map((one) => numberIn(usageOf(one)[name])));
  };
  const costOf = (one: JsonObject) => amountIn(either(one, 'totalCost', 'total_cost'));
  const call = callSpan({
    name: textOf(trace.name) ?? 'trace',
    startMs: times[0],
    endMs: times[1],
    inputTokens: tokensOf('input'),
    outputTokens: tokensOf('output'),
    costUsd: costOf(trace) ?? sumOf(observations.map(costOf)),
  });
  const tools = observations.filter(({ type }) => type === 'TOOL');
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
  return [
    call,
    ...tools.map((tool, i) =>
      toolSpan(call, `tool ${i}`, textOf(tool.name) ?? 'tool', asText(tool.input), asText(tool.output)),
    ),
  ];
};

/** Whether this is an observation below the root of its trace. Traces have no such field. */
const hasParent = (item: JsonObject): boolean =>
  Boolean(textOf(either(item, 'parentObservationId', 'parent_observation_id')));

const idOf = (item: JsonObject): string =>
  textOf(either(item, 'traceId', 'trace_id')) ?? textOf(item.id) ?? '';

/** Returns why a trace has no answer: its own message, if it ended with an error. */
const errorOf = (item: JsonObject): string | undefined => {
  const isEmpty = item.output === undefined || item.output === null || item.output === '';
  if (item.level !== 'ERROR' || !isEmpty) return undefined;
  return textOf(either(item, 'statusMessage', 'status_message')) ?? 'The trace ended with an error.';
};

type Scored = { shared: ReadonlySet<string>; columns: readonly string[] };

const rowOf = (trace: JsonObject, below: readonly JsonObject[], { shared, columns }: Scored): Row => {
  const id = idOf(trace);
  const error = errorOf(trace);
  return {
    id,
    caseId: textOf(either(trace, 'datasetItemId', 'dataset_item_id')) ?? id,
    run: '',
    inputs: underKey(parsed(trace.input), 'input'),
    expected: underKey(parsed(either(trace, 'expectedOutput', 'expected_output')), 'output'),
    metadata: underKey(parsed(trace.metadata), 'metadata'),
    outputs: error === undefined ? underKey(parsed(trace.output), 'output') : { error },
    error,
    scores: [...langfuseScores(trace, shared), ...columnScores(trace, columns)],
    trace: langfuseCall(trace, [...listAt(trace, 'observations'), ...below]),
    tags: strings(parsed(trace.tags)),
  };
};

/**
 * Exports of Langfuse. Its API writes traces with their scores, and its pages traces or observations with a column for each score,
 * with fields in camel case. Its storage export writes enriched observations, with fields in snake case, and their scores to
 * separate files.
 */
export const langfuse: Format = {
  name: 'langfuse',
  about: 'Langfuse traces or observations with their scores: JSON, JSONL or CSV',
  recognizes: (content) => {
    const items = itemsOf(content, 'data', 'traces', 'trace');
    return items.some(isLangfuse) || items.some(isScore);
  },
  read: (content) => {
    const items = itemsOf(content, 'data', 'traces', 'trace');
    if (!items.some(isLangfuse))
      throw new CliError(
        'It has scores of Langfuse without what they score.',
        'Export the traces or the observations: they have a column for each score.',
      );
    const scored = { shared: namesOfSeveralSources(items), columns: scoreColumnsOf(content) };
    const below = Map.groupBy(items.filter(hasParent), idOf);
    const rows = items
      .filter((item) => !hasParent(item))
      .map((trace) => rowOf(trace, below.get(idOf(trace)) ?? [], scored));
    const stored = items.some((item) => 'project_id' in item);
    return {
      ...singleRun('Langfuse', content, rows, 'Langfuse'),
      notes: stored ? ['This file has no scores: a Langfuse storage export has them in separate files.'] : [],
    };
  },
};
