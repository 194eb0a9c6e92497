import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { RotateCw, Send } from 'lucide-react';
import { api, apiPages, keyOf } from '../../api.ts';
import type { Alert, AlertDelivery } from '../../types.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { Empty, ErrorNote, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { AlarmCharts, limitsOf } from './alarm-charts.tsx';
import { eventText } from './event-words.ts';

const tones: Record<AlertDelivery['state'], Tone> = { pending: 'warn', delivered: 'pass', failed: 'fail' };

type DeliveryItemProps = { delivery: AlertDelivery; onRetry: (() => void) | undefined };

const DeliveryItem = ({ delivery, onRetry }: DeliveryItemProps) => {
  const { event, title, state, numAttempts, lastError, unconfirmed, nextAttemptAt, createdAt } = delivery;
  return (
    <li className="flex items-start gap-3 border-b py-2">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tones[state]}>{state}</Badge>
          <span className="font-medium">{eventText(event)}</span>
          <span className="text-sm text-soft">
            <Time at={createdAt} /> · {numAttempts} {numAttempts === 1 ? 'attempt' : 'attempts'}
          </span>
        </p>
        <p className="break-words">{title}</p>
        {lastError && <p className="text-sm break-words text-soft">{lastError}</p>}
        {state === 'delivered' && unconfirmed.length > 0 && (
          <p className="text-sm break-words text-soft">
            Not to {unconfirmed.join(', ')}: the address is not confirmed.
          </p>
        )}
        {nextAttemptAt && (
          <p className="text-sm text-soft">
            Next attempt <Time at={nextAttemptAt} />
          </p>
        )}
      </div>
      {onRetry && state !== 'pending' && event !== 'address.confirmation' && (
        <IconButton icon={RotateCw} label="Send again" onClick={onRetry} />
      )}
    </li>
  );
};

type DeliveriesProps = { alert: Alert; mayAdminister: boolean; onClose: () => void };

/** The log of an alert, with a button that sends a test. */
export const Deliveries = ({ alert, mayAdminister, onClose }: DeliveriesProps) => {
  const log = useInfiniteQuery({ ...apiPages('listAlertDeliveries', alert.id), refetchInterval: 5_000 });
  const meta = { refreshes: [keyOf('listAlertDeliveries', alert.id)] };
  const test = useMutation({ mutationFn: () => api.testAlert(alert.id), meta });
  const retry = useMutation({
    mutationFn: (id: string) => api.retryAlertDelivery(alert.id, id),
    meta,
  });
  const testButton = mayAdminister && (
    <Button disabled={test.isPending} onClick={() => test.mutate()}>
      <Send size={14} aria-hidden /> {test.isPending ? 'Sending…' : 'Send test'}
    </Button>
  );
  const error = test.error ?? retry.error;
  const limits = limitsOf(alert);
  return (
    <Drawer open onClose={onClose} title={`Log of ${alert.name}`} actions={testButton}>
      {error && <ErrorNote error={error} />}
      {limits && (
        <div className="mb-3">
          <AlarmCharts projectId={alert.projectId} limits={limits} />
        </div>
      )}
      <Loaded
        query={{ ...log, data: log.data?.pages.flatMap(({ data }) => data) }}
        lines={4}
        empty={<Empty title="Nothing sent yet">Send a test to see whether the address works.</Empty>}
      >
        {(deliveries) => (
          <ul aria-label="Deliveries">
            {deliveries.map((delivery) => (
              <DeliveryItem
                key={delivery.id}
                delivery={delivery}
                onRetry={mayAdminister ? () => retry.mutate(delivery.id) : undefined}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {log.hasNextPage && (
        <Button className="mt-3" disabled={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          More
        </Button>
      )}
    </Drawer>
  );
};
