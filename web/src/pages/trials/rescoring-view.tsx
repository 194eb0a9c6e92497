import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useOwnProject } from '../../resources/projects/own-project.ts';
import { duration, projected, tokens, usd } from '../../resources/rescoring/amounts.ts';
import { type Change, changeNames, changeOrder } from '../../resources/rescoring/changes.ts';
import { StateBadge } from '../../resources/trials/state-badge.tsx';
import type { Rescoring } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Fact } from '../../ui/fact.tsx';
import { countOf } from '../../ui/format.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { ChangesTable } from './changes-table.tsx';
import { DecideRescoring } from './decide-rescoring.tsx';

/** What a rescoring would change, what it costs, and the decision to adopt or discard it. */
export const RescoringView = ({ projectId, rescoring, metricName }: Props) => {
  const { runId, state } = rescoring;
  useOwnProject(projectId, useQuery(apiQuery('getRunDetails', runId)).data?.projectId);
  const [change, setChange] = useState<Change>();
  return (
    <Page
      crumbs={
        <>
          <QuietLink {...paths.runs(projectId)}>Runs</QuietLink>
          <span aria-hidden>/</span>
          <QuietLink {...paths.run(projectId, runId)}>Run {runId}</QuietLink>
        </>
      }
      title={`Rescoring of ${metricName}`}
      actions={<DecideRescoring rescoring={rescoring} metricName={metricName} />}
    >
      <Facts rescoring={rescoring} />
      <Section title="Changes">
        <Counts rescoring={rescoring} chosen={change} onChoose={setChange} />
        {state === 'discarded' ? (
          <p className="mt-3 text-soft">
            The proposals are deleted. These are their counts when they were discarded. No score has changed.
          </p>
        ) : (
          <ChangesTable rescoring={rescoring} change={change} projectId={projectId} />
        )}
      </Section>
    </Page>
  );
};

type Props = { projectId: string; rescoring: Rescoring; metricName: string };

const progress = ({ numProposals, changes }: Rescoring): string =>
  `${(numProposals - changes.pending).toLocaleString('en')} of ${numProposals.toLocaleString('en')} done`;

const Facts = ({ rescoring }: { rescoring: Rescoring }) => {
  const { state, stoppedBy, sample, numRecords, numGiven, spent, estimate, createdAt } = rescoring;
  const used = spent.inputTokens + spent.outputTokens;
  return (
    <dl className="mb-6 flex flex-wrap gap-x-8 gap-y-2">
      <Fact name="State">
        <StateBadge state={state} />
      </Fact>
      <Fact name="Progress">
        {progress(rescoring)}
        {stoppedBy && <Badge tone="warn">the judge budget is used up</Badge>}
      </Fact>
      <Fact name="Records">
        {numRecords.toLocaleString('en')}
        {numGiven > 0 &&
          `, and ${numGiven.toLocaleString('en')} with scores by people or clients, which stay`}
      </Fact>
      {sample && (
        <Fact name="Sample">
          {countOf(sample.size, 'record')}, seed {sample.seed}
        </Fact>
      )}
      <Fact name="Cost so far">
        {usd(spent.costUsd)}
        {used > 0 && `, ${tokens(used)}`}
      </Fact>
      {estimate && estimate.numMeasured > 0 && (
        <Fact name={`The other ${countOf(estimate.numRecords, 'record')}, from n = ${estimate.numMeasured}`}>
          {estimate.costUsd ? projected(estimate.costUsd, usd) : 'price unknown'}
          {estimate.inputTokens &&
            estimate.inputTokens.estimate > 0 &&
            `, ${projected(estimate.inputTokens, tokens)} read`}
          {estimate.seconds !== null && `, ${duration(estimate.seconds)}`}
        </Fact>
      )}
      <Fact name="Started">
        <Time at={createdAt} />
      </Fact>
    </dl>
  );
};

type CountsProps = {
  rescoring: Rescoring;
  chosen: Change | undefined;
  onChoose: (change: Change | undefined) => void;
};

/** The number of records for each change; each button filters the list. */
const Counts = ({ rescoring: { changes, numProposals, state }, chosen, onChoose }: CountsProps) => {
  const chip = 'inline-flex h-7 items-center gap-1.5 rounded-md border px-3 aria-pressed:bg-selected';
  const isListed = state !== 'discarded';
  return (
    <fieldset aria-label="Changes" className="flex flex-wrap gap-2">
      <button
        type="button"
        className={chip}
        aria-pressed={isListed && chosen === undefined}
        disabled={!isListed}
        onClick={() => onChoose(undefined)}
      >
        All <strong className="font-medium">{numProposals.toLocaleString('en')}</strong>
      </button>
      {changeOrder
        .filter((change) => changes[change] > 0 || ['passToFail', 'failToPass'].includes(change))
        .map((change) => (
          <button
            key={change}
            type="button"
            className={chip}
            aria-pressed={isListed && chosen === change}
            disabled={!isListed || changes[change] === 0}
            onClick={() => onChoose(change)}
          >
            {changeNames[change].label}{' '}
            <strong className="font-medium">{changes[change].toLocaleString('en')}</strong>
          </button>
        ))}
    </fieldset>
  );
};
