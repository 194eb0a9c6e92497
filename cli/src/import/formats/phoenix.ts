import type { JsonObject } from '../../../../client/src/main.ts';
import { CliError } from '../../errors.ts';
import { callSpan, toolSpan } from '../call-span.ts';
import type { Content } from '../content.ts';
import type { Format } from '../format.ts';
import {
  amountIn,
  type Import,
  isObject,
  listAt,
  makerIn,
  objectAt,
  type Row,
  type ScoreValue,
  scoreValue,
  sumOf,
  type TraceSpan,
  textOf,
  underKey,
} from '../rows.ts';
import { itemsOf, parsed, singleRun } from './items.ts';

/** Labels of Phoenix's evaluators, and which of them is good. */
const labels: Record<string, 'pass' | 'fail'> = {
  correct: 'pass',
  incorrect: 'fail',
  factual: 'pass',
  hallucinated: 'fail',
  relevant: 'pass',
  irrelevant: 'fail',
  unrelated: 'fail',
  'non-toxic': 'pass',
  toxic: 'fail',
};

/** Reads a score, which is a number, a label, or both. A label of true or false wins: its number would make it a float. */
const scoreIn = (score: unknown, label: unknown): ScoreValue => {
  const text = textOf(label);
  // The number of these labels is 1 for hallucinated and toxic: a rate of faults.
  if (text !== undefined && Object.hasOwn(labels, text.toLowerCase())) return labels[text.toLowerCase()]!;
  return text !== undefined && /^(true|false)$/i.test(text) ? text : scoreValue(score ?? label);
};

/**
 * Returns a span's attribute. It is flat in tables (`attributes.input.value`), nested in JSON, and flat under `attributes` in
 * answers of the API.
 */
const attribute = (span: JsonObject, path: string): unknown => {
  if (path in span) return span[path];
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const inner = span[path.slice(0, dot)];
    const found = isObject(inner) ? attribute(inner, path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Returns a span's metadata, which the API splits into fields like `metadata.topic`. */
const metadataOf = (span: JsonObject): JsonObject => {
  const whole = attribute(span, 'attributes.metadata');
  if (whole !== undefined) return underKey(parsed(whole), 'metadata');
  const parts = Object.entries(objectAt(span, 'attributes')).filter(([key]) => key.startsWith('metadata.'));
  return Object.fromEntries(parts.map(([key, value]) => [key.slice('metadata.'.length), value]));
};

const annotationScores = (item: JsonObject): Row['scores'] =>
  listAt(item, 'annotations').map((annotation) => {
    const result = objectAt(annotation, 'result');
    return {
      name: textOf(annotation.name) ?? 'annotation',
      value: scoreIn(result.score ?? annotation.score, result.label ?? annotation.label),
      label: textOf(result.label ?? annotation.label),
      reasoning: textOf(result.explanation ?? annotation.explanation) ?? textOf(annotation.error),
      madeBy: makerIn(annotation.annotator_kind),
    };
  });

/** Returns scores from columns whose names begin with `begin` and end with `end`; between them is the metric's name. */
const columnScores = (item: JsonObject, begin: string, end: (part: string) => string): Row['scores'] => {
  const nameIn = (column: string, part: string) =>
    column.startsWith(begin) && column.endsWith(end(part))
      ? column.slice(begin.length, -end(part).length)
      : undefined;
  // Where the evaluator failed, the cells of its score and its label are empty.
  const names = Object.keys(item).flatMap((column) =>
    ['score', 'label', 'error'].flatMap((part) => nameIn(column, part) ?? []),
  );
  return [...new Set(names)].map((name) => {
    const at = (part: string) => item[`${begin}${name}${end(part)}`];
    const reasoning = textOf(at('explanation')) ?? textOf(at('error'));
    return { name, value: scoreIn(at('score'), at('label')), reasoning };
  });
};

/** Returns the score of a span that was joined with its annotations: such a table has one row for each annotation. */
const joinedScores = (span: JsonObject): Row['scores'] => {
  const name = textOf(span.annotation_name);
  if (name === undefined) return [];
  const value = scoreIn(span['result.score'], span['result.label']);
  const madeBy = makerIn(span.annotator_kind);
  return [{ name, value, reasoning: textOf(span['result.explanation']), madeBy }];
};

/** Tables keep a time as text; JSON of pandas keeps it as milliseconds. */
const timeIn = (value: unknown): number => amountIn(value) ?? Date.parse(textOf(value) ?? '');

const kindOf = (span: JsonObject): string | undefined =>
  textOf(span.span_kind) ?? textOf(attribute(span, 'attributes.openinference.span.kind'));

/** Returns the call of a root span: its latency, and the tokens and tools of the spans of its trace. */
const spanCall = (root: JsonObject, spans: readonly JsonObject[]): TraceSpan[] => {
  const [startMs, endMs] = [timeIn(root.start_time), timeIn(root.end_time)];
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return [];
  const models = spans.filter((span) => kindOf(span) === 'LLM');
  const sum = (path: string) =>
    sumOf(models.map((span) => amountIn(attribute(span, `attributes.llm.${path}`))));
  const call = callSpan({
    name: textOf(root.name) ?? 'call',
    startMs,
    endMs,
    inputTokens: sum('token_count.prompt'),
    outputTokens: sum('token_count.completion'),
    costUsd: sum('cost.total'),
  });
  const tools = spans.filter((span) => kindOf(span) === 'TOOL');
  return [
    call,
    ...tools.map((span, i) => {
      const name = textOf(attribute(span, 'attributes.tool.name')) ?? textOf(span.name) ?? 'tool';
      const [args, result] = ['input', 'output'].map((part) =>
        textOf(attribute(span, `attributes.${part}.value`)),
      );
      return toolSpan(call, `tool ${i}`, name, args ?? '', result);
    }),
  ];
};

/** Returns why a root span has no output: the message of its status, if it ended with an error. */
const errorOf = (span: JsonObject): string | undefined => {
  if (span.status_code !== 'ERROR' || attribute(span, 'attributes.output.value')) return undefined;
  return textOf(span.status_message) ?? 'The span ended with an error.';
};

/** Converts a root span, which a joined table has once for each annotation, with the spans of its trace. */
const spanRow = (id: string, [span, ...others]: JsonObject[], spans: readonly JsonObject[]): Row => {
  const error = errorOf(span!);
  const scores = [
    ...annotationScores(span!),
    ...columnScores(span!, 'eval.', (part) => `.${part}`),
    ...[span!, ...others].flatMap(joinedScores),
  ];
  return {
    id,
    caseId: id,
    run: '',
    inputs: underKey(parsed(attribute(span!, 'attributes.input.value')), 'input'),
    expected: {},
    metadata: metadataOf(span!),
    outputs:
      error === undefined
        ? underKey(parsed(attribute(span!, 'attributes.output.value')), 'output')
        : { error },
    error,
    scores: error === undefined ? scores : scores.map(({ name }) => ({ name, value: null })),
    trace: spanCall(span!, spans),
  };
};

/** Returns the call of a task that says how long it took. */
const taskCall = (item: JsonObject): TraceSpan[] => {
  const [startMs, latencyMs] = [timeIn(item.start_time), amountIn(item.latency_ms)];
  if (Number.isNaN(startMs) || latencyMs === undefined) return [];
  const inputTokens = amountIn(item.prompt_token_count);
  const outputTokens = amountIn(item.completion_token_count);
  return [callSpan({ name: 'task', startMs, endMs: startMs + latencyMs, inputTokens, outputTokens })];
};

/** Converts one repetition of one example. A failed task has its error as outputs; its scores mean nothing and are unscored. */
const experimentRow = (item: JsonObject): Row => {
  const example = textOf(item.example_id) ?? '';
  const error = textOf(item.error);
  const scores = [...annotationScores(item), ...columnScores(item, 'annotation_', (part) => `_${part}`)];
  return {
    id: `${example} ${textOf(item.repetition_number) ?? 1}`,
    caseId: example,
    run: '',
    inputs: underKey(parsed(item.input), 'input'),
    expected: underKey(parsed(item.reference_output), 'output'),
    metadata: underKey(parsed(item.metadata), 'metadata'),
    outputs: error === undefined ? underKey(parsed(item.output), 'output') : { error },
    error,
    scores: error === undefined ? scores : scores.map(({ name }) => ({ name, value: null })),
    trace: taskCall(item),
  };
};

const isExperiment = (item: JsonObject): boolean =>
  'example_id' in item && 'repetition_number' in item && 'reference_output' in item;
const isSpan = (item: JsonObject): boolean => attribute(item, 'context.span_id') !== undefined;
/** Whether this is an example of a dataset, whose output is what is expected. */
const isExample = (item: JsonObject): boolean => 'node_id' in item && 'id' in item && !isSpan(item);
const isAnnotation = (item: JsonObject): boolean =>
  'annotator_kind' in item && ('annotation_name' in item || 'span_id' in item) && !isSpan(item);
const isTask = (item: JsonObject): boolean => 'dataset_example_id' in item && 'experiment_id' in item;

/** Returns a part of an example, which is a column for each field in CSV: `input.question`. */
const partOf = (item: JsonObject, part: string): JsonObject => {
  const columns = Object.entries(item).flatMap(([column, value]) =>
    column.startsWith(`${part}.`) ? [[column.slice(part.length + 1), value] as const] : [],
  );
  return { ...underKey(item[part], part), ...Object.fromEntries(columns) };
};

const exampleRow = (item: JsonObject): Row => ({
  id: textOf(item.id) ?? '',
  caseId: textOf(item.id) ?? '',
  run: '',
  inputs: partOf(item, 'input'),
  expected: partOf(item, 'output'),
  metadata: partOf(item, 'metadata'),
  outputs: {},
  scores: [],
});

const itemsIn = (content: Content): JsonObject[] => {
  const { value } = content;
  const examples = listAt(objectAt(value, 'data'), 'examples');
  return examples.length > 0 ? examples : itemsOf(content, 'data', 'spans');
};

/** Throws for the files of Phoenix that have scores without answers, or answers without questions. */
const requireCases = (items: readonly JsonObject[]): void => {
  if (items.some(isAnnotation))
    throw new CliError(
      'It has annotations of Phoenix without their spans.',
      'Join them with their spans before you write the file: docs/cli.md (import).',
    );
  if (items.some(isTask))
    throw new CliError(
      'It has runs of a Phoenix experiment without their inputs and scores.',
      'Export the experiment: GET /v1/experiments/ID/json',
    );
};

/**
 * Exports of Phoenix: spans as JSON, JSONL, CSV or Parquet, where only root spans are answers of a system, experiments as JSON or
 * CSV, and datasets as JSON, JSONL or CSV. Tested with files of Phoenix 20.26.
 */
export const phoenix: Format = {
  name: 'phoenix',
  about: 'Phoenix experiments and datasets, or spans with their evaluations: JSON, JSONL, CSV or Parquet',
  recognizes: (content) =>
    itemsIn(content).some((item) =>
      [isExperiment, isSpan, isExample, isAnnotation, isTask].some((is) => is(item)),
    ),
  read: (content): Import => {
    const items = itemsIn(content);
    if (items.some(isExperiment))
      return singleRun('Phoenix', content, items.filter(isExperiment).map(experimentRow), content.name);
    if (items.some(isExample))
      return { ...singleRun('Phoenix', content, items.map(exampleRow), content.name), systems: new Map() };
    if (!items.some(isSpan)) requireCases(items);
    // A joined table has a span once for each annotation.
    const unique = new Map(items.map((span) => [textOf(attribute(span, 'context.span_id')), span]));
    const inTrace = Map.groupBy(unique.values(), (span) => textOf(attribute(span, 'context.trace_id')));
    const roots = items.filter((span) => !textOf(span.parent_id));
    const spans = Map.groupBy(roots, (span) => textOf(attribute(span, 'context.span_id')) ?? '');
    const rows = Array.from(spans, ([id, same]) =>
      spanRow(id, same, inTrace.get(textOf(attribute(same[0]!, 'context.trace_id'))) ?? []),
    );
    const unscored = rows.every(({ scores }) => scores.length === 0);
    return {
      ...singleRun('Phoenix', content, rows, textOf(roots[0]?.name) ?? 'Phoenix'),
      notes: unscored
        ? [
            'These spans have no scores: Phoenix exports annotations separately. docs/cli.md (import) says how to join them.',
          ]
        : [],
    };
  },
};
