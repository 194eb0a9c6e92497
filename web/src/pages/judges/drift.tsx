import { type UseQueryResult, useMutation } from '@tanstack/react-query';
import { api, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { type Labels, labelsOf } from '../../resources/judges/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import { isDrift } from '../../resources/trials/queries.ts';
import { TrialsTable } from '../../resources/trials/trials-table.tsx';
import type { PinnedSet, PinnedTrial } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Plot, type PlotMark } from '../../ui/plot.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';
import { Time } from '../../ui/time.tsx';

const points = (share: number): string =>
  `${share > 0 ? '+' : ''}${(100 * share).toFixed(1).replace('-', '−')}`;

/** A drift trial with its only candidate, the judge in use. */
type DriftTrial = { trial: PinnedTrial; candidate: PinnedTrial['candidates'][number] };

const driftTrialsOf = (trials: readonly PinnedTrial[]): DriftTrial[] =>
  trials
    .filter(isDrift)
    .flatMap((trial) => trial.candidates.map((candidate) => ({ trial, candidate })))
    .toReversed();

/** Where the configuration or the model behind the judge changed, and where drift began. Trials are oldest first. */
const marksOf = (driftTrials: readonly DriftTrial[], pinned: PinnedSet): PlotMark[] => {
  const first = driftTrials.findLastIndex(({ candidate }) => candidate.drift?.verdict !== 'drifted') + 1;
  return driftTrials.flatMap(({ trial, candidate }, i) => {
    const before = driftTrials[i - 1]?.candidate ?? pinned;
    const changes = [
      candidate.metricConfigId !== before.metricConfigId && 'another configuration',
      candidate.servedModelNames.join() !== before.servedModelNames.join() &&
        `another model answers: ${candidate.servedModelNames.join(', ') || 'not named'}`,
      i === first && candidate.drift && 'drift since here',
    ].filter(Boolean);
    return changes.length > 0 ? [{ after: i, label: `Drift ${trial.number}: ${changes.join('; ')}` }] : [];
  });
};

/** The ends of the axis: at least 20 points, so that a small change looks small. */
const reachOf = (driftTrials: readonly DriftTrial[]): number => {
  const ends = driftTrials.flatMap(({ candidate: { drift } }) => [
    drift?.interval?.low,
    drift?.interval?.high,
    drift?.difference,
  ]);
  const most = Math.max(0.2, ...ends.map((end) => Math.abs(end ?? 0)));
  return Math.min(1, Math.ceil(most * 10) / 10);
};

const dayOf = ({ trial }: DriftTrial): string =>
  new Date(trial.createdAt).toLocaleDateString('en', { dateStyle: 'medium' });

/** Since when the judge has drifted, in words. */
const sinceText = (driftTrials: readonly DriftTrial[]): string => {
  const decided = driftTrials.filter(({ candidate }) => candidate.drift !== null);
  const newest = decided.at(-1);
  if (!newest) return 'No trial has ended yet.';
  const isSteady = ({ candidate }: DriftTrial) => candidate.drift!.verdict !== 'drifted';
  if (isSteady(newest)) return `No drift seen in the newest trial, of ${dayOf(newest)}.`;
  const since = decided[decided.findLastIndex(isSteady) + 1]!;
  return `Drifted since ${dayOf(since)} (drift ${since.trial.number}).`;
};

const DriftTrials = ({
  projectId,
  pinnedSet,
  driftTrials,
}: {
  projectId: string;
  pinnedSet: PinnedSet;
  driftTrials: readonly DriftTrial[];
}) => {
  const reach = reachOf(driftTrials);
  if (driftTrials.length === 0) return <p className="text-soft">No trial has been made yet.</p>;
  return (
    <>
      <p className="mb-1 font-medium">{sinceText(driftTrials)}</p>
      <p className="text-sm text-soft">
        Change of the agreement with people since the set was pinned, in points. Each trial is a separate
        test: with a steady judge, about one of twenty looks like drift.
      </p>
      <Plot
        label="Change of the agreement with people"
        points={driftTrials.map(({ trial: { number }, candidate: { drift } }) => ({
          id: String(number),
          label: `Drift ${number}`,
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
        marks={marksOf(driftTrials, pinnedSet)}
      />
      <TrialsTable
        label="Drift trials"
        rows={driftTrials.toReversed().map(({ trial, candidate: { drift, numPending } }) => ({
          ...trial,
          key: trial.number,
          link: (
            <TextLink {...paths.trial(projectId, trial.metricId, trial.number)}>
              Drift {trial.number}
            </TextLink>
          ),
          verdict:
            numPending > 0 ? (
              `${countOf(numPending, 'verdict')} pending`
            ) : drift ? (
              <>
                <Badge tone={drift.verdict === 'drifted' ? 'fail' : 'pass'}>{drift.verdict}</Badge>{' '}
                {drift.sentence}
              </>
            ) : (
              trial.sentence
            ),
        }))}
      />
    </>
  );
};

type Props = {
  projectId: string;
  metricId: string;
  configId: string;
  labels: Labels;
  numLabels: number;
  pinned: PinnedSet | null;
  trials: UseQueryResult<{ data: PinnedTrial[] }>;
};

/** Whether the judge still decides its pinned records as it did, and since when not. */
export const DriftOfJudge = ({ projectId, metricId, configId, labels, numLabels, pinned, trials }: Props) => {
  const may = useMay();
  const refreshes = [keyOf('listTrials'), keyOf('calibrateMetric', metricId)];
  const pin = useMutation({
    mutationFn: () =>
      api.upsertPinnedSet(metricId, { metricConfigId: configId, automatic: true, ...labelsOf(labels) }),
    meta: { refreshes },
  });
  const start = useMutation({
    mutationFn: () => api.createTrial(metricId, { kind: 'drift' }),
    meta: { refreshes },
  });
  const failed = trials.error ?? pin.error ?? start.error;
  const driftTrials = driftTrialsOf(trials.data?.data ?? []);
  return (
    <Section
      title={<Term of="drift">Drift</Term>}
      actions={
        may.write &&
        pinned && (
          <Button disabled={start.isPending} onClick={() => start.mutate()}>
            Start a drift trial
          </Button>
        )
      }
    >
      {failed && <ErrorNote error={failed} />}
      {!pinned && (
        <div className="flex flex-col items-start gap-2">
          <p className="text-soft">
            A provider can serve another model under the same name. The service can keep these labels (
            <Term of="pin">pin</Term> them), ask the judge about their records again after each change, and
            compare.
          </p>
          {may.write && (
            <Button disabled={numLabels < 2 || pin.isPending} onClick={() => pin.mutate()}>
              Watch for drift on these labels
            </Button>
          )}
        </div>
      )}
      {pinned && trials.data && (
        <>
          {driftTrials.at(-1)?.candidate.drift?.verdict === 'drifted' && (
            <p className="mb-1 text-warn">
              This judge no longer decides as it did.{' '}
              <TextLink {...paths.successors(projectId, metricId)}>Test replacement models</TextLink>
            </p>
          )}
          {pinned.due && <p className="mb-1 text-warn">A trial is due: {pinned.due}.</p>}
          <DriftTrials projectId={projectId} pinnedSet={pinned} driftTrials={driftTrials} />
          <p className="mt-2 text-sm text-soft">
            {countOf(pinned.numRecords, 'record')} pinned <Time at={pinned.pinnedAt} />
            {pinned.automatic
              ? '; the service starts a trial by itself after a change.'
              : '; trials are started by hand.'}
          </p>
        </>
      )}
    </Section>
  );
};
