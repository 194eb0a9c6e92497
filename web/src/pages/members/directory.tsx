import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiList, keyOf } from '../../api.ts';
import { useMay } from '../../resources/session/me.ts';
import type { ScimToken } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { sayError } from '../../ui/toast.tsx';

/** The tokens with which a directory (Okta, Entra ID) adds and removes members. For admins. */
export const Directory = () => {
  const may = useMay();
  const tokens = useQuery({ ...apiList('listScimTokens'), enabled: may.administer });
  const [revoking, setRevoking] = useState<ScimToken>();
  const refreshes = [keyOf('listScimTokens')];
  const create = useMutation({
    mutationFn: () => api.createScimToken({ name: 'Directory' }),
    meta: { refreshes },
    onError: sayError,
  });
  if (!may.administer || !tokens.data) return null;
  return (
    <Section
      title="Provisioning (SCIM)"
      actions={
        <Button disabled={create.isPending} onClick={() => create.mutate()}>
          New token
        </Button>
      }
    >
      <p className="mb-2 max-w-2xl text-soft">
        With a token your directory, such as Okta or Entra ID, adds, changes and deactivates members.
      </p>
      {tokens.data.length > 0 && (
        <Table label="SCIM tokens" head={['Name', 'Token', 'Created', 'Last used', '']}>
          {tokens.data.map((token) => (
            <Row key={token.id}>
              <Cell className="font-medium">{token.name}</Cell>
              <Cell className="font-mono text-sm">{token.prefix}…</Cell>
              <Cell className="text-soft">
                <Time at={token.createdAt} />
              </Cell>
              <Cell className="text-soft">{token.lastUsedAt ? <Time at={token.lastUsedAt} /> : 'never'}</Cell>
              <Cell className="text-right">
                <Button look="danger" onClick={() => setRevoking(token)}>
                  Revoke
                </Button>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <Dialog
        open={create.data !== undefined}
        onClose={() => create.reset()}
        title="Token created"
        description="Copy both into your directory now: the token is not shown again."
      >
        {create.data && (
          <div className="flex flex-col gap-2">
            <CodeBlock text={create.data.url} label="Copy the base URL" />
            <CodeBlock text={create.data.token} label="Copy the token" />
          </div>
        )}
      </Dialog>
      {revoking && (
        <Confirm
          onClose={() => setRevoking(undefined)}
          title="Revoke this token?"
          action="Revoke token"
          send={() => api.deleteScimToken(revoking.id)}
          meta={{ refreshes }}
        >
          The directory can no longer change members. The members stay.
        </Confirm>
      )}
    </Section>
  );
};
