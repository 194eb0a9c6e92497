import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { aboutText, type CaveatLine } from '../../../../client/src/caveats.ts';
import { hasMean } from '../../../../client/src/score-value.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { DecisionLinks, useDecisions } from '../../resources/decisions/decision-links.tsx';
import { CorrectedBeside } from '../../resources/judges/corrected-rate.tsx';
import { headlineOf } from '../../resources/runs/headline.ts';
import { useMay } from '../../resources/session/me.ts';
import { Promote } from '../../resources/systems/labels.tsx';
import { nameOfVersion, versionsQuery } from '../../resources/systems/queries.ts';
import { SystemOf } from '../../resources/systems/system-of.tsx';
import type { RunComparison } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Difference, DifferenceAxis, roundScale } from '../../ui/difference.tsx';
import { countOf, countText, levelOf, percentOf } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { ComparedCriteria } from './compared-criteria.tsx';
import { type Compared, ComparedFacts, judgeText, limitsOf } from './compared-facts.tsx';
import { ComparedLabels, type Move } from './compared-labels.tsx';
import { type Measure, wordsFor } from './compared-words.ts';
import { type Pair, withScoresOnly } from './pair.ts';
import { UsageRises } from './usage-rises.tsx';

const reachOf = ({ difference, interval }: Compared): number =>
  Math.max(...[difference, interval?.low, interval?.high].map((value) => Math.abs(value ?? 0)));

/** Returns the scale of a metric's differences: one for all rates of all pairs, and one for scores of each type. */
export const scalesOf = (pairs: readonly Pair[], measure: Measure) => {
  const all = pairs.flatMap(({ metrics }) => metrics);
  return ({ outputType }: Pick<Compared, 'outputType'>): number =>
    roundScale(
      Math.max(
        0.01,
        ...all.filter((each) => measure === 'pass' || each.outputType === outputType).map(reachOf),
      ),
    );
};

export type ComparedRun = RunComparison['runs'][number];

type PairTableProps = {
  runs: readonly ComparedRun[];
  pair: Pair;
  projectId: string;
  measure: Measure;
  level: number;
  /** Number of tests that the verdicts are adjusted for. */
  tests: number;
  /** The metric whose changes are listed below. */
  metricId: string | undefined;
  onMetric: (metricId: string) => void;
  /** The labels of this metric whose testcases are listed below. */
  move: Move | undefined;
  onMove: (metricId: string, move: Move) => void;
  /** The largest difference that is drawn. */
  scaleOf: (metric: Compared) => number;
};

/** The system of a run, in brackets after its number. */
const System = ({ projectId, run }: { projectId: string; run: ComparedRun | undefined }) => {
  if (!run?.systemVersionId) return null;
  return (
    <span className="font-normal text-soft">
      {' '}
      (<SystemOf projectId={projectId} run={run} />)
    </span>
  );
};

/** Promotes the version of a run, where its comparison is read. */
const PromoteVersion = ({ projectId, run }: { projectId: string; run: ComparedRun | undefined }) => {
  const systemId = run?.systemId ?? null;
  const { data: versions = [] } = useQuery({ ...versionsQuery(systemId ?? ''), enabled: systemId !== null });
  const version = versions.find(({ id }) => id === run?.systemVersionId);
  if (systemId === null || !version) return null;
  return (
    <span className="flex items-center gap-2 print:hidden">
      {version.labels.map((label) => (
        <Badge key={label} tone={label === 'production' ? 'pass' : 'neutral'}>
          {label}
        </Badge>
      ))}
      <Promote {...{ projectId, version, versions }} action={`Promote ${nameOfVersion(version)}`} />
    </span>
  );
};

/** Whether a line is shown above the table. A caveat of one metric alone is shown in its row. */
const isShared = ({ of }: CaveatLine): boolean => of.length > 1;

/** What limits several metrics, above the table. */
const SharedLine = ({ of, all, sentence }: { of: readonly string[]; all: number; sentence: string }) => (
  <p className="mb-2 flex items-center gap-1.5 text-soft">
    <TriangleAlert size={12} className="shrink-0 text-warn" aria-hidden />
    <span className="first-letter:uppercase">
      {aboutText(of, all)}: {sentence}
    </span>
  </p>
);

/** What is true of the judges of several metrics, with their names: it is said once, above the table. */
const sharedJudgeTexts = (metrics: readonly Compared[], pair: Pair): Map<string, string[]> => {
  const names = new Map<string, string[]>();
  for (const { judge, metricName } of metrics) {
    if (!judge) continue;
    const text = judgeText(judge, pair);
    names.set(text, [...(names.get(text) ?? []), metricName]);
  }
  return new Map([...names].filter(([, of]) => of.length > 1));
};

/** The registered decisions whose baseline is the run before. */
const DecisionsOfPair = ({ pair, projectId }: { pair: Pair; projectId: string }) => {
  const decisions = useDecisions(projectId, ({ baselineRunId }) => baselineRunId === pair.before);
  if (decisions.length === 0) return null;
  return (
    <div className="mb-2 flex gap-2">
      <span className="text-soft">Registered decision:</span>
      <DecisionLinks projectId={projectId} runId={pair.after} decisions={decisions} />
    </div>
  );
};

/** The verdict of a pair, and which testcases it is about. */
const Head = ({ pair, projectId }: { pair: Pair; projectId: string }) => (
  <>
    <p className="mb-3 text-focal font-semibold">
      {headlineOf(
        pair,
        pair.metrics.filter(({ n }) => n > 0).map(({ conclusion }) => conclusion.verdict),
      )}
    </p>
    {pair.testcases && <p className="mb-2 max-w-prose text-soft">{pair.testcases.sentence}</p>}
    <DecisionsOfPair pair={pair} projectId={projectId} />
  </>
);

/** One run compared with another, metric by metric: the verdict, the difference with its interval, the changed testcases. */
export const PairTable = (props: PairTableProps) => {
  const { runs, pair, projectId, measure, level, scaleOf } = props;
  const runOf = (id: string) => runs.find(({ runId }) => runId === id);
  const may = useMay();
  const { metrics: measured, notCompared } = withScoresOnly(pair);
  const [first] = measured;
  const limits = limitsOf(measured);
  const saidAbove = sharedJudgeTexts(measured, pair);
  const nameOf = (id: string) => pair.metrics.find(({ metricId }) => metricId === id)?.metricName ?? id;
  const hasOneScale = measure === 'pass' || measured.every((each) => each.outputType === first?.outputType);
  const axisOf = (metric: Compared) => (
    <DifferenceAxis scale={scaleOf(metric)} text={wordsFor(metric.outputType, measure, metric.n).axis} />
  );
  return (
    <Section
      actions={may.write && <PromoteVersion projectId={projectId} run={runOf(pair.after)} />}
      title={
        <>
          <QuietLink {...paths.run(projectId, pair.after)}>Run {pair.after}</QuietLink>
          <System projectId={projectId} run={runOf(pair.after)} /> against{' '}
          <QuietLink {...paths.run(projectId, pair.before)}>run {pair.before}</QuietLink>
          <System projectId={projectId} run={runOf(pair.before)} />
        </>
      }
    >
      <Head pair={pair} projectId={projectId} />
      {limits.filter(isShared).map(({ sentence, of }) => (
        <SharedLine key={sentence} of={of.map(nameOf)} all={measured.length} sentence={`${sentence}.`} />
      ))}
      {[...saidAbove].map(([sentence, names]) => (
        <SharedLine key={sentence} of={names} all={measured.length} sentence={sentence} />
      ))}
      {measured.length > 0 && (
        <div className="@container">
          <Table
            label={`Run ${pair.after} against run ${pair.before}`}
            head={[
              'Metric',
              'Verdict',
              `Run ${pair.before}`,
              `Run ${pair.after}`,
              <span key="difference" className="flex items-end gap-2">
                {first && hasOneScale && axisOf(first)}
                <span className="whitespace-normal">Difference, {percentOf(level)} % interval</span>
              </span>,
            ]}
          >
            {measured.map((metric) => (
              <ComparedRows
                key={metric.metricId}
                {...props}
                metric={metric}
                axis={!hasOneScale && axisOf(metric)}
                limits={limits.filter((line) => !isShared(line) && line.of.includes(metric.metricId))}
                saidAbove={new Set(saidAbove.keys())}
              />
            ))}
          </Table>
        </div>
      )}
      <NotCompared of={notCompared} />
      <UsageRises pair={pair} level={level} />
    </Section>
  );
};

/** The metrics without a number for both runs, folded: they say nothing about the runs. */
const NotCompared = ({ of: left }: { of: Pair['notCompared'] }) => {
  if (left.length === 0) return null;
  return (
    <details className="mt-2 text-sm text-soft">
      <summary className="cursor-pointer">{countOf(left.length, 'metric')} not compared</summary>
      <ul className="mt-1 list-disc pl-4">
        {left.map(({ metricId, metricName, reason }) => (
          <li key={metricId}>
            <bdi>{metricName}</bdi>: {reason}.
          </li>
        ))}
      </ul>
    </details>
  );
};

type ComparedRowsProps = Omit<PairTableProps, 'runs' | 'level'> & {
  metric: Compared;
  /** The axis of the difference, if the rows have no scale in common. */
  axis: ReactNode;
  /** What limits this metric alone. */
  limits: readonly CaveatLine[];
  saidAbove: ReadonlySet<string>;
};

/** The facts of a metric, its criteria and its labels, below its numbers. */
const BelowRow = ({
  metric,
  pair,
  projectId,
  measure,
  tests,
  metricId,
  onMetric,
  move,
  onMove,
  limits,
  saidAbove,
}: ComparedRowsProps) => (
  <tr className="border-b">
    <td colSpan={5} className="pb-2 text-sm">
      {/* As wide as the visible part of the table, and in view wherever it is scrolled to. */}
      <div className="sticky left-0 max-w-[100cqw]">
        <ComparedFacts
          projectId={projectId}
          metric={metric}
          pair={pair}
          measure={measure}
          tests={tests}
          limits={limits}
          saidAbove={saidAbove}
        >
          {metric.n > 0 && (
            <>
              <button
                type="button"
                aria-pressed={metric.metricId === metricId}
                onClick={() => onMetric(metric.metricId)}
                className="text-accent underline aria-pressed:font-medium"
              >
                {metric.wins + metric.losses} changed
              </button>
              : {metric.wins} better, {metric.losses} worse, {metric.ties} same.
            </>
          )}
        </ComparedFacts>
        <ComparedCriteria projectId={projectId} metricId={metric.metricId} pair={pair} />
        {metric.labels && (
          <ComparedLabels
            name={metric.metricName}
            labels={metric.labels}
            move={metric.metricId === metricId ? move : undefined}
            onMove={(chosen) => onMove(metric.metricId, chosen)}
          />
        )}
      </div>
    </td>
  </tr>
);

/** One metric of a pair: its numbers, and the facts and caveats below them. */
const ComparedRows = (props: ComparedRowsProps) => {
  const { metric, projectId, measure, scaleOf, axis } = props;
  const words = wordsFor(metric.outputType, measure, metric.n);
  const isMean = measure !== 'pass' && hasMean(metric.outputType);
  const judged = { projectId, metricId: metric.metricId, isMean };
  return (
    <>
      <Row className="hover:bg-hover">
        <Cell className="max-w-56 truncate font-medium">
          <bdi title={metric.metricName}>{metric.metricName}</bdi>
        </Cell>
        <Cell>
          <Verdict verdict={metric.conclusion.verdict} />
          {metric.conclusion.basis === 'people' && (
            <span className="block text-sm text-soft">as people judge</span>
          )}
        </Cell>
        <Cell className="whitespace-nowrap">
          {words.value(metric.before)}
          <CorrectedBeside {...judged} judge={metric.judge?.before} />
        </Cell>
        <Cell className="whitespace-nowrap">
          {words.value(metric.after)}
          <CorrectedBeside {...judged} judge={metric.judge?.after} />
        </Cell>
        <Cell>
          <MetricDifference metric={metric} measure={measure} axis={axis} scale={scaleOf(metric)} />
        </Cell>
      </Row>
      <BelowRow {...props} />
    </>
  );
};

type MetricDifferenceProps = {
  metric: Compared;
  measure: Measure;
  axis: ReactNode;
  scale: number;
};

const MetricDifference = ({ metric, measure, axis, scale }: MetricDifferenceProps) => {
  const words = wordsFor(metric.outputType, measure, metric.n);
  const { interval, difference, verdictInterval, verdictLevel } = metric;
  if (difference === null) return <span className="text-soft">N/A</span>;
  // The sentence below says the interval of a difference that is decided.
  const isStep =
    verdictInterval !== null && verdictLevel !== metric.level && metric.conclusion.verdict === 'cannot tell';
  // An exact test and an interval of scores differ where few testcases changed.
  const isTest =
    !isStep &&
    metric.p !== null &&
    metric.conclusion.verdict === 'cannot tell' &&
    interval !== null &&
    (interval.low > 0 || interval.high < 0);
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <span className="shrink-0">
        {axis}
        <Difference
          difference={difference}
          low={interval?.low ?? null}
          high={interval?.high ?? null}
          scale={scale}
        />
      </span>
      {/* Beside two corrected rates, long lines would push the table out of a narrow window. */}
      <span className="min-w-28 whitespace-normal">
        <span className="font-medium">
          {words.difference(difference)}
          {words.unit}
        </span>
        <span className="block text-sm text-soft">
          {interval && `${words.difference(interval.low)} to ${words.difference(interval.high)}, `}n ={' '}
          {countText(metric.n)}
        </span>
        {isTest && (
          <span className="block text-sm text-soft">the test decides: p = {metric.p?.toPrecision(2)}</span>
        )}
        {isStep && (
          <span className="block text-sm text-soft">
            decides at {levelOf(verdictLevel)} %: {words.difference(verdictInterval.low)} to{' '}
            {words.difference(verdictInterval.high)}
          </span>
        )}
      </span>
    </span>
  );
};
