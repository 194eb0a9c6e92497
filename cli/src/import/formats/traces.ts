import type { JsonObject } from '../../../../client/src/main.ts';
import { callSpan } from '../call-span.ts';
import type { Format } from '../format.ts';
import {
  isObject,
  listAt,
  numberIn,
  objectAt,
  type Row,
  scoreValue,
  type TraceSpan,
  textOf,
  underKey,
} from '../rows.ts';
import { itemsOf, parsed, singleRun, strings } from './items.ts';

/** Returns the feedback of a LangSmith run, which is a list of entries, or averages as in its exports. */
const langsmithScores = (run: JsonObject): Row['scores'] => {
  const entries = listAt(run, 'feedback').map((feedback) => ({
    name: textOf(feedback.key) ?? 'feedback',
    value: scoreValue(feedback.score ?? feedback.value),
    reasoning: textOf(feedback.comment),
  }));
  if (entries.length > 0) return entries;
  return Object.entries(underKey(parsed(run.feedback_stats), 'feedback')).map(([name, stats]) => ({
    name,
    value: scoreValue(isObject(stats) ? stats.avg : stats),
  }));
};

/** Returns the call of a run that says when it began and ended. */
const langsmithCall = (run: JsonObject): TraceSpan[] => {
  const [startMs, endMs] = [run.start_time, run.end_time].map((time) => {
    const text = textOf(time) ?? '';
    // LangSmith writes times of UTC, in some files without saying so.
    return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
  }) as [number, number];
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return [];
  return [
    callSpan({
      name: textOf(run.name) ?? 'run',
      startMs,
      endMs,
      inputTokens: numberIn(run.prompt_tokens),
      outputTokens: numberIn(run.completion_tokens),
      costUsd: numberIn(typeof run.total_cost === 'string' ? Number(run.total_cost) : run.total_cost),
    }),
  ];
};

/**
 * Runs and experiments of LangSmith. In Parquet its objects are JSON text. Its CSV files have columns like `outputs.answer` and
 * are read as tables.
 */
export const langsmith: Format = {
  name: 'langsmith',
  about: 'LangSmith runs with their feedback: JSON, JSONL or Parquet',
  recognizes: (content) =>
    itemsOf(content, 'runs').some((item) => 'run_type' in item && isObject(parsed(item.inputs))),
  read: (content) => {
    const roots = itemsOf(content, 'runs').filter((run) => !textOf(run.parent_run_id));
    const rows = roots.map((run): Row => {
      const id = textOf(run.id) ?? '';
      const error = textOf(run.error);
      const outputs = parsed(run.outputs);
      const extra = parsed(run.extra);
      return {
        id,
        caseId: textOf(run.reference_example_id) ?? id,
        run: '',
        inputs: underKey(parsed(run.inputs), 'input'),
        expected: underKey(parsed(run.reference_outputs), 'output'),
        metadata: isObject(extra) ? objectAt(extra, 'metadata') : {},
        outputs:
          error === undefined ? underKey(outputs, 'output') : { ...underKey(outputs, 'output'), error },
        error,
        scores: error === undefined ? langsmithScores(run) : [],
        trace: langsmithCall(run),
        tags: strings(parsed(run.tags)),
      };
    });
    return singleRun('LangSmith', content, rows, textOf(roots[0]?.name) ?? 'LangSmith');
  },
};

/** Whether an event is the root of its trace. Its trace's id is its own span's id only in older files. */
const isBraintrustRoot = (event: JsonObject): boolean => {
  if (event.is_root !== undefined) return event.is_root !== false && event.is_root !== 'false';
  const parents = parsed(event.span_parents);
  if (Array.isArray(parents) && parents.length > 0) return false;
  return 'span_parents' in event || (event.span_id ?? null) === (event.root_span_id ?? event.span_id ?? null);
};

/** An error is a text, an object, or the text of a traceback, whose last line says what went wrong. */
const braintrustError = ({ error }: JsonObject): string | undefined =>
  isObject(error) ? JSON.stringify(error) : textOf(error)?.trim().split('\n').at(-1);

/** Returns the scores of a root: its own, else those of the scorers below it. A scorer that failed gives its reason. */
const braintrustScores = (root: JsonObject, scorers: readonly JsonObject[]): Row['scores'] => {
  const own = Object.entries(underKey(parsed(root.scores), 'score')).map(([name, value]) => ({
    name,
    value: scoreValue(value),
  }));
  const known = new Set(own.map(({ name }) => name));
  const others = scorers.flatMap((event): Row['scores'] => {
    const error = braintrustError(event);
    const name = textOf(objectAt(event, 'span_attributes').name) ?? 'score';
    if (error !== undefined) return [{ name, value: null, reasoning: error }];
    return Object.entries(objectAt(event, 'scores')).map(([name, value]) => ({
      name,
      value: scoreValue(value),
    }));
  });
  return [...own, ...others.filter(({ name }) => !known.has(name))];
};

/** Returns the call of an event that says when it began and ended, in seconds since 1970. */
const braintrustCall = (event: JsonObject): TraceSpan[] => {
  const metrics = parsed(event.metrics);
  const amount = (name: string) => (isObject(metrics) ? numberIn(metrics[name]) : undefined);
  const [start, end] = [amount('start'), amount('end')];
  if (start === undefined || end === undefined) return [];
  return [
    callSpan({
      name: 'task',
      startMs: start * 1_000,
      endMs: end * 1_000,
      inputTokens: amount('prompt_tokens'),
      outputTokens: amount('completion_tokens'),
      costUsd: amount('estimated_cost'),
    }),
  ];
};

/** Experiments and logs of Braintrust. */
export const braintrust: Format = {
  name: 'braintrust',
  about: 'Braintrust experiments: JSON, JSONL or CSV',
  recognizes: (content) =>
    itemsOf(content, 'events', 'data').some(
      (item) =>
        'scores' in item &&
        'input' in item &&
        ('root_span_id' in item || 'span_id' in item || 'experiment_id' in item),
    ),
  read: (content) => {
    const events = itemsOf(content, 'events', 'data');
    const roots = events.filter(isBraintrustRoot);
    const below = Map.groupBy(
      events.filter((event) => !isBraintrustRoot(event)),
      (event) => textOf(event.root_span_id),
    );
    const typed = (root: JsonObject, type: string) =>
      (below.get(textOf(root.root_span_id)) ?? []).filter(
        (event) => objectAt(event, 'span_attributes').type === type,
      );
    const rows = roots.map((event): Row => {
      const id = textOf(event.id) ?? textOf(event.span_id) ?? '';
      const error = braintrustError(event);
      const origin = objectAt(event, 'origin');
      return {
        id,
        caseId: textOf(origin.id) ?? textOf(event.dataset_record_id) ?? id,
        run: '',
        inputs: underKey(parsed(event.input), 'input'),
        expected: underKey(parsed(event.expected), 'expected'),
        metadata: underKey(parsed(event.metadata), 'metadata'),
        outputs: { ...underKey(parsed(event.output), 'output'), ...(error !== undefined && { error }) },
        error,
        scores: error === undefined ? braintrustScores(event, typed(event, 'score')) : [],
        // The root's time includes that of its scorers.
        trace: braintrustCall(typed(event, 'task')[0] ?? event),
        tags: strings(parsed(event.tags)),
      };
    });
    // Braintrust defines each score as a share from 0 to 1.
    return {
      ...singleRun('Braintrust', content, rows, textOf(events[0]?.experiment_name) ?? 'Braintrust'),
      unit: () => true,
    };
  },
};
