/** What the testcases of a run stand for: weights and traffic shares are parameters of an answer. */
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import { unset, type Weighting } from '../../engine/statistics/testcases.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { TestcaseLabels } from './queries.ts';
import { readTestcaseLabels } from './read-run.ts';
import {
  labelPairs,
  nameOf,
  numbersOf,
  type RunColumns,
  type RunScores,
  type Scores,
  unitLabels,
} from './run-scores.ts';

type Share = { value: string; share: number };

/** A field of testcases, with the shares of its values; null if the field is the weight. It crosses to the computing thread. */
export type Traffic = { field: string; shares: Share[] | null; labels: TestcaseLabels[] };

/** Shares are often rounded to two digits. */
const tolerance = 0.005;

/** A value may contain commas and equals signs: a share is the number before the next comma, or the end. */
const shareItem = /(.+?)=(\d*\.?\d+(?:e-?\d+)?)(?:,|$)/gy;

const parseShares = (parameter: string): { field: string; shares: Share[] } => {
  const colon = parameter.indexOf(':');
  const list = parameter.slice(colon + 1);
  const items = [...list.matchAll(shareItem)];
  const length = items.reduce((sum, [item]) => sum + item.length, 0);
  if (length < list.length) {
    throw invalid(
      '/shares',
      `must list each value with its share, such as refund=0.7; "${list.slice(length)}" is not such a pair`,
    );
  }
  const given = items.map(([, value, share]) => ({ value: value!, share: Number(share) }));
  const zero = given.find(({ share }) => share === 0);
  if (zero)
    throw invalid('/shares', `must be above 0; leave "${zero.value}" out, and its testcases do not count`);
  const twice = given.find(({ value }, i) => given.findIndex((other) => other.value === value) < i);
  if (twice) throw invalid('/shares', `must name "${twice.value}" once`);
  const total = given.reduce((sum, { share }) => sum + share, 0);
  if (Math.abs(total - 1) > tolerance + 1e-9) {
    throw invalid(
      '/shares',
      `must add up to 1, but add up to ${Number(total.toPrecision(4))}: give each value of the traffic its share`,
    );
  }
  return {
    field: parameter.slice('metadata.'.length, colon),
    shares: given.map(({ value, share }) => ({ value, share: share / total })),
  };
};

/** Returns a number above 0, or null. */
const weightOf = (label: string): number | null => {
  const weight = Number(label);
  return weight > 0 && Number.isFinite(weight) ? weight : null;
};

/** Returns the names and labels of the testcases of a run. */
const labelsOfTestcases = (
  { records }: RunColumns,
  labels: readonly TestcaseLabels[],
): Map<string, string | null> => {
  const [testsets, testcases] = [numbersOf(records.testsets), numbersOf(records.testcases)];
  const byTestset = new Map(labels.map((one) => [Number(one.testsetId), new Map(labelPairs(one))]));
  return new Map(
    testcases.flatMap((n, i): [string, string | null][] =>
      Number.isNaN(n) ? [] : [[`${testsets[i]}-${n}`, byTestset.get(testsets[i]!)?.get(n) ?? null]],
    ),
  );
};

type Problem = { path: string; message: string };

/** Says why a field says nothing about the testcases of a run, or too little about a value; null if it says enough. */
const problemWith = (run: RunColumns, { field, shares, labels }: Traffic): Problem | null => {
  const found = labelsOfTestcases(run, labels);
  const ofRun = `run ${run.runId}`;
  if (!shares) {
    if ([...found.values()].some((label) => label !== null && weightOf(label) !== null)) return null;
    const [example] = [...found].filter(([, label]) => label !== null);
    const has = example ? `testcase ${example[0]} has ${JSON.stringify(example[1])}` : 'none has the field';
    return {
      path: '/weightBy',
      message: `needs a number above 0 in metadata.${field}, which no testcase of ${ofRun} has (${has}): name a numeric field`,
    };
  }
  const counts = new Map<string, number>();
  for (const label of found.values()) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  for (const { value } of shares) {
    const has = counts.get(value) ?? 0;
    if (has >= 2) continue;
    const others = [...counts.keys()].slice(0, 10).map((one) => JSON.stringify(one));
    const next =
      has === 1
        ? 'add testcases of it, or give its share to a value that stands for it'
        : `its values are ${others.join(', ') || 'not known: no testcase has the field'}`;
    return {
      path: '/shares',
      message: `gives "${value}" a share, but ${ofRun} has ${has === 1 ? 'one testcase' : 'no testcase'} with it, which says nothing about that part of the traffic: ${next}`,
    };
  }
  return null;
};

type WeightQuery = { weightBy?: string; shares?: string };

/** Returns the field of a request and the shares of its values; null if the request asks for no weights. */
export const askedWeights = ({ weightBy, shares }: WeightQuery): Omit<Traffic, 'labels'> | null => {
  if (weightBy !== undefined && shares !== undefined)
    throw invalid('/shares', 'cannot be given with weightBy: choose one');
  if (shares !== undefined) return parseShares(shares);
  return weightBy === undefined ? null : { field: weightBy.slice('metadata.'.length), shares: null };
};

/** Reads what the testcases of a run stand for; null if the field does not say it. */
export const readRunTraffic = async (
  db: Database,
  scope: Scope,
  run: RunColumns,
  asked: Omit<Traffic, 'labels'>,
): Promise<Traffic | null> => {
  const traffic = { ...asked, labels: await readTestcaseLabels(db, scope, run.records, asked.field) };
  return problemWith(run, traffic) ? null : traffic;
};

/** Reads what the testcases of runs stand for, if the request says so. Throws if the field does not say it for each run. */
export const readTraffic = async (
  db: Database,
  scope: Scope,
  runs: readonly RunColumns[],
  query: WeightQuery,
): Promise<Traffic | null> => {
  const asked = askedWeights(query);
  if (!asked) return null;
  const labels: TestcaseLabels[] = [];
  for (const run of runs) {
    const ofRun = await readTestcaseLabels(db, scope, run.records, asked.field);
    const problem = problemWith(run, { ...asked, labels: ofRun });
    if (problem) throw invalid(problem.path, problem.message);
    labels.push(...ofRun);
  }
  return { ...asked, labels };
};

const weightingOf = (units: RunScores['units'], { field, shares, labels }: Traffic): Weighting => {
  const ofUnits = unitLabels(units, labels);
  const numbers = new Map((shares ?? []).map(({ value }, i) => [value, i]));
  const weights = new Float64Array(units.length);
  const parts = new Int32Array(units.length).fill(unset);
  for (const [unit, label] of ofUnits.entries()) {
    if (label === null) continue;
    const weight = shares ? 1 : weightOf(label);
    if (weight === null) continue;
    weights[unit] = weight;
    parts[unit] = shares ? (numbers.get(label) ?? unset) : 0;
  }
  return {
    by: `metadata.${field}`,
    weights,
    parts,
    shares: shares ? shares.map(({ share }) => share) : [1],
    names: shares ? shares.map(({ value }) => value) : [''],
  };
};

/** Returns runs that were aligned with what their testcases stand for. Testcases that stand for nothing have no scores. */
export const weighRuns = (runs: readonly RunScores[], traffic: Traffic | null): RunScores[] => {
  if (!traffic || runs.length === 0) return [...runs];
  const weighting = weightingOf(runs[0]!.units, traffic);
  return runs.map((run) => {
    const only = (values: Float64Array) =>
      values.map((value, place) => (weighting.parts[run.unitOf[place]!] === unset ? Number.NaN : value));
    const scores = run.scores.map((one) => ({ ...one, values: only(one.values), own: only(one.own) }));
    return { ...run, weighting, scores };
  });
};

const unitsOf = (runs: readonly RunScores[]): number[] => [
  ...new Set(runs.flatMap(({ unitOf }) => [...unitOf])),
];

const sentenceOf = ({ field, shares }: Traffic, numLeftOut: number): string => {
  const how = shares
    ? `weighted to the traffic by metadata.${field}: ${shares.map(({ value, share }) => `${value} ${Number((100 * share).toFixed(1))} %`).join(', ')}`
    : `weighted by metadata.${field}`;
  return numLeftOut === 0
    ? how
    : `${how}; ${countInWords(numLeftOut, 'testcase')} without it ${numLeftOut === 1 ? 'is' : 'are'} left out`;
};

/** Describes what the numbers of these aligned runs are weighted by. */
export const describeTraffic = (runs: readonly RunScores[], traffic: Traffic) => {
  const { parts } = runs[0]!.weighting!;
  const units = unitsOf(runs);
  const weighed = units.filter((unit) => parts[unit] !== unset);
  const numLeftOut = units.length - weighed.length;
  return {
    field: `metadata.${traffic.field}`,
    shares:
      traffic.shares?.map((share, i) => ({
        ...share,
        numTestcases: weighed.filter((unit) => parts[unit] === i).length,
      })) ?? null,
    numTestcases: weighed.length,
    numLeftOut,
    sentence: sentenceOf(traffic, numLeftOut),
  };
};

const caveatOfLeftOut = ({ unitOf, units }: RunScores, { by, parts }: Weighting): Caveat | null => {
  const leftOut = [...new Set(unitOf)].filter((unit) => parts[unit] === unset);
  if (leftOut.length === 0) return null;
  const [has, is] = leftOut.length === 1 ? ['has', 'is'] : ['have', 'are'];
  return {
    code: 'withoutWeight',
    sentence: `${countInWords(leftOut.length, 'testcase')} ${has} no weight by ${by} and ${is} left out, such as ${nameOf(units, leftOut[0]!)}: the number is about the others`,
  };
};

const notCorrected: Caveat = {
  code: 'notCorrected',
  sentence:
    "this is the judge's own number: a weighted number cannot be corrected for the judge's errors; without weights it can",
};

/** Returns the caveats of a run's weighted number; none if it is not weighted. */
export const caveatsOfWeights = (
  run: RunScores,
  { evalType }: Pick<Scores, 'evalType'>,
): (Caveat | null)[] =>
  run.weighting ? [caveatOfLeftOut(run, run.weighting), evalType === 'ai' ? notCorrected : null] : [];

/** Refuses what has no weighted number. */
export const refuseUnweighted = (query: {
  weightBy?: string;
  shares?: string;
  test?: string;
  usage?: boolean;
  slices?: boolean;
}): void => {
  const name = query.shares === undefined ? 'weightBy' : 'shares';
  if (query[name] === undefined) return;
  if (query.test !== undefined && query.test !== 'fixed')
    throw invalid(`/${name}`, `needs test=fixed: the ${query.test} test counts each testcase once`);
  if (query.usage) throw invalid('/usage', `cannot be weighted: leave out usage, or ${name}`);
  if (query.slices)
    throw invalid(
      '/slices',
      `cannot be weighted, because each slice is tested with the same share of testcases: leave out slices, or ${name}`,
    );
};
