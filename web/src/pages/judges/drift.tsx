import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { type Drift, type Labels, labelsOf } from '../../resources/judges/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Plot, type PlotMark } from '../../ui/plot.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const mostChecks = 20;

/** The checks of the judge on its pinned records; undefined without pinned records, of which the service has nothing to tell. */
export const useDrift = (metricId: string, hasPinnedSet: boolean) => {
  const { data, error, isLoading } = useQuery({
    ...apiQuery('measureDrift', metricId, { limit: mostChecks }),
    enabled: hasPinnedSet,
    // Verdicts of a check arrive while the page is open.
    refetchInterval: ({ state }) => (state.data?.checks.some(({ pending }) => pending > 0) ? 2_000 : false),
  });
  return { drift: error ? undefined : data, isLoading, error };
};

const points = (share: number): string =>
  `${share > 0 ? '+' : ''}${(100 * share).toFixed(1).replace('-', '−')}`;

type Check = Drift['checks'][number];

/** Where the configuration or the model behind the judge changed, and where drift began. Checks are oldest first. */
const marksOf = (checks: readonly Check[], pinned: Drift['pinnedSet']): PlotMark[] => {
  const first = checks.findLastIndex(({ drift }) => drift?.verdict !== 'drifted') + 1;
  return checks.flatMap((check, i) => {
    const before = checks[i - 1] ?? pinned;
    const changes = [
      check.metricConfigId !== before.metricConfigId && 'another configuration',
      check.servedModels.join() !== before.servedModels.join() &&
        `another model answers: ${check.servedModels.join(', ') || 'not named'}`,
      i === first && check.drift && 'drift since here',
    ].filter(Boolean);
    return changes.length > 0 ? [{ after: i, label: `Run ${check.runId}: ${changes.join('; ')}` }] : [];
  });
};

/** The ends of the axis: at least 20 points, so that a small change looks small. */
const reachOf = (checks: readonly Check[]): number => {
  const ends = checks.flatMap(({ drift }) => [
    drift?.interval?.low,
    drift?.interval?.high,
    drift?.difference,
  ]);
  const most = Math.max(0.2, ...ends.map((end) => Math.abs(end ?? 0)));
  return Math.min(1, Math.ceil(most * 10) / 10);
};

/** Since when the judge has drifted, in words. */
const sinceText = (checks: readonly Check[]): string => {
  const decided = checks.filter(({ drift }) => drift !== null);
  const newest = decided.at(-1);
  if (!newest) return 'No check has ended yet.';
  if (newest.drift!.verdict !== 'drifted') {
    return `No drift seen in the newest check, of ${new Date(newest.startedAt).toLocaleDateString('en', { dateStyle: 'medium' })}.`;
  }
  const since = decided[decided.findLastIndex(({ drift }) => drift!.verdict !== 'drifted') + 1]!;
  return `Drifted since ${new Date(since.startedAt).toLocaleDateString('en', { dateStyle: 'medium' })} (run ${since.runId}).`;
};

const Checks = ({ projectId, drift }: { projectId: string; drift: Drift }) => {
  const checks = drift.checks.toReversed();
  const reach = reachOf(checks);
  if (checks.length === 0) return <p className="text-soft">No check has been made yet.</p>;
  return (
    <>
      <p className="mb-1 font-medium">{sinceText(checks)}</p>
      <p className="text-sm text-soft">
        Change of the agreement with people since the set was pinned, in points. Each check is a test of its
        own: with a steady judge, about one of twenty looks like drift.
      </p>
      <Plot
        label="Change of the agreement with people"
        points={checks.map(({ runId, drift }) => ({
          id: runId,
          label: `Run ${runId}`,
          estimate: drift?.difference ?? null,
          interval: drift?.interval ?? null,
          n: drift?.n ?? 0,
        }))}
        low={-reach}
        high={reach}
        ticks={[-reach, -reach / 2, 0, reach / 2, reach]}
        format={points}
        words={({ estimate, interval, n }) =>
          estimate === null
            ? 'pending'
            : `${points(estimate)} points${interval ? `, ${points(interval.low)} to ${points(interval.high)}` : ''}, n = ${n}`
        }
        marks={marksOf(checks, drift.pinnedSet)}
      />
      <Table label="Drift checks" head={['Check', 'Started', 'Verdict', 'Says']}>
        {drift.checks.map(({ runId, startedAt, pending, drift }) => (
          <Row key={runId}>
            <Cell>
              <TextLink {...paths.run(projectId, runId)}>Run {runId}</TextLink>
            </Cell>
            <Cell>
              <Time at={startedAt} />
            </Cell>
            <Cell>
              {drift ? (
                <Badge tone={drift.verdict === 'drifted' ? 'fail' : 'pass'}>{drift.verdict}</Badge>
              ) : (
                <Badge>{countOf(pending, 'verdict')} pending</Badge>
              )}
            </Cell>
            <Cell className="min-w-64">{drift?.sentence}</Cell>
          </Row>
        ))}
      </Table>
    </>
  );
};

type Props = {
  projectId: string;
  metricId: string;
  configId: string;
  labels: Labels;
  numLabels: number;
  hasPinnedSet: boolean;
};

/** Whether the judge still decides its pinned records as it did, and since when not. */
export const DriftOfJudge = ({ projectId, metricId, configId, labels, numLabels, hasPinnedSet }: Props) => {
  const may = useMay();
  const { drift, isLoading, error } = useDrift(metricId, hasPinnedSet);
  const refreshes = [keyOf('measureDrift', metricId), keyOf('calibrateMetric', metricId)];
  const source = labelsOf(labels);
  const pin = useMutation({
    mutationFn: async () => {
      const { peopleMetricId } = (
        await api.calibrateMetric(metricId, { metricConfigId: configId, ...source })
      ).judge;
      const known = source.labels === 'auto' ? undefined : source.labels;
      const against = source.against ?? (known ? undefined : (peopleMetricId ?? undefined));
      return api.pinRecords(metricId, { metricConfigId: configId, automatic: true, labels: known, against });
    },
    meta: { refreshes },
  });
  const check = useMutation({ mutationFn: () => api.startDriftCheck(metricId), meta: { refreshes } });
  const failed = error ?? pin.error ?? check.error;
  return (
    <Section
      title="Drift"
      actions={
        may.write &&
        drift && (
          <Button disabled={check.isPending} onClick={() => check.mutate()}>
            Check now
          </Button>
        )
      }
    >
      {failed && <ErrorNote error={failed} />}
      {isLoading && <Skeleton lines={2} />}
      {!hasPinnedSet && (
        <div className="flex flex-col items-start gap-2">
          <p className="text-soft">
            A provider can serve another model under the same name. Pin the labelled records: the service then
            asks the judge about them again after each change, and compares.
          </p>
          {may.write && (
            <Button disabled={numLabels < 2 || pin.isPending} onClick={() => pin.mutate()}>
              Pin the labelled records
            </Button>
          )}
        </div>
      )}
      {drift && (
        <>
          {drift.checks[0]?.drift?.verdict === 'drifted' && (
            <p className="mb-1 text-warn">
              This judge no longer decides as it did.{' '}
              <TextLink {...paths.successors(projectId, metricId)}>Try successors</TextLink>
            </p>
          )}
          {drift.due && <p className="mb-1 text-warn">A check is due: {drift.due}.</p>}
          <Checks projectId={projectId} drift={drift} />
          <p className="mt-2 text-sm text-soft">
            {countOf(drift.pinnedSet.records, 'record')} pinned <Time at={drift.pinnedSet.pinnedAt} />
            {drift.pinnedSet.automatic
              ? '; the service checks by itself after a change.'
              : '; checks are started by hand.'}
          </p>
        </>
      )}
    </Section>
  );
};
