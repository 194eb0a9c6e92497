import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { SignIn } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { SignedOutPage } from './signed-out-page.tsx';

type Choices = SignIn['organizations'];
type ChooseProps = { organizations: Choices; onChosen: () => void };

/** Asks a person in several organizations for the one to open. The session is of one of them already. */
export const ChooseOrganization = ({ organizations, onChosen }: ChooseProps) => {
  const choose = useMutation({
    mutationFn: async ({ id, current }: Choices[number]) => {
      if (!current) await api.switchOrganization({ organizationId: id });
    },
    onSuccess: onChosen,
  });
  return (
    <SignedOutPage title="Choose an organization" onSubmit={() => {}}>
      {organizations.map((organization) => (
        <Button key={organization.id} disabled={choose.isPending} onClick={() => choose.mutate(organization)}>
          {organization.name}
        </Button>
      ))}
      {choose.error && <ErrorNote error={choose.error} />}
    </SignedOutPage>
  );
};
