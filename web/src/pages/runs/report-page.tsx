import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { WeightChoice, weightsOf } from '../../resources/runs/weights.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import type { Measure } from './compared-words.ts';
import { readLooks } from './planned-looks.tsx';
import { readPooled } from './pooled-choice.tsx';
import { ReportBody } from './report-body.tsx';
import { ShareReport } from './share-report.tsx';

const route = getRouteApi('/app/projects/$projectId/report');

const measures: { value: Measure; label: string }[] = [
  { value: 'pass', label: 'By pass rate' },
  { value: 'score', label: 'By mean score' },
];

/** The most losses that a report quotes for each metric. */
const mostQuoted = 5;

/** A comparison as a page to print and to send: question, verdict, uncertainty, losses, and what was not measured. */
export const ReportPage = () => {
  const { projectId } = route.useParams();
  const { runs: given = '', measure: asked, weights, looks, pooled } = route.useSearch();
  const navigate = useNavigate();
  const measure: Measure = asked === 'score' ? 'score' : 'pass';
  const runIds = given.split(',').filter(Boolean);
  const { data: first } = useQuery({
    ...apiQuery('getRunDetails', runIds[0] ?? ''),
    enabled: runIds.length > 0,
  });
  const show = (part: { measure?: Measure; weights?: string | undefined }) =>
    void navigate(paths.report(projectId, runIds, { measure, weights, looks, pooled, ...part }));
  return (
    <Page
      crumbs={
        <QuietLink {...paths.compare(projectId, runIds, undefined, { weights, looks, pooled })}>
          Compare
        </QuietLink>
      }
      title="Report"
      actions={
        runIds.length >= 2 && (
          <>
            <div className="w-36">
              <Select
                label="Compare by"
                hideLabel
                value={measure}
                options={measures}
                onChange={(chosen) => show({ measure: chosen })}
              />
            </div>
            {!looks && (
              <WeightChoice run={first} weights={weights} onChange={(next) => show({ weights: next })} />
            )}
            <ShareReport
              projectId={projectId}
              report={{
                runs: runIds,
                measure,
                ...(looks && { looks: readLooks(looks)! }),
                ...(!looks && weights && weightsOf(weights)),
                ...(pooled && { pooled: readPooled(pooled) }),
              }}
            />
            <Button look="primary" onClick={() => window.print()}>
              <Printer size={14} aria-hidden /> Print or save as PDF
            </Button>
          </>
        )
      }
    >
      {runIds.length < 2 ? (
        <p className="text-soft">
          A report needs two runs. <QuietLink {...paths.compare(projectId, runIds)}>Choose them</QuietLink>.
        </p>
      ) : (
        <Report
          projectId={projectId}
          runIds={runIds}
          measure={measure}
          weights={weights}
          looks={readLooks(looks)}
          pooled={readPooled(pooled)}
        />
      )}
    </Page>
  );
};

type ReportProps = {
  projectId: string;
  runIds: string[];
  measure: Measure;
  weights: string | undefined;
  /** The planned looks, whose verdict a report repeats. */
  looks: number[] | undefined;
  /** Further runs of the baseline. */
  pooled: string[];
};

/** What the report asks of the comparison. Planned looks are about verdicts alone, and slices have no weighted number. */
const comparisonOf = ({ runIds, measure, weights, looks, pooled }: ReportProps) => ({
  runs: runIds,
  measure,
  pairs: 'first' as const,
  ...(pooled.length > 0 && { pooled }),
  ...(looks
    ? { test: 'planned' as const, looks }
    : { worst: mostQuoted, ...(weights ? weightsOf(weights) : { slices: true, usage: true }) }),
});

const Report = (props: ReportProps) => {
  const { projectId, runIds } = props;
  const { data, error } = useQuery(apiQuery('compareRuns', comparisonOf(props)));
  const runs = useQueries({ queries: runIds.map((id) => apiQuery('getRunDetails', id)) });
  const project = useQuery(apiQuery('getProject', projectId));
  if (error) return <ErrorNote error={error} />;
  if (!data || !project.data || runs.some((run) => run.isPending)) return <Skeleton lines={10} />;
  return (
    <ReportBody
      {...props}
      projectName={project.data.name ?? ''}
      data={data}
      runs={runs.flatMap(({ data: run }) => run ?? [])}
    />
  );
};
