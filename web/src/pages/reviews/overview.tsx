import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { ReviewProgress } from '../../resources/reviews/queries.ts';
import { countText } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Disagreements } from './disagreements.tsx';
import { ReviewersAgree } from './reviewer-agreement.tsx';

type OverviewProps = { projectId: string; progress: ReviewProgress; metric: string | undefined };

/** The progress of the queues and of the reviewers, and their disagreements. */
export const Overview = ({ projectId, progress, metric }: OverviewProps) => {
  const queues = progress.queues.filter(({ metricId }) => !metric || metricId === metric);
  // A metric has a queue for each of its configurations, but one list of disagreements.
  const metrics = [...new Map(queues.map((queue) => [queue.metricId, queue])).values()];
  return (
    <>
      <Section title="Queues">
        <Table label="Queues" head={['Metric', 'Waiting', 'Started', 'Done', 'Reviewers per record']}>
          {queues.map((queue) => (
            <Row key={queue.metricConfigId}>
              <Cell>
                <QuietLink {...paths.review(projectId, queue.metricId)} className="font-medium">
                  {queue.metricName}
                </QuietLink>
              </Cell>
              <Cell>{countText(queue.numPending)}</Cell>
              <Cell>{countText(queue.numStarted)}</Cell>
              <Cell>{countText(queue.numReviewed)}</Cell>
              <Cell>{queue.numReviewers}</Cell>
            </Row>
          ))}
        </Table>
      </Section>
      <Section title="People">
        <Table label="People" head={['Reviewer', 'Reviewed', 'Left']}>
          {progress.members.map(({ userId, name, numReviewed, numRemaining }) => (
            <Row key={userId}>
              <Cell>{name}</Cell>
              <Cell>{countText(numReviewed)}</Cell>
              <Cell>{countText(numRemaining)}</Cell>
            </Row>
          ))}
        </Table>
      </Section>
      {metrics.map(({ metricId, metricName }) => (
        <section key={metricId} aria-label={`Disagreements on ${metricName}`}>
          {metrics.length > 1 && <h2 className="mb-2 text-lg font-semibold">{metricName}</h2>}
          <ReviewersAgree metricId={metricId} />
          <Disagreements projectId={projectId} metricId={metricId} metricName={metricName} />
        </section>
      ))}
    </>
  );
};
