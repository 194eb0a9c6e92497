import type { JsonObject } from '../../../../client/src/main.ts';
import { callSpan } from '../call-span.ts';
import type { Content } from '../content.ts';
import type { Format } from '../format.ts';
import {
  type Import,
  isObject,
  listAt,
  makerIn,
  numberIn,
  objectAt,
  type Row,
  rowId,
  scoreValue,
  type TraceSpan,
  textOf,
  underKey,
} from '../rows.ts';
import { itemsOf, parsed, singleRun } from './items.ts';
import { withGuidelines } from './mlflow-guidelines.ts';

/** A trace as MLflow 3 writes it: its facts and assessments, and its spans. */
type Trace = { info: JsonObject; spans: JsonObject[] };

/** Returns the trace of a row. Tables of results keep it as JSON text in their column `trace`. */
const traceIn = (item: JsonObject): Trace | undefined => {
  const whole = isObject(parsed(item.trace)) ? (parsed(item.trace) as JsonObject) : item;
  const info = objectAt(whole, 'info');
  return textOf(info.trace_id) === undefined ? undefined : { info, spans: listAt(whole.data, 'spans') };
};

/** An attribute of a span, which is JSON text. */
const attribute = (span: JsonObject | undefined, name: string): unknown => {
  const value = objectAt(span, 'attributes')[name];
  if (typeof value !== 'string') return value;
  const text = /^"([^"\\]*)"$/.exec(value)?.[1];
  return text ?? parsed(value);
};

const rootOf = ({ spans }: Trace): JsonObject | undefined =>
  spans.find(({ parent_span_id }) => textOf(parent_span_id) === undefined);

const messageOf = (span: JsonObject | undefined): string | undefined =>
  textOf(objectAt(span, 'status').message);

/** Assessments that another one has replaced are kept in the trace and are not valid. */
const assessmentsOf = ({ info }: Trace): JsonObject[] =>
  listAt(info, 'assessments').filter(({ valid }) => valid !== false);

const scoresOf = (trace: Trace): Row['scores'] =>
  assessmentsOf(trace).flatMap((assessment) => {
    const { feedback, assessment_name, rationale } = assessment;
    if (!isObject(feedback)) return [];
    const error = textOf(objectAt(feedback, 'error').error_message);
    return [
      {
        name: textOf(assessment_name) ?? 'feedback',
        value: error === undefined ? scoreValue(feedback.value) : null,
        reasoning: error ?? textOf(rationale),
        madeBy: makerIn(objectAt(assessment, 'source').source_type),
      },
    ];
  });

const tokensIn = (usage: unknown): Record<string, number> => {
  const amounts = {
    'gen_ai.usage.input_tokens': numberIn(objectAt({ usage }, 'usage').input_tokens),
    'gen_ai.usage.output_tokens': numberIn(objectAt({ usage }, 'usage').output_tokens),
  };
  return Object.fromEntries(
    Object.entries(amounts).flatMap(([name, amount]) => (amount === undefined ? [] : [[name, amount]])),
  );
};

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** The attributes of a span by its type in MLflow. */
const attributesOf = (span: JsonObject): TraceSpan['attributes'] => {
  const type = textOf(attribute(span, 'mlflow.spanType'));
  if (type === 'TOOL')
    return {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': textOf(span.name) ?? 'tool',
      'gen_ai.tool.call.arguments': asText(attribute(span, 'mlflow.spanInputs')),
      'gen_ai.tool.call.result': asText(attribute(span, 'mlflow.spanOutputs')),
    };
  const model = textOf(attribute(span, 'mlflow.llm.model'));
  const cost = numberIn(objectAt({ cost: attribute(span, 'mlflow.llm.cost') }, 'cost').total_cost);
  return {
    ...((type === 'CHAT_MODEL' || type === 'LLM') && { 'gen_ai.operation.name': 'chat' }),
    ...(type === 'AGENT' && { 'gen_ai.operation.name': 'invoke_agent' }),
    ...(model !== undefined && { 'gen_ai.request.model': model }),
    ...tokensIn(attribute(span, 'mlflow.chat.tokenUsage')),
    ...(cost !== undefined && { 'gen_ai.usage.cost': cost }),
  };
};

const milliseconds = (nanoseconds: unknown): number => (numberIn(nanoseconds) ?? 0) / 1e6;

const spansOf = ({ spans }: Trace): TraceSpan[] =>
  spans
    .filter(({ start_time_unix_nano, end_time_unix_nano }) => start_time_unix_nano && end_time_unix_nano)
    .map((span) => ({
      key: textOf(span.span_id) ?? '',
      parent: textOf(span.parent_span_id),
      name: textOf(span.name) ?? 'span',
      startMs: milliseconds(span.start_time_unix_nano),
      endMs: milliseconds(span.end_time_unix_nano),
      attributes: attributesOf(span),
      ...(messageOf(span) !== undefined && { error: messageOf(span)! }),
    }));

const sourceOf = ({ info }: Trace): string =>
  textOf(objectAt(info, 'trace_metadata')['mlflow.sourceRun']) ?? '';

const traceRow = (trace: Trace): Row => {
  const { info } = trace;
  const root = rootOf(trace);
  const id = textOf(info.trace_id)!;
  const error = info.state === 'ERROR' ? (messageOf(root) ?? 'the trace ended with an error') : undefined;
  const expectations = assessmentsOf(trace).flatMap(({ assessment_name, expectation }) =>
    isObject(expectation) ? [[textOf(assessment_name) ?? 'expected', parsed(expectation.value)]] : [],
  );
  const output = attribute(root, 'mlflow.spanOutputs');
  return {
    id,
    caseId: id,
    run: sourceOf(trace),
    inputs: underKey(attribute(root, 'mlflow.spanInputs'), 'input'),
    expected: withGuidelines(Object.fromEntries(expectations)),
    metadata: {},
    outputs: error === undefined ? underKey(output, 'output') : { error },
    error,
    // MLflow lets scorers judge an answer that is missing. Its verdict of it is not kept.
    scores: error === undefined ? scoresOf(trace) : [],
    trace: spansOf(trace),
  };
};

/** The table that `mlflow.evaluate` stores: `eval_results_table.json` has its columns and its rows apart. */
const tableRows = (content: Content): JsonObject[] => {
  const { columns, data } = isObject(content.value) ? content.value : {};
  if (!Array.isArray(columns) || !Array.isArray(data)) return itemsOf(content);
  return data.map((cells) =>
    Object.fromEntries(
      columns.map((column, i) => [String(column), Array.isArray(cells) ? cells[i] : undefined]),
    ),
  );
};

/** Columns of a metric of `mlflow.evaluate`: `name/v1/score`, or `name/score` without a version. */
const scoreColumn = /^(.+?)(?:\/v\d+)?\/score$/;
const otherColumn = /\/(score|justification)$/;
const expectedColumns = ['targets', 'target', 'ground_truth', 'expected'];
const outputColumns = ['outputs', 'output', 'predictions', 'prediction'];
/** Figures of the call, not verdicts: seconds, and tokens of the answer. */
const figureColumns = ['latency', 'token_count'];

const tableRow = (item: JsonObject, index: number, writtenMs: number): Row => {
  const pick = (columns: readonly string[]) =>
    Object.fromEntries(
      columns.flatMap((column) => (item[column] === undefined ? [] : [[column, item[column]]])),
    );
  const known = new Set([...expectedColumns, ...outputColumns, ...figureColumns]);
  const seconds = numberIn(item.latency);
  const call = callSpan({
    name: 'predict',
    startMs: writtenMs,
    endMs: writtenMs + (seconds ?? 0) * 1_000,
    outputTokens: numberIn(item.token_count),
  });
  return {
    id: rowId(index),
    caseId: rowId(index),
    run: '',
    inputs: pick(Object.keys(item).filter((column) => !known.has(column) && !otherColumn.test(column))),
    expected: pick(expectedColumns),
    metadata: {},
    outputs: pick(outputColumns),
    scores: Object.entries(item).flatMap(([column, value]) => {
      const name = scoreColumn.exec(column)?.[1];
      if (name === undefined) return [];
      return [
        {
          name,
          value: scoreValue(value),
          reasoning: textOf(item[column.replace(/score$/, 'justification')]),
        },
      ];
    }),
    ...(seconds !== undefined && { trace: [call] }),
  };
};

const isTable = (content: Content): boolean =>
  Object.keys(tableRows(content)[0] ?? {}).some((column) => /\/v\d+\/score$/.test(column));

const tracesIn = (content: Content): Trace[] =>
  itemsOf(content, 'traces', 'data').flatMap((item) => traceIn(item) ?? []);

/**
 * Results of MLflow 3: the table of `mlflow.genai.evaluate`, traces as `search_traces` returns them or as JSON, and the table of
 * `mlflow.evaluate`. The runs that the traces name become runs.
 */
export const mlflow: Format = {
  name: 'mlflow',
  about: 'MLflow results: tables of evaluate(), or traces with their assessments, as CSV, JSON or JSONL',
  recognizes: (content) =>
    isTable(content) ||
    tracesIn(content).some(({ info }) => 'trace_location' in info || 'trace_metadata' in info),
  read: (content): Import => {
    const traces = tracesIn(content);
    if (traces.length === 0) {
      const rows = tableRows(content).map((item, i) => tableRow(item, i, content.writtenMs));
      return singleRun('MLflow', content, rows, content.name);
    }
    const systems: Import['systems'] = new Map();
    for (const trace of traces) {
      const name = textOf(objectAt(trace.info, 'tags')['mlflow.traceName']) ?? 'MLflow';
      if (!systems.has(sourceOf(trace))) systems.set(sourceOf(trace), { name, config: {} });
    }
    const [only] = systems.keys();
    return {
      tool: 'MLflow',
      // One evaluation, written as a table or as traces, is one import.
      id: systems.size === 1 && only ? only : content.digest,
      name: content.name,
      systems,
      rows: traces.map(traceRow),
      notes: [],
    };
  },
};
