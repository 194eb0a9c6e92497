import { useMutation } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { api } from '../api.ts';
import { base } from '../base.ts';
import { lastProject } from '../resources/projects/last-project.ts';
import { useMe } from '../resources/session/me.ts';
import { MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { sayError } from '../ui/toast.tsx';

/** The other organizations of the person, in the menu; nothing for a person in one. */
export const OrganizationItems = () => {
  const { organizations } = useMe();
  const change = useMutation({
    mutationFn: (organizationId: string) => api.switchOrganization({ organizationId }),
    onSuccess: () => {
      lastProject.forget();
      // Everything that was read belongs to the other organization.
      window.location.assign(`${base}/`);
    },
    onError: sayError,
  });
  const others = organizations.filter(({ current }) => !current);
  if (others.length === 0) return null;
  return (
    <>
      <MenuLine />
      <MenuLabel>Switch to</MenuLabel>
      {others.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => change.mutate(id)}>
          <Building2 size={14} aria-hidden /> {name}
        </MenuItem>
      ))}
    </>
  );
};
