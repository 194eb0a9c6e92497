import type { JsonObject } from '../../../../client/src/main.ts';
import { CliError } from '../../errors.ts';
import type { Content } from '../content.ts';
import { type Import, isObject, type Row, type ScoreValue, scoreValue, textOf } from '../rows.ts';

type Part = 'inputs' | 'expected' | 'outputs' | 'scores' | 'metadata';

/** Which columns mean what, as the options say. */
export type Columns = { [part in Part]?: string[] } & { id?: string | undefined };

/** Beginnings of heads, as LangSmith and most others have them: `inputs.question`, `feedback.correct`. */
const prefixes: [string, Part][] = [
  ['inputs.', 'inputs'],
  ['input.', 'inputs'],
  ['expected.', 'expected'],
  ['reference.', 'expected'],
  ['reference_outputs.', 'expected'],
  ['outputs.', 'outputs'],
  ['output.', 'outputs'],
  ['scores.', 'scores'],
  ['score.', 'scores'],
  ['feedback.', 'scores'],
  ['metadata.', 'metadata'],
];
/** Heads that say it by themselves. */
const words: Record<string, Part> = {
  input: 'inputs',
  inputs: 'inputs',
  question: 'inputs',
  prompt: 'inputs',
  expected: 'expected',
  ideal: 'expected',
  target: 'expected',
  reference: 'expected',
  output: 'outputs',
  outputs: 'outputs',
  answer: 'outputs',
  response: 'outputs',
  completion: 'outputs',
  score: 'scores',
  scores: 'scores',
};

/** What a column means, and its name within that part; a column of objects has no name of its own. */
const meaningOf = (column: string, columns: Columns): { part: Part; name: string } => {
  for (const part of ['inputs', 'expected', 'outputs', 'scores', 'metadata'] as const) {
    if (columns[part]?.includes(column)) return { part, name: column };
  }
  const lower = column.toLowerCase();
  const prefix = prefixes.find(([start]) => lower.startsWith(start));
  if (prefix) return { part: prefix[1], name: column.slice(prefix[0].length) };
  return { part: words[lower] ?? 'metadata', name: column };
};

const scoreOf = (value: unknown): { value: ScoreValue; reasoning?: string } => {
  if (!isObject(value)) return { value: scoreValue(value) };
  const reasoning = textOf(value.reasoning ?? value.comment ?? value.explanation);
  return { value: scoreValue(value.score ?? value.value), ...(reasoning !== undefined && { reasoning }) };
};

const rowOf = (item: JsonObject, index: number, columns: Columns): Row => {
  const parts: Record<Exclude<Part, 'scores'>, JsonObject> = {
    inputs: {},
    expected: {},
    outputs: {},
    metadata: {},
  };
  const scores: Row['scores'] = [];
  const idColumn = columns.id ?? ['id', 'example_id', 'record_id'].find((name) => name in item);
  for (const [column, value] of Object.entries(item)) {
    if (column === idColumn || (columns.id === undefined && column === 'example_id')) continue;
    const { part, name } = meaningOf(column, columns);
    // A whole part in one column, as JSON lines have it.
    const isWhole = isObject(value) && (column === part || column === part.slice(0, -1));
    if (part === 'scores') {
      if (isWhole)
        for (const [key, one] of Object.entries(value)) scores.push({ name: key, ...scoreOf(one) });
      else scores.push({ name, ...scoreOf(value) });
    } else if (isWhole) Object.assign(parts[part], value);
    else parts[part][name] = value;
  }
  const id = (idColumn === undefined ? undefined : textOf(item[idColumn])) ?? `row ${index + 1}`;
  // Rows that have an id each and share an example are its trials.
  const caseId = (columns.id === undefined ? textOf(item.example_id) : undefined) ?? id;
  return { id, caseId, run: '', ...parts, scores };
};

/** A table or JSON lines of anyone's making: CSV, JSONL, JSON list, Parquet. */
export const readTable = (content: Content, columns: Columns): Import => {
  const heads = new Set(content.items.flatMap((item) => Object.keys(item)));
  const named = [...(columns.id === undefined ? [] : [columns.id])];
  for (const part of ['inputs', 'expected', 'outputs', 'scores', 'metadata'] as const)
    named.push(...(columns[part] ?? []));
  const absent = named.filter((name) => !heads.has(name));
  if (absent.length > 0) {
    throw new CliError(`There is no column ${absent.join(', ')}.`, `There are: ${[...heads].join(', ')}`);
  }
  const rows = content.items.map((item, i) => rowOf(item, i, columns));
  if (rows.every(({ inputs }) => Object.keys(inputs).length === 0)) {
    const next = `Say which columns are which: --inputs, --expected, --outputs, --scores. There are: ${[...heads].join(', ')}`;
    throw new CliError('No column says what went into the system.', next);
  }
  return {
    tool: 'table',
    id: content.digest,
    name: content.name,
    systems: new Map([['', { name: content.name, config: {} }]]),
    rows,
    notes: [],
  };
};
