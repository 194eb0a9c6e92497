import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { GitCompareArrows, Plus } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../paths.ts';
import { useMay } from '../session/me.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/states.tsx';
import { toggled } from '../ui/toggled.ts';
import { runsQuery } from './queries.ts';
import { RunsTable } from './runs-table.tsx';

const route = getRouteApi('/app/projects/$projectId/runs');

/** The most runs that the API compares at once. */
const mostCompared = 8;

export const RunsPage = () => {
  const { projectId } = route.useParams();
  const may = useMay();
  const list = useInfiniteQuery(runsQuery(projectId));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const runs = list.data?.pages.flatMap(({ data }) => data) ?? [];
  // The oldest is the baseline.
  const compared = [...chosen].sort((a, b) => Number(a) - Number(b));
  const newButton = may.write && (
    <Link {...paths.newRun(projectId)} className={buttonClass('primary')}>
      <Plus size={14} aria-hidden /> New run
    </Link>
  );
  return (
    <Page
      title="Runs"
      actions={
        runs.length > 0 && (
          <>
            {compared.length >= 2 && compared.length <= mostCompared && (
              <Link {...paths.compare(projectId, compared)} className={buttonClass()}>
                <GitCompareArrows size={14} aria-hidden /> Compare {compared.length} runs
              </Link>
            )}
            {compared.length === 1 && <span className="text-soft">Choose another run to compare with</span>}
            {compared.length > mostCompared && (
              <span className="text-soft">At most {mostCompared} runs can be compared</span>
            )}
            {newButton}
          </>
        )
      }
    >
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton lines={8} />}
      {list.isSuccess && runs.length === 0 && (
        <Empty title="No runs yet" action={newButton}>
          A run is one evaluation: your system’s records, scored by metrics. Start one here or with{' '}
          <code className="font-mono text-sm">POST /projects/{projectId}/runs</code>.
        </Empty>
      )}
      {runs.length > 0 && (
        <RunsTable
          projectId={projectId}
          runs={runs}
          chosen={chosen}
          onChoose={(id) => setChosen(toggled(chosen, id))}
        />
      )}
      {list.hasNextPage && (
        <Button className="mt-3" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Older runs
        </Button>
      )}
    </Page>
  );
};
