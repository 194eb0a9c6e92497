import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
import { Alerts, alertsQuery } from './alerts.tsx';
import { Monitors, monitorsQuery } from './monitors.tsx';
import { Schedules, schedulesQuery } from './schedules.tsx';
import { headlineOf } from './what-to-do.ts';

const route = getRouteApi('/app/projects/$projectId/checks');

/** The state of all checks, as tall while it is read. */
const Headline = ({ projectId }: { projectId: string }) => {
  const { data: monitors } = useQuery(monitorsQuery(projectId));
  const { data: schedules } = useQuery(schedulesQuery(projectId));
  const { data: alerts } = useQuery(alertsQuery(projectId));
  return (
    <p className="mb-4 min-h-8 text-focal font-semibold">
      {monitors && schedules && alerts && headlineOf({ monitors, schedules, alerts })}
    </p>
  );
};

/** What watches the project by itself: on traces and at set times, and who gets its messages. */
export const ChecksPage = () => {
  const { projectId } = route.useParams();
  return (
    <Page title="Production checks">
      <Headline projectId={projectId} />
      <Monitors projectId={projectId} />
      <Schedules projectId={projectId} />
      <Alerts projectId={projectId} />
    </Page>
  );
};
