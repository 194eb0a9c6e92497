import { type UseQueryResult, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { ModelLines } from '../../resources/providers/model-lines.tsx';
import { useMay } from '../../resources/session/me.ts';
import { Candidates } from '../../resources/trials/candidates.tsx';
import { DecideTrial } from '../../resources/trials/decide-trial.tsx';
import { isDrift, kindNames } from '../../resources/trials/queries.ts';
import { shownState } from '../../resources/trials/state-badge.tsx';
import { TrialsTable } from '../../resources/trials/trials-table.tsx';
import type { PinnedTrial } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Term } from '../../ui/term.tsx';

type Props = { projectId: string; metricId: string };

/** Labels with which an equal judge is found in nine of ten trials at 5 points: docs/succession.md. */
const enough = 400;

const pinnedText = (pinned: number): string => {
  const few =
    pinned < enough
      ? `: few for a margin of 5 points. About ${enough} find an equal judge in nine of ten trials, 200 in one of three`
      : '';
  return `${countOf(pinned, 'record')} ${pinned === 1 ? 'is' : 'are'} pinned${few}.`;
};

type TryProps = { metricId: string; pinned: number; onClose: () => void };

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
    meta: { refreshes: [keyOf('listTrials')] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Test replacement models"
      description={`Each model judges the pinned records beside this judge. Stored scores stay as they are. ${pinnedText(pinned)}`}
      write={start}
      action="Start the trial"
      disabled={models.length === 0}
    >
      <ModelLines
        label="Models"
        hint="One per line: the name of a provider, a slash and a model."
        rows={3}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  );
};

/** Other models in the place of this judge: the newest trial, and the way to start one. */
export const Successors = ({
  projectId,
  metricId,
  numPinned,
  trials,
}: Props & { numPinned: number | undefined; trials: UseQueryResult<{ data: PinnedTrial[] }> }) => {
  const may = useMay();
  const [isTrying, setTrying] = useState(false);
  return (
    <Section
      id="successors"
      title={<Term of="successor">Successors</Term>}
      actions={
        may.write &&
        numPinned !== undefined && <Button onClick={() => setTrying(true)}>Test replacement models</Button>
      }
    >
      <Loaded query={trials} lines={2}>
        {({ data }) => {
          const trials = data.filter((trial) => !isDrift(trial));
          const [newest] = trials;
          if (!newest)
            return (
              <p className="text-soft">
                No trial yet. A trial shows whether another model decides alike on the pinned records.
                {numPinned === undefined && ' Pin labelled records first, under Drift.'}
              </p>
            );
          return (
            <>
              <Candidates projectId={projectId} trial={newest} />
              <div className="my-2 flex gap-2">
                <DecideTrial projectId={projectId} trial={newest} />
              </div>
              <TrialsTable
                label="Trials"
                rows={trials.map((trial) => ({
                  ...trial,
                  state: shownState(trial),
                  key: trial.number,
                  link: (
                    <TextLink {...paths.trial(projectId, metricId, trial.number)}>
                      {kindNames[trial.kind]} {trial.number}
                    </TextLink>
                  ),
                  verdict: trial.sentence,
                }))}
              />
            </>
          );
        }}
      </Loaded>
      {isTrying && numPinned !== undefined && (
        <Try metricId={metricId} pinned={numPinned} onClose={() => setTrying(false)} />
      )}
    </Section>
  );
};
