import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { oneLine } from '../../resources/records/one-line.ts';
import { ScoreValue } from '../../resources/records/score-value.tsx';
import { failuresQuery } from '../../resources/runs/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Run } from '../../types.ts';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { FailureGroups, GroupButton, useFailureGroups } from './failure-groups.tsx';

const shown = 8;

/** The latest records that failed a metric: their inputs, their outputs and the failed scores. */
export const Failures = ({ run, projectId }: { run: Run; projectId: string }) => {
  const { data, error } = useInfiniteQuery(failuresQuery(run, projectId));
  const q = `run:${run.id} result:fail`;
  const records = data?.pages[0]?.data;
  const groups = useFailureGroups(run);
  const may = useMay();
  return (
    <Section
      title="Failures"
      actions={
        records &&
        records.length > 0 && (
          <>
            {may.write && <GroupButton groups={groups} />}
            <TextLink {...paths.records(projectId, { q })}>All failures</TextLink>
          </>
        )
      }
    >
      {error && <ErrorNote error={error} />}
      {!records && !error && <Skeleton lines={4} />}
      {records?.length === 0 && (
        <p className="text-soft">
          {run.numScores > 0 ? 'No record has failed a metric.' : 'Nothing has a score yet.'}
        </p>
      )}
      {groups.isAsked && <FailureGroups {...{ run, projectId, groups }} />}
      {records && records.length > 0 && (
        <ul className="divide-y divide-line border-y">
          {records.slice(0, shown).map(({ id, inputs, outputs, scoreStates }) => (
            <li key={id}>
              <Link
                {...paths.record(projectId, id, q)}
                className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-baseline gap-x-3 py-1 hover:bg-hover lg:grid-cols-[4.5rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]"
              >
                <span className="font-mono text-sm">{id}</span>
                <bdi className="truncate">{oneLine(inputs)}</bdi>
                <bdi className="truncate text-soft max-lg:col-start-2">{oneLine(outputs)}</bdi>
                <span className="flex min-w-0 gap-2 overflow-hidden max-lg:col-start-2">
                  {scoreStates
                    .filter(({ passed }) => passed === false)
                    .map((state) => (
                      <span key={state.metricConfigId} className="flex items-center gap-1">
                        <span className="shrink-0">
                          <ScoreValue state={state} />
                        </span>
                        <bdi className="truncate text-sm text-soft">{state.metricName}</bdi>
                      </span>
                    ))}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};
