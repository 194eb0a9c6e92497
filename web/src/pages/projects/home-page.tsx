import { useInfiniteQuery, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { apiPages, apiQuery, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { useChanges } from '../../live.ts';
import { paths } from '../../paths.ts';
import { FirstRecord } from '../../resources/projects/first-record.tsx';
import { oneLine } from '../../resources/records/one-line.ts';
import type { ReviewProgress } from '../../resources/reviews/queries.ts';
import { type RunRate, RunsTable } from '../../resources/runs/runs-table.tsx';
import { WeightChoice, weightsOf } from '../../resources/runs/weights.tsx';
import { useMay, useMe } from '../../resources/session/me.ts';
import type { ListedRun, RecordDetail } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { countOf } from '../../ui/format.ts';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { FirstCards } from './first-cards.tsx';
import { NewsList } from './news.tsx';
import { isDemo, OwnProject } from './own-project.tsx';
import { PassRates, type Trends } from './trends.tsx';

const route = getRouteApi('/app/projects/$projectId/');
const latest = 8;

type WaitingProps = {
  projectId: string;
  records: readonly RecordDetail[];
  /** Whether something else waits. */
  isElse: boolean;
};

/** Records that are assigned to the person, runs first. */
const Waiting = ({ projectId, records, isElse }: WaitingProps) => {
  if (records.length === 0) return isElse ? null : <p className="text-soft">No assignments.</p>;
  return (
    <>
      <ul className="divide-y divide-line">
        {records.slice(0, latest).map(({ id, tags, inputs }) => (
          <li key={id}>
            <Link
              {...paths.record(projectId, id, 'assigned:me')}
              className="flex h-8 items-center gap-3 hover:bg-hover"
            >
              <span className="w-16 shrink-0 text-sm tabular-nums">{id}</span>
              <bdi className="min-w-0 flex-1 truncate text-soft">{oneLine(inputs)}</bdi>
              {tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </Link>
          </li>
        ))}
      </ul>
      <TextLink {...paths.records(projectId, { q: 'assigned:me' })} className="mt-2 inline-block">
        All records assigned to you
      </TextLink>
    </>
  );
};

const queuesOf = (progress: ReviewProgress | undefined) =>
  progress?.queues.filter(({ numForYou }) => numForYou > 0) ?? [];

/** Queues of the metrics that people score, each with how many records wait in it. */
const Queues = ({ projectId, progress }: { projectId: string; progress: ReviewProgress | undefined }) => {
  const queues = queuesOf(progress);
  if (!progress || queues.length === 0) return null;
  const { numRecords, numAssigned } = progress.forYou;
  return (
    <>
      <p className="mb-1">
        <TextLink {...paths.review(projectId)} className="font-medium">
          {countOf(numRecords, 'record')} {numRecords === 1 ? 'waits' : 'wait'} for you
        </TextLink>
        {numAssigned > 0 && (
          <span className="text-soft">, {countOf(numAssigned, 'record')} assigned to you</span>
        )}
      </p>
      <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1">
        {queues.map(({ metricId, metricName, numForYou }) => (
          <li key={metricId}>
            <TextLink {...paths.review(projectId, metricId)}>
              Score <bdi>{metricName}</bdi>
            </TextLink>{' '}
            <span className="text-soft">{countOf(numForYou, 'record')}</span>
          </li>
        ))}
      </ul>
    </>
  );
};

const titleOf = (trends: Trends | undefined): string => {
  if (!trends || trends.numRuns === 0) return 'Pass rate (bars: 95 % interval)';
  const { numRuns } = trends;
  return `Pass rate, ${numRuns === 1 ? 'last run' : `last ${numRuns} runs`} (bars: 95 % interval)`;
};

type TrendWeightsProps = { projectId: string; runId: string; weights: string | undefined };

/** Weighs the rates of all runs by a field of the latest one's testset, which is read when it is asked for. */
const TrendWeights = ({ projectId, runId, weights }: TrendWeightsProps) => {
  const [isAsked, setAsked] = useState(false);
  const { data: run } = useQuery({ ...apiQuery('getRunDetails', runId), enabled: isAsked });
  const navigate = useNavigate();
  return (
    <WeightChoice
      run={run}
      weights={weights}
      onOpen={() => setAsked(true)}
      onChange={(next) => void navigate(paths.home(projectId, next))}
    />
  );
};

/** Says how many runs have no weighted rate. */
const UnweightedNote = ({ trends }: { trends: Trends | undefined }) =>
  trends?.numUnweighted ? (
    <p className="mb-2 text-soft">
      {countOf(trends.numUnweighted, 'run')} without a rate: {trends.numUnweighted === 1 ? 'its' : 'their'}{' '}
      testcases do not have what the weights need.
    </p>
  ) : null;

/** The latest runs and their rates. The traces of a day are not an evaluation: they are shown only if there are no evaluations. */
const useLatestRuns = (projectId: string, weights: string | undefined) => {
  const evaluations = useInfiniteQuery(
    apiPages('listRunDetails', projectId, { limit: latest, kind: 'evaluation' }),
  );
  const made = evaluations.data?.pages[0]?.data;
  const hasNone = made?.length === 0;
  const all = useInfiniteQuery({
    ...apiPages('listRunDetails', projectId, { limit: latest }),
    enabled: hasNone,
  });
  const runs = hasNone ? all.data?.pages[0]?.data : made;
  const { data: trends, error } = useQuery({
    ...apiQuery('listTrends', projectId, {
      ...(!hasNone && { kind: 'evaluation' as const }),
      limit: latest,
      scored: true,
      // People's labels correct the rate of all records, which is not weighted.
      ...(weights ? weightsOf(weights) : { judges: true }),
    }),
    enabled: !hasNone || (runs !== undefined && runs.length > 0),
  });
  const ratesOf = ({ id }: ListedRun): RunRate[] | undefined =>
    trends?.metrics.flatMap(({ metricId, metricName, points }) => {
      // Of several configurations of a metric, the first is the one that the run started with.
      const point = points.find(({ runId }) => runId === id);
      const { passRate, judge = null } = point ?? {};
      return passRate ? [{ metricId, metricName, passRate, judge }] : [];
    });
  return { runs, trends, ratesOf, error };
};

/** The lines that send a record. Folded, they cost a visitor who begins otherwise no font. */
const FromCode = ({ projectId, isFirst }: { projectId: string; isFirst: boolean }) => (
  <details className="mb-8">
    <summary className="mb-3 cursor-pointer font-semibold">
      {isFirst ? 'Or send the first record from code' : 'Send records from code'}
    </summary>
    <FirstRecord projectId={projectId} />
  </details>
);

export const HomePage = () => {
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(apiQuery('getProject', projectId));
  const may = useMay();
  const { weights } = route.useSearch();
  const { runs, trends, ratesOf, error } = useLatestRuns(projectId, weights);
  const me = useMe().user;
  const assigned = useInfiniteQuery(apiPages('listProjectRecords', projectId, { assigneeUserId: me.id }));
  const queries = useQueryClient();
  useChanges(() => void queries.invalidateQueries({ queryKey: keyOf('listProjectRecords', projectId) }));
  const progress = useQuery(apiQuery('getReviewProgress', projectId));
  const news = useQuery(apiQuery('getProjectNews', projectId));
  // The height of these parts is unknown until they are read: the parts below appear together with them.
  const isKnown = runs !== undefined && !assigned.isPending && !progress.isPending && !news.isPending;
  return (
    <Page title={project.name || 'Untitled'} actions={may.write && isDemo(project) && <OwnProject />}>
      {project.description && <p className="mb-4 max-w-2xl text-soft">{project.description}</p>}
      {!isKnown && <Skeleton lines={6} />}
      {isKnown && runs.length > 0 && (
        <>
          <div className="grid grid-cols-1 gap-x-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <Section title="Since yesterday">
              {news.error && <ErrorNote error={news.error} />}
              {news.data && <NewsList projectId={projectId} news={news.data} />}
            </Section>
            <Section title="Your review queue">
              <Queues projectId={projectId} progress={progress.data} />
              <Waiting
                projectId={projectId}
                records={assigned.data?.pages[0]?.data ?? []}
                isElse={queuesOf(progress.data).length > 0}
              />
            </Section>
          </div>
          <Section
            title={titleOf(trends)}
            actions={
              (trends === undefined || trends.numRuns > 0) && (
                <TrendWeights projectId={projectId} runId={runs[0]!.id} weights={weights} />
              )
            }
          >
            <UnweightedNote trends={trends} />
            {error ? (
              <ErrorNote error={error} />
            ) : (
              <PassRates
                projectId={projectId}
                trends={trends}
                metricIds={[...new Set(runs.flatMap(({ metricIds }) => metricIds))]}
              />
            )}
          </Section>
          <Section title="Latest runs" actions={<TextLink {...paths.runs(projectId)}>All runs</TextLink>}>
            <RunsTable projectId={projectId} runs={runs} rates={ratesOf} />
          </Section>
        </>
      )}
      {isKnown && runs.length === 0 && may.write && <FirstCards projectId={projectId} />}
      {isKnown && may.write && <FromCode projectId={projectId} isFirst={runs.length === 0} />}
      {runs?.length === 0 && !may.write && (
        <p className="text-soft">No runs yet. Ask a member to start the first one.</p>
      )}
    </Page>
  );
};
