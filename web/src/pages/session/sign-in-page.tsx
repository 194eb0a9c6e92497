import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, apiQuery } from '../../api.ts';
import { base } from '../../base.ts';
import type { SignIn } from '../../types.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { ChooseOrganization } from './choose-organization.tsx';
import { SignedOutPage } from './signed-out-page.tsx';
import { ssoProblem } from './sso-problems.ts';

const route = getRouteApi('/sign-in');

/** Only a path of this site: a link must not lead to another site. */
const inside = (next: string | undefined): string => (next && /^\/(?![/\\])/.test(next) ? next : '/');

export const SignInPage = () => {
  const { next, problem } = route.useSearch();
  const router = useRouter();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [choices, setChoices] = useState<SignIn['organizations']>();
  const { data: options } = useQuery({ ...apiQuery('getSignInOptions'), staleTime: 60_000 });
  const enter = () => {
    queries.clear();
    router.history.push(base + inside(next));
  };
  const signIn = useMutation({
    mutationFn: () => api.signIn({ email, password }),
    onSuccess: ({ organizations }) => (organizations.length > 1 ? setChoices(organizations) : enter()),
  });
  if (choices) return <ChooseOrganization organizations={choices} onChosen={enter} />;
  const sso = options?.sso;
  const hasPasswords = options?.hasPasswords ?? true;
  const refused = ssoProblem(problem);
  return (
    <SignedOutPage title="Sign in" onSubmit={signIn.mutate}>
      {refused && <ErrorNote error={new Error(refused)} />}
      {sso && (
        <a
          href={`${base}${sso.path}?next=${encodeURIComponent(inside(next))}`}
          className={buttonClass(hasPasswords ? 'plain' : 'primary')}
        >
          Sign in with {sso.name}
        </a>
      )}
      {hasPasswords && (
        <>
          <Input
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={setEmail}
          />
          <Input
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={setPassword}
          />
          {signIn.error && <ErrorNote error={signIn.error} />}
          <Button type="submit" look="primary" disabled={signIn.isPending}>
            Sign in
          </Button>
          <p className="text-sm text-soft">
            New here, or forgot the password? An admin can create a sign-in link for you under Members. A new
            server prints the link for its first admin when it starts.
          </p>
        </>
      )}
    </SignedOutPage>
  );
};
