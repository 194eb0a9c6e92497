import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { metricQuery } from '../../resources/metrics/queries.ts';
import { Biases } from '../../resources/trials/biases.tsx';
import { Candidates } from '../../resources/trials/candidates.tsx';
import { DecideTrial } from '../../resources/trials/decide-trial.tsx';
import { isDrift, isRescoring, kindNames, trialQuery } from '../../resources/trials/queries.ts';
import { StateBadge, shownState } from '../../resources/trials/state-badge.tsx';
import type { PinnedTrial } from '../../types.ts';
import { Fact } from '../../ui/fact.tsx';
import { countOf } from '../../ui/format.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { RescoringView } from './rescoring-view.tsx';

const route = getRouteApi('/app/projects/$projectId/metrics/$metricId/trials/$trialNumber');

const Facts = ({ trial }: { trial: PinnedTrial }) => (
  <dl className="mb-6 flex flex-wrap gap-x-8 gap-y-2">
    <Fact name="State">
      <StateBadge state={shownState(trial)} />
    </Fact>
    <Fact name="Kind">{kindNames[trial.kind]}</Fact>
    <Fact name="Judge in use">{trial.evalModelName ?? 'code'}</Fact>
    <Fact name="Labels">
      {countOf(trial.labels.numTested, 'record')}
      {trial.labels.numForTuning > 0 && `, and ${trial.labels.numForTuning} for tuning`}
    </Fact>
    <Fact name="Started">
      <Time at={trial.createdAt} />
    </Fact>
    {trial.endedAt !== null && (
      <Fact name="Decided">
        <Time at={trial.endedAt} />
      </Fact>
    )}
  </dl>
);

/** What a drift trial found, record by record. */
const Changed = ({ projectId, trial }: { projectId: string; trial: PinnedTrial }) => {
  const drift = trial.candidates[0]?.drift;
  const changes = [
    ...(drift?.broken ?? []).map((id) => ({ id, change: 'agreed with people, no longer does' })),
    ...(drift?.mended ?? []).map((id) => ({ id, change: 'now agrees with people' })),
    ...(drift?.unscored ?? []).map((id) => ({ id, change: 'has no verdict' })),
  ];
  return (
    <>
      <p className="mb-2 first-letter:uppercase">{trial.sentence}</p>
      {changes.length > 0 && (
        <Table label="Changed records" head={['Record', 'Change']}>
          {changes.map(({ id, change }) => (
            <Row key={id}>
              <Cell>
                <TextLink {...paths.record(projectId, id)}>{id}</TextLink>
              </Cell>
              <Cell>{change}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </>
  );
};

/** Comparisons of stored runs, as each judge decides them. */
const Gates = ({ projectId, trial }: { projectId: string; trial: PinnedTrial }) => {
  const gates = trial.candidates.flatMap(({ evalModelName, metricConfigId, gates }) =>
    gates.map((gate) => ({ ...gate, evalModelName, key: `${metricConfigId} ${gate.runId}` })),
  );
  if (gates.length === 0) return null;
  return (
    <Section title="Stored runs">
      <Table label="Stored runs" head={['Run', 'Against', 'Candidate', 'Judge in use', 'By the candidate']}>
        {gates.map(({ key, runId, baselineRunId, evalModelName, judge, candidate }) => (
          <Row key={key}>
            <Cell>
              <TextLink {...paths.run(projectId, runId)}>Run {runId}</TextLink>
            </Cell>
            <Cell>
              <TextLink {...paths.run(projectId, baselineRunId)}>Run {baselineRunId}</TextLink>
            </Cell>
            <Cell>{evalModelName}</Cell>
            <Cell>{judge.verdict}</Cell>
            <Cell>{candidate.verdict}</Cell>
          </Row>
        ))}
      </Table>
    </Section>
  );
};

/** A trial of a metric: what it found, and the decision to adopt something or discard it. */
export const TrialPage = () => {
  const { projectId, metricId, trialNumber } = route.useParams();
  const { data: trial } = useSuspenseQuery(trialQuery(metricId, trialNumber));
  const metricName = useQuery(metricQuery(metricId)).data?.name ?? `Metric ${metricId}`;
  if (isRescoring(trial))
    return <RescoringView projectId={projectId} rescoring={trial} metricName={metricName} />;
  return (
    <Page
      crumbs={
        <>
          <QuietLink {...paths.metric(projectId, metricId)}>{metricName}</QuietLink>
          <span aria-hidden>/</span>
          <QuietLink {...paths.judge(projectId, metricId)}>Judge quality</QuietLink>
        </>
      }
      title={`Trial ${trialNumber}`}
      actions={<DecideTrial projectId={projectId} trial={trial} />}
    >
      <Facts trial={trial} />
      <Section title="Verdict">
        {trial.kind === 'battery' ? (
          <Biases trial={trial} />
        ) : isDrift(trial) ? (
          <Changed projectId={projectId} trial={trial} />
        ) : (
          <Candidates projectId={projectId} trial={trial} />
        )}
      </Section>
      <Gates projectId={projectId} trial={trial} />
    </Page>
  );
};
