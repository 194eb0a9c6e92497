import type { JsonObject } from '../types.ts';
import { exactColumn } from './exact-cells.ts';
import { isObject, type Table } from './table.ts';

/** What a column holds: a part of a testcase, an answer of a system, scores, or an id. */
export type Part = 'inputs' | 'expected' | 'outputs' | 'scores' | 'metadata' | 'id';

/** Prefixes of column names that LangSmith and most other tools use: `inputs.question`, `feedback.correct`. */
const prefixes: Record<string, Part> = {
  inputs: 'inputs',
  input: 'inputs',
  expected: 'expected',
  reference: 'expected',
  reference_outputs: 'expected',
  outputs: 'outputs',
  output: 'outputs',
  scores: 'scores',
  score: 'scores',
  feedback: 'scores',
  metadata: 'metadata',
};

/** Column names that name their part. */
const words: Record<string, Part> = {
  input: 'inputs',
  inputs: 'inputs',
  question: 'inputs',
  prompt: 'inputs',
  user_input: 'inputs',
  expected: 'expected',
  ideal: 'expected',
  target: 'expected',
  reference: 'expected',
  answers: 'expected',
  label: 'expected',
  labels: 'expected',
  answer_key: 'expected',
  answerkey: 'expected',
  solution: 'expected',
  gold: 'expected',
  references: 'expected',
  ground_truth: 'expected',
  output: 'outputs',
  outputs: 'outputs',
  response: 'outputs',
  completion: 'outputs',
  score: 'scores',
  scores: 'scores',
};

/** What a system said, as people name it in their own tables: "model answer", "Bot reply", generated_text, prediction. */
const said =
  /^(?:(?:model|llm|ai|bot|assistant|system|agent|generated|predicted|actual)_(?:answer|output|response|reply|completion|text|result)s?|prediction|predicted|generation|actual)$/;
/** What it should have said: "correct answer", gold_response, "human reply". */
const wanted =
  /^(?:correct|right|true|gold|golden|good|perfect|human|desired)_(?:answer|output|response|reply|result)s?$/;
const looksExpected = /expect|ideal|label|target|reference|truth/i;
/** Names that only a table gives which also holds what a system answered. */
const contrasts = /(expect|ideal|target|reference|truth|gold)/i;
const looksMeta = /^(meta|tag|category|topic|source|split|difficulty|note)/i;
const ids = new Set(['id', 'example_id', 'record_id', 'testcase_id', 'testcaseid']);

/** `isGuess`: the name of the column says nothing. */
export type Meaning = { part: Part; name: string; isGuess?: true };

const prefixOf = (column: string): Meaning | undefined => {
  const dot = column.indexOf('.');
  const part = dot > 0 ? prefixes[column.slice(0, dot).toLowerCase()] : undefined;
  return part && dot + 1 < column.length ? { part, name: column.slice(dot + 1) } : undefined;
};

/** A name as one in small letters: "Model answer", modelAnswer and model-answer are model_answer. */
const inOneWay = (column: string): string =>
  column
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

const wordOf = (column: string): Part | undefined => {
  const name = inOneWay(column);
  if (Object.hasOwn(words, name)) return words[name];
  if (wanted.test(name)) return 'expected';
  return said.test(name) ? 'outputs' : undefined;
};

/**
 * Returns what each column of a table holds. An `answer` is what a system said if the table names no other output, and scores it or
 * says in another column what is expected; else it is what is expected. Columns that say nothing are inputs of a table that holds questions alone; in a table of answers without a question, the first of them is. In a published
 * dataset, outputs and scores are what is expected.
 */
export const meaningsOf = (columns: readonly string[], isPublished = false): Map<string, Meaning> => {
  const isExact = columns[0] === exactColumn;
  const saidBy = (column: string): Part | undefined => {
    const part = wordOf(column);
    return isPublished && (part === 'outputs' || part === 'scores') ? 'expected' : part;
  };
  const clear = new Map(columns.map((column) => [column, prefixOf(column)?.part ?? saidBy(column)]));
  const parts = new Set(clear.values());
  const isAnswered =
    parts.has('scores') ||
    (!isPublished && columns.some((column) => contrasts.test(column) || wanted.test(inOneWay(column))));
  const answers: Part = isAnswered && !parts.has('outputs') ? 'outputs' : 'expected';
  const hasNamedInputs = columns.some((column) => prefixOf(column)?.part === 'inputs');
  const isDataset = !parts.has('scores') && !parts.has('outputs') && !hasNamedInputs;
  const saysNothing = (column: string) =>
    !clear.get(column) &&
    !ids.has(inOneWay(column)) &&
    inOneWay(column) !== 'answer' &&
    !looksExpected.test(column);
  // A table of answers asks something: its first column that says nothing, if no other is its question.
  const asked =
    isDataset || parts.has('inputs')
      ? undefined
      : columns.find((column) => saysNothing(column) && !looksMeta.test(column));
  const partOf = (column: string): { part: Part; isGuess?: true } => {
    if (isExact) return { part: column === exactColumn ? 'id' : 'metadata' };
    if (ids.has(inOneWay(column))) return { part: 'id' };
    if (inOneWay(column) === 'answer') return { part: answers };
    const part = clear.get(column);
    if (part) return { part };
    if (looksExpected.test(column)) return { part: 'expected' };
    const isInput = column === asked || (isDataset && !looksMeta.test(column));
    return { part: isInput ? 'inputs' : 'metadata', isGuess: true };
  };
  return new Map(
    columns.map((column) => [column, prefixOf(column) ?? { ...partOf(column), name: column.trim() }]),
  );
};

/** Returns the columns of answers that no row fills, beside one that a row fills. LangSmith writes such a column for a case without an answer. */
export const unusedAnswers = ({ rows }: Table, meanings: ReadonlyMap<string, Meaning>): string[] => {
  const answers = [...meanings].filter(([, { part }]) => part === 'outputs').map(([column]) => column);
  const unused = answers.filter((column) => rows.every((row) => row[column] === undefined));
  return unused.length < answers.length ? unused : [];
};

const isWhole = (column: string, value: unknown): value is JsonObject =>
  Object.hasOwn(prefixes, column) && isObject(value);

/** Returns the table with a column for each member where one column holds a whole part: `{"inputs": {"q": …}}` is `inputs.q`. */
export const withParts = (table: Table): Table => {
  if (table.isText || table.columns[0] === exactColumn) return table;
  const rows = table.rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([column, value]) =>
        isWhole(column, value)
          ? Object.entries(value).map(([name, member]) => [`${column}.${name}`, member] as const)
          : [[column, value] as const],
      ),
    ),
  );
  return { ...table, rows, columns: [...new Set(rows.flatMap((row) => Object.keys(row)))] };
};
