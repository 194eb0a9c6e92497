import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { SignedOutPage } from './signed-out-page.tsx';

const incomplete = new Error('The link is incomplete. Copy all of it, including what follows the #.');

const words = {
  confirm: {
    title: 'Receive alerts?',
    intro: (name: string, address: string) =>
      `${name} wants to send alerts of its evaluation service Dokima to ${address}. Each mail has a link that stops them.`,
    action: 'Receive alerts',
    done: (name: string, address: string) => `${address} receives alerts of ${name}.`,
  },
  stop: {
    title: 'Stop alerts?',
    intro: (name: string, address: string) => `${address} then gets no more alerts of ${name}.`,
    action: 'Stop alerts',
    done: (name: string, address: string) => `${address} gets no more alerts of ${name}.`,
  },
};

/** The page that a link in a mail opens. The token is behind the #, which browsers do not send, and only the button changes anything. */
export const MailAddressPage = () => {
  const [token] = useState(() => window.location.hash.slice(1));
  const question = useQuery({
    ...apiQuery('getAddressQuestion', { token }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: token !== '',
  });
  const redeem = useMutation({ mutationFn: () => api.redeemAddressLink({ token }) });
  if (token === '' || question.error)
    return (
      <SignedOutPage title="This link does not work" onSubmit={() => {}}>
        <ErrorNote error={question.error ?? incomplete} />
      </SignedOutPage>
    );
  if (!question.data)
    return (
      <SignedOutPage title="Alerts by mail" onSubmit={() => {}}>
        <Skeleton />
      </SignedOutPage>
    );
  const { does, address, organizationName, answered } = question.data;
  const { title, intro, action, done } = words[does];
  if (answered || redeem.isSuccess)
    return (
      <SignedOutPage title="Done" onSubmit={() => {}}>
        <p role="status">{done(organizationName, address)}</p>
      </SignedOutPage>
    );
  return (
    <SignedOutPage title={title} intro={intro(organizationName, address)} onSubmit={redeem.mutate}>
      {redeem.error && <ErrorNote error={redeem.error} />}
      <Button type="submit" look="primary" disabled={redeem.isPending}>
        {action}
      </Button>
    </SignedOutPage>
  );
};
