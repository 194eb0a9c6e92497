import type { JsonObject } from '../../../../client/src/main.ts';
import { parseAsWritten } from '../../../../client/src/written-number.ts';
import { type Content, documentsOf } from '../content.ts';
import type { Format } from '../format.ts';
import { type Import, isObject, listAt, objectAt, type Row, textOf } from '../rows.ts';
import { type Grader, graderOf } from './openai-graders.ts';
import { type PlaceOf, soleField } from './openai-template.ts';

// The API's answers as openai-python 3.54.0 types them: types/eval_list_response.py, evals/run_list_response.py and
// evals/runs/output_item_list_response.py.
const kinds = ['eval', 'eval.run', 'eval.run.output_item'] as const;
type Found = Record<(typeof kinds)[number], Map<string, JsonObject>>;

/** Collects the evals, runs and output items wherever they are: pages, lines, files, or one in the other. */
const collect = (value: unknown, found: Found): void => {
  if (Array.isArray(value)) {
    for (const one of value) collect(one, found);
    return;
  }
  if (!isObject(value)) return;
  const kind = kinds.find((one) => one === value.object);
  if (kind && textOf(value.id) !== undefined) found[kind].set(textOf(value.id)!, value);
  // An item's own data may look like anything.
  if (kind !== 'eval.run.output_item') for (const part of Object.values(value)) collect(part, found);
};

const foundIn = (content: Content): Found => {
  const found: Found = { eval: new Map(), 'eval.run': new Map(), 'eval.run.output_item': new Map() };
  for (const { value } of documentsOf(content)) collect(value, found);
  return found;
};

/** Fields of `item` that graders compare with: what is expected. The others are inputs. */
const placesOf = (graders: JsonObject[]): PlaceOf => {
  const expected = new Set(graders.map(({ reference }) => soleField(reference)));
  return (field) => (expected.has(field) ? 'expected' : 'inputs');
};

const contentText = (content: unknown): string => {
  if (Array.isArray(content)) return content.map(contentText).join('');
  return isObject(content) ? (textOf(content.text) ?? '') : (textOf(content) ?? '');
};

const parsedObject = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = parseAsWritten(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the fields that graders call `sample`: output_text, output_json, output_tools and choices. */
const outputsOf = (sample: JsonObject, given: JsonObject): JsonObject => {
  const error = textOf(objectAt(sample, 'error').message) ?? textOf(objectAt(sample, 'error').code);
  const messages = listAt(sample, 'output');
  if (messages.length === 0) {
    if (error !== undefined) return { error };
    return given;
  }
  const text = messages.map(({ content }) => contentText(content)).join('\n');
  const tools = messages.flatMap((message) => listAt(message, 'tool_calls'));
  const json = parsedObject(text);
  return {
    output_text: text,
    ...(json && { output_json: json }),
    ...(tools.length > 0 && { output_tools: tools }),
    choices: messages.map((message, index) => ({ index, message })),
    ...(error !== undefined && { error }),
    ...given,
  };
};

/** The error of a grader that failed. Its score of 0 is not a verdict. */
const errorOf = (result: JsonObject): JsonObject | undefined => {
  const { error } = objectAt(result, 'sample');
  return isObject(error) ? error : undefined;
};

/** The results of an item without those of graders that failed. */
const verdictsOf = (item: JsonObject): JsonObject[] =>
  listAt(item, 'results').filter((result) => !errorOf(result));

/** Returns the scores of an item. A grader that failed gives none, but its reason. */
const scoresOf = (item: JsonObject, graders: Grader[]): Row['scores'] =>
  listAt(item, 'results').flatMap((result): Row['scores'] => {
    const grader = graderOfResult(graders, result);
    const error = errorOf(result);
    if (!grader) return [];
    return error
      ? [{ name: grader.name, value: null, reasoning: textOf(error.message) ?? 'the grader failed' }]
      : [grader.scoreOf(result)];
  });

/** A result names its grader by its id, by its name, or by its name and a UUID. */
const graderOfResult = (graders: Grader[], result: JsonObject): Grader | undefined => {
  const name = textOf(result.name) ?? '';
  return (
    graders.find(({ resultName }) => resultName === name) ??
    graders.find(
      (grader) => grader.name === name.replace(/-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, ''),
    )
  );
};

const rowOf = (item: JsonObject, graders: Grader[], placeOf: PlaceOf): Row => {
  const whole = objectAt(item, 'datasource_item');
  // A run of a file with answers has both in a line.
  const isPair =
    isObject(whole.item) && Object.keys(whole).every((key) => key === 'item' || key === 'sample');
  const data = isPair ? objectAt(whole, 'item') : whole;
  const sample = objectAt(item, 'sample');
  const parts = { inputs: {} as JsonObject, expected: {} as JsonObject };
  for (const [field, value] of Object.entries(data)) parts[placeOf(field)][field] = value;
  if (Object.keys(data).length === 0) parts.inputs.messages = listAt(sample, 'input');
  return {
    id: textOf(item.id)!,
    caseId: textOf(item.datasource_item_id) ?? textOf(item.id)!,
    run: textOf(item.run_id) ?? '',
    ...parts,
    metadata: {},
    outputs: outputsOf(sample, isPair ? objectAt(whole, 'sample') : {}),
    scores: scoresOf(item, graders),
  };
};

const systemOf = (run: JsonObject): { name: string; config: JsonObject } => {
  const source = objectAt(run, 'data_source');
  const { source: _, ...config } = source;
  const name = textOf(run.model) ?? textOf(source.model) ?? textOf(run.name) ?? 'OpenAI Evals';
  return { name, config: { ...config, ...(textOf(run.name) && { run: textOf(run.name) }) } };
};

/** Uses only the verdict of a grader whose numbers do not fit into 0 to 1. */
const withinRange = (graders: Grader[], results: JsonObject[]): Grader[] =>
  graders.map((grader) => {
    if (grader.metric?.outputType !== 'float') return grader;
    const own = results.filter((result) => graderOfResult(graders, result) === grader);
    const fits = own.every((result) => {
      const { value } = grader.scoreOf(result);
      return typeof value !== 'number' || (value >= 0 && value <= 1);
    });
    if (fits) return grader;
    const note = `Scores of '${grader.name}' are not within 0 to 1: only its verdicts are imported, and the grader is not.`;
    return { ...graderOf({ name: grader.name, id: grader.resultName }, () => 'inputs'), note };
  });

/** The eval's graders. Without the eval, the names in the results. */
const criteriaOf = (about: JsonObject, items: Found['eval.run.output_item']): JsonObject[] => {
  const criteria = listAt(about, 'testing_criteria');
  if (criteria.length > 0) return criteria;
  const results = [...items.values()].filter(({ eval_id }) => eval_id === about.id);
  const names = results.flatMap((item) => listAt(item, 'results').map(({ name }) => textOf(name)));
  return [...new Set(names)].map((name) => ({ name, type: 'unknown: the export has no eval' }));
};

/** Numbers the graders that share a name. Their results have the grader's id. */
const withOwnNames = (criteria: JsonObject[]): JsonObject[] => {
  const times = new Map<string, number>();
  return criteria.map((grader) => {
    const name = textOf(grader.name) ?? 'grader';
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    return time === 1 ? grader : { ...grader, name: `${name} ${time}` };
  });
};

const importOf = (about: JsonObject, { 'eval.run': runs, 'eval.run.output_item': all }: Found): Import => {
  const criteria = criteriaOf(about, all);
  const placeOf = placesOf(criteria);
  const items = [...all.values()].filter((item) => item.eval_id === about.id);
  const graders = withinRange(
    withOwnNames(criteria).map((grader) => graderOf(grader, placeOf)),
    items.flatMap(verdictsOf),
  );
  const runIds = [...new Set(items.map((item) => textOf(item.run_id) ?? ''))];
  return {
    tool: "OpenAI's hosted Evals",
    id: textOf(about.id)!,
    name: textOf(about.name) ?? textOf(about.id)!,
    systems: new Map(runIds.map((id) => [id, systemOf(runs.get(id) ?? {})])),
    rows: items.map((item) => rowOf(item, graders, placeOf)),
    metrics: new Map(graders.flatMap(({ name, metric }) => (metric ? [[name, metric] as const] : []))),
    notes: graders.flatMap(({ note }) => note ?? []),
  };
};

/** Exports of OpenAI's hosted Evals: evals, runs and output items as its API answers them. */
export const openaiHosted: Format = {
  name: 'openai-hosted',
  about: "OpenAI's hosted Evals: evals, runs and output items of its API, JSON or JSONL",
  recognizes: (content) => foundIn(content)['eval.run.output_item'].size > 0,
  read: (content): Import[] => {
    const found = foundIn(content);
    const known = found.eval;
    for (const { eval_id } of found['eval.run.output_item'].values()) {
      const id = textOf(eval_id);
      if (id !== undefined && !known.has(id)) known.set(id, { id });
    }
    return [...known.values()].map((about) => importOf(about, found)).filter(({ rows }) => rows.length > 0);
  },
};
