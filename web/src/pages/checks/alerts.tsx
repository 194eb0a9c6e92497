import { useLocation, useNavigate } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { api, apiData } from '../../api.ts';
import { ManagedTable, NameCell, type TableColumn } from '../../managed-table.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Alert } from '../../types.ts';
import { Time } from '../../ui/time.tsx';
import { Addresses } from './addresses.tsx';
import { AlertDialog } from './alert-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { eventText, kindWords } from './event-words.ts';
import { checkWidths, Todos } from './todos.tsx';
import { todosOfAlert } from './what-to-do.ts';

const stateWords = { pending: 'on its way', delivered: 'delivered', failed: 'not delivered' };

/** The event that the alert told last, and whether it arrived. */
const LastTold = ({ lastDelivery }: Alert) =>
  lastDelivery ? (
    <>
      <span className="line-clamp-2 break-words" title={lastDelivery.title}>
        {lastDelivery.title}
      </span>
      <span className="block text-sm text-soft">
        <Time at={lastDelivery.createdAt} />, {stateWords[lastDelivery.state]}
      </span>
    </>
  ) : (
    <span className="text-soft">Nothing sent yet</span>
  );

const columnsOf = (mayAsk: boolean): TableColumn<Alert>[] => [
  {
    head: 'Watched',
    cell: (alert) => <NameCell of={alert}>{alert.events.map(eventText).join(', ')}</NameCell>,
  },
  { head: 'Last result', cell: (alert) => <LastTold {...alert} /> },
  {
    head: 'Sends to',
    cell: (alert) => (
      <>
        {kindWords[alert.kind]}
        {alert.kind === 'email' ? (
          <Addresses alert={alert} mayAsk={mayAsk} />
        ) : (
          <span className="block text-sm break-all text-soft">{alert.target}</span>
        )}
      </>
    ),
  },
  { head: 'What to do', cell: (alert) => <Todos todos={todosOfAlert(alert)} /> },
];

export const alertsQuery = (projectId: string) => apiData('listAlerts', projectId);

/** Who gets a message when something happens. */
export const Alerts = ({ projectId }: { projectId: string }) => {
  const { administer } = useMay();
  const navigate = useNavigate();
  // The row of a monitor without an alert leads to the form.
  const isAsked = useLocation({ select: ({ hash }) => hash === 'new-alert' });
  return (
    <ManagedTable
      as="section"
      id="alerts"
      title="Alerts: who gets a message"
      noun="alert"
      list={alertsQuery(projectId)}
      may={administer}
      empty={
        <>
          No alerts yet. An alert notifies a webhook, a Slack channel or e-mail addresses of events in this
          project.
          {!administer && ' An admin can create one.'}
        </>
      }
      columns={columnsOf(administer)}
      widths={checkWidths}
      asked={{
        open: isAsked,
        onAnswered: () => void navigate({ ...paths.checks(projectId, 'alerts'), replace: true }),
      }}
      form={(form) => (
        <AlertDialog projectId={projectId} first={isAsked ? 'monitor.worse' : 'run.completed'} {...form} />
      )}
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
