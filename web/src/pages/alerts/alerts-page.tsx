import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { History, Pause, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Alert } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { AlertDialog } from './alert-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { eventText, kindWords } from './event-words.ts';

const route = getRouteApi('/app/projects/$projectId/alerts');

type What = 'change' | 'delete' | 'log';
type Open = { what: What; id: string } | { what: 'new' };

type RowProps = {
  alert: Alert;
  mayAdminister: boolean;
  busy: boolean;
  onOpen: (what: What) => void;
  onPause: () => void;
};

const AlertRow = ({ alert, mayAdminister, busy, onOpen, onPause }: RowProps) => {
  const { name, kind, target, events, paused } = alert;
  return (
    <Row>
      <Cell className="max-w-72 align-top">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium" title={name}>
            {name}
          </span>
          {paused && <Badge tone="warn">Paused</Badge>}
        </span>
      </Cell>
      <Cell className="align-top">
        {kindWords[kind]}
        <span className="block text-sm break-all text-soft">{target}</span>
      </Cell>
      <Cell className="align-top">{events.map(eventText).join(', ')}</Cell>
      <Cell className="text-right align-top whitespace-nowrap">
        <span className="inline-flex">
          <IconButton icon={History} label={`Log of ${name}`} onClick={() => onOpen('log')} />
          {mayAdminister && (
            <>
              <IconButton
                icon={paused ? Play : Pause}
                label={`${paused ? 'Resume' : 'Pause'} ${name}`}
                disabled={busy}
                onClick={onPause}
              />
              <IconButton icon={Pencil} label={`Change ${name}`} onClick={() => onOpen('change')} />
              <IconButton icon={Trash2} label={`Delete ${name}`} onClick={() => onOpen('delete')} />
            </>
          )}
        </span>
      </Cell>
    </Row>
  );
};

export const AlertsPage = () => {
  const { projectId } = route.useParams();
  const alerts = useQuery(apiQuery('listAlerts', projectId));
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const refreshes = [keyOf('listAlerts', projectId)];
  const pause = useMutation({
    mutationFn: ({ id, paused }: Alert) => api.updateAlert(id, { paused: !paused }),
    meta: { refreshes },
  });
  const list = alerts.data?.data;
  const chosen = open && open.what !== 'new' ? list?.find(({ id }) => id === open.id) : undefined;
  const newButton = may.administer && (
    <Button look="primary" onClick={() => setOpen({ what: 'new' })}>
      <Plus size={14} aria-hidden /> New alert
    </Button>
  );
  return (
    <Page title="Alerts" actions={list && list.length > 0 && newButton}>
      {pause.error && <ErrorNote error={pause.error} />}
      <Loaded
        query={{ ...alerts, data: list }}
        lines={4}
        empty={
          <Empty title="No alerts yet" action={newButton}>
            An alert notifies a webhook, a Slack channel or e-mail addresses of events in this project.
            {!may.administer && ' An admin can create one.'}
          </Empty>
        }
      >
        {(all) => (
          <Table label="Alerts" head={['Alert', 'Sends to', 'Events', '']}>
            {all.map((alert) => (
              <AlertRow
                key={alert.id}
                alert={alert}
                mayAdminister={may.administer}
                busy={pause.isPending}
                onOpen={(what) => setOpen({ what, id: alert.id })}
                onPause={() => pause.mutate(alert)}
              />
            ))}
          </Table>
        )}
      </Loaded>
      {(open?.what === 'new' || (open?.what === 'change' && chosen)) && (
        <AlertDialog projectId={projectId} alert={chosen} onClose={close} />
      )}
      {open?.what === 'log' && chosen && (
        <Deliveries alert={chosen} mayAdminister={may.administer} onClose={close} />
      )}
      {open?.what === 'delete' && chosen && (
        <Confirm
          onClose={close}
          title={`Delete ${chosen.name}?`}
          action="Delete alert"
          send={() => api.deleteAlert(chosen.id)}
          meta={{ refreshes }}
        >
          Its log is deleted too, and what is waiting is not sent.
        </Confirm>
      )}
    </Page>
  );
};
