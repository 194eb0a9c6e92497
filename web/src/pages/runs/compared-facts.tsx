import type { ReactNode } from 'react';
import { type CaveatLine, caveatLines, comparedCaveats } from '../../../../client/src/caveats.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { RunComparison } from '../../types.ts';
import { FactList, type FactPair } from '../../ui/fact.tsx';
import { countOf, levelOf, sentenceOf } from '../../ui/format.ts';
import { type Measure, wordsFor } from './compared-words.ts';

export type Compared = RunComparison['pairs'][number]['metrics'][number];
type Corrected = NonNullable<Compared['corrected']>;
type Words = ReturnType<typeof wordsFor>;

/** Warnings that the facts beside them say in full. */
const saidByFacts = new Set([
  'judgeError',
  'judgeNoBetterThanChance',
  'judgeNotCalibrated',
  'judgeErrsDifferently',
  'missingVerdicts',
]);

const bandText = (interval: { low: number; high: number } | null, words: Words): string =>
  interval
    ? `${words.difference(interval.low)} to ${words.difference(interval.high)}${words.unit}`
    : 'no interval';

/** `run 12: …; run 17: …`, or one text when both runs have the same judge. */
export const judgeText = (
  { before, after, errorInInterval }: NonNullable<Compared['judge']>,
  pair: Pair,
): string => {
  const known =
    before.sentence === after.sentence
      ? after.sentence
      : `run ${pair.before}: ${before.sentence}; run ${pair.after}: ${after.sentence}`;
  return `${known}. ${errorInInterval ? 'The interval includes the judge’s errors' : 'The interval does not include the judge’s errors'}.`;
};

const correctedText = (corrected: Corrected, words: Words): string => {
  const { difference, interval, reason, labelled, moreLabels, verdict } = corrected;
  const { simultaneousInterval, simultaneousLevel, adjustedP, tests } = corrected;
  if (difference === null) return `${reason ?? 'no labels'}.`;
  const labels = `${countOf(labelled.both, 'testcase')} labelled in both runs`;
  const more = moreLabels ? `; ${moreLabels}` : '';
  const together =
    tests > 1 && simultaneousInterval && adjustedP !== null
      ? ` (among ${tests} tests: ${levelOf(simultaneousLevel)} % interval ${bandText(simultaneousInterval, words)}, p ${adjustedP.toPrecision(2)} by Holm)`
      : '';
  const limits = corrected.caveats.map(({ sentence }) => ` ${sentenceOf(sentence)}`).join('');
  return `${words.difference(difference)}${words.unit}, ${bandText(interval, words)}: ${verdict}${together}. ${labels}${more}.${limits}`;
};

const watchedText = (watched: NonNullable<Compared['watched']>): string => {
  const { eValue, neededEvidence, numUntilDecided, numForFixedTest } = watched;
  const evidence = `evidence ${eValue.toPrecision(3)} of ${neededEvidence.toPrecision(3)}`;
  const after = numUntilDecided === null ? 'not decided yet' : `decided after ${numUntilDecided} testcases`;
  const fixed = numForFixedTest === null ? '' : `; a single test at the end needs ${numForFixedTest}`;
  return `${after} (${evidence}${fixed})`;
};

const rangeText = (interval: { low: number; high: number } | null): string =>
  interval ? ` (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})` : '';

const sizesText = ({ oddsRatio, ...sizes }: Compared['effectSizes']): string[] => [
  ...(sizes.cohensH === null
    ? []
    : [`Cohen’s h ${sizes.cohensH.toFixed(2)}${rangeText(sizes.cohensHInterval)}`]),
  ...(sizes.cohensD === null
    ? []
    : [`Cohen’s d ${sizes.cohensD.toFixed(2)}${rangeText(sizes.cohensDInterval)}`]),
  ...(oddsRatio === null
    ? []
    : [
        `odds ratio ${oddsRatio.estimate?.toFixed(2) ?? 'infinite'} (${oddsRatio.low.toFixed(2)} to ${oddsRatio.high?.toFixed(2) ?? 'infinity'})`,
      ]),
];

type Pair = { before: string; after: string };

/** Facts that limit a difference; those that can reverse the verdict come first. */
const decisiveFacts = ({ projectId, metric, pair, saidAbove }: Props, words: Words): FactPair[] => [
  ...(metric.judge
    ? [
        [
          'Judge',
          <span key="judge">
            {!saidAbove.has(judgeText(metric.judge, pair)) && `${judgeText(metric.judge, pair)} `}
            <TextLink
              {...paths.judge(projectId, metric.metricId, {
                config: metric.judge.after.metricConfigId,
                run: pair.after,
              })}
              className="print:hidden"
            >
              Check the judge
            </TextLink>
          </span>,
        ] as FactPair,
      ]
    : []),
  ...(metric.judge?.errors ? [['Judge on both runs', `${metric.judge.errors.sentence}.`] as FactPair] : []),
  ...(metric.corrected?.labelled.both
    ? [['As people judge', correctedText(metric.corrected, words)] as FactPair]
    : []),
  ...(metric.missing ? [['Missing scores', `${metric.missing.sentence}.`] as FactPair] : []),
  ...(metric.watched ? [['Sequential test', watchedText(metric.watched)] as FactPair] : []),
];

const leftOut = ({ dropped }: Compared): string =>
  [
    { n: dropped.onlyBefore.numTestcases, text: 'only in the first' },
    { n: dropped.onlyAfter.numTestcases, text: 'only in the second' },
    { n: dropped.revised.numTestcases, text: 'changed in between' },
    { n: dropped.unscored.numTestcases, text: 'without a score' },
  ]
    .filter(({ n }) => n > 0)
    .map(({ n, text }) => `${n.toLocaleString('en')} ${text}`)
    .join(', ');

const moreFacts = (metric: Compared, words: Words, tests: number): FactPair[] => {
  const { simultaneousInterval, simultaneousLevel, minimumDetectable, adjustedP, effectiveN, n } = metric;
  const sizes = sizesText(metric.effectSizes);
  return [
    ...(sizes.length > 0 ? [['Effect size', sizes.join(' · ')] as FactPair] : []),
    ...(tests > 1 && simultaneousInterval
      ? [
          [
            `${levelOf(simultaneousLevel)} % interval`,
            `${bandText(simultaneousInterval, words)}; the intervals of all ${tests} tests hold together`,
          ] as FactPair,
        ]
      : []),
    ...(adjustedP === null ? [] : [['p (Holm)', adjustedP.toPrecision(2)] as FactPair]),
    ...(minimumDetectable === null
      ? []
      : [
          [
            'Detectable',
            `${words.difference(minimumDetectable).replace('+', '')}${words.unit}, with 80 % power`,
          ] as FactPair,
        ]),
    ...(effectiveN < n ? [['Effective n', effectiveN.toFixed(1)] as FactPair] : []),
    ['Method', metric.method],
  ];
};

/** Caveats of the differences that the facts do not contain, each sentence once with the ids of its metrics. */
export const limitsOf = (metrics: readonly Compared[]): CaveatLine[] =>
  caveatLines(
    metrics.map((metric) => ({
      of: metric.metricId,
      caveats: comparedCaveats(metric, metric.conclusion.basis).filter(({ code }) => !saidByFacts.has(code)),
    })),
  );

type Props = {
  projectId: string;
  metric: Compared;
  pair: Pair;
  measure: Measure;
  tests: number;
  /** What limits this metric alone. */
  limits: readonly CaveatLine[];
  /** Sentences about judges that stand above the table, because they are true of several. */
  saidAbove: ReadonlySet<string>;
  /** Follows the verdict on its line. */
  children: ReactNode;
};

/** The verdict on one metric in words, with what limits it. */
export const ComparedFacts = (props: Props) => {
  const { metric, measure, tests, limits, children } = props;
  const words = wordsFor(metric.outputType, measure, metric.n);
  const { sentence, reason } = metric;
  const left = leftOut(metric);
  const lines = [
    // When nothing could be compared, the sentence already gives the reason.
    ...(reason && !sentence.includes(reason) ? [reason] : []),
    ...(left ? [`left out: ${left}`] : []),
    ...limits.map((limit) => limit.sentence),
  ];
  const decisive = decisiveFacts(props, words);
  return (
    <>
      <p className="first-letter:uppercase">
        {sentence}.{lines.length > 0 && <span className="text-soft"> ({lines.join('; ')})</span>} {children}
      </p>
      {decisive.length > 0 && (
        <div className="mt-1">
          <FactList facts={decisive} />
        </div>
      )}
      <details className="mt-1">
        <summary className="cursor-pointer text-soft">Statistics</summary>
        <div className="mt-1">
          <FactList facts={moreFacts(metric, words, tests)} />
        </div>
      </details>
    </>
  );
};
