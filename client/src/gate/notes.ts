import type { Baseline } from './baselines.ts';
import { hasLine, isDifference, type MetricPolicy, type Policy } from './policy.ts';
import { decimals, differenceOf, isByPeople, lineEvidence, measureOf, slicesOf, whereText } from './rules.ts';
import { type ComparedMetric, findMetric, type Slice, type Source, type SummarizedMetric } from './source.ts';

/** A sentence that a reader must know beside the rules, with the metric and the baseline that it is about. */
type Note = { metric: string; run: string; where: string; sentence: string };

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
  return [`judge: ${judge.sentence}${said}${assumption ? `; it assumes that ${assumption}` : ''}`];
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
  const left = droppedText(compared.dropped);
  const { caveats } = isByPeople(compared, of) && compared.corrected ? compared.corrected : compared;
  return [
    ...(isByPeople(compared, of) && of === 'pass'
      ? ['people scored a random sample of both runs: the difference is what they would say']
      : []),
    ...(compared.judge?.errors ? [`judge on both runs: ${compared.judge.errors.sentence}`] : []),
    ...(left ? [`testcases not compared: ${left}`] : []),
    ...watchedText(compared),
    ...caveats.filter(({ code }) => !saidElsewhere.has(code)).map(({ sentence }) => sentence),
  ];
};

/** Beyond this number, slices are counted instead of named. */
const mostNamed = 3;

/** Groups notes that differ only in these parts. A note on the run alone stays apart from those on comparisons. */
const grouped = (notes: readonly Note[], ...parts: (keyof Note)[]): Note[][] => {
  const groups = new Map<string, Note[]>();
  for (const note of notes) {
    const rest = Object.entries(note).filter(([part]) => !parts.includes(part as keyof Note));
    const key = JSON.stringify([rest, note.run === '']);
    const group = groups.get(key);
    if (group) group.push(note);
    else groups.set(key, [note]);
  }
  return [...groups.values()];
};

const different = (notes: readonly Note[], part: keyof Note): string[] => [
  ...new Set(notes.map((note) => note[part])),
];

/** Writes `run 21 where lang is de`, or `run 21 in 30 slices`. */
const inSlices = (notes: readonly Note[]): Note => {
  const places = different(notes, 'where');
  const [note] = notes as [Note];
  const where =
    places.length > mostNamed
      ? ` in ${places.length} slices`
      : places.map((place) => place || ' in the whole run').join(' and');
  return { ...note, where: places.length === 1 ? note.where : where };
};

/** Returns one line for each sentence, which names the metrics, baselines and slices that it is about. */
const merged = (notes: readonly Note[]): string[] => {
  const ofRuns = grouped(notes, 'where').map(inSlices);
  const ofMetrics = grouped(ofRuns, 'run', 'where').map((same): Note => {
    const runs = new Set(same.map(({ run, where }) => `${run}${where}`));
    return { ...same[0]!, run: [...runs].join(' and '), where: '' };
  });
  return grouped(ofMetrics, 'metric').map((same) => {
    const { run, sentence } = same[0]!;
    return `${different(same, 'metric').join(', ')}: ${run === '' ? '' : `against ${run}: `}${sentence}`;
  });
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
): Promise<{ where: string; sentences: string[] }[]> => {
  const estimateOf = ({ passRate, mean }: Pick<SummarizedMetric, 'passRate' | 'mean'>) =>
    rules.of === 'score' ? (mean ?? passRate) : passRate;
  const notes = [{ where: '', sentences: hasLine(rules) ? estimateOf(metric).warnings : [] }];
  const trials = metric.passRate.passK.find(({ k }) => k === rules.passHatK?.k);
  if (trials) notes.push({ where: '', sentences: trials.passHatK.warnings });
  for (const policy of rules.by ?? []) {
    if (!hasLine(policy)) continue;
    const groups = (await source.summary(level, policy.field)).breakdown?.groups ?? [];
    for (const { field, value } of await slicesOf(source, policy, level)) {
      const found = groups
        .find((group) => group.value === value)
        ?.metrics.find(({ metricConfigId }) => metricConfigId === metric.metricConfigId);
      if (found) notes.push({ where: whereText({ field, value }), sentences: estimateOf(found).warnings });
    }
  }
  return notes;
};

/** Says what a gate that is run again and again must not be read for. */
const oneLookNotes = ({ test, metrics, latency, slices, rises }: Policy): string[] => {
  const hasLines = metrics.some((rules) => rules.passHatK || [rules, ...(rules.by ?? [])].some(hasLine));
  const ofUsage = Object.keys({ ...latency, ...rises.costUsd, ...rises.latencyMs });
  if (test === 'fixed' || (!hasLines && slices !== 'auto' && ofUsage.length === 0)) return [];
  return [
    'only the rules on differences of metrics hold for several looks; lines (atLeast, notBelow, passHatK), slices, latency and cost are for one look at a finished run',
  ];
};

/** Returns everything that the service says beside the figures: judges, missing scores, testcases left out, warnings. */
export const notesOf = async (
  source: Source,
  policy: Policy,
  baselines: readonly Baseline[],
  level: number,
): Promise<string[]> => {
  const summary = await source.summary(level);
  const notes: Note[] = [];
  for (const rules of policy.metrics) {
    const metric = findMetric(summary, rules.metric);
    const note = (sentences: string[], run = '', where = '') =>
      notes.push(...sentences.map((sentence) => ({ metric: metric.metricName, run, where, sentence })));
    const bases: Bases = new Set();
    if (hasLine(rules) && (await lineEvidence(source, rules, metric, level)).interval)
      bases.add(rules.of === 'corrected' ? 'people' : 'judge');
    const { range } = rules.of === 'score' ? (metric.mean ?? metric.passRate) : metric.passRate;
    if (range)
      note([
        `${decimals(range.low)} … ${decimals(range.high)} if missing scores were the worst or the best possible`,
      ]);
    for (const { where, sentences } of await lineNotes(source, rules, metric, level))
      note(where === '' ? sentences : sentences.map((sentence) => `${where.trim()}: ${sentence}`));
    for (const slice of await comparedParts(source, rules, level)) {
      for (const { id } of baselines) {
        if (id === undefined) continue;
        const pair = (await source.comparison(id, measureOf(rules.of), level, slice)).pairs[0]!;
        const compared = pair.metrics.find(({ metricId }) => metricId === metric.metricId);
        if (!compared || compared.n === 0) continue;
        note(comparedNotes(compared, rules.of), `run ${id}`, whereText(slice));
        if (differenceOf(compared, rules.of).interval)
          bases.add(isByPeople(compared, rules.of) ? 'people' : 'judge');
      }
    }
    note(judgeNote(metric, bases));
  }
  return [...merged(notes), ...oneLookNotes(policy)];
};
