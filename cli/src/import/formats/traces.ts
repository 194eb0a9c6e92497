import type { JsonObject } from '../../../../client/src/main.ts';
import type { Format } from '../format.ts';
import { isObject, listAt, objectAt, type Row, scoreValue, textOf, underKey } from '../rows.ts';
import { itemsOf, parsed, singleRun, strings } from './items.ts';

/** Returns a score of Langfuse. The value of a category is its place in a list, or 0: only its name says what it means. */
const langfuseValue = ({ dataType, value, stringValue }: JsonObject) => {
  if (dataType === 'BOOLEAN') return Number(value) === 1;
  return scoreValue(dataType === 'CATEGORICAL' ? (stringValue ?? value) : (value ?? stringValue));
};

/** Returns the scores of a Langfuse trace, which are a list of entries, or values by name. */
const langfuseScores = (trace: JsonObject): Row['scores'] => {
  const entries = listAt(trace, 'scores').map((score) => ({
    name: textOf(score.name) ?? 'score',
    value: langfuseValue(score),
    reasoning: textOf(score.comment),
  }));
  const named = Object.entries(objectAt(trace, 'scores')).map(([name, value]) => ({
    name,
    value: scoreValue(Array.isArray(value) ? value[0] : value),
  }));
  return [...entries, ...named];
};

// Braintrust's events also have a project_id, but always a span_id.
const isLangfuse = (item: JsonObject): boolean =>
  'input' in item &&
  'output' in item &&
  !('span_id' in item) &&
  ['projectId', 'project_id', 'bookmarked', 'htmlPath'].some((field) => field in item);

/** Whether this is an observation below the root of its trace. Traces have no such field. */
const hasParent = (item: JsonObject): boolean =>
  Boolean(textOf(item.parentObservationId ?? item.parent_observation_id));

/**
 * Exports of Langfuse. Its pages and API write traces, with fields in camel case. Its storage export writes enriched
 * observations, with fields in snake case, and their scores to separate files.
 */
export const langfuse: Format = {
  name: 'langfuse',
  about: 'Langfuse traces or observations with their scores: JSON or JSONL',
  recognizes: (content) => itemsOf(content, 'data', 'traces', 'trace').some(isLangfuse),
  read: (content) => {
    const items = itemsOf(content, 'data', 'traces', 'trace');
    const rows = items
      .filter((item) => !hasParent(item))
      .map((trace): Row => {
        const id = textOf(trace.traceId ?? trace.trace_id ?? trace.id) ?? '';
        return {
          id,
          caseId: textOf(trace.datasetItemId) ?? id,
          run: '',
          inputs: underKey(parsed(trace.input), 'input'),
          expected: underKey(parsed(trace.expectedOutput), 'output'),
          metadata: underKey(parsed(trace.metadata), 'metadata'),
          outputs: underKey(parsed(trace.output), 'output'),
          scores: langfuseScores(trace),
          tags: strings(trace.tags),
        };
      });
    const stored = items.some((item) => 'project_id' in item);
    return {
      ...singleRun('Langfuse', content, rows, 'Langfuse'),
      notes: stored ? ['This file has no scores: a Langfuse storage export has them in separate files.'] : [],
    };
  },
};

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
        tags: strings(parsed(run.tags)),
      };
    });
    return singleRun('LangSmith', content, rows, textOf(roots[0]?.name) ?? 'LangSmith');
  },
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
    const roots = events.filter(
      (event) =>
        event.is_root !== false &&
        event.is_root !== 'false' &&
        (event.span_id ?? null) === (event.root_span_id ?? event.span_id ?? null),
    );
    const rows = roots.map((event): Row => {
      const id = textOf(event.id) ?? textOf(event.span_id) ?? '';
      const error = isObject(event.error) ? JSON.stringify(event.error) : textOf(event.error);
      const origin = objectAt(event, 'origin');
      const scores = Object.entries(underKey(parsed(event.scores), 'score'));
      return {
        id,
        caseId: textOf(origin.id) ?? textOf(event.dataset_record_id) ?? id,
        run: '',
        inputs: underKey(parsed(event.input), 'input'),
        expected: underKey(parsed(event.expected), 'expected'),
        metadata: underKey(parsed(event.metadata), 'metadata'),
        outputs: { ...underKey(parsed(event.output), 'output'), ...(error !== undefined && { error }) },
        error,
        scores:
          error === undefined ? scores.map(([name, value]) => ({ name, value: scoreValue(value) })) : [],
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
