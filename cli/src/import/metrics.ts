import type { CreateMetricBody, JsonObject } from '../../../client/src/main.ts';
import { CliError } from '../errors.ts';
import type { Import, MetricDefinition, Row, ScoreValue } from './rows.ts';

type OutputType = CreateMetricBody['outputType'];

/** Words that tools use for pass and fail. */
const words: Record<string, boolean> = {
  true: true,
  false: false,
  pass: true,
  fail: false,
  passed: true,
  failed: false,
  correct: true,
  incorrect: false,
  yes: true,
  no: false,
};

/** Texts that mean that there is no value. */
const noValue = new Set(['', 'nan', 'none', 'null', 'n/a', 'na', '-']);

const asWord = (value: ScoreValue): boolean | undefined =>
  typeof value === 'string' && Object.hasOwn(words, value.toLowerCase())
    ? words[value.toLowerCase()]
    : undefined;

/** A percentage and a fraction state their own scale. */
const asShare = (value: ScoreValue): number | undefined => {
  if (typeof value !== 'string') return undefined;
  const [, percent] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(value) ?? [];
  if (percent !== undefined) return Number(percent) / 100;
  const [, part, whole] = /^\s*(\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)\s*$/.exec(value) ?? [];
  return part === undefined || Number(whole) === 0 ? undefined : Number(part) / Number(whole);
};

const asNumber = (value: ScoreValue): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** Whether there is no value. The case is then unscored, which is not the same as a low score. */
const isMissing = (value: ScoreValue): boolean =>
  value === null ||
  value === undefined ||
  Number.isNaN(value) ||
  (typeof value === 'string' && noValue.has(value.trim().toLowerCase()));

type Kind = { outputType: OutputType; toScore: (value: ScoreValue) => JsonObject };

const kinds: Record<OutputType, Kind> = {
  boolean: {
    outputType: 'boolean',
    toScore: (value) => ({ binaryScore: typeof value === 'boolean' ? value : asWord(value) }),
  },
  float: { outputType: 'float', toScore: (value) => ({ floatScore: asShare(value) ?? asNumber(value) }) },
  int: { outputType: 'int', toScore: (value) => ({ intScore: asNumber(value) }) },
};

/** Scale of a metric from the user, for a file that does not state it: its ends, and whether a low value is good. */
export type Scale = { low: number; high: number; isLower: boolean };

/** Moves a value to 0 to 1, where 1 is good. */
const moved = ({ low, high, isLower }: Scale): Kind => ({
  outputType: 'float',
  toScore: (value) => {
    const share = ((asShare(value) ?? asNumber(value)!) - low) / (high - low);
    return { floatScore: isLower ? 1 - share : share };
  },
});

const isFiveStep = ({ low, high, isLower }: Scale): boolean => low === 1 && high === 5 && !isLower;

export type ImportedMetric = {
  name: string;
  kind: Kind;
  threshold: number | undefined;
  /** Set if the file defines the metric. Otherwise clients score it. */
  definition?: MetricDefinition;
};

const every = (all: readonly ScoreValue[], test: (value: ScoreValue) => boolean): boolean => all.every(test);

/** Names of metrics that are better low in many tools, and better high in others. */
const mayBeLower =
  /hallucinat|toxic|bias|harm|misuse|sensitivity|error|distance|perplexity|loss|latency|cost/i;

const ask = (name: string, what: string, option: string): CliError =>
  new CliError(`The file does not say ${what}.`, `Say it: ${option}. Or leave it out: --skip '${name}'`);

const scaled = (name: string, all: readonly ScoreValue[], given: Scale): Kind => {
  const odd = all.find((value) => {
    const number = asShare(value) ?? asNumber(value);
    return number === undefined || number < given.low || number > given.high;
  });
  if (odd !== undefined)
    throw new CliError(`'${name}' has ${JSON.stringify(odd)}, which is not on ${given.low}..${given.high}.`);
  return isFiveStep(given) && every(all, (value) => Number.isInteger(asNumber(value)))
    ? kinds.int
    : moved(given);
};

/** Values that are texts and say nothing about good or bad. */
type Unknown = { notNumbers: string };

/** Returns how the values of a metric become scores, by what they state or the user says. Throws if neither does. */
const kindOf = (name: string, all: readonly ScoreValue[], given: Scale | undefined): Kind | Unknown => {
  if (every(all, (value) => typeof value === 'boolean' || asWord(value) !== undefined)) return kinds.boolean;
  if (given) return scaled(name, all, given);
  const states = every(all, (value) => asShare(value) !== undefined && asShare(value)! <= 1);
  const numbers = all.map(asNumber);
  const text = all.find((value) => asNumber(value) === undefined);
  if (!states && text !== undefined)
    return { notNumbers: `values like ${JSON.stringify(text)} are not yes or no, and no numbers.` };
  const isShare = numbers.every((number) => number! >= 0 && number! <= 1);
  // Ones alone may be the lowest of five steps, or all of one.
  if (!states && !(isShare && numbers.some((number) => number !== 1)))
    throw ask(
      name,
      `on which scale '${name}' is: its values are like ${all[0]}`,
      `--scale '${name}=0..1', '${name}=1..5' or any other`,
    );
  if (mayBeLower.test(name))
    throw ask(name, `whether a low '${name}' is good`, `--direction '${name}=lower' or '${name}=higher'`);
  return kinds.float;
};

/**
 * Returns the metrics of a file. A format states the scale of its metrics, by verdicts or as shares. Where a file does not, the user
 * names the scale and the direction, or leaves the metric out. A guess would turn verdicts around.
 */
export const metricsOf = (
  { rows, notes, metrics: defined, unit }: Import,
  scales: ReadonlyMap<string, Scale> = new Map(),
): Map<string, ImportedMetric> => {
  const values = new Map<string, { all: ScoreValue[]; threshold: number | undefined }>();
  for (const { scores } of rows) {
    for (const { name, value, threshold } of scores) {
      const found = values.get(name) ?? { all: [], threshold };
      values.set(name, found);
      if (!isMissing(value)) found.all.push(value);
    }
  }
  const unknown = [...scales.keys()].filter((name) => !values.has(name));
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
  for (const [name, { all, threshold }] of values) {
    if (all.length === 0) notes.push(`Skipped metric '${name}': it has no values.`);
    else {
      const given = scales.get(name) ?? (unit?.(name) ? { low: 0, high: 1, isLower: false } : undefined);
      const kind = kindOf(name, all, given);
      if ('outputType' in kind) metrics.set(name, { name, kind, threshold });
      else notes.push(`Skipped metric '${name}': ${kind.notNumbers}`);
    }
  }
  return metrics;
};

/** Returns the scores of a row in the form of the API, by metric name. Missing values are left out. */
export const scoresOf = (row: Row, metrics: ReadonlyMap<string, ImportedMetric>): Map<string, JsonObject> => {
  const scores = new Map<string, JsonObject>();
  for (const { name, value, reasoning } of row.scores) {
    const metric = metrics.get(name);
    if (!metric || isMissing(value)) continue;
    scores.set(name, { ...metric.kind.toScore(value), ...(reasoning !== undefined && { reasoning }) });
  }
  return scores;
};

/** Reads `--scale NAME=LOW..HIGH` and `--direction NAME=lower`. */
export const scalesOf = (scales: readonly string[], directions: readonly string[]): Map<string, Scale> => {
  const found = new Map<string, Scale>();
  for (const text of scales) {
    const [, name, low, high] = /^(.+)=(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
    if (name === undefined || Number(low) >= Number(high))
      throw new CliError(`--scale must be NAME=LOW..HIGH, not '${text}'.`, 'Example: --scale helpful=1..5');
    found.set(name, { low: Number(low), high: Number(high), isLower: false });
  }
  for (const text of directions) {
    const [, name, direction] = /^(.+)=(lower|higher)$/.exec(text) ?? [];
    if (name === undefined)
      throw new CliError(`--direction must be NAME=lower or NAME=higher, not '${text}'.`);
    const scale = found.get(name) ?? { low: 0, high: 1, isLower: false };
    found.set(name, { ...scale, isLower: direction === 'lower' });
  }
  return found;
};
