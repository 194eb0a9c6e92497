import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BookOpen, Braces, Keyboard, LogOut, Monitor, Moon, Sun, User } from 'lucide-react';
import type { ReactElement } from 'react';
import { api } from '../api.ts';
import { base } from '../base.ts';
import { paths } from '../paths.ts';
import { lastProject } from '../resources/projects/last-project.ts';
import { useMe } from '../resources/session/me.ts';
import { deleteDrafts } from '../ui/local-storage.ts';
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { OrganizationItems } from './organization-items.tsx';
import { useSettings } from './sections.ts';
import { setTheme, useTheme } from './theme.ts';

const themes = [
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
  { theme: 'system', label: 'System', icon: Monitor },
] as const;

/** Where the person's own pages, those of the organization and the theme are. */
const PersonMenu = ({ trigger, onKeys }: { trigger: ReactElement; onKeys: () => void }) => {
  const { user, organization } = useMe();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const theme = useTheme();
  const settings = useSettings();
  const signOut = useMutation({
    mutationFn: () => api.signOut(),
    onSettled: () => {
      lastProject.forget();
      deleteDrafts();
      queries.clear();
      window.location.assign(`${base}/sign-in`);
    },
  });
  return (
    <Menu trigger={trigger} defaultOpen>
      <MenuLabel>
        {user.email} · {user.role} · {organization.name}
      </MenuLabel>
      <MenuItem onSelect={() => void navigate(paths.account())}>
        <User size={14} aria-hidden /> Your account
      </MenuItem>
      <OrganizationItems />
      <MenuLine />
      {settings.map(({ label, icon: Icon, link }) => (
        <MenuItem key={label} onSelect={() => void navigate(link())}>
          <Icon size={14} aria-hidden /> {label}
        </MenuItem>
      ))}
      {settings.length > 0 && <MenuLine />}
      <MenuItem onSelect={() => void navigate(paths.guide('start'))}>
        <BookOpen size={14} aria-hidden /> Guide
      </MenuItem>
      <MenuItem onSelect={() => window.location.assign(`${base}/docs`)}>
        <Braces size={14} aria-hidden /> API reference
      </MenuItem>
      <MenuItem onSelect={onKeys}>
        <Keyboard size={14} aria-hidden /> Shortcuts
      </MenuItem>
      <MenuLine />
      <MenuLabel>Theme</MenuLabel>
      {themes.map(({ theme: value, label, icon: Icon }) => (
        <MenuCheck key={value} checked={theme === value} onChange={() => setTheme(value)}>
          <Icon size={14} aria-hidden /> {label}
        </MenuCheck>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => signOut.mutate()}>
        <LogOut size={14} aria-hidden /> Sign out
      </MenuItem>
    </Menu>
  );
};
export default PersonMenu;
