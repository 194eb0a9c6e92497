import type { JsonObject } from '../../../../client/src/main.ts';
import { brokenJson } from '../../../../client/src/tables/json-rows.ts';
import { parseLoosely } from '../../../../client/src/written-number.ts';
import { CliError } from '../../errors.ts';
import { callSpan } from '../call-span.ts';
import { type Content, textOfPart } from '../content.ts';
import type { Format } from '../format.ts';
import { ownCategories } from '../own-labels.ts';
import {
  type Import,
  isObject,
  listAt,
  numberIn,
  objectAt,
  type Row,
  type ScoreValue,
  scoreValue,
  type TraceSpan,
  textOf,
} from '../rows.ts';
import { isAgent, traceOf } from './inspect-trace.ts';

/** Inspect's letters (correct, incorrect, partial, no answer) with the numbers of its own value_to_float. */
const letters: Record<string, number> = { C: 1, I: 0, P: 0.5, N: 0 };
const isLetter = (value: ScoreValue): value is string =>
  typeof value === 'string' && Object.hasOwn(letters, value);

/** A scorer with one value is one metric. A scorer with several values is one metric for each. */
const valuesOf = (name: string, score: JsonObject): Row['scores'] => {
  const answer = textOf(score.answer);
  const reasoning = textOf(score.explanation) ?? (answer === undefined ? undefined : `Answer: ${answer}`);
  if (!isObject(score.value)) return [{ name, value: scoreValue(score.value), reasoning }];
  return Object.entries(score.value).map(([part, value]) => ({
    name: `${name}.${part}`,
    value: scoreValue(value),
    reasoning,
  }));
};

/** The scores whose mean the log reports as an accuracy: they are shares of right answers. */
const sharesIn = (header: JsonObject): string[] =>
  listAt(objectAt(header, 'results'), 'scores')
    .filter((score) => 'accuracy' in objectAt(score, 'metrics'))
    .flatMap(({ name, scorer }) => [`${textOf(name)}`, `${textOf(scorer)}.${textOf(name)}`]);

/** Replaces letters by numbers for a scorer that gave a partial score, else by yes and no. Returns the former scorers. */
const replaceLetters = (rows: Row[]): ReadonlySet<string> => {
  const partial = new Set(
    rows.flatMap(({ scores }) => scores.flatMap(({ name, value }) => (value === 'P' ? [name] : []))),
  );
  for (const { scores } of rows) {
    for (const score of scores) {
      if (isLetter(score.value))
        score.value = partial.has(score.name) ? letters[score.value]! : score.value === 'C';
    }
  }
  return partial;
};

const inputsOf = ({ input, choices }: JsonObject): JsonObject => ({
  ...(Array.isArray(input) ? { messages: input } : { input }),
  ...(Array.isArray(choices) && { choices }),
});

/** Puts the long texts back that a log stores once, as `attachment://` and a hash. */
const withAttachments = (value: unknown, attachments: JsonObject): unknown => {
  if (typeof value === 'string' && value.startsWith('attachment://'))
    return attachments[value.slice('attachment://'.length)] ?? value;
  if (Array.isArray(value)) return value.map((one) => withAttachments(one, attachments));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withAttachments(part, attachments)]),
  );
};

/** Returns the sample's call of its models as a span, with its time and tokens, if the log says how long it took. */
const callOf = (sample: JsonObject): TraceSpan[] => {
  const seconds = numberIn(sample.total_time);
  const startMs = Date.parse(textOf(sample.started_at) ?? '');
  if (seconds === undefined || Number.isNaN(startMs)) return [];
  const sumOf = (name: string): number =>
    Object.values(objectAt(sample, 'model_usage')).reduce<number>(
      (sum, usage) => sum + (numberIn(isObject(usage) ? usage[name] : undefined) ?? 0),
      0,
    );
  return [
    callSpan({
      name: textOf(objectAt(sample, 'output').model) ?? 'model',
      startMs,
      endMs: startMs + seconds * 1_000,
      inputTokens: sumOf('input_tokens'),
      outputTokens: sumOf('output_tokens'),
    }),
  ];
};

const rowOf = ({ events: _, attachments, ...condensed }: JsonObject): Row => {
  const sample = withAttachments(condensed, isObject(attachments) ? attachments : {}) as JsonObject;
  const error = textOf(objectAt(sample, 'error').message);
  const output = objectAt(sample, 'output');
  // A log that Dokima wrote has the parts of each record as they were sent.
  const { dokima: own, ...metadata } = objectAt(sample, 'metadata');
  const isOwn = isObject(own) && isObject(own.inputs) && isObject(own.outputs);
  return {
    id: textOf(sample.uuid) ?? `${textOf(sample.id)}/${textOf(sample.epoch)}`,
    caseId: textOf(sample.id) ?? '',
    run: '',
    inputs: isOwn ? objectAt(own, 'inputs') : inputsOf(sample),
    expected: isOwn ? objectAt(own, 'expected') : { target: sample.target },
    metadata: isOwn ? metadata : objectAt(sample, 'metadata'),
    outputs:
      error !== undefined
        ? { error }
        : isOwn
          ? objectAt(own, 'outputs')
          : { completion: output.completion ?? '' },
    error,
    scores:
      error === undefined
        ? Object.entries(objectAt(sample, 'scores')).flatMap(([name, score]) =>
            isObject(score) ? valuesOf(name, score) : [],
          )
        : [],
    trace: isAgent(sample) ? traceOf(sample) : callOf(sample),
  };
};

const parse = (files: Map<string, Buffer>, path: string): JsonObject => {
  const bytes = files.get(path);
  if (!bytes)
    throw new CliError(
      `The log has no ${path}: its evaluation was interrupted.`,
      'Recover it: inspect log recover',
    );
  const text = textOfPart(path, bytes);
  try {
    return parseLoosely(text) as JsonObject;
  } catch (error) {
    throw new CliError(`${path} in the log cannot be read. ${brokenJson(text, error).message}`);
  }
};

/** Returns the parts of a log. An .eval file is an archive of them; a .json file holds them all. */
const logOf = ({ files, value }: Content): { header: JsonObject; samples: JsonObject[] } => {
  if (!files) return { header: value as JsonObject, samples: listAt(value, 'samples') };
  const paths = [...files.keys()].filter((path) => /^samples\/.*\.json$/.test(path));
  return { header: parse(files, 'header.json'), samples: paths.map((path) => parse(files, path)) };
};

const byEpochAndId = (order: unknown[]) => (a: JsonObject, b: JsonObject) =>
  order.indexOf(a.id) - order.indexOf(b.id) || Number(a.epoch) - Number(b.epoch);

/** Logs of Inspect: .eval (compressed with Zstandard or deflate) and .json. */
export const inspect: Format = {
  name: 'inspect',
  about: 'Inspect logs: .eval or .json',
  recognizes: ({ files, value }) =>
    files
      ? files.has('header.json') || files.has('_journal/start.json')
      : isObject(value) && isObject(value.eval) && 'samples' in value,
  read: (content): Import => {
    const { header, samples } = logOf(content);
    const about = objectAt(header, 'eval');
    const sampleIds = objectAt(about, 'dataset').sample_ids;
    const rows = samples.toSorted(byEpochAndId(Array.isArray(sampleIds) ? sampleIds : [])).map(rowOf);
    const shares = new Set([...replaceLetters(rows), ...sharesIn(header)]);
    const config = {
      model: about.model,
      task: about.task,
      task_args: about.task_args,
      model_generate_config: about.model_generate_config,
      solver: objectAt(header, 'plan').steps,
    };
    return {
      tool: 'Inspect',
      id: textOf(about.eval_id) ?? textOf(about.run_id) ?? content.digest,
      name: textOf(about.task_display_name) ?? textOf(about.task) ?? content.name,
      systems: new Map([['', { name: textOf(about.model) ?? 'model', config }]]),
      rows,
      metrics: ownCategories(objectAt(about, 'metadata').dokima_labels),
      unit: (metric) => shares.has(metric),
      notes: header.status === 'success' ? [] : [`The evaluation ended with status '${header.status}'.`],
    };
  },
};
