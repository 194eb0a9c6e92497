import type { JsonObject } from '../../../client/src/main.ts';
import {
  asNumber,
  asShare,
  asWord,
  isMissing,
  type ScoreKind as Kind,
  scoreKinds as kinds,
  mayBeLower,
  type ScoreValue,
} from '../../../client/src/tables/score-values.ts';
import { CliError } from '../errors.ts';
import { countOf } from '../figures.ts';
import type { MadeBy } from '../made-by.ts';
import { type ReadLabels, readLabels, type SaidLabels } from './labels.ts';
import type { Import, MetricDefinition, Row } from './rows.ts';

const inverted: Kind = {
  outputType: 'boolean',
  toScore: (value) => ({ binaryScore: !(typeof value === 'boolean' ? value : asWord(value)) }),
};

type Range = { low: number; high: number };

/** What the user says about a metric whose file does not: the ends of its scale, whether a low value is good, or which labels pass. */
export type Scale = { range?: Range; isLower?: boolean; labels?: SaidLabels };

/** Moves a value to 0 to 1, where 1 is good. */
const moved = ({ low, high }: Range, isLower: boolean): Kind => ({
  outputType: 'float',
  toScore: (value) => {
    const share = ((asShare(value) ?? asNumber(value)!) - low) / (high - low);
    return { floatScore: isLower ? 1 - share : share };
  },
});

export type ImportedMetric = {
  name: string;
  kind: Kind;
  threshold: number | undefined;
  /** Set if the file defines the metric. Otherwise clients score it. */
  definition?: MetricDefinition;
};

const every = (all: readonly ScoreValue[], test: (value: ScoreValue) => boolean): boolean => all.every(test);

/** Words that are a verdict by themselves, whatever the metric is. */
const isVerdict = (value: ScoreValue): boolean =>
  typeof value === 'string' && /^(pass|passed|fail|failed|correct|incorrect)$/i.test(value);

/** The key of a scale that is for each metric whose scale neither the file nor the user says. */
const everyMetric = '';

/** What a file does not say about a metric, and the option that says it. */
type Question = { what: string; option: string };

const askScale = (name: string, all: readonly ScoreValue[]): Question => ({
  what: `on which scale '${name}' is: its values are like ${all[0]}`,
  option: `--scale '${name}=0..1', '${name}=1..5' or any other`,
});

const askDirection = (name: string): Question => ({
  what: `whether a low '${name}' is good`,
  option: `--direction '${name}=lower' or '${name}=higher'`,
});

const outside = (name: string, value: ScoreValue, { low, high }: Range): CliError =>
  new CliError(
    `'${name}' has ${JSON.stringify(value)}, which is not on ${low}..${high}.`,
    `Name its scale: --scale '${name}=LOW..HIGH'. Or leave it out: --skip '${name}'`,
  );

const scaled = (name: string, all: readonly ScoreValue[], range: Range, isLower: boolean): Kind => {
  const odd = all.find((value) => {
    const number = asShare(value) ?? asNumber(value);
    return number === undefined || number < range.low || number > range.high;
  });
  if (odd !== undefined) throw outside(name, odd, range);
  const isFiveStep = range.low === 1 && range.high === 5 && !isLower;
  if (isFiveStep && every(all, (value) => Number.isInteger(asNumber(value)))) return kinds.int;
  return range.low === 0 && range.high === 1 && !isLower ? kinds.float : moved(range, isLower);
};

/** Values that are texts and say nothing about good or bad. */
type Unknown = { notNumbers: ScoreValue };

const isUnknown = (kind: Kind | Unknown | Question): kind is Unknown => 'notNumbers' in kind;
const isQuestion = (kind: Kind | Unknown | Question): kind is Question => 'option' in kind;

/**
 * Returns how the values of a metric become scores, by what the tool defines (`isUnit`), what they state, or what the user says. Else
 * returns what to ask.
 */
const kindOf = (
  name: string,
  all: readonly ScoreValue[],
  { range, isLower }: Scale,
  isUnit: boolean,
): Kind | Unknown | Question => {
  const isDirected = isUnit || isLower !== undefined || !mayBeLower.test(name);
  if (every(all, (value) => typeof value === 'boolean' || asWord(value) !== undefined)) {
    if (!isDirected && !every(all, isVerdict)) return askDirection(name);
    return isLower ? inverted : kinds.boolean;
  }
  const texts = all.filter((value) => (asShare(value) ?? asNumber(value)) === undefined);
  // One word among verdicts is what is wrong, not the verdicts.
  const odd = texts.find((value) => typeof value !== 'boolean' && asWord(value) === undefined) ?? texts[0];
  if (odd !== undefined) return { notNumbers: odd };
  const statesShare = every(all, (value) => asShare(value) !== undefined && asShare(value)! <= 1);
  const known = range ?? (isUnit || statesShare ? { low: 0, high: 1 } : undefined);
  if (!known) return askScale(name, all);
  return isDirected ? scaled(name, all, known, isLower ?? false) : askDirection(name);
};

/** Throws one error with all that the file does not say. */
const ask = (questions: ReadonlyMap<string, Question>): void => {
  if (questions.size === 0) return;
  const [first, ...others] = questions.values();
  const skip = [...questions.keys()].map((name) => `--skip '${name}'`).join(' ');
  throw new CliError(
    `The file does not say ${[first!, ...others].map(({ what }) => what).join('; ')}.`,
    `Say it: ${[first!, ...others].map(({ option }) => option).join('; ')}. Or leave it out: ${skip}`,
  );
};

/** Whether there is a label. It may be `none`. */
const hasLabel = (value: ScoreValue): boolean =>
  value !== null && value !== undefined && `${value}`.trim() !== '';

/** Says how many rows have a value, and the first: one cell that is cut or misspelt leaves out a whole metric. */
const rowsOf = (rows: Import['rows'], metric: string, text: ScoreValue): string => {
  const found = rows.filter(({ scores }) =>
    scores.some(({ name, value }) => name === metric && value === text),
  );
  return found.length === 0 || found.length === rows.length
    ? ''
    : `; ${countOf(found.length, 'row')} of ${rows.length} ${found.length === 1 ? 'has' : 'have'} it, first '${found[0]!.id}'`;
};

const categoryOf = (name: string, { labels, labelOf }: ReadLabels): ImportedMetric => ({
  name,
  kind: { outputType: 'category', toScore: (value) => ({ categoryScore: labelOf(String(value)) }) },
  threshold: undefined,
  definition: { kind: 'labels', evalType: 'heuristic', outputType: 'category', labels },
});

/**
 * Returns the metrics of a file. A format states the scale of its metrics, by verdicts or as shares. Where a file does not, the user
 * names the scale and the direction, or leaves the metric out. A guess would turn verdicts around.
 */
export const metricsOf = (
  { rows, notes, metrics: defined, unit }: Import,
  scales: ReadonlyMap<string, Scale> = new Map(),
): Map<string, ImportedMetric> => {
  const values = new Map<string, { all: ScoreValue[]; texts: string[]; threshold: number | undefined }>();
  for (const { scores } of rows) {
    for (const { name, value, label, threshold } of scores) {
      const found = values.get(name) ?? { all: [], texts: [], threshold };
      values.set(name, found);
      if (!isMissing(value)) found.all.push(value);
      if (hasLabel(label ?? value)) found.texts.push(String(label ?? value));
    }
  }
  const unknown = [...scales.keys()].filter((name) => name !== everyMetric && !values.has(name));
  if (unknown.length > 0)
    throw new CliError(
      `There is no metric ${unknown.join(', ')}.`,
      `The file has: ${[...values.keys()].join(', ')}`,
    );
  const metrics = new Map<string, ImportedMetric>();
  for (const [name, definition] of defined ?? []) {
    const kind = kinds[definition.outputType];
    metrics.set(name, { name, kind, threshold: definition.passingThreshold, definition });
    values.delete(name);
  }
  const questions = new Map<string, Question>();
  for (const [name, { all, texts, threshold }] of values) {
    const said = scales.get(name)?.labels;
    if (said) {
      const read = readLabels(name, texts, said);
      notes.push(...read.notes);
      metrics.set(name, categoryOf(name, read));
      continue;
    }
    if (all.length === 0) {
      notes.push(`Skipped metric '${name}': it has no values.`);
      continue;
    }
    const isUnit = unit?.(name) ?? false;
    const given = scales.get(name) ?? {};
    const range = given.range ?? (isUnit ? undefined : scales.get(everyMetric)?.range);
    const kind = kindOf(name, all, { ...given, ...(range && { range }) }, isUnit);
    if (isQuestion(kind)) questions.set(name, kind);
    else if (isUnknown(kind)) {
      // A text in a column whose scale the user names is a failure, for example of the grader.
      if (given.range) throw outside(name, kind.notNumbers, given.range);
      const value = JSON.stringify(kind.notNumbers);
      const where = rowsOf(rows, name, kind.notNumbers);
      notes.push(
        `Skipped metric '${name}': values like ${value} are not yes or no, and no numbers${where}. Labels are imported if you say which of them pass: --passing '${name}=${kind.notNumbers}'`,
      );
    } else metrics.set(name, { name, kind, threshold });
  }
  ask(questions);
  return metrics;
};

/** Whether there is no value. A label may be `none`. */
const isWithout = ({ kind }: ImportedMetric, value: ScoreValue): boolean =>
  kind.outputType === 'category' ? !hasLabel(value) : isMissing(value);

/** Returns the scores of a row in the form of the API, by metric name. Missing values are left out. */
export const scoresOf = (row: Row, metrics: ReadonlyMap<string, ImportedMetric>): Map<string, JsonObject> => {
  const scores = new Map<string, JsonObject>();
  for (const { name, value: given, label, reasoning, criteria } of row.scores) {
    const metric = metrics.get(name);
    const value = metric?.kind.outputType === 'category' ? (label ?? given) : given;
    if (metric && criteria) scores.set(name, { criteria, ...(reasoning !== undefined && { reasoning }) });
    if (!metric || criteria || isWithout(metric, value)) continue;
    scores.set(name, { ...metric.kind.toScore(value), ...(reasoning !== undefined && { reasoning }) });
  }
  return scores;
};

/** Who made the score of a row, as the tool says or as its metric shows: a judge of the tool is a model. */
export const makerOf = (row: Row, { name, definition }: ImportedMetric): MadeBy | undefined =>
  row.scores.findLast((score) => score.name === name)?.madeBy ??
  (definition?.evalType === 'ai' ? 'model' : undefined);

/** Whether something on the server can give the score: code or a judge. */
const isScoredByServer = ({ definition }: ImportedMetric): boolean =>
  definition !== undefined && (definition.evalType === 'ai' || definition.isCode === true);

/** The API takes reasons of 10,000 characters. */
const longestReason = 10_000;

/**
 * Returns why a row has no score, by the name of each metric that lacks one and that no one will score: in the tool's own words, if it
 * gives any. An answer that failed has nothing to judge, so neither code nor a judge may score it.
 */
export const reasonsOf = (row: Row, metrics: ReadonlyMap<string, ImportedMetric>): Map<string, string> => {
  const reasons = new Map<string, string>();
  for (const metric of metrics.values()) {
    const score = row.scores.findLast(({ name }) => name === metric.name);
    const given = metric.kind.outputType === 'category' ? (score?.label ?? score?.value) : score?.value;
    if (score && (score.criteria || !isWithout(metric, given))) continue;
    const said = row.error ?? score?.reasoning;
    if (isScoredByServer(metric) && said === undefined) continue;
    const written = typeof score?.value === 'string' || typeof score?.value === 'number';
    const reason = said || (written && `${score.value}`.trim() ? `${score.value} in the file` : '');
    reasons.set(metric.name, (reason || 'no score in the file').slice(0, longestReason));
  }
  return reasons;
};

/** Reads `NAME=LABEL,LABEL` of an option. Its values come separated at commas: one without a name goes on with the labels before it. */
const namedLabels = (option: string, texts: readonly string[]): Map<string, string> => {
  const found = new Map<string, string>();
  let last: string | undefined;
  for (const text of texts) {
    const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    last = name ?? last;
    if (last === undefined)
      throw new CliError(
        `--${option} must be METRIC=LABEL,LABEL, not '${text}'.`,
        `Example: --${option} 'Grade=Right,Perfect'`,
      );
    const before = found.get(last);
    found.set(last, before === undefined ? (value ?? text) : `${before},${value ?? text}`);
  }
  return found;
};

/** Reads `--passing NAME=LABEL,LABEL` and `--order NAME=WORST,…,BEST`. */
const labelsSaid = (passing: readonly string[], orders: readonly string[]): Map<string, SaidLabels> => {
  const found = new Map<string, SaidLabels>();
  for (const [name, labels] of namedLabels('passing', passing)) found.set(name, { passing: labels });
  for (const [name, order] of namedLabels('order', orders)) {
    const said = found.get(name);
    if (!said)
      throw new CliError(
        `--order names '${name}', and nothing says which of its labels pass.`,
        `Say it: --passing '${name}=LABEL'`,
      );
    found.set(name, { ...said, order });
  }
  return found;
};

type Said = {
  scales: readonly string[];
  directions: readonly string[];
  passing: readonly string[];
  orders: readonly string[];
};

/** Reads `--scale NAME=LOW..HIGH`, `--scale LOW..HIGH`, `--direction NAME=lower`, and the labels of metrics. */
export const scalesOf = ({ scales, directions, passing, orders }: Said): Map<string, Scale> => {
  const found = new Map<string, Scale>();
  for (const text of scales) {
    const [, name, low, high] = /^(?:(.+)=)?(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
    if (low === undefined || Number(low) >= Number(high))
      throw new CliError(
        `--scale must be NAME=LOW..HIGH or LOW..HIGH, not '${text}'.`,
        'Example: --scale helpful=1..5',
      );
    found.set(name ?? everyMetric, { range: { low: Number(low), high: Number(high) } });
  }
  for (const text of directions) {
    const [, name, direction] = /^(.+)=(lower|higher)$/.exec(text) ?? [];
    if (name === undefined)
      throw new CliError(`--direction must be NAME=lower or NAME=higher, not '${text}'.`);
    found.set(name, { ...found.get(name), isLower: direction === 'lower' });
  }
  for (const [name, labels] of labelsSaid(passing, orders)) found.set(name, { ...found.get(name), labels });
  return found;
};
