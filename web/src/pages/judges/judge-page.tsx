import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Agreement } from '../../resources/judges/agreement.tsx';
import { LabelConfusion } from '../../resources/judges/confusion.tsx';
import { CriteriaAgreement } from '../../resources/judges/criteria-agreement.tsx';
import {
  type Calibration,
  calibrationQuery,
  type Labels,
  trendQuery,
} from '../../resources/judges/queries.ts';
import { metricsQuery, useMetric } from '../../resources/metrics/queries.ts';
import { trialsQuery } from '../../resources/trials/queries.ts';
import type { Metric, MetricVersion } from '../../types.ts';
import { buttonClass } from '../../ui/button.tsx';
import { FactList, type FactPair } from '../../ui/fact.tsx';
import { Select } from '../../ui/field.tsx';
import { type Estimate, Interval } from '../../ui/interval.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { BatteryOfJudge, PassportOfJudge } from './battery.tsx';
import { Configurations } from './configurations.tsx';
import { JudgeDisagreements } from './disagreements.tsx';
import { DriftOfJudge } from './drift.tsx';
import { JudgedRuns } from './judged-runs.tsx';
import { Jury } from './jury.tsx';
import { Labelling } from './labelling.tsx';
import { Successors } from './successors.tsx';
import { Verdict } from './verdict.tsx';

const route = getRouteApi('/app/projects/$projectId/metrics/$metricId/judge');
/** Configurations that are compared. */
const mostVersions = 10;

const sources = [
  { value: '', label: 'Labels: those of its people' },
  { value: 'overrides', label: 'Scores given in its place' },
  { value: 'thumbs', label: 'Thumbs of annotations' },
];

/** A rate by the judge's error rates. Its interval takes the labels for those of other records, so it is for a run without labels. */
const ByErrorRates = ({ rate }: { rate: NonNullable<Calibration['corrected']>['roganGladen'] }) => (
  <span>
    <Interval of={rate} />
    {rate.reason && <span className="block text-sm text-soft first-letter:uppercase">{rate.reason}</span>}
  </span>
);

/** The pass rate of one run: by the judge, and as people would judge it. */
const RateOfRun = ({
  calibration,
  runId,
  judged,
}: {
  calibration: Calibration;
  runId: string;
  judged: Estimate;
}) => {
  const { corrected } = calibration;
  if (!corrected) return null;
  const { roganGladen, predictionPowered } = corrected;
  const { interval, reason, sampled, moreLabels } = predictionPowered;
  const byErrorRates: FactPair = [
    'Adjusted by error rates',
    <ByErrorRates key="" rate={roganGladen} />,
    'error rates',
  ];
  return (
    <Section title={`Pass rate of run ${runId}`}>
      <FactList
        facts={[
          ['By the judge', <Interval key="" of={judged} />],
          [
            'By labels of this run',
            <span key="">
              <Interval of={predictionPowered} />
              <span className="block text-sm text-soft first-letter:uppercase">
                {[
                  interval === null && reason,
                  sampled ? 'from a random sample' : 'the labels are not a random sample',
                  moreLabels,
                ]
                  .filter(Boolean)
                  .join('; ')}
              </span>
            </span>,
            'prediction-powered',
          ],
          ...(interval === null ? [byErrorRates] : []),
        ]}
      />
    </Section>
  );
};

const wordsOf: Record<string, string> = {
  thumbs: 'by their thumbs',
  overrides: 'by scores that they gave in its place',
};

/** The passing threshold at which the judge agrees with people most. */
const BestThreshold = ({ calibration: { threshold, passingThreshold } }: { calibration: Calibration }) =>
  threshold?.best &&
  threshold.onTest && (
    <p className="mb-6">
      Best passing threshold on the labels for tuning: {threshold.best.threshold}. On the labels for testing
      it agrees with people in <Interval of={threshold.onTest.agreement} />; now it is {passingThreshold}.
    </p>
  );

type Search = { config?: string; labels?: string; run?: string };
type BodyProps = {
  projectId: string;
  metric: Metric;
  /** The metrics of the project. */
  metrics: readonly Metric[];
  versions: readonly MetricVersion[];
  search: Search;
};

type JudgedRunsProps = {
  projectId: string;
  metric: Metric;
  configId: string;
  /** The run of the address. */
  chosen: string | undefined;
};

/** The runs that the configuration scored: the shown one, which is the newest unless one is chosen, and the others. */
const useJudgedRuns = ({ projectId, metric, configId, chosen }: JudgedRunsProps) => {
  const trend = useQuery(trendQuery(projectId, metric.id));
  const { points = [], runs = [] } = trend.data ?? {};
  const own = points.filter(({ metricConfigId }) => metricConfigId === configId);
  const runId = chosen ?? (own.findLast(({ states }) => states.scored > 0) ?? own.at(-1))?.runId;
  const judged = own.find((point) => point.runId === runId)?.passRate;
  const scoredRuns = [runId, ...own.map((point) => point.runId).toReversed()];
  const [first, ...others] = [...new Set(scoredRuns)].flatMap(
    (id) => runs.find((run) => run.runId === id) ?? [],
  );
  const shown = first && ([first, ...others] as const);
  return { trend, points, runs: shown, runId, judged };
};

type JudgeProps = JudgedRunsProps & { labels: Labels };

/** How far the judge agrees with people: on what passes, and on the labels of a category. */
const AgreementOfAll = ({ calibration, by }: { calibration: Calibration; by: string }) => (
  <>
    <Agreement calibration={calibration} by={by} />
    {calibration.confusion && calibration.n > 0 && <LabelConfusion confusion={calibration.confusion} />}
  </>
);

/** The runs of the judge, and its calibration on the shown one. */
const useJudge = ({ labels, ...of }: JudgeProps) => {
  const { trend, ...judgedRuns } = useJudgedRuns(of);
  const { data, error } = useQuery({
    ...calibrationQuery(of.metric.id, of.configId, labels, judgedRuns.runId),
    enabled: trend.isSuccess,
  });
  return { ...judgedRuns, data, error: trend.error ?? error };
};

/** How people judge: by which of their scores. */
const byText = ({ judge, source }: Calibration, metrics: readonly Metric[]): string => {
  const people = metrics.find(({ id }) => id === judge.peopleMetricId);
  return people ? `by their scores of ${people.name}` : (wordsOf[source] ?? '');
};

const JudgeBody = ({ projectId, metric, metrics, versions, search }: BodyProps) => {
  const configId = search.config ?? versions.find(({ current }) => current)?.id ?? versions[0]!.id;
  const labels: Labels = search.labels;
  const judge = useJudge({ projectId, metric, configId, labels, chosen: search.run });
  const { data, error, points, runs, runId, judged } = judge;
  const trials = useQuery(trialsQuery(metric.id));
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={12} />;
  return (
    <>
      <Verdict judge={data.judge} trials={trials.data?.data ?? []}>
        <Labelling
          projectId={projectId}
          metric={metric}
          metrics={metrics}
          labels={labels}
          runs={runs}
          calibration={data}
        />
      </Verdict>
      <AgreementOfAll calibration={data} by={byText(data, metrics)} />
      {metric.criteria && <CriteriaAgreement metricId={metric.id} configId={configId} labels={labels} />}
      {data.jury && <Jury jury={data.jury} />}
      {runId && judged && data.n > 0 && <RateOfRun calibration={data} runId={runId} judged={judged} />}
      <BestThreshold calibration={data} />
      {data.numDisagreements > 0 && (
        <JudgeDisagreements
          projectId={projectId}
          metric={metric}
          configId={configId}
          labels={labels}
          peopleMetricId={data.judge.peopleMetricId}
        />
      )}
      <DriftOfJudge
        projectId={projectId}
        metricId={metric.id}
        configId={configId}
        labels={labels}
        numLabels={data.n}
        pinned={data.pinnedSet ?? null}
        trials={trials}
      />
      {metric.evalType === 'ai' && (
        <>
          <BatteryOfJudge projectId={projectId} metricId={metric.id} configId={configId} />
          <PassportOfJudge metricId={metric.id} configId={configId} />
          <Successors
            {...{ projectId, metricId: metric.id, trials }}
            numPinned={data.pinnedSet?.numRecords}
          />
        </>
      )}
      <JudgedRuns
        projectId={projectId}
        metricId={metric.id}
        points={points}
        isAi={metric.evalType === 'ai'}
      />
      <Configurations
        projectId={projectId}
        metricId={metric.id}
        labels={labels}
        configurations={data.configurations ?? []}
        versions={versions.slice(0, mostVersions)}
        configId={configId}
      />
    </>
  );
};

/** The calibration of a judge: whether decisions may rest on it, and why. */
export const JudgePage = () => {
  const { projectId, metricId } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const metric = useMetric(projectId, metricId);
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const versions = useQuery({
    ...apiQuery('listMetricVersions', metricId, { limit: 20 }),
    select: ({ data }) => data,
  });
  const points = useQuery(trendQuery(projectId, metricId)).data?.points ?? [];
  const people = metrics.filter(
    ({ evalType, spans, id }) => evalType === 'human' && !spans && id !== metricId,
  );
  return (
    <Page
      crumbs={
        <>
          <QuietLink {...paths.metrics(projectId)}>Metrics</QuietLink>
          <span aria-hidden>/</span>
          <QuietLink {...paths.metric(projectId, metricId)} className="max-w-48 truncate">
            {metric.name}
          </QuietLink>
        </>
      }
      title="Judge quality"
      actions={
        <Link {...paths.gate(projectId)} className={buttonClass()}>
          Gate rules
        </Link>
      }
      toolbar={
        metric.evalType !== 'human' &&
        !metric.spans && (
          <JudgeFilters
            people={people}
            runIds={[...new Set(points.map(({ runId }) => runId))].toReversed()}
            search={search}
            onChange={(change) => void navigate(paths.judge(projectId, metricId, { ...search, ...change }))}
          />
        )
      }
    >
      {metric.spans ? (
        <Empty title="This metric scores spans">
          People label records, so verdicts on spans are not compared with theirs. A human metric with the
          same search lets people score the same spans, on the page of a trace.
        </Empty>
      ) : metric.evalType === 'human' ? (
        <Empty title="People score this metric">
          A judge is a metric that a model or code scores. The review overview shows how far people agree.
        </Empty>
      ) : (
        <>
          {versions.error && <ErrorNote error={versions.error} />}
          {versions.isPending && <Skeleton lines={12} />}
          {versions.data && (
            <JudgeBody
              projectId={projectId}
              metric={metric}
              metrics={metrics}
              versions={versions.data}
              search={search}
            />
          )}
        </>
      )}
    </Page>
  );
};

type JudgeFiltersProps = {
  /** Metrics that people score. */
  people: readonly Metric[];
  runIds: readonly string[];
  search: Search;
  onChange: (change: { labels?: string | undefined; run?: string | undefined }) => void;
};

/** Chooses the labels that the judge is held against, and the run. */
const JudgeFilters = ({ people, runIds, search, onChange }: JudgeFiltersProps) => (
  <>
    <div className="w-56">
      <Select
        label="Labels of people"
        hideLabel
        value={search.labels ?? ''}
        options={[...sources, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(labels) => onChange({ labels: labels || undefined })}
      />
    </div>
    <div className="w-40">
      <Select
        label="Run"
        hideLabel
        value={search.run ?? ''}
        options={[
          { value: '', label: 'Newest run' },
          ...runIds.map((id) => ({ value: id, label: `Run ${id}` })),
        ]}
        onChange={(run) => onChange({ run: run || undefined })}
      />
    </div>
  </>
);
