import { useQuery } from '@tanstack/react-query';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { statusNames } from '../../resources/rescoring/changes.ts';
import { rescoringsQuery } from '../../resources/rescoring/queries.ts';
import { useNames } from '../../resources/session/me.ts';
import { Badge } from '../../ui/badge.tsx';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** The rescorings of a run; nothing when it has none. */
export const RescoringsOfRun = ({ runId, projectId }: { runId: string; projectId: string }) => {
  const { data } = useQuery(rescoringsQuery(runId));
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const nameOf = useNames();
  if (!data || data.data.length === 0) return null;
  return (
    <Section title="Rescorings">
      <Table
        label="Rescorings"
        head={['Metric', 'Status', 'Pass → fail', 'Fail → pass', 'Records', 'Started', 'By']}
      >
        {data.data.map(({ id, metricId, status, changes, numProposals, createdAt, createdByUserId }) => (
          <Row key={id}>
            <Cell>
              <TextLink {...paths.rescoring(projectId, runId, id)} className="font-medium">
                {metrics.find((metric) => metric.id === metricId)?.name ?? `Metric ${metricId}`}
              </TextLink>
            </Cell>
            <Cell>
              <Badge tone={statusNames[status].tone}>{statusNames[status].label}</Badge>
            </Cell>
            <Cell>{changes.passToFail.toLocaleString('en')}</Cell>
            <Cell>{changes.failToPass.toLocaleString('en')}</Cell>
            <Cell>{numProposals.toLocaleString('en')}</Cell>
            <Cell>
              <Time at={createdAt} />
            </Cell>
            <Cell>{nameOf(createdByUserId)}</Cell>
          </Row>
        ))}
      </Table>
    </Section>
  );
};
