import { useNavigate } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import { paths } from '../paths.ts';
import { useMe } from '../resources/session/me.ts';
import { useSwitch } from '../resources/session/use-switch.ts';
import { MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { sayError } from '../ui/toast.tsx';

/** The other organizations of the person, in the menu; nothing for a person in one. */
export const OrganizationItems = () => {
  const { organizations } = useMe();
  const navigate = useNavigate();
  const change = useSwitch();
  const others = organizations.filter(({ current }) => !current);
  if (others.length === 0) return null;
  return (
    <>
      <MenuLine />
      <MenuLabel>Switch to</MenuLabel>
      {others.map(({ id: organizationId, name, joined }) => (
        <MenuItem
          key={organizationId}
          onSelect={() =>
            joined ? change.mutate({ organizationId }, { onError: sayError }) : void navigate(paths.account())
          }
        >
          <Building2 size={14} aria-hidden /> {joined ? name : `Invitation of ${name}`}
        </MenuItem>
      ))}
    </>
  );
};
