import type { JsonObject } from '../../../../client/src/main.ts';
import { parseLoosely } from '../../../../client/src/written-number.ts';
import type { Content } from '../content.ts';
import type { Format } from '../format.ts';
import { type Row, scoreValue, textOf, underKey } from '../rows.ts';
import { itemsOf, singleRun } from './items.ts';

/** Columns of Ragas' metrics, each a share from 0 to 1: 1 is good. `noise_sensitivity` is the other way, and is asked about. */
const metrics =
  /^(faithfulness|(answer|response)_(relevancy|correctness|similarity)|semantic_similarity|factual_correctness.*|(\w+_)?context_(precision|recall|relevance|entity_recall|utilization).*|noise_sensitivity.*|nv_\w+|(bleu|rouge|chrf|summary)_score.*|string_present|exact_match|tool_call_accuracy|topic_adherence.*)$/;

const inputs = ['user_input', 'question'];
const expected = ['reference', 'ground_truth', 'reference_contexts', 'rubrics'];
const outputs = ['response', 'answer', 'retrieved_contexts', 'contexts'];

const present = (item: JsonObject, columns: readonly string[]): JsonObject =>
  Object.fromEntries(
    columns.flatMap((column) => (item[column] === undefined ? [] : [[column, listIn(item[column])]])),
  );

/** Tables keep a list of passages as text. */
const listIn = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*\[/.test(value)) return value;
  try {
    return parseLoosely(value);
  } catch {
    return value;
  }
};

const isRagas = (item: JsonObject): boolean =>
  inputs.some((column) => column in item) &&
  ('retrieved_contexts' in item || 'contexts' in item || 'user_input' in item) &&
  Object.keys(item).some((column) => metrics.test(column));

const rowOf = (item: JsonObject, index: number): Row => ({
  id: `row ${index + 1}`,
  caseId: `row ${index + 1}`,
  run: '',
  inputs: present(item, inputs),
  expected: present(item, expected),
  metadata: underKey(item.metadata, 'metadata'),
  outputs: present(item, outputs),
  // A metric whose judge failed is nan for that case alone.
  scores: Object.entries(item).flatMap(([name, value]) =>
    metrics.test(name)
      ? [{ name, value: typeof value === 'string' ? textOf(value) : scoreValue(value) }]
      : [],
  ),
});

/** Results of Ragas: `evaluate(…).to_pandas()` saved as CSV, JSON lines or Parquet. */
export const ragas: Format = {
  name: 'ragas',
  about: 'Ragas results: to_pandas() as CSV, JSONL, JSON or Parquet',
  recognizes: (content: Content) => itemsOf(content).some(isRagas),
  read: (content) => ({
    ...singleRun('Ragas', content, itemsOf(content).map(rowOf), content.name),
    unit: (metric) => !metric.startsWith('noise_sensitivity'),
  }),
};
