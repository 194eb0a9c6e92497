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
import { itemsOf, parsed, single } from './items.ts';

/** A score as Phoenix has it: a number, a label, or both; of yes and no the number says only half. */
const scoreIn = (score: unknown, label: unknown): ScoreValue => {
  const text = textOf(label);
  return text !== undefined && /^(true|false)$/i.test(text) ? text : scoreValue(score ?? label);
};

/**
 * A span's attribute: flat in tables (`attributes.input.value`), nested in JSON, and in answers of the API nested under
 * `attributes` but flat below.
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

/** A span's metadata, which the API takes apart: `metadata.topic`. */
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
      reasoning: textOf(result.explanation ?? annotation.explanation),
    };
  });

/** Scores in columns whose heads begin and end like this: the name stands between. */
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

/** The score of a row of spans to which their annotations were joined: one row an annotation. */
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

/** One repetition of one example; a task that failed has its error in place of an output, and scores that say nothing. */
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
    scores: error === undefined ? scores : [],
  };
};

const isExperiment = (item: JsonObject): boolean =>
  'example_id' in item && 'repetition_number' in item && 'reference_output' in item;
const isSpan = (item: JsonObject): boolean => attribute(item, 'context.span_id') !== undefined;

/**
 * What Phoenix exports: spans, of which only the roots are answers of a system, as JSON, JSONL, CSV or Parquet; and experiments
 * as JSON or CSV. Checked against files of Phoenix 20.26.
 */
export const phoenix: Format = {
  name: 'phoenix',
  about: 'Phoenix experiments (JSON, CSV), or spans with their evaluations (JSON, JSONL, CSV, Parquet)',
  recognizes: (content) =>
    itemsOf(content, 'data', 'spans').some((item) => isExperiment(item) || isSpan(item)),
  read: (content): Import => {
    const items = itemsOf(content, 'data', 'spans');
    if (items.some(isExperiment))
      return single('Phoenix', content, items.filter(isExperiment).map(experimentRow), content.name);
    const roots = items.filter((span) => !textOf(span.parent_id));
    const spans = Map.groupBy(roots, (span) => textOf(attribute(span, 'context.span_id')) ?? '');
    const rows = Array.from(spans, ([id, same]) => spanRow(id, same));
    const unscored = rows.every(({ scores }) => scores.length === 0);
    return {
      ...single('Phoenix', content, rows, textOf(roots[0]?.name) ?? 'Phoenix'),
      notes: unscored
        ? ['No score stands with these spans: Phoenix gives annotations apart. Join them: docs/cli.md.']
        : [],
    };
  },
};
