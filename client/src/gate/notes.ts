import { comparedCaveats, foldSentences, type Said } from '../caveats.ts';
import { movesText, sharesText, shiftText } from '../label-words.ts';
import type { Baseline } from './baselines.ts';
import { gradedSentence } from './grade.ts';
import { hasLine, isDifference, type MetricPolicy, type Policy } from './policy.ts';
import { decimals, differenceOf, isByPeople, lineEvidence, measureOf, slicesOf, whereText } from './rules.ts';
import { type ComparedMetric, findMetric, type Slice, type Source, type SummarizedMetric } from './source.ts';
import { weightField } from './weights.ts';

/** Warnings that have a note or their own rule in the report. */
const saidElsewhere = new Set([
  'judgeError',
  'judgeNoBetterThanChance',
  'judgeNotCalibrated',
  'judgeErrsDifferently',
  'partialCoverage',
]);

/** Whose verdicts the intervals of a report rest on. */
type Bases = Set<'people' | 'judge'>;

/** How well the judge is calibrated, and whether its errors are in the intervals, if there is one. */
const judgeNote = ({ judge }: SummarizedMetric, bases: Bases): string[] => {
  if (!judge) return [];
  const said = bases.has('judge')
    ? bases.has('people')
      ? "; the interval of the difference has the judge's errors in it, that of the rate leaves them out"
      : "; the interval leaves the judge's errors out"
    : bases.has('people')
      ? "; the interval has the judge's errors in it"
      : '';
  const assumption = bases.has('people') ? judge.correctedRate?.assumption : undefined;
  return [`judge: ${gradedSentence(judge)}${said}${assumption ? `; it assumes that ${assumption}` : ''}`];
};

const droppedText = ({ onlyBefore, onlyAfter, revised, unscored }: ComparedMetric['dropped']): string =>
  [
    [onlyBefore.numTestcases, 'only in the baseline'],
    [onlyAfter.numTestcases, 'only in this run'],
    [revised.numTestcases, 'changed between the runs'],
    [unscored.numTestcases, 'without a score'],
  ]
    .filter(([count]) => (count as number) > 0)
    .map(([count, why]) => `${count} ${why}`)
    .join(', ');

const watchedText = ({ watched, n }: ComparedMetric): string[] => {
  if (!watched) return [];
  const { eValue, neededEvidence, numUntilDecided, numForFixedTest } = watched;
  const seen =
    numUntilDecided === null
      ? `the evidence is ${eValue.toPrecision(2)} of ${Number(neededEvidence.toPrecision(3))} after ${n} testcases`
      : `the evidence was in after ${numUntilDecided} of ${n} testcases`;
  const fixed =
    numForFixedTest === null
      ? ''
      : `; a single test at the end needs about ${Math.ceil(numForFixedTest)} testcases`;
  return [`sequential test: ${seen}${fixed}`];
};

const comparedNotes = (compared: ComparedMetric, of: MetricPolicy['of']): string[] => {
  const { labels, watched } = compared;
  const left = droppedText(compared.dropped);
  const caveats = comparedCaveats(compared, isByPeople(compared, of) ? 'people' : 'scores');
  return [
    ...(isByPeople(compared, of) && of === 'pass'
      ? ['people scored a random sample of both runs: the difference is what they would say']
      : []),
    ...(compared.judge?.errors ? [`judge on both runs: ${compared.judge.errors.sentence}`] : []),
    ...(left ? [`testcases not compared: ${left}`] : []),
    ...watchedText(compared),
    ...(labels && !watched ? [`labels ${movesText(labels)}; ${shiftText(labels)}`] : []),
    ...caveats.filter(({ code }) => !saidElsewhere.has(code)).map(({ sentence }) => sentence),
  ];
};

/** Beyond this number, slices are counted instead of named. */
const mostNamed = 3;

/** Writes ` where lang is de`, or ` in 30 slices`. The whole run has no words unless a slice stands beside it. */
const placesText = (places: readonly string[]): string => {
  if (places.length === 1) return places[0]!;
  return places.length > mostNamed
    ? ` in ${places.length} slices`
    : places.map((place) => place || ' in the whole run').join(' and');
};

/** The whole run if a rule is about its differences, and each slice whose differences one is about. */
const comparedParts = async (
  source: Source,
  rules: MetricPolicy,
  level: number,
): Promise<(Slice | undefined)[]> => {
  const parts: (Slice | undefined)[] = isDifference(rules) ? [undefined] : [];
  for (const slice of rules.by ?? [])
    if (isDifference(slice)) parts.push(...(await slicesOf(source, slice, level)));
  return parts;
};

/** The warnings beside the lines of a metric: of its rate, of its trials, and of each slice that has a line. */
const lineNotes = async (
  source: Source,
  rules: MetricPolicy,
  metric: SummarizedMetric,
  level: number,
): Promise<string[]> => {
  const estimateOf = ({ passRate, mean }: Pick<SummarizedMetric, 'passRate' | 'mean'>) =>
    rules.of === 'score' ? (mean ?? passRate) : passRate;
  const trials = metric.passRate.passK.find(({ k }) => k === rules.passHatK?.k);
  const ofSlices: Said[] = [];
  for (const policy of rules.by ?? []) {
    if (!hasLine(policy)) continue;
    const groups = (await source.summary(level, policy.field)).breakdown?.groups ?? [];
    for (const { field, value } of await slicesOf(source, policy, level)) {
      const found = groups
        .find((group) => group.value === value)
        ?.metrics.find(({ metricConfigId }) => metricConfigId === metric.metricConfigId);
      const of = whereText({ field, value });
      if (found) ofSlices.push(...estimateOf(found).warnings.map((sentence) => ({ of, sentence })));
    }
  }
  return [
    ...(hasLine(rules) ? estimateOf(metric).warnings : []),
    ...(trials?.passHatK.warnings ?? []),
    ...foldSentences(ofSlices).map(({ of, sentence }) => `${placesText(of).trim()}: ${sentence}`),
  ];
};

/** Caveats of the differences of a metric: each sentence once, with the baselines and slices that it is about. */
const differenceNotes = async (
  source: Source,
  rules: MetricPolicy,
  metric: SummarizedMetric,
  baselines: readonly Baseline[],
  level: number,
): Promise<{ sentences: string[]; bases: Bases }> => {
  const bases: Bases = new Set();
  const ofRuns: Said[] = [];
  const parts = await comparedParts(source, rules, level);
  for (const { id } of baselines) {
    if (id === undefined) continue;
    const ofParts: Said[] = [];
    for (const slice of parts) {
      const pair = (await source.comparison(id, measureOf(rules.of), level, slice)).pairs[0]!;
      const compared = pair.metrics.find(({ metricId }) => metricId === metric.metricId);
      if (!compared || compared.n === 0) continue;
      const of = whereText(slice);
      ofParts.push(...comparedNotes(compared, rules.of).map((sentence) => ({ of, sentence })));
      if (differenceOf(compared, rules.of).interval)
        bases.add(isByPeople(compared, rules.of) ? 'people' : 'judge');
    }
    for (const { of, sentence } of foldSentences(ofParts))
      ofRuns.push({ of: `run ${id}${placesText(of)}`, sentence });
  }
  const sentences = foldSentences(ofRuns).map(
    ({ of, sentence }) => `against ${of.join(' and ')}: ${sentence}`,
  );
  return { sentences, bases };
};

/** Returns the caveat of a gate that is run repeatedly. */
const oneLookNotes = ({ test, metrics, latency, slices, rises }: Policy): string[] => {
  const hasLines = metrics.some((rules) => rules.passHatK || [rules, ...(rules.by ?? [])].some(hasLine));
  const ofUsage = Object.keys({ ...latency, ...rises.costUsd, ...rises.latencyMs });
  if (test === 'fixed' || (!hasLines && slices !== 'auto' && ofUsage.length === 0)) return [];
  return [
    `only the rules on differences of metrics hold for several looks; lines (atLeast, notBelow, passHatK), slices, latency and cost ${test === 'planned' ? 'wait for the end of the run' : 'are for one look at a finished run'}`,
  ];
};

/** Says which testcases the run and its baselines are about, if they have snapshots. */
const testcaseNotes = async (
  source: Source,
  { metrics }: Policy,
  baselines: readonly Baseline[],
  level: number,
): Promise<string[]> => {
  const rules = metrics.find(isDifference);
  if (!rules) return [];
  const said: Said[] = [];
  for (const { id } of baselines) {
    if (id === undefined) continue;
    const [pair] = (await source.comparison(id, measureOf(rules.of), level)).pairs;
    if (pair?.testcases) said.push({ of: `run ${id}`, sentence: pair.testcases.sentence });
  }
  return foldSentences(said).map(({ of, sentence }) => `against ${of.join(' and ')}: ${sentence}`);
};

/** Returns everything that the service says beside the figures: judges, missing scores, testcases left out, warnings. */
export const notesOf = async (
  source: Source,
  policy: Policy,
  baselines: readonly Baseline[],
  level: number,
): Promise<string[]> => {
  const summary = await source.summary(level);
  const said: Said[] = [];
  for (const rules of policy.metrics) {
    const metric = findMetric(summary, rules.metric);
    const { sentences, bases } = await differenceNotes(source, rules, metric, baselines, level);
    if (hasLine(rules) && (await lineEvidence(source, rules, metric, level)).interval)
      bases.add(rules.of === 'corrected' ? 'people' : 'judge');
    const { range } = rules.of === 'score' ? (metric.mean ?? metric.passRate) : metric.passRate;
    const notes = [
      ...(range
        ? [
            `${decimals(range.low)} … ${decimals(range.high)} if missing scores were the worst or the best possible`,
          ]
        : []),
      ...(hasLine(rules) && metric.labels ? [`labels ${sharesText(metric.labels)}`] : []),
      ...(await lineNotes(source, rules, metric, level)),
      ...sentences,
      ...judgeNote(metric, bases),
    ];
    said.push(...notes.map((sentence) => ({ of: metric.metricName, sentence })));
  }
  const lines = foldSentences(said).map(({ of, sentence }) => `${of.join(', ')}: ${sentence}`);
  return [...lines, ...(await testcaseNotes(source, policy, baselines, level)), ...oneLookNotes(policy)];
};

/** Says what of a gate is weighted, and what is not. */
export const weightNotes = (
  { weights, cost, latency, rises, mustPass }: Policy,
  weightedBy: { sentence: string } | undefined,
): string[] => {
  if (weightField(weights) === undefined || !weightedBy) return [];
  const limits = { ...cost, ...latency, ...rises.costUsd, ...rises.latencyMs };
  const plain = Object.keys(limits).length > 0 || mustPass.length > 0;
  return [
    `rates, means and differences are ${weightedBy.sentence}${plain ? '; cost, latency and mustPass are not weighted' : ''}`,
  ];
};
