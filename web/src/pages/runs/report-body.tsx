import { WeightNote } from '../../resources/runs/weights.tsx';
import type { RunComparison } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { percentOf } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { comparisonCsv } from './compared-csv.ts';
import type { Measure } from './compared-words.ts';
import { type Pair, withScoresOnly } from './pair.ts';
import { PairRates } from './pair-rates.tsx';
import { PlannedLooks } from './planned-looks.tsx';
import { PooledNote } from './pooled-choice.tsx';
import { Losses } from './report-losses.tsx';
import { SliceTables } from './report-slices.tsx';
import { limitsOf, notMeasured, testcaseLines, verdictSentence } from './report-words.ts';
import { costNames, isTold } from './usage-costs.ts';
import { UsageRises } from './usage-rises.tsx';

const dateText = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

/** What a report says about a run. */
export type ReportedRun = {
  id: string;
  name: string | null;
  title: string;
  notesStart: string | null;
  numRecords: number;
  createdAt: string;
};

/** What the report leaves out because of its weights or looks. */
const notAsked = ({ weights, looks }: Pick<ReportBodyProps, 'weights' | 'looks'>): string[] => {
  if (looks) return ['Slices, latency, tokens and cost: looks are planned for verdicts alone.'];
  return weights
    ? ['Latency, tokens and cost have no weighted number. The report without weights has them.']
    : [];
};

type ReportBodyProps = {
  /** Undefined for readers without an account: nothing leads into the project. */
  projectId: string | undefined;
  projectName: string;
  runIds: readonly string[];
  measure: Measure;
  weights: string | undefined;
  looks: readonly number[] | undefined;
  data: RunComparison;
  runs: readonly ReportedRun[];
};

/** The report itself: question, verdict, uncertainty, losses, and what was not measured. */
export const ReportBody = ({
  projectId,
  projectName,
  runIds,
  measure,
  weights,
  looks,
  data,
  runs,
}: ReportBodyProps) => {
  const titles = new Map(runs.map((run) => [run.id, run] as const));
  // Sentences are short; the list below the question says what each run is.
  const titleOf = (id: string): string => titles.get(id)?.name ?? `Run ${id}`;
  const pairs = data.pairs.filter(({ before }) => before === runIds[0]).map(withScoresOnly);
  // Sections about numbers would be empty.
  const isMeasured = pairs.some(({ metrics }) => metrics.length > 0);
  return (
    <article className="max-w-5xl">
      <p className="mb-4 text-soft">
        {projectName} · {dateText(new Date().toISOString())}
      </p>
      <Section title="Question">
        <Question runIds={runIds} titleOf={titleOf} runOf={(id) => titles.get(id)} />
        {testcaseLines(pairs, titleOf).map((line) => (
          <p key={line} className="mt-2">
            <bdi>{line}</bdi>
          </p>
        ))}
      </Section>
      <Section title="Verdict">
        {pairs.map((pair) => (
          <p key={pair.after} className="mb-2 text-focal font-semibold">
            {verdictSentence(pair, titleOf)}
          </p>
        ))}
      </Section>
      {isMeasured ? (
        <Measured {...{ projectId, runIds, measure, looks, data, pairs, titleOf }} />
      ) : (
        <p className="mb-6">
          There is nothing to compare, so this report has no numbers. Compare runs of the same testset that
          the same metrics have scored.
        </p>
      )}
      <Section title="Not measured">
        <Lines of={[...notAsked({ weights, looks }), ...notMeasured(pairs, titleOf)]} none="" />
      </Section>
      <div className="print:hidden">
        <Button
          onClick={() =>
            download(`report-${runIds.join('-')}.csv`, [comparisonCsv(data)], 'text/csv;charset=utf-8')
          }
        >
          Export the numbers as CSV
        </Button>
      </div>
    </article>
  );
};

type MeasuredProps = Pick<ReportBodyProps, 'projectId' | 'runIds' | 'measure' | 'looks' | 'data'> & {
  pairs: readonly Pair[];
  titleOf: (id: string) => string;
};

/** The sections about what was measured. */
const Measured = ({ projectId, runIds, measure, looks, data, pairs, titleOf }: MeasuredProps) => (
  <>
    <Section title="Confidence">
      <WeightNote of={data.weightedBy} />
      <PooledNote baseline={runIds[0]!} pooled={data.pooled} />
      {pairs.map((pair) => (
        <PairRates key={pair.after} projectId={projectId} pair={pair} titleOf={titleOf} measure={measure} />
      ))}
      <Confidence level={data.level} tests={data.tests} measure={measure} />
    </Section>
    {looks && pairs.map((pair) => <PlannedLooks key={pair.after} metrics={pair.metrics} measure={measure} />)}
    <Section title="Limits of these numbers">
      <Lines of={limitsOf(pairs, titleOf)} none="None that Dokima checks for." />
    </Section>
    {data.winners && data.winners.length > 0 && <BestRuns winners={data.winners} />}
    {!looks && <Slices pairs={pairs} titleOf={titleOf} isWeighted={data.weightedBy !== undefined} />}
    <Usage pairs={pairs} level={data.level} />
    <Section title="What got worse">
      {pairs.map((pair) => (
        <Losses key={pair.after} projectId={projectId} pair={pair} titleOf={titleOf} />
      ))}
    </Section>
  </>
);

/** Nothing if no two runs tell the same of it; the last section says what they lack. */
const Usage = ({ pairs, level }: { pairs: readonly Pair[]; level: number }) =>
  pairs.some((pair) => costNames.some((name) => isTold(pair, name))) ? (
    <Section title="Cost, latency and tokens">
      {pairs.map((pair) => (
        <UsageRises key={pair.after} pair={pair} level={level} />
      ))}
    </Section>
  ) : null;

type SlicesProps = { pairs: readonly Pair[]; titleOf: (id: string) => string; isWeighted: boolean };

const Slices = ({ pairs, titleOf, isWeighted }: SlicesProps) => (
  <Section title="Slices that lost most">
    {isWeighted ? (
      <p>
        Not tested: a slice has no weighted number, because each is tested with the same share of testcases.
        The report without weights has them.
      </p>
    ) : (
      <>
        <p className="mb-2 text-sm text-soft">
          Slices are the values of each field of the inputs and metadata. A shrunken difference is moved
          towards the mean of all slices, because the worst of many slices is worst partly by chance.
        </p>
        {pairs.map((pair) => (
          <SliceTables key={pair.after} pair={pair} titleOf={titleOf} />
        ))}
      </>
    )}
  </Section>
);

const RunLine = ({ run }: { run: ReportedRun | undefined }) =>
  run && (
    <>
      <bdi>{run.title}</bdi>: run {run.id}, {run.numRecords.toLocaleString('en')} records, started{' '}
      {dateText(run.createdAt)}
      {run.notesStart && (
        <>
          . <bdi>{run.notesStart}</bdi>
        </>
      )}
    </>
  );

const Lines = ({ of, none }: { of: readonly string[]; none: string }) =>
  of.length === 0 ? (
    <p>{none}</p>
  ) : (
    <ul className="list-disc pl-4">
      {of.map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );

type ConfidenceProps = { level: number; tests: number; measure: Measure };

const Confidence = ({ level, tests, measure }: ConfidenceProps) => (
  <p className="text-sm text-soft">
    {tests > 1
      ? `Verdicts have ${percentOf(level)} % confidence together, adjusted for ${tests} tests by Holm’s method.`
      : `The verdict has ${percentOf(level)} % confidence.`}{' '}
    Metrics are compared by their {measure === 'pass' ? 'pass rate' : 'mean score'}. An interval is the range
    of true differences that fit these testcases, at the level that decides its verdict.
  </p>
);

type BestRunsProps = {
  winners: readonly { metricId: string; metricName: string; sentence: string }[];
};

/** The run with the highest rate of each metric, corrected for being chosen as the best. */
const BestRuns = ({ winners }: BestRunsProps) => (
  <Section title="The best run">
    <p className="mb-2 text-sm text-soft">
      The observed rate of the best of several runs is too high on average, because the best run was chosen.
      The corrected rate allows for that choice, and for other runs of the testset that scored the same
      testcases.
    </p>
    <ul className="list-disc pl-4">
      {winners.map(({ metricId, metricName, sentence }) => (
        <li key={metricId}>
          <bdi>{metricName}</bdi>: {sentence}
        </li>
      ))}
    </ul>
  </Section>
);

type QuestionProps = {
  runIds: readonly string[];
  titleOf: (id: string) => string;
  runOf: (id: string) => ReportedRun | undefined;
};

const Question = ({ runIds, titleOf, runOf }: QuestionProps) => (
  <>
    <p>
      Is {runIds.slice(1).map(titleOf).join(', or ')} better than {titleOf(runIds[0]!)}?
    </p>
    <ul className="mt-2 list-disc pl-4 text-soft">
      {runIds.map((id) => (
        <li key={id}>
          <RunLine run={runOf(id)} />
        </li>
      ))}
    </ul>
  </>
);
