import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import {
  Calculator,
  Database,
  Folder,
  Gauge,
  GitCompareArrows,
  Moon,
  Plus,
  ShieldCheck,
  Sun,
  SunMoon,
  User,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { apiList } from '../api.ts';
import { paths } from '../paths.ts';
import { metricsQuery } from '../resources/metrics/queries.ts';
import { useMay } from '../resources/session/me.ts';
import { testsetsQuery } from '../resources/testsets/queries.ts';
import { useSections, useSettings } from './sections.ts';
import { setTheme } from './theme.ts';

const groupClass =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-soft';

const Item = ({
  onSelect,
  icon,
  children,
}: {
  onSelect: () => void;
  icon: ReactNode;
  children: ReactNode;
}) => (
  <Command.Item
    onSelect={onSelect}
    className="flex h-8 cursor-default items-center gap-2 rounded-sm px-2 data-[selected=true]:bg-selected"
  >
    <span className="text-soft">{icon}</span>
    {children}
  </Command.Item>
);

type PaletteProps = { onClose: () => void; projectId: string | undefined; onKeys: () => void };

/** ⌘K: goes to any part, project, metric or testset, and offers the actions of no particular page. Loaded on demand. */
const Palette = ({ onClose, projectId, onKeys }: PaletteProps) => (
  <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40" style={{ background: 'rgb(0 0 0 / 0.4)' }} />
      <Dialog.Popup
        aria-label="Search pages and actions"
        className="fixed top-[12vh] left-1/2 z-50 w-[min(560px,calc(100vw-32px))] -translate-x-1/2 rounded-lg border bg-surface shadow-xl"
      >
        <Commands projectId={projectId} onClose={onClose} onKeys={onKeys} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
);

/** Opens a page, after closing the palette. */
type Go = (link: LinkProps) => () => void;
/** Does something, after closing the palette. */
type Act = (action: () => void) => () => void;

const Commands = ({ projectId, onClose, onKeys }: PaletteProps) => {
  const navigate = useNavigate();
  const act: Act = (action) => () => {
    onClose();
    action();
  };
  const go: Go = (link) => act(() => void navigate(link));
  return (
    <Command label="Search pages and actions" loop>
      <Command.Input
        autoFocus
        placeholder="Search pages and actions…"
        className="h-11 w-full border-b bg-transparent px-4 text-lg outline-none"
      />
      <Command.List className="max-h-[50vh] overflow-auto p-2">
        <Command.Empty className="px-2 py-4 text-soft">No results.</Command.Empty>
        {projectId && <ProjectCommands projectId={projectId} go={go} />}
        <ProjectsCommands go={go} />
        <AccountCommands go={go} act={act} onKeys={onKeys} />
      </Command.List>
    </Command>
  );
};

/** The parts of the open project, its metrics and its testsets. */
const ProjectCommands = ({ projectId, go }: { projectId: string; go: Go }) => {
  const sections = useSections();
  const may = useMay();
  const { data: metrics = [] } = useQuery({ ...metricsQuery(projectId), enabled: may.read });
  const { data: testsets = [] } = useQuery({ ...testsetsQuery(projectId), enabled: may.read });
  return (
    <Command.Group heading="This project" className={groupClass}>
      {sections.map(({ label, icon: Icon, link }) => (
        <Item key={label} icon={<Icon size={14} />} onSelect={go(link(projectId))}>
          {label}
        </Item>
      ))}
      <Item icon={<Plus size={14} />} onSelect={go(paths.newRun(projectId))}>
        New run
      </Item>
      <Item icon={<Calculator size={14} />} onSelect={go(paths.plan(projectId))}>
        Plan: how many testcases do I need?
      </Item>
      <Item icon={<ShieldCheck size={14} />} onSelect={go(paths.gate(projectId))}>
        Gate preview
      </Item>
      <Item icon={<GitCompareArrows size={14} />} onSelect={go(paths.compare(projectId, []))}>
        Compare runs
      </Item>
      <Item icon={<Plus size={14} />} onSelect={go(paths.newMetric(projectId))}>
        New metric
      </Item>
      {metrics.map(({ id, name }) => (
        <Item key={id} icon={<Gauge size={14} />} onSelect={go(paths.metric(projectId, id))}>
          <span className="truncate">{name}</span>
          <span className="text-soft">metric {id}</span>
        </Item>
      ))}
      {testsets.map(({ id, name }) => (
        <Item key={id} icon={<Database size={14} />} onSelect={go(paths.testset(projectId, id))}>
          <span className="truncate">{name}</span>
          <span className="text-soft">testset {id}</span>
        </Item>
      ))}
    </Command.Group>
  );
};

const ProjectsCommands = ({ go }: { go: Go }) => {
  const { data: projects = [] } = useQuery(apiList('listProjects'));
  return (
    <Command.Group heading="Projects" className={groupClass}>
      {projects.map(({ id, name }) => (
        <Item key={id} icon={<Folder size={14} />} onSelect={go(paths.home(id))}>
          <span className="truncate">{name || 'Untitled'}</span>
          <span className="text-soft">project {id}</span>
        </Item>
      ))}
      <Item icon={<Folder size={14} />} onSelect={go(paths.projects())}>
        All projects
      </Item>
    </Command.Group>
  );
};

/** Settings of the organization, the user's account, the theme and the shortcuts. */
const AccountCommands = ({ go, act, onKeys }: { go: Go; act: Act; onKeys: () => void }) => {
  const settings = useSettings();
  return (
    <Command.Group heading="You and your organization" className={groupClass}>
      {settings.map(({ label, icon: Icon, link }) => (
        <Item key={label} icon={<Icon size={14} />} onSelect={go(link())}>
          {label}
        </Item>
      ))}
      <Item icon={<User size={14} />} onSelect={go(paths.account())}>
        Your account
      </Item>
      <Item icon={<Sun size={14} />} onSelect={act(() => setTheme('light'))}>
        Light theme
      </Item>
      <Item icon={<Moon size={14} />} onSelect={act(() => setTheme('dark'))}>
        Dark theme
      </Item>
      <Item icon={<SunMoon size={14} />} onSelect={act(() => setTheme('system'))}>
        System theme
      </Item>
      <Item icon={<span className="font-semibold">?</span>} onSelect={act(onKeys)}>
        Shortcuts
      </Item>
    </Command.Group>
  );
};
export default Palette;
