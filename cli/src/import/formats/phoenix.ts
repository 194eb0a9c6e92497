import type { JsonObject } from '../../../../client/src/main.ts';
import type { Format } from '../format.ts';
import {
  type Import,
  isObject,
  listAt,
  objectAt,
  type Row,
  type ScoreValue,
  scoreValue,
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
      reasoning: textOf(result.explanation ?? annotation.explanation) ?? textOf(annotation.error),
    };
  });

/** Returns scores from columns whose names begin with `begin` and end with `end`; between them is the metric's name. */
const columnScores = (item: JsonObject, begin: string, end: (part: string) => string): Row['scores'] => {
  const nameIn = (column: string, part: string) =>
    column.startsWith(begin) && column.endsWith(end(part))
      ? column.slice(begin.length, -end(part).length)
      : undefined;
  const names = Object.keys(item).flatMap(
    (column) => nameIn(column, 'score') ?? nameIn(column, 'label') ?? [],
  );
  return [...new Set(names)].map((name) => {
    const at = (part: string) => item[`${begin}${name}${end(part)}`];
    return { name, value: scoreIn(at('score'), at('label')), reasoning: textOf(at('explanation')) };
  });
};

/** Returns the score of a span that was joined with its annotations: such a table has one row for each annotation. */
const joinedScores = (span: JsonObject): Row['scores'] => {
  const name = textOf(span.annotation_name);
  if (name === undefined) return [];
  const value = scoreIn(span['result.score'], span['result.label']);
  return [{ name, value, reasoning: textOf(span['result.explanation']) }];
};

const spanRow = (id: string, [span, ...others]: JsonObject[]): Row => ({
  id,
  caseId: id,
  run: '',
  inputs: underKey(parsed(attribute(span!, 'attributes.input.value')), 'input'),
  expected: {},
  metadata: metadataOf(span!),
  outputs: underKey(parsed(attribute(span!, 'attributes.output.value')), 'output'),
  scores: [
    ...annotationScores(span!),
    ...columnScores(span!, 'eval.', (part) => `.${part}`),
    ...[span!, ...others].flatMap(joinedScores),
  ],
});

/** Converts one repetition of one example. A failed task has its error as outputs; its scores mean nothing and are left out. */
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
    scores: error === undefined ? scores : [],
  };
};

const isExperiment = (item: JsonObject): boolean =>
  'example_id' in item && 'repetition_number' in item && 'reference_output' in item;
const isSpan = (item: JsonObject): boolean => attribute(item, 'context.span_id') !== undefined;

/**
 * Exports of Phoenix: spans as JSON, JSONL, CSV or Parquet, where only root spans are answers of a system, and experiments as
 * JSON or CSV. Tested with files of Phoenix 20.26.
 */
export const phoenix: Format = {
  name: 'phoenix',
  about: 'Phoenix experiments (JSON, CSV), or spans with their evaluations (JSON, JSONL, CSV, Parquet)',
  recognizes: (content) =>
    itemsOf(content, 'data', 'spans').some((item) => isExperiment(item) || isSpan(item)),
  read: (content): Import => {
    const items = itemsOf(content, 'data', 'spans');
    if (items.some(isExperiment))
      return singleRun('Phoenix', content, items.filter(isExperiment).map(experimentRow), content.name);
    const roots = items.filter((span) => !textOf(span.parent_id));
    const spans = Map.groupBy(roots, (span) => textOf(attribute(span, 'context.span_id')) ?? '');
    const rows = Array.from(spans, ([id, same]) => spanRow(id, same));
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
