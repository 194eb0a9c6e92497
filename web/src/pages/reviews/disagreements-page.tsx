import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { ReviewProgress } from '../../resources/reviews/queries.ts';
import { useMay } from '../../resources/session/me.ts';
import { countText } from '../../ui/format.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { AssignButton } from './assign-dialog.tsx';
import { ChooseQueue } from './choose-queue.tsx';
import { Disagreements } from './disagreements.tsx';
import { ReviewersAgree } from './reviewer-agreement.tsx';

const route = getRouteApi('/app/projects/$projectId/disagreements');

type ProgressProps = { projectId: string; progress: ReviewProgress; metric: string | undefined };

/** What people must decide comes first: then how well they agree, and how far they are. */
const Progress = ({ projectId, progress, metric }: ProgressProps) => {
  const queues = progress.queues.filter(({ metricId }) => !metric || metricId === metric);
  const may = useMay();
  // A metric has a queue for each of its configurations, but one list of disagreements.
  const metrics = [...new Map(queues.map((queue) => [queue.metricId, queue])).values()];
  return (
    <>
      {metrics.map(({ metricId, metricName }) => (
        <section key={metricId} aria-label={`Disagreements on ${metricName}`}>
          {metrics.length > 1 && <h2 className="mb-2 text-lg font-semibold">{metricName}</h2>}
          <Disagreements {...{ projectId, metricId, metricName }} isOneOfMany={metrics.length > 1} />
          <ReviewersAgree metricId={metricId} />
        </section>
      ))}
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
      <Section
        title="People"
        actions={may.write && <AssignButton projectId={projectId} progress={progress} metric={metric} />}
      >
        <Table
          label="People"
          head={['Reviewer', 'Reviewed', 'Assigned and left', 'Not reviewed by them', '']}
        >
          {progress.members.map((person) => (
            <Row key={person.userId}>
              <Cell>{person.name}</Cell>
              <Cell>{countText(person.numReviewed)}</Cell>
              <Cell>{countText(person.numAssigned)}</Cell>
              <Cell>{countText(person.numRemaining)}</Cell>
              <Cell>
                {may.write && person.numAssigned > 0 && (
                  <AssignButton projectId={projectId} progress={progress} metric={metric} from={person} />
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      </Section>
    </>
  );
};

/** On what reviewers disagree, and how far the reviewers are. */
export const DisagreementsPage = () => {
  const { projectId } = route.useParams();
  const { metric } = route.useSearch();
  const progress = useQuery(apiQuery('getReviewProgress', projectId));
  const queues = progress.data?.queues ?? [];
  return (
    <Page
      title="Disagreements"
      actions={
        queues.length > 0 && (
          <ChooseQueue
            queues={queues}
            metric={metric}
            linkOf={(chosen) => paths.disagreements(projectId, chosen)}
          />
        )
      }
    >
      <Loaded query={progress} lines={8}>
        {(read) =>
          read.queues.length > 0 ? (
            <Progress projectId={projectId} progress={read} metric={metric} />
          ) : (
            <Empty title="Nothing to review yet">
              Where two people score the same record differently, it appears here for a decision.
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
};
