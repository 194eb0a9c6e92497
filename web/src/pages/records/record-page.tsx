import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { apiPages, apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useOwnProject } from '../../resources/projects/own-project.ts';
import { AddRecordButton } from '../../resources/records/add-record-button.tsx';
import { type Neighbours, useNeighbours, useSteps } from '../../resources/search/neighbours.ts';
import { useMay } from '../../resources/session/me.ts';
import { RecordTabs } from '../../resources/traces/record-tabs.tsx';
import type { RecordDetail } from '../../types.ts';
import { IconButton } from '../../ui/button.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { recordsQuery } from './queries.ts';
import { RecordView } from './record-view.tsx';

const TraceTabView = lazy(() => import('../../resources/traces/trace-tab.tsx'));

const route = getRouteApi('/app/projects/$projectId/records/$recordId');

/** The neighbours by their number in the run, newest first as in the table. */
const useRunNeighbours = (recordId: string, numRecords: number | undefined): Neighbours => {
  const [runId = ''] = recordId.split('-');
  return {
    beside: (id, by) => {
      const number = Number(id.split('-')[1]) - by;
      return numRecords !== undefined && number >= 1 && number <= numRecords
        ? `${runId}-${number}`
        : undefined;
    },
    hasMore: false,
    readMore: () => {},
  };
};

/** The neighbours in the list of a search. */
const useSearchNeighbours = (projectId: string, recordId: string, q: string): Neighbours =>
  useNeighbours(
    useInfiniteQuery({
      ...apiPages('listProjectRecords', projectId, recordsQuery(q)),
      enabled: q !== '',
    }),
    recordIdOf,
    recordId,
  );
const recordIdOf = ({ id }: RecordDetail) => id;

export const RecordPage = () => {
  const { projectId, recordId } = route.useParams();
  const { q = '', tab, span } = route.useSearch();
  const navigate = useNavigate();
  const { data: record } = useSuspenseQuery(apiQuery('getRecord', recordId));
  const { read } = useMay();
  const { data: run } = useQuery({ ...apiQuery('getRunDetails', record.runId), enabled: read });
  useOwnProject(projectId, run?.projectId);
  const inRun = useRunNeighbours(recordId, run?.numRecords);
  const inSearch = useSearchNeighbours(projectId, recordId, q);
  const neighbours = q ? inSearch : inRun;
  const step = useSteps(recordId, neighbours, (id) => {
    void navigate({ ...paths.record(projectId, id, q, tab ? { tab } : {}), replace: true });
  });
  useKeys('A record', {
    j: ['Next record', () => step(1)],
    k: ['Previous record', () => step(-1)],
    Escape: [
      read ? 'Back to the records' : 'Back to the queue',
      () =>
        void navigate(
          read ? paths.records(projectId, { ...(q && { q }), record: recordId }) : paths.review(projectId),
        ),
    ],
  });
  return (
    <Page
      crumbs={
        read ? (
          <QuietLink {...paths.records(projectId, q ? { q } : {})}>Records</QuietLink>
        ) : (
          <QuietLink {...paths.review(projectId)}>Queue</QuietLink>
        )
      }
      title={recordId}
      toolbar={<RecordTabs projectId={projectId} recordId={recordId} q={q} tab={tab} span={span} />}
      actions={
        <>
          <AddRecordButton key={recordId} projectId={projectId} record={record} />
          <IconButton
            icon={ChevronUp}
            label="Previous record (k)"
            disabled={!neighbours.beside(recordId, -1)}
            onClick={() => step(-1)}
          />
          <IconButton
            icon={ChevronDown}
            label="Next record (j)"
            disabled={!neighbours.beside(recordId, 1)}
            onClick={() => step(1)}
          />
        </>
      }
      fill
    >
      {tab ? (
        <Suspense fallback={<Skeleton lines={12} className="border-t px-4 pt-3" />}>
          <TraceTabView projectId={projectId} recordId={recordId} q={q} tab={tab} span={span} />
        </Suspense>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <div className="relative min-h-0 flex-1 overflow-auto pb-12" tabIndex={0}>
          <RecordView key={recordId} record={record} projectId={projectId} />
        </div>
      )}
    </Page>
  );
};
