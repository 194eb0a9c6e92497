import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { focusTitle } from '../../ui/page.tsx';
import { sayError } from '../../ui/toast.tsx';

type Props = {
  isDecided: boolean;
  /** What adopts, with the question that it asks first; undefined if nothing can be adopted. */
  adopt?: { title: string; effect: ReactNode; send: () => Promise<unknown> } | undefined;
  discard: () => Promise<unknown>;
  /** Queries that either of them changes. */
  refreshes: readonly (readonly unknown[])[];
};

/** The two ends of a trial. The buttons disappear when it has ended: the focus moves to the page's heading. */
export const Decide = ({ isDecided, adopt, discard, refreshes }: Props) => {
  const [isAdopting, setAdopting] = useState(false);
  const act = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    meta: { refreshes: [...refreshes] },
  });
  useEffect(() => {
    if (isDecided && act.isSuccess) focusTitle();
  }, [isDecided, act.isSuccess]);
  if (isDecided) return null;
  return (
    <>
      {adopt && (
        <Button look="primary" disabled={act.isPending} onClick={() => setAdopting(true)}>
          Adopt…
        </Button>
      )}
      <Button
        look="danger"
        disabled={act.isPending}
        onClick={() => act.mutate(discard, { onError: sayError })}
      >
        Discard
      </Button>
      {adopt && isAdopting && (
        <Confirm
          onClose={() => setAdopting(false)}
          title={adopt.title}
          action="Adopt"
          send={() => act.mutateAsync(adopt.send)}
        >
          {adopt.effect}
        </Confirm>
      )}
    </>
  );
};
