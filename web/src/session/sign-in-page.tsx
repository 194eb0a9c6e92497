import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { SignedOutPage } from './signed-out-page.tsx';

const route = getRouteApi('/sign-in');

/** Only a path of this site: a link must not lead to another site. */
const inside = (next: string | undefined): string => (next && /^\/(?![/\\])/.test(next) ? next : '/');

export const SignInPage = () => {
  const { next } = route.useSearch();
  const router = useRouter();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => api.signIn({ email, password }),
    onSuccess: () => {
      queries.clear();
      router.history.push(inside(next));
    },
  });
  return (
    <SignedOutPage title="Sign in" onSubmit={signIn.mutate}>
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
    </SignedOutPage>
  );
};
