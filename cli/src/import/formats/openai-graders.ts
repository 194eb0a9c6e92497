import { problemOfLabels } from '../../../../client/src/labels.ts';
import type { JsonObject } from '../../../../client/src/main.ts';
import { parseAsWritten } from '../../../../client/src/written-number.ts';
import { isObject, listAt, type MetricDefinition, numberIn, objectAt, type Row, textOf } from '../rows.ts';
import { asExpression, asJinja, type PlaceOf } from './openai-template.ts';

/** A grader of an eval, and how its results become scores. */
export type Grader = {
  name: string;
  /** Name of its results: its id in the API's answers. */
  resultName: string;
  /** Undefined if only its scores can be imported. */
  metric: MetricDefinition | undefined;
  scoreOf: (result: JsonObject) => Row['scores'][number];
  note?: string;
};

const textFunction = `function text(fields, path, name) {
  let value = fields;
  for (const key of path) value = value === null || value === undefined ? undefined : value[key];
  if (value === null || value === undefined) missing(name);
  return typeof value === 'string' ? value : JSON.stringify(value);
}`;

const code = (about: string, input: string, reference: string, result: string, ...functions: string[]) =>
  `// Grader of OpenAI Evals: ${about}
function score(inputs, outputs, expected) {
  const input = ${input};
  const reference = ${reference};
  return ${result};
}
${[...functions, textFunction].join('\n')}
`;

/** The operations as OpenAI's guide to graders defines them: \`like\` is "contains", \`ilike\` ignores case. */
const operations: Record<string, string> = {
  eq: 'input === reference',
  ne: 'input !== reference',
  like: 'input.includes(reference)',
  ilike: 'input.toLowerCase().includes(reference.toLowerCase())',
};

/** `fuzz.ratio` of rapidfuzz from 0 to 1: twice the longest common subsequence, divided by both lengths. */
const ratioFunction = `function ratio(a, b) {
  const [s, t] = [[...a], [...b]];
  let row = new Array(t.length + 1).fill(0);
  for (const letter of s) {
    const next = [0];
    for (let j = 0; j < t.length; j++) {
      next.push(letter === t[j] ? row[j] + 1 : Math.max(row[j + 1], next[j]));
    }
    row = next;
  }
  return s.length + t.length === 0 ? 1 : (2 * row[t.length]) / (s.length + t.length);
}`;

/** ROUGE-N F-measure of rouge-score without stemming. */
const rougeFunction = `function rougeN(input, reference, n) {
  const grams = (words) => {
    const tokens = words.toLowerCase().split(/[^a-z0-9]+/).filter((token) => token !== '');
    const counts = new Map();
    for (let i = 0; i + n <= tokens.length; i++) {
      const gram = tokens.slice(i, i + n).join(' ');
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
    return counts;
  };
  const sum = (counts) => [...counts.values()].reduce((total, count) => total + count, 0);
  const [a, b] = [grams(input), grams(reference)];
  let both = 0;
  for (const [gram, count] of a) both += Math.min(count, b.get(gram) ?? 0);
  return both === 0 ? 0 : (2 * both) / (sum(a) + sum(b));
}`;

/** Similarities that code here can compute. \`cosine\` needs OpenAI's embeddings; \`gleu\` and \`meteor\` need corpora. */
const similarities: Record<string, [result: string, ...functions: string[]]> = {
  fuzzy_match: ['ratio(input, reference)', ratioFunction],
  bleu: ['bleu(input, reference)'],
  rouge_l: ['rouge(input, reference)'],
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((n) => [`rouge_${n}`, [`rougeN(input, reference, ${n})`, rougeFunction]]),
  ),
};

/** Packages that OpenAI's image for Python graders has beside the standard library, and the sandbox has not. */
const packages =
  /^\s*(?:import|from)\s+(numpy|scipy|sympy|pandas|rapidfuzz|sklearn|rouge_score|deepdiff|jsonschema|pydantic|yaml|nltk|sqlparse|rdkit|skbio|ast_grep_py|tiktoken)\b/m;

const pythonCode = (source: string): string => `${source.trimEnd()}


def score(inputs, outputs, expected):
    return float(grade(dict(outputs), {**inputs, **expected}))
`;

const contentText = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(contentText).join('\n');
  return isObject(content) ? (textOf(content.text) ?? '[image or audio that is not imported]') : '';
};

const prompt = (grader: JsonObject, placeOf: PlaceOf, verdict: string): string =>
  [
    ...listAt(grader, 'input').map(
      ({ role, content }) => `${textOf(role) ?? 'user'}:\n${asJinja(contentText(content), placeOf)}`,
    ),
    verdict,
  ].join('\n\n');

const judge = (grader: JsonObject) => {
  const temperature = numberIn(objectAt(grader, 'sampling_params').temperature);
  return {
    evalType: 'ai' as const,
    ...(textOf(grader.model) && { evalModelName: textOf(grader.model)! }),
    ...(temperature !== undefined && { temperature }),
  };
};

/** The text of the grader's model, as reasoning. */
const reasoningOf = (result: JsonObject): string | undefined => {
  const sample = objectAt(result, 'sample');
  const written = listAt(sample, 'output').map(({ content }) => contentText(content));
  return textOf(written.join('\n')) ?? textOf(objectAt(sample, 'error').message);
};

const verdictOf =
  (name: string): Grader['scoreOf'] =>
  (result) => ({
    name,
    value: typeof result.passed === 'boolean' ? result.passed : null,
    reasoning: reasoningOf(result),
  });

const numberOf =
  (name: string, [low, high]: readonly [number, number]): Grader['scoreOf'] =>
  (result) => {
    const score = numberIn(result.score);
    const value = score === undefined ? null : (score - low) / (high - low);
    return { name, value, reasoning: reasoningOf(result) };
  };

const stringCheck = (name: string, grader: JsonObject, placeOf: PlaceOf): Partial<Grader> => {
  const operation = textOf(grader.operation) ?? '';
  const [input, reference] = [String(grader.input), String(grader.reference)];
  const result = operations[operation];
  if (!result)
    return { note: `'${name}' has the unknown operation '${operation}': only its scores are imported.` };
  return {
    metric: {
      kind: `string_check, ${operation}`,
      evalType: 'heuristic',
      outputType: 'boolean',
      isCode: true,
      guidelines: code(
        `string_check, ${operation}`,
        asExpression(input, placeOf),
        asExpression(reference, placeOf),
        result,
      ),
    },
  };
};

const threshold = (grader: JsonObject, [low, high] = [0, 1] as readonly [number, number]) => {
  const given = numberIn(grader.pass_threshold);
  return given === undefined
    ? {}
    : { passingThreshold: Math.min(1, Math.max(0, (given - low) / (high - low))) };
};

const textSimilarity = (name: string, grader: JsonObject, placeOf: PlaceOf): Partial<Grader> => {
  const measure = textOf(grader.evaluation_metric) ?? '';
  const found = similarities[measure];
  const kind = `text_similarity, ${measure}`;
  const scoreOf = numberOf(name, [0, 1]);
  if (!found) {
    return {
      scoreOf,
      metric: {
        kind,
        evalType: 'heuristic',
        outputType: 'float',
        ...threshold(grader),
        guidelines: `${measure} similarity of OpenAI Evals. The code that computed it is not public, so clients score this metric.`,
      },
      note: `'${name}' is ${measure} similarity, which Dokima cannot compute: its scores are imported, and clients score new records.`,
    };
  }
  const [result, ...functions] = found;
  const texts = [
    asExpression(String(grader.input), placeOf),
    asExpression(String(grader.reference), placeOf),
  ] as const;
  return {
    scoreOf,
    metric: {
      kind,
      evalType: 'heuristic',
      outputType: 'float',
      ...threshold(grader),
      isCode: true,
      guidelines: code(kind, ...texts, result, ...functions),
    },
  };
};

const python = (name: string, grader: JsonObject): Partial<Grader> => {
  const source = String(grader.source);
  const [, needed] = packages.exec(source) ?? [];
  const scoreOf = numberOf(name, [0, 1]);
  const common = {
    kind: 'python',
    evalType: 'heuristic',
    outputType: 'float',
    ...threshold(grader),
  } as const;
  if (needed) {
    return {
      scoreOf,
      metric: {
        ...common,
        guidelines: `Python grader of OpenAI Evals, which needs ${needed}. Clients score this metric.\n\n${source}`,
      },
      note: `'${name}' needs the Python package ${needed}, which the sandbox does not have: its scores are imported, and clients score new records.`,
    };
  }
  return { scoreOf, metric: { ...common, isCode: true, guidelines: pythonCode(source) } };
};

const textsAt = (grader: JsonObject, key: string): string[] =>
  (Array.isArray(grader[key]) ? grader[key] : []).map(String);

/** The label that the grader's model chose: its reply is a JSON object with `result`. */
const labelOf =
  (name: string, labels: readonly string[]): Grader['scoreOf'] =>
  (result) => {
    const reasoning = reasoningOf(result);
    const label = labels.find((each) => objectIn(reasoning)?.result === each);
    return { name, value: label ?? null, reasoning };
  };

/** Reads a reply; undefined for a text that is no JSON object. */
const objectIn = (text: string | undefined): JsonObject | undefined => {
  try {
    const read: unknown = parseAsWritten(text ?? '');
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
};

const labelModel = (name: string, grader: JsonObject, placeOf: PlaceOf): Partial<Grader> => {
  const labels = {
    items: textsAt(grader, 'labels'),
    passing: textsAt(grader, 'passing_labels'),
    ordered: false,
  };
  const found = problemOfLabels(labels);
  const quoted = (texts: string[]) => texts.map((label) => JSON.stringify(label)).join(', ');
  const choose = `Choose exactly one of these labels: ${quoted(labels.items)}.`;
  if (!found)
    return {
      scoreOf: labelOf(name, labels.items),
      metric: {
        kind: 'label_model',
        outputType: 'category',
        labels,
        ...judge(grader),
        promptTemplate: prompt(grader, placeOf, asJinja(choose, placeOf)),
      },
    };
  const verdict = `${choose}
Name the label in the reasoning. The verdict is true if the label is one of these, and false otherwise: ${quoted(labels.passing)}.`;
  return {
    metric: {
      kind: 'label_model',
      outputType: 'boolean',
      ...judge(grader),
      promptTemplate: prompt(grader, placeOf, asJinja(verdict, placeOf)),
    },
    note: `'${name}' is imported as pass or fail, because its labels do not fit a category: ${found.path} ${found.problem}.`,
  };
};

const rangeOf = (grader: JsonObject): readonly [number, number] => {
  const range = Array.isArray(grader.range) ? grader.range.map(Number) : [];
  return range.length === 2 && range[1]! > range[0]! ? [range[0]!, range[1]!] : [0, 1];
};

const scoreModel = (name: string, grader: JsonObject, placeOf: PlaceOf): Partial<Grader> => {
  const range = rangeOf(grader);
  const [low, high] = range;
  const isUnit = low === 0 && high === 1;
  const verdict = isUnit
    ? 'The score is a number from 0 to 1.'
    : `Give a score from ${low} to ${high}. The verdict is this score moved to the range from 0 to 1: (score - ${low}) / ${high - low}. Name the score in the reasoning.`;
  return {
    scoreOf: numberOf(name, range),
    metric: {
      kind: 'score_model',
      outputType: 'float',
      ...judge(grader),
      ...threshold(grader, range),
      promptTemplate: prompt(grader, placeOf, verdict),
    },
    ...(!isUnit && { note: `Scores of '${name}' from ${low} to ${high} are stored as 0 to 1.` }),
  };
};

const kinds: Record<string, (name: string, grader: JsonObject, placeOf: PlaceOf) => Partial<Grader>> = {
  string_check: stringCheck,
  text_similarity: textSimilarity,
  python,
  label_model: labelModel,
  score_model: scoreModel,
};

/** Translates a grader. A grader of an unknown type keeps its verdicts and nothing else. */
export const graderOf = (grader: JsonObject, placeOf: PlaceOf): Grader => {
  const name = textOf(grader.name) ?? textOf(grader.id) ?? 'grader';
  const type = textOf(grader.type) ?? '';
  const found = kinds[type]?.(name, grader, placeOf) ?? {
    note: `'${name}' is a grader of type '${type}': only its verdicts are imported.`,
  };
  return {
    name,
    resultName: textOf(grader.id) ?? name,
    metric: undefined,
    scoreOf: verdictOf(name),
    ...found,
  };
};
