import { useMutation } from '@tanstack/react-query';
import { api, keyOf } from '../../api.ts';
import type { Alert } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { say, sayError } from '../../ui/toast.tsx';

const stateWords = {
  waiting: { label: 'not confirmed', hint: 'It gets mails once its owner has confirmed it.' },
  stopped: { label: 'stopped by its owner', hint: 'Its owner does not want these mails.' },
};

type AddressesProps = { alert: Alert; mayAsk: boolean };

/** The addresses of an alert; those that get no mails say why, and their owners can be asked again. */
export const Addresses = ({ alert, mayAsk }: AddressesProps) => {
  const ask = useMutation({
    mutationFn: (address: string) => api.askAddressOwner(alert.id, { address }),
    meta: { refreshes: [keyOf('listAlerts', alert.projectId), keyOf('listAlertDeliveries', alert.id)] },
    onSuccess: (_alert, address) => say(`A mail asks the owner of ${address}.`),
    onError: sayError,
  });
  return (
    <ul>
      {alert.addresses.map(({ address, state }) => {
        const words = state === 'waiting' || state === 'stopped' ? stateWords[state] : undefined;
        return (
          <li key={address} className="flex flex-wrap items-center gap-x-2 text-sm break-all text-soft">
            {address}
            {words && (
              <Badge tone="warn" title={words.hint}>
                {words.label}
              </Badge>
            )}
            {words && mayAsk && (
              <Button
                look="quiet"
                disabled={ask.isPending}
                aria-label={`Send the confirmation to ${address} again`}
                onClick={() => ask.mutate(address)}
              >
                Send again
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
};
