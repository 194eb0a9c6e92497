import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { PinnedTrial } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { countOf } from '../../ui/format.ts';
import { Cell, Row, Table } from '../../ui/table.tsx';

type Candidate = PinnedTrial['candidates'][number];

const points = (interval: { low: number; high: number } | null | undefined): string => {
  const text = (share: number) => `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)}`;
  return interval ? `${text(interval.low)} to ${text(interval.high)}` : 'no interval';
};

const verdictOf = ({ kind }: PinnedTrial, { runId, equivalence, agreement, numPending }: Candidate): string =>
  (kind === 'succession' ? equivalence?.verdict : agreement?.verdict) ??
  (runId === null ? 'no verdict' : `${countOf(numPending, 'verdict')} pending`);

/** The candidates of a succession or an alignment, each beside the judge in use. */
export const Candidates = ({ projectId, trial }: { projectId: string; trial: PinnedTrial }) => (
  <>
    <p className="mb-2 first-letter:uppercase">
      {trial.sentence}{' '}
      <span className="text-soft">
        ({countOf(trial.labels.numTested, 'label')}
        {trial.margin !== null && `, margin ${(100 * trial.margin).toFixed(1)} points`})
      </span>
    </p>
    <Table
      label="Successors"
      head={['Model', 'On passes, points', 'On fails, points', 'ms', 'Verdict', 'Verdicts in']}
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
          <Cell>
            {candidate.runId === null ? (
              'deleted'
            ) : (
              <TextLink {...paths.run(projectId, candidate.runId)}>Run {candidate.runId}</TextLink>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  </>
);
