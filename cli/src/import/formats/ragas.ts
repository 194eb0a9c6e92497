import type { JsonObject } from '../../../../client/src/main.ts';
import { parseLoosely } from '../../../../client/src/written-number.ts';
import type { Content } from '../content.ts';
import type { Format } from '../format.ts';
import { amountIn, type Row, rowId, scoreValue, textOf, underKey } from '../rows.ts';
import { itemsOf, singleRun } from './items.ts';

/** Columns of Ragas' metrics, each a share from 0 to 1: 1 is good. `noise_sensitivity` is the other way, and is asked about. */
const metrics =
  /^(faithfulness|(answer|response)_(relevancy|correctness|similarity)|semantic_similarity|factual_correctness.*|(\w+_)?context_(precision|recall|relevance|entity_recall|utilization).*|noise_sensitivity.*|nv_\w+|(bleu|rouge|chrf|summary)_score.*|string_present|exact_match|non_llm_string_similarity|tool_call_(accuracy|f1)|topic_adherence.*|agent_goal_accuracy.*|multi_modal_(faithfulness|relevance)|llm_sql_equivalence.*)$/;

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

/** Columns that number or name the rows, as pandas and testset generators write them. */
const labels = /^(|id|index|Unnamed: \d+|query_length|query_style|persona_name|synthesizer_name)$/;

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && /^(|nan|none)$/i.test(value));

/** The columns of scores: those of Ragas, and those of the user's own metrics, which hold numbers alone. */
const scoreColumns = (items: readonly JsonObject[]): Set<string> => {
  const known = new Set([...inputs, ...expected, ...outputs, 'metadata']);
  const isOwn = (column: string): boolean => {
    const values = items.map((item) => item[column]).filter((value) => !isBlank(value));
    return values.length > 0 && values.every((value) => Number.isFinite(amountIn(value)));
  };
  const all = new Set(items.flatMap((item) => Object.keys(item)));
  return new Set(
    [...all].filter(
      (column) => metrics.test(column) || (!known.has(column) && !labels.test(column) && isOwn(column)),
    ),
  );
};

/** What is neither read by a system nor a score: it describes the row. */
const othersOf = (item: JsonObject, scored: ReadonlySet<string>): JsonObject => {
  const used = new Set([...inputs, ...expected, ...outputs, ...scored, 'metadata']);
  return Object.fromEntries(
    Object.entries(item).filter(([column, value]) => column !== '' && !used.has(column) && !isBlank(value)),
  );
};

const rowOf = (item: JsonObject, index: number, scored: ReadonlySet<string>): Row => ({
  id: rowId(index),
  caseId: rowId(index),
  run: '',
  inputs: present(item, inputs),
  expected: present(item, expected),
  metadata: { ...othersOf(item, scored), ...underKey(item.metadata, 'metadata') },
  outputs: present(item, outputs),
  // A metric whose judge failed is nan for that case alone.
  scores: Object.entries(item).flatMap(([name, value]) =>
    scored.has(name) ? [{ name, value: typeof value === 'string' ? textOf(value) : scoreValue(value) }] : [],
  ),
});

/** Results of Ragas: `evaluate(…).to_pandas()` saved as CSV, JSON lines or Parquet. */
export const ragas: Format = {
  name: 'ragas',
  about: 'Ragas results: to_pandas() as CSV, JSONL, JSON or Parquet',
  recognizes: (content: Content) => itemsOf(content).some(isRagas),
  read: (content) => {
    const items = itemsOf(content);
    const scored = scoreColumns(items);
    return {
      ...singleRun(
        'Ragas',
        content,
        items.map((item, index) => rowOf(item, index, scored)),
        content.name,
      ),
      // Only the scale of Ragas' own metrics is known.
      unit: (metric) => metrics.test(metric) && !metric.startsWith('noise_sensitivity'),
    };
  },
};
