import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { FileText, Scale } from 'lucide-react';
import { useState } from 'react';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { AskDialog } from '../../resources/preferences/ask-dialog.tsx';
import { runsQuery } from '../../resources/runs/queries.ts';
import { RunsTable } from '../../resources/runs/runs-table.tsx';
import { useMay } from '../../resources/session/me.ts';
import type { ListedRun } from '../../types.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Skeleton } from '../../ui/states.tsx';
import { Comparison } from './compare-runs.tsx';

const route = getRouteApi('/app/projects/$projectId/compare');

/** Lets the user choose two runs when the address does not name them. */
const ChooseRuns = ({ projectId, known }: { projectId: string; known: string | undefined }) => {
  const { data } = useInfiniteQuery(runsQuery(projectId));
  const navigate = useNavigate();
  const [first, setFirst] = useState(known);
  const runs = data?.pages.flatMap((page) => page.data);
  if (!runs) return <Skeleton lines={6} />;
  if (runs.length < 2)
    return (
      <Empty title="Nothing to compare yet">
        A comparison needs two runs over the same testset. It compares their shared testcases one by one.
      </Empty>
    );
  // A comparison pairs testcases: the runs that share them come first.
  const chosen = runs.find(({ id }) => id === first);
  const distance = ({ id, testsetId, kind }: ListedRun): number =>
    id === first ? 0 : Number(testsetId !== chosen?.testsetId) + Number(kind !== chosen?.kind) + 1;
  const shown = chosen ? runs.toSorted((a, b) => distance(a) - distance(b)) : runs;
  const choose = (runId: string) => {
    if (first === undefined) setFirst(runId);
    else if (first === runId) setFirst(undefined);
    else
      void navigate(
        paths.compare(
          projectId,
          [first, runId].sort((a, b) => Number(a) - Number(b)),
        ),
      );
  };
  return (
    <>
      <p className="mb-3 text-soft">
        {first === undefined ? 'Choose two runs.' : `Choose the run to compare run ${first} with.`}
      </p>
      <RunsTable
        projectId={projectId}
        runs={shown}
        chosen={new Set(first === undefined ? [] : [first])}
        onChoose={choose}
      />
    </>
  );
};

export const ComparePage = () => {
  const { projectId } = route.useParams();
  const { runs = '', metric, by, value, weights, looks, pooled } = route.useSearch();
  const runIds = runs.split(',').filter(Boolean);
  const isChosen = runIds.length >= 2;
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  return (
    <Page
      crumbs={<QuietLink {...paths.runs(projectId)}>Runs</QuietLink>}
      title="Compare"
      actions={
        isChosen && (
          <>
            {may.write && (
              <Button onClick={() => setAsking(true)}>
                <Scale size={14} aria-hidden /> Start a side-by-side study
              </Button>
            )}
            <Link {...paths.report(projectId, runIds, { weights, looks, pooled })} className={buttonClass()}>
              <FileText size={14} aria-hidden /> Report
            </Link>
          </>
        )
      }
    >
      {isAsking && <AskDialog projectId={projectId} runIds={runIds} onClose={() => setAsking(false)} />}
      {isChosen ? (
        <Comparison
          key={runs}
          projectId={projectId}
          runIds={runIds}
          metricId={metric}
          by={by}
          value={value}
          weights={weights}
          looks={looks}
          pooled={pooled}
        />
      ) : (
        <ChooseRuns projectId={projectId} known={runIds[0]} />
      )}
    </Page>
  );
};
