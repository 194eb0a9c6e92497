import { getRouteApi } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { api, apiData } from '../../api.ts';
import { ManagedTable, NameCell } from '../../managed-table.tsx';
import { useMay } from '../../resources/session/me.ts';
import { Addresses } from './addresses.tsx';
import { AlertDialog } from './alert-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { eventText, kindWords } from './event-words.ts';

const route = getRouteApi('/app/projects/$projectId/alerts');

export const AlertsPage = () => {
  const { projectId } = route.useParams();
  const { administer } = useMay();
  return (
    <ManagedTable
      title="Alerts"
      noun="alert"
      list={apiData('listAlerts', projectId)}
      may={administer}
      empty={
        <>
          An alert notifies a webhook, a Slack channel or e-mail addresses of events in this project.
          {!administer && ' An admin can create one.'}
        </>
      }
      columns={[
        { head: 'Alert', cell: (alert) => <NameCell of={alert} /> },
        {
          head: 'Sends to',
          cell: (alert) => (
            <>
              {kindWords[alert.kind]}
              {alert.kind === 'email' ? (
                <Addresses alert={alert} mayAsk={administer} />
              ) : (
                <span className="block text-sm break-all text-soft">{alert.target}</span>
              )}
            </>
          ),
        },
        { head: 'Events', cell: ({ events }) => events.map(eventText).join(', ') },
      ]}
      form={(form) => <AlertDialog projectId={projectId} {...form} />}
      actions={(alert) => ({
        log: {
          icon: History,
          label: `Log of ${alert.name}`,
          reads: true,
          dialog: (onClose) => <Deliveries alert={alert} mayAdminister={administer} onClose={onClose} />,
        },
      })}
      pause={api.updateAlert}
      remove={{
        send: api.deleteAlert,
        warning: 'Its log is deleted too, and waiting events are not sent.',
      }}
    />
  );
};
