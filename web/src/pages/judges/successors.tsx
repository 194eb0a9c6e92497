import { type UseQueryResult, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { useMay } from '../../resources/session/me.ts';
import { isDrift } from '../../resources/trials/queries.ts';
import type { Trial } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm, FormDialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

type Candidate = Trial['candidates'][number];
type Props = { projectId: string; metricId: string };

const points = (interval: { low: number; high: number } | null | undefined): string => {
  const text = (share: number) => `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)}`;
  return interval ? `${text(interval.low)} to ${text(interval.high)}` : 'no interval';
};

const verdictOf = ({ kind }: Trial, { equivalence, agreement, numPending }: Candidate): string =>
  (kind === 'succession' ? equivalence?.verdict : agreement?.verdict) ??
  `${countOf(numPending, 'verdict')} pending`;

/** Labels with which an equal judge is found in nine of ten trials at 5 points: docs/succession.md. */
const enough = 400;

const pinnedText = (pinned: number | undefined): string => {
  if (pinned === undefined) return 'Pin labelled records first, under Drift.';
  const few =
    pinned < enough
      ? `: few for a margin of 5 points. About ${enough} find an equal judge in nine of ten trials, 200 in one of three`
      : '';
  return `${countOf(pinned, 'record')} ${pinned === 1 ? 'is' : 'are'} pinned${few}.`;
};

type TryProps = { metricId: string; pinned: number | undefined; onClose: () => void };

const Try = ({ metricId, pinned, onClose }: TryProps) => {
  const [text, setText] = useState('');
  const models = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const start = useMutation({
    mutationFn: () =>
      api.createTrial(metricId, {
        kind: 'succession',
        candidates: models.map((evalModelName) => ({ evalModelName })),
      }),
    meta: { refreshes: [keyOf('listTrials', metricId)] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Try successors"
      description={`Each model judges the pinned records beside this judge. Stored scores stay as they are. ${pinnedText(pinned)}`}
      write={start}
      action="Start the trial"
      disabled={models.length === 0}
    >
      <TextArea
        label="Models"
        hint="One on each line, such as openai/… or the name of a provider, a slash and a model."
        rows={3}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  );
};

const Newest = ({ projectId, metricId, trial }: Props & { trial: Trial }) => {
  const may = useMay();
  const [adopting, setAdopting] = useState<Candidate>();
  return (
    <>
      <p className="mb-2 first-letter:uppercase">
        {trial.sentence}{' '}
        <span className="text-soft">
          ({countOf(trial.labels.numTested, 'label')}, margin {(100 * trial.margin!).toFixed(1)} points)
        </span>
      </p>
      <Table
        label="Successors"
        head={['Model', 'On passes, points', 'On fails, points', 'ms', 'Verdict', '']}
      >
        {trial.candidates.map((candidate) => (
          <Row key={candidate.metricConfigId}>
            <Cell className="font-medium">{candidate.evalModelName}</Cell>
            <Cell>{points(candidate.equivalence?.passedByPeople.interval)}</Cell>
            <Cell>{points(candidate.equivalence?.failedByPeople.interval)}</Cell>
            <Cell>{candidate.latencyMs === null ? '' : Math.round(candidate.latencyMs)}</Cell>
            <Cell>
              <Badge tone={candidate.metricConfigId === trial.proposedConfigId ? 'pass' : 'neutral'}>
                {verdictOf(trial, candidate)}
              </Badge>
            </Cell>
            <Cell className="text-right">
              {may.write &&
                trial.state === 'ready' &&
                candidate.metricConfigId === trial.proposedConfigId && (
                  <Button
                    aria-label={`Adopt ${candidate.evalModelName}`}
                    onClick={() => setAdopting(candidate)}
                  >
                    Adopt
                  </Button>
                )}
            </Cell>
          </Row>
        ))}
      </Table>
      {adopting && (
        <Confirm
          onClose={() => setAdopting(undefined)}
          title={`Adopt ${adopting.evalModelName}?`}
          action="Adopt"
          send={() =>
            api.adoptTrial(metricId, String(trial.number), { metricConfigId: adopting.metricConfigId })
          }
          meta={{
            refreshes: [
              keyOf('listTrials', metricId),
              keyOf('listMetricVersions', metricId),
              keyOf('getMetric', metricId),
              keyOf('listMetrics', projectId),
            ],
          }}
        >
          New runs use it. Existing scores stay, and trends split each change into the system's part and the
          judge's.
        </Confirm>
      )}
    </>
  );
};

/** Other models in the place of this judge: the newest trial, and the way to start one. */
export const Successors = ({
  projectId,
  metricId,
  numPinned,
  trials,
}: Props & { numPinned: number | undefined; trials: UseQueryResult<{ data: Trial[] }> }) => {
  const may = useMay();
  const [isTrying, setTrying] = useState(false);
  return (
    <Section
      id="successors"
      title="Successors"
      actions={may.write && <Button onClick={() => setTrying(true)}>Try successors</Button>}
    >
      <Loaded query={trials} lines={2}>
        {({ data }) => {
          const trial = data.find((each) => !isDrift(each));
          return trial ? (
            <Newest projectId={projectId} metricId={metricId} trial={trial} />
          ) : (
            <p className="text-soft">
              No trial yet. A trial shows whether another model decides alike on the pinned records.
            </p>
          );
        }}
      </Loaded>
      {isTrying && <Try metricId={metricId} pinned={numPinned} onClose={() => setTrying(false)} />}
    </Section>
  );
};
