import {
  aboutText,
  type Caveat,
  caveatLines,
  comparedCaveats,
  namesText,
} from '../../../../client/src/caveats.ts';
import { countOf } from '../../ui/format.ts';
import type { Pair } from './pair.ts';
import { type Cost, isTold } from './usage-costs.ts';

type TitleOf = (id: string) => string;

/** Returns what a comparison says about a run in one sentence, metric by metric. */
export const verdictSentence = ({ after, before, metrics }: Pair, titleOf: TitleOf): string => {
  const by = (verdict: string) =>
    metrics.filter(({ conclusion }) => conclusion.verdict === verdict).map(({ metricName }) => metricName);
  const [better, worse, open] = [by('better'), by('worse'), by('cannot tell')];
  if (metrics.length === 0) return `${titleOf(after)} and ${titleOf(before)} have no score in common.`;
  const parts = [
    ...(better.length > 0 ? [`better on ${namesText(better)}`] : []),
    ...(worse.length > 0 ? [`worse on ${namesText(worse)}`] : []),
  ];
  const unsure = open.length > 0 ? `no difference can be shown on ${namesText(open)}` : '';
  if (parts.length === 0) return `${titleOf(after)} against ${titleOf(before)}: ${unsure}.`;
  return `${titleOf(after)} is ${parts.join(' and ')}, compared with ${titleOf(before)}${unsure && `; ${unsure}`}.`;
};

const droppedLines = ({ after, metrics }: Pair, titleOf: TitleOf): string[] =>
  metrics.flatMap(({ metricName, dropped, minimumDetectable, conclusion, judge }) => {
    const left =
      dropped.onlyBefore.numTestcases +
      dropped.onlyAfter.numTestcases +
      dropped.revised.numTestcases +
      dropped.unscored.numTestcases;
    const name = `${metricName} in ${titleOf(after)}`;
    return [
      ...(left > 0 ? [`${name}: ${countOf(left, 'testcase')} could not be compared.`] : []),
      ...(conclusion.basis === 'scores' && conclusion.verdict === 'cannot tell' && minimumDetectable !== null
        ? [
            `${name}: a true difference below ${(100 * minimumDetectable).toFixed(1)} points would most likely not be seen with so few testcases.`,
          ]
        : []),
      ...(judge?.after.correctedRate?.interval
        ? [`${metricName}: the corrected rates assume that ${judge.after.correctedRate.assumption}.`]
        : []),
      // A difference is among the limits.
      ...(judge?.errors && judge.errors.verdict !== 'differs' ? [`${name}: ${judge.errors.sentence}.`] : []),
    ];
  });

type Compared = Pair['metrics'][number];

/** All caveats of the numbers that the report shows of a metric. */
const caveatsOf = (compared: Compared): readonly Caveat[] => [
  ...comparedCaveats(compared, compared.conclusion.basis),
  ...(compared.judge?.before.correctedRate?.caveats ?? []),
  ...(compared.judge?.after.correctedRate?.caveats ?? []),
];

/** Returns the caveats of the numbers of a report, one per line, each once with the metrics that it is about. */
export const limitsOf = (pairs: readonly Pair[], titleOf: TitleOf): string[] => {
  const numbers = pairs.flatMap(({ after, metrics }) =>
    metrics.map((metric) => ({
      of: pairs.length > 1 ? `${metric.metricName} in ${titleOf(after)}` : metric.metricName,
      caveats: caveatsOf(metric),
    })),
  );
  const all = new Set(numbers.map(({ of }) => of)).size;
  return caveatLines(numbers).map(
    ({ name, sentence, of }) => `${name} (${aboutText(of, all)}): ${sentence}.`,
  );
};

/** Which testcases the runs of each pair are about: the snapshot and the split, and what differs. */
export const testcaseLines = (pairs: readonly Pair[], titleOf: TitleOf): string[] =>
  pairs.flatMap(({ testcases, before, after }) =>
    testcases
      ? [
          pairs.length > 1
            ? `${titleOf(after)} against ${titleOf(before)}: ${testcases.sentence}`
            : testcases.sentence,
        ]
      : [],
  );

/** Returns, one per line, the conclusions that these runs do not support although a reader could draw them. */
export const notMeasured = (pairs: readonly Pair[], titleOf: TitleOf): string[] => {
  const lacks = (name: Cost) => pairs.some((pair) => pair.usage && !isTold(pair, name));
  const unknown = [
    ...(lacks('latencyMs') ? ['latency'] : []),
    ...(lacks('tokens') ? ['tokens'] : []),
    ...(lacks('costUsd') ? ['cost'] : []),
  ];
  return [
    ...new Set([
      ...pairs.flatMap(({ notCompared, after }) =>
        notCompared.map(({ metricName, reason }) => `${metricName} in ${titleOf(after)}: ${reason}.`),
      ),
      ...pairs.flatMap((pair) => droppedLines(pair, titleOf)),
      ...(unknown.length > 0 ? [`The ${unknown.join(', ')} of at least one of these runs.`] : []),
      'Anything that no testcase asks about and no metric scores.',
    ]),
  ];
};
