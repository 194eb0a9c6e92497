import { useInfiniteQuery, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { apiPages, apiQuery, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { useChanges } from '../../live.ts';
import { paths } from '../../paths.ts';
import { oneLine } from '../../resources/records/one-line.ts';
import type { ReviewProgress } from '../../resources/reviews/queries.ts';
import { RunsTable } from '../../resources/runs/runs-table.tsx';
import { useMay, useMe } from '../../resources/session/me.ts';
import type { RecordDetail } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { countOf } from '../../ui/format.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { FirstRecord } from './first-record.tsx';
import { FirstSteps } from './first-steps.tsx';
import { PassRates } from './trends.tsx';

const route = getRouteApi('/app/projects/$projectId/');
const latest = 8;

type WaitingProps = { projectId: string; records: readonly RecordDetail[] };

/** Records that are assigned to the person, newest first. */
const Waiting = ({ projectId, records }: WaitingProps) => {
  if (records.length === 0) return <p className="text-soft">Nothing is assigned to you.</p>;
  return (
    <>
      <ul className="divide-y divide-line">
        {records.slice(0, latest).map(({ id, tags, inputs }) => (
          <li key={id}>
            <Link
              {...paths.record(projectId, id, 'assigned:me')}
              className="flex h-8 items-center gap-3 hover:bg-hover"
            >
              <span className="w-16 shrink-0 font-mono text-sm">{id}</span>
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

/** Queues of the metrics that people score, each with how many records wait in it. */
const Queues = ({ projectId, progress }: { projectId: string; progress: ReviewProgress | undefined }) => {
  const queues = progress?.queues.filter(({ numPending }) => numPending > 0) ?? [];
  if (queues.length === 0) return null;
  return (
    <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1">
      {queues.map(({ metricId, metricName, numPending }) => (
        <li key={metricId}>
          <TextLink {...paths.review(projectId, metricId)}>
            Score <bdi>{metricName}</bdi>
          </TextLink>{' '}
          <span className="text-soft">{countOf(numPending, 'record')}</span>
        </li>
      ))}
    </ul>
  );
};

export const HomePage = () => {
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(apiQuery('getProject', projectId));
  const may = useMay();
  const runs = useInfiniteQuery(apiPages('listRunDetails', projectId, { limit: latest }));
  const scored = useInfiniteQuery(
    apiPages('listRunDetails', projectId, { limit: latest, kind: 'evaluation', scored: true }),
  );
  const evaluations = useInfiniteQuery(
    apiPages('listRunDetails', projectId, { limit: latest, kind: 'evaluation' }),
  );
  const [any, made, withScores] = [runs, evaluations, scored].map(({ data }) => data?.pages[0]?.data);
  const newest = made && withScores && any;
  // The traces of a day are no evaluation, and only runs with scores have rates.
  const listed = newest && (made.length > 0 ? made : newest);
  const charted = newest && (withScores.length > 0 ? withScores : listed);
  const me = useMe().user;
  const assigned = useInfiniteQuery(apiPages('listProjectRecords', projectId, { assigneeUserId: me.id }));
  const queries = useQueryClient();
  useChanges(() => void queries.invalidateQueries({ queryKey: keyOf('listProjectRecords', projectId) }));
  const progress = useQuery(apiQuery('getReviewProgress', projectId));
  // The height of this part is unknown until it is read: the parts below it appear together with it.
  const isWaitingKnown = !assigned.isPending && !progress.isPending;
  return (
    <Page title={project.name || 'Untitled'}>
      {project.description && <p className="mb-4 max-w-2xl text-soft">{project.description}</p>}
      {!newest && <Skeleton lines={6} />}
      {charted && charted.length > 0 && (
        <Section
          title={`Pass rates ${charted.length === 1 ? 'in the latest run' : `of the latest ${charted.length} runs`} with scores, with 95 % intervals`}
        >
          <PassRates projectId={projectId} runs={charted} />
        </Section>
      )}
      {listed && listed.length > 0 && (
        <Section title="Latest runs" actions={<TextLink {...paths.runs(projectId)}>All runs</TextLink>}>
          <RunsTable projectId={projectId} runs={listed} />
        </Section>
      )}
      {newest && newest.length > 0 && (
        <Section title="Waiting for you">
          {isWaitingKnown ? (
            <>
              <Queues projectId={projectId} progress={progress.data} />
              <Waiting projectId={projectId} records={assigned.data?.pages[0]?.data ?? []} />
            </>
          ) : (
            <Skeleton lines={3} />
          )}
        </Section>
      )}
      {newest?.length === 0 && may.write && (
        <Section title="A first result, without code">
          <FirstSteps projectId={projectId} />
        </Section>
      )}
      {newest && may.write && (newest.length === 0 || isWaitingKnown) && (
        <Section title={newest.length === 0 ? 'Or send the first record from code' : 'Send records'}>
          <FirstRecord projectId={projectId} />
        </Section>
      )}
      {newest?.length === 0 && !may.write && (
        <p className="text-soft">No runs yet. Ask a member to start the first one.</p>
      )}
    </Page>
  );
};
