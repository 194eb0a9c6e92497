import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, apiQuery } from '../../api.ts';
import { base } from '../../base.ts';
import { useFields } from '../../fields.ts';
import { paths } from '../../paths.ts';
import { lastProject } from '../../resources/projects/last-project.ts';
import type { SignInLinkTarget } from '../../types.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { SignedOutPage } from './signed-out-page.tsx';

const placeholder = '@localhost.localdomain';
const incomplete = new Error('The link is incomplete. Copy all of it, including what follows the #.');

/** The page that a sign-in link opens. The token is behind the #, which browsers do not send. */
export const WelcomePage = () => {
  const [token] = useState(() => window.location.hash.slice(1));
  const target = useQuery({
    ...apiQuery('getSignInLink', { token }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: token !== '',
  });
  if (token === '' || target.error)
    return (
      <SignedOutPage title="This link does not work" onSubmit={() => {}}>
        <ErrorNote error={target.error ?? incomplete} />
      </SignedOutPage>
    );
  if (!target.data)
    return (
      <SignedOutPage title="Welcome" onSubmit={() => {}}>
        <Skeleton />
      </SignedOutPage>
    );
  return target.data.passwordless ? (
    <Enter token={token} target={target.data} />
  ) : (
    <Welcome token={token} target={target.data} />
  );
};

/** Redeems the link and opens a project of its organization. */
const useRedeem = (body: () => Parameters<typeof api.redeemSignInLink>[0]) => {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.redeemSignInLink(body()),
    onSuccess: () => {
      queries.clear();
      // Another person may have used this browser.
      lastProject.forget();
      return navigate(paths.start());
    },
  });
};

const ReplacedSession = ({ target: { replacedSession } }: { target: SignInLinkTarget }) =>
  replacedSession && (
    <p className="text-sm text-soft">
      This browser is signed in as {replacedSession.email} in {replacedSession.organizationName}. If you
      continue, it leaves that organization.
    </p>
  );

/** Asks a person who came by single sign-on. */
const Enter = ({ token, target }: { token: string; target: SignInLinkTarget }) => {
  const { user, organization } = target;
  const redeem = useRedeem(() => ({ token }));
  return (
    <SignedOutPage
      title={`Enter ${organization.name}?`}
      intro={`Its admins added ${user.email} as ${user.role}. What you do there belongs to ${organization.name}.`}
      onSubmit={redeem.mutate}
    >
      <ReplacedSession target={target} />
      {redeem.error && <ErrorNote error={redeem.error} />}
      <Button type="submit" look="primary" disabled={redeem.isPending}>
        Enter as {user.email}
      </Button>
      <a href={`${base}/`} className={buttonClass('plain')}>
        Do not enter
      </a>
    </SignedOutPage>
  );
};

const Welcome = ({ token, target }: { token: string; target: SignInLinkTarget }) => {
  const { user, organization } = target;
  const isFirst = user.email.endsWith(placeholder);
  const { values, fieldsOf } = useFields({
    name: '',
    email: '',
    password: '',
    ...(!isFirst && { name: user.name }),
  });
  const redeem = useRedeem(() => {
    const { email, ...rest } = values;
    return { token, ...rest, ...(isFirst && { email }) };
  });
  const field = fieldsOf(redeem.error);
  return (
    <SignedOutPage
      title={isFirst ? 'Welcome to Dokima' : `Welcome to ${organization.name}`}
      intro={
        isFirst
          ? 'You are the first admin. The account exists on this server only.'
          : `Choose a password for ${user.email}.`
      }
      onSubmit={redeem.mutate}
    >
      <Input label="Your name" required autoComplete="name" autoFocus={isFirst} {...field('name')} />
      {isFirst ? (
        <Input label="E-mail" type="email" required autoComplete="username" {...field('email')} />
      ) : (
        <input type="hidden" autoComplete="username" value={user.email} />
      )}
      <Input
        label="Password"
        type="password"
        required
        minLength={10}
        autoComplete="new-password"
        autoFocus={!isFirst}
        hint="10 characters or more."
        {...field('password')}
      />
      <ReplacedSession target={target} />
      {redeem.error && <ErrorNote error={redeem.error} />}
      <Button type="submit" look="primary" disabled={redeem.isPending}>
        {isFirst ? 'Create my account' : 'Choose password and sign in'}
      </Button>
    </SignedOutPage>
  );
};
