import { posix } from 'node:path';
import type { JsonObject } from '../../../../client/src/main.ts';
import { parseAsWritten } from '../../../../client/src/written-number.ts';
import { countOf } from '../../figures.ts';
import { type Content, documentsOf } from '../content.ts';
import type { Format } from '../format.ts';
import { type Import, isObject, numberIn, objectAt, type Row, scoreValue, textOf } from '../rows.ts';

// Samples as lm_eval 0.4.13 logs them (evaluator.py, loggers/evaluation_tracker.py).
const isSample = (item: unknown): item is JsonObject =>
  isObject(item) && 'doc_id' in item && 'filtered_resps' in item && 'resps' in item && isObject(item.doc);

type Task = {
  name: string;
  /** Objects of its file that are no samples. */
  others: number;
  date: string | undefined;
  folder: string;
  samples: JsonObject[];
  results: JsonObject;
};

const fileName = /^samples_(.+?)(?:_(\d{4}-\d\d-\d\dT[\d.-]+?))?(?:\.jsonl)?$/;

/** Returns the tasks of the samples files, each with the results of the same folder and date. */
const tasksIn = (content: Content): Task[] => {
  const documents = documentsOf(content);
  const resultsAt = (folder: string, date: string | undefined): JsonObject => {
    const inFolder = documents.filter(
      ({ path, value }) =>
        posix.dirname(path) === folder && posix.basename(path).startsWith('results') && isObject(value),
    );
    const found = inFolder.find(({ path }) => date !== undefined && path.includes(date)) ?? inFolder.at(-1);
    return found ? (found.value as JsonObject) : {};
  };
  return documents.flatMap(({ path, value }) => {
    const all = Array.isArray(value) ? value : [];
    const samples = all.filter(isSample);
    if (samples.length === 0) return [];
    const [, name = posix.basename(path, '.jsonl'), date] = fileName.exec(posix.basename(path)) ?? [];
    const folder = posix.dirname(path);
    return [
      { name, others: all.length - samples.length, date, folder, samples, results: resultsAt(folder, date) },
    ];
  });
};

/** Returns the requests of a sample: a prompt, and an object of settings or the text whose likelihood was asked. */
const requestsOf = ({ arguments: given }: JsonObject): { prompt: unknown; other: unknown }[] =>
  (Array.isArray(given) ? given : Object.values(isObject(given) ? given : {})).map((one) =>
    Array.isArray(one) ? { prompt: one[0], other: one[1] } : { prompt: one?.arg_0, other: one?.arg_1 },
  );

/** Reads a prompt. A chat is a JSON list of messages. */
const promptOf = (prompt: unknown): JsonObject => {
  const text = Array.isArray(prompt) ? prompt[0] : prompt;
  if (typeof text === 'string' && text.startsWith('[{')) {
    try {
      return { messages: parseAsWritten(text) };
    } catch {
      // A prompt may begin like JSON.
    }
  }
  return { prompt: text };
};

const number = (value: unknown): unknown => {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return numberIn(parsed) ?? value;
};

const likelihoods = (sample: JsonObject): unknown[] =>
  (Array.isArray(sample.filtered_resps) ? sample.filtered_resps : []).map((one) =>
    number(Array.isArray(one) ? one[0] : one),
  );

const single = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? single(value[0]) : value;

const partsOf = (samples: JsonObject[]): Pick<Row, 'inputs' | 'expected' | 'outputs'> => {
  const [first] = samples;
  const requests = requestsOf(first!);
  const target = first!.target;
  const choices = requests.map(({ other }) => other);
  if (choices.length > 0 && choices.every((choice) => typeof choice === 'string')) {
    const values = likelihoods(first!);
    const best = values.reduce<number>((at, value, i) => (Number(value) > Number(values[at]) ? i : at), 0);
    const right = choices[Number(target)];
    return {
      inputs: { ...promptOf(requests[0]!.prompt), choices },
      expected: { target, ...(right !== undefined && { answer: right }) },
      outputs: { answer: choices[best], index: best, logLikelihoods: values },
    };
  }
  const filtered = samples.map(({ filter, filtered_resps }) => [
    textOf(filter) ?? 'none',
    single(filtered_resps),
  ]);
  return {
    inputs: promptOf(requests[0]?.prompt),
    expected: { target },
    outputs: {
      output: single(first!.resps),
      ...(filtered.some(([name]) => name !== 'none') && { filtered: Object.fromEntries(filtered) }),
    },
  };
};

const scoresOf = (samples: JsonObject[]): Row['scores'] =>
  samples.flatMap((sample) => {
    const names = Array.isArray(sample.metrics) ? sample.metrics.map(String) : [];
    const filter = textOf(sample.filter) ?? 'none';
    return names.map((name) => ({
      // The harness itself names a result `exact_match,strict-match`.
      name: filter === 'none' ? name : `${name},${filter}`,
      value: scoreValue(sample[name]),
    }));
  });

const modelOf = ({ results, folder }: Task): string =>
  textOf(results.model_name) ??
  textOf(objectAt(results, 'config').model) ??
  (folder === '.' ? 'model' : posix.basename(folder).replaceAll('__', '/'));

const configOf = ({ results, name }: Task): JsonObject => {
  const { model, model_args, gen_kwargs, limit } = objectAt(results, 'config');
  const task = objectAt(objectAt(results, 'configs'), name);
  const config = {
    model,
    model_args,
    gen_kwargs,
    limit,
    num_fewshot: task.num_fewshot,
    generation_kwargs: task.generation_kwargs,
    task_version: objectAt(results, 'versions')[name],
    system_instruction: results.system_instruction,
    lm_eval_version: results.lm_eval_version,
  };
  return Object.fromEntries(
    Object.entries(config).filter(([, value]) => value !== undefined && value !== null),
  );
};

/** Several models that did one task are runs of one testset. */
const importOf = (name: string, tasks: Task[], digest: string): Import => {
  const others = tasks.reduce((sum, task) => sum + task.others, 0);
  const keyOf = (task: Task) => `${modelOf(task)} ${task.date ?? digest}`;
  return {
    tool: 'lm-evaluation-harness',
    id: name,
    name,
    systems: new Map(tasks.map((task) => [keyOf(task), { name: modelOf(task), config: configOf(task) }])),
    rows: tasks.flatMap((task) =>
      [...Map.groupBy(task.samples, ({ doc_id }) => textOf(doc_id) ?? '')].map(
        ([docId, samples]): Row => ({
          id: `${name}/${docId}`,
          caseId: docId,
          run: keyOf(task),
          ...partsOf(samples),
          metadata: objectAt(samples[0], 'doc'),
          scores: scoresOf(samples),
        }),
      ),
    ),
    // What the harness defines as shares of 1.
    unit: (metric) => /acc|match|^em\b|^f1\b|^mc\d|pass@/.test(metric),
    notes: [
      ...(tasks.some(({ results }) => Object.keys(results).length === 0)
        ? [`There is no results_*.json beside the samples of ${name}, so the model's settings are unknown.`]
        : []),
      ...(others > 0 ? [`${countOf(others, 'line')} of ${name} left out: no sample.`] : []),
    ],
  };
};

/** Samples of lm-evaluation-harness (`--log_samples`): a file, or a folder with its results. */
export const lmEval: Format = {
  name: 'lm-eval',
  about: 'lm-evaluation-harness samples: samples_*.jsonl, or a folder of them',
  recognizes: (content) => tasksIn(content).length > 0,
  read: (content): Import[] =>
    [...Map.groupBy(tasksIn(content), ({ name }) => name)].map(([name, tasks]) =>
      importOf(name, tasks, content.digest),
    ),
};
