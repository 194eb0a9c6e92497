import type { JsonObject } from '../../../../client/src/main.ts';
import { parseAsWritten, parseLoosely } from '../../../../client/src/written-number.ts';
import { CliError } from '../../errors.ts';
import { type Content, documentsOf } from '../content.ts';
import type { Format } from '../format.ts';
import { ownCategories } from '../own-labels.ts';
import {
  type Import,
  isObject,
  listAt,
  type MetricDefinition,
  numberIn,
  objectAt,
  type Row,
  scoreValue,
  textOf,
} from '../rows.ts';

// Every Eval Ever: a file of an evaluation (eval.schema.json 0.2) and one of its samples, a line for each score of an answer.
const isEvaluation = (value: unknown): value is JsonObject =>
  isObject(value) && 'evaluation_results' in value && 'eval_library' in value;
const isSample = (value: unknown): value is JsonObject =>
  isObject(value) && 'sample_id' in value && 'interaction_type' in value && 'evaluation' in value;

type Found = { evaluations: JsonObject[]; samples: JsonObject[] };

const foundIn = (content: Content): Found => {
  if (content.form !== 'folder' && content.form !== 'json' && content.form !== 'lines')
    return { evaluations: [], samples: [] };
  const values = documentsOf(content).flatMap(({ value }) => (Array.isArray(value) ? value : [value]));
  return { evaluations: values.filter(isEvaluation), samples: values.filter(isSample) };
};

/** The scale of a metric, and whether a low value is good. */
type Scale = { low: number; high: number; isLower: boolean; isBinary: boolean; threshold?: number };

const scaleIn = (result: JsonObject): Scale | undefined => {
  const config = objectAt(result, 'metric_config');
  const names = Array.isArray(config.level_names) ? config.level_names.length : 0;
  const isBinary = config.score_type === 'binary';
  const low = numberIn(config.min_score) ?? (isBinary || names > 0 ? 0 : undefined);
  const high = numberIn(config.max_score) ?? (isBinary ? 1 : names > 0 ? names - 1 : undefined);
  if (low === undefined || high === undefined || high <= low) return undefined;
  const threshold = Number(textOf(objectAt(config, 'additional_details').passing_threshold) ?? Number.NaN);
  const isLower = config.lower_is_better === true;
  return { low, high, isLower, isBinary, ...(Number.isFinite(threshold) && { threshold }) };
};

const isFiveStep = ({ low, high, isLower }: Scale): boolean => low === 1 && high === 5 && !isLower;

const definitionOf = (scale: Scale): MetricDefinition => ({
  kind: 'scores',
  evalType: 'heuristic',
  outputType: scale.isBinary ? 'boolean' : isFiveStep(scale) ? 'int' : 'float',
  ...(scale.threshold !== undefined && { passingThreshold: scale.threshold }),
});

const scoreIn = (evaluation: JsonObject, scale: Scale | undefined): number | boolean | null => {
  const score = numberIn(evaluation.score);
  if (scale?.isBinary || scale === undefined) {
    // Without a scale, a score that is its own verdict is one.
    const isVerdict = score === undefined || score === Number(evaluation.is_correct);
    if (scale !== undefined || isVerdict) return evaluation.is_correct === true;
    return score;
  }
  if (score === undefined) return null;
  if (isFiveStep(scale)) return score;
  const share = (score - scale.low) / (scale.high - scale.low);
  return scale.isLower ? 1 - share : share;
};

/** The parts of a record that Dokima exported. They are as they were sent; other tools have one text of each. */
const partsOf = (sample: JsonObject): Pick<Row, 'inputs' | 'expected' | 'outputs'> | undefined => {
  const { inputs, expected, outputs } = objectAt(sample, 'metadata');
  const texts = [inputs, expected, outputs];
  if (!texts.every((text) => typeof text === 'string' && text.startsWith('{'))) return undefined;
  const [a, b, c] = texts.map((text) => parseAsWritten(text as string) as JsonObject);
  return { inputs: a!, expected: b!, outputs: c! };
};

const outputsIn = (sample: JsonObject): JsonObject => {
  const { raw } = objectAt(sample, 'output');
  if (Array.isArray(raw)) return { output: raw.length === 1 ? raw[0] : raw };
  const last = listAt(sample, 'messages').findLast(({ role }) => role === 'assistant');
  return last === undefined ? {} : { output: last.content ?? '' };
};

const contentOf = (sample: JsonObject): Pick<Row, 'inputs' | 'expected' | 'outputs'> => {
  const own = partsOf(sample);
  if (own) return own;
  const { raw, reference, choices } = objectAt(sample, 'input');
  const references = Array.isArray(reference) ? reference : [];
  return {
    inputs: { input: raw, ...(Array.isArray(choices) && { choices }) },
    expected:
      references.length === 0 ? {} : { reference: references.length === 1 ? references[0] : references },
    outputs: outputsIn(sample),
  };
};

const own = new Set(['record_id', 'inputs', 'expected', 'outputs', 'reasoning', 'label']);

/** The labels of a category that Dokima exported. */
const categoriesIn = (results: JsonObject[]): Map<string, MetricDefinition> =>
  ownCategories(
    Object.fromEntries(
      results.flatMap((result) => {
        const text = textOf(objectAt(objectAt(result, 'metric_config'), 'additional_details').labels);
        return text === undefined ? [] : [[textOf(result.evaluation_name) ?? 'score', parseLoosely(text)]];
      }),
    ),
  );

/** Joins the lines of one answer: a second score of a metric is that of another trial. */
const rowsOf = (
  samples: JsonObject[],
  scales: ReadonlyMap<string, Scale>,
  categories: ReadonlyMap<string, MetricDefinition>,
): Row[] => {
  const rows = new Map<string, Row>();
  const seen = new Map<string, number>();
  for (const sample of samples) {
    const name = textOf(sample.evaluation_name) ?? 'score';
    const caseId = textOf(sample.sample_id) ?? '';
    const metadata = objectAt(sample, 'metadata');
    const of = `${textOf(sample.model_id)} ${textOf(sample.evaluation_id)} ${caseId}`;
    const trial = (seen.get(`${of} ${name}`) ?? 0) + 1;
    seen.set(`${of} ${name}`, trial);
    const id = textOf(metadata.record_id) ?? `${of} ${trial}`;
    const error = textOf(sample.error);
    const row = rows.get(id) ?? {
      id,
      caseId,
      run: textOf(sample.model_id) ?? 'model',
      ...contentOf(sample),
      metadata: partsOf(sample)
        ? {}
        : Object.fromEntries(Object.entries(metadata).filter(([key]) => !own.has(key))),
      ...(error && { error, outputs: { error } }),
      scores: [],
    };
    rows.set(id, row);
    const value = error
      ? null
      : categories.has(name)
        ? scoreValue(metadata.label)
        : scoreIn(objectAt(sample, 'evaluation'), scales.get(name));
    const reasoning = textOf(metadata.reasoning);
    row.scores.push({ name, value, ...(reasoning !== undefined && { reasoning }) });
  }
  return [...rows.values()];
};

/** Evaluations in the form of Every Eval Ever: the samples with the file that describes them. */
export const everyEvalEver: Format = {
  name: 'every-eval-ever',
  about: 'Every Eval Ever: samples (_samples.jsonl), or a folder with their evaluation',
  recognizes: (content) => {
    const { evaluations, samples } = foundIn(content);
    return evaluations.length + samples.length > 0;
  },
  read: (content): Import => {
    const { evaluations, samples } = foundIn(content);
    if (samples.length === 0)
      throw new CliError(
        'The file has only the rates of an evaluation, and no answers.',
        'Import the samples that it names: a file that ends with _samples.jsonl.',
      );
    const scales = new Map<string, Scale>();
    const results = evaluations.flatMap((one) => listAt(one, 'evaluation_results'));
    const categories = categoriesIn(results);
    for (const result of results) {
      const scale = scaleIn(result);
      if (scale) scales.set(textOf(result.evaluation_name) ?? 'score', scale);
    }
    const rows = rowsOf(samples, scales, categories);
    const names = new Set(rows.flatMap(({ scores }) => scores.map(({ name }) => name)));
    return {
      tool: 'Every Eval Ever',
      id: textOf(samples[0]!.evaluation_id) ?? content.digest,
      name: content.name.replace(/_samples$/, ''),
      systems: new Map(rows.map(({ run }) => [run, { name: run, config: { model: run } }])),
      rows,
      metrics: new Map(
        [...scales]
          .filter(([name]) => names.has(name))
          .map(([name, scale]) => [name, categories.get(name) ?? definitionOf(scale)]),
      ),
      notes: [],
    };
  },
};
