import { Dialog } from '@base-ui/react/dialog';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import {
  BookOpen,
  Calculator,
  Database,
  FlaskConical,
  Folder,
  Gauge,
  GitCompareArrows,
  ListChecks,
  MessageCircleQuestionMark,
  MessageSquareText,
  Moon,
  Plus,
  ShieldCheck,
  Sun,
  SunMoon,
  User,
  Waypoints,
} from 'lucide-react';
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { apiList, apiPages, apiQuery } from '../api.ts';
import { paths } from '../paths.ts';
import { metricsQuery } from '../resources/metrics/queries.ts';
import { formatFilter } from '../resources/search/search.ts';
import { membersQuery, useMay } from '../resources/session/me.ts';
import { systemsQuery } from '../resources/systems/queries.ts';
import { testsetsQuery } from '../resources/testsets/queries.ts';
import { useRested } from '../ui/rested.ts';
import { useSections, useSettings } from './sections.ts';
import { setTheme } from './theme.ts';

const groupClass =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-soft';

type ItemProps = {
  onSelect: () => void;
  icon: ReactNode;
  /** Tells items with the same text apart. */
  value?: string;
  /** What else finds it. */
  words?: string[] | undefined;
  /** Whether it is shown whatever is typed. */
  always?: boolean;
  children: ReactNode;
};

const Item = ({ onSelect, icon, value, words, always = false, children }: ItemProps) => (
  <Command.Item
    onSelect={onSelect}
    {...(value !== undefined && { value })}
    {...(words && { keywords: words })}
    forceMount={always}
    className="flex h-8 cursor-default items-center gap-2 rounded-sm px-2 data-[selected=true]:bg-selected"
  >
    <span className="text-soft">{icon}</span>
    {children}
  </Command.Item>
);

type PaletteProps = {
  onClose: () => void;
  projectId: string | undefined;
  onKeys: () => void;
  /** Opens the panel with a question. */
  onAsk: (question: string) => void;
};

/** ⌘K: goes to any part, project, run, record, metric, prompt or testset, and offers the actions of no particular page. Loaded on demand. */
const Palette = (props: PaletteProps) => (
  <Dialog.Root open onOpenChange={(next) => !next && props.onClose()}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade" />
      <Dialog.Popup
        aria-label="Search pages and actions"
        className="fixed top-[12vh] left-1/2 z-50 w-[min(560px,calc(100vw-32px))] -translate-x-1/2 rounded-lg border bg-surface shadow-xl"
      >
        <Commands {...props} />
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
);

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** An item is found when each typed word stands in its text or its words; first those whose text begins so. An id in it finds nothing. */
const rank = (value: string, typed: string, words: readonly string[] = []): number => {
  const text = value.replace(uuid, '').toLowerCase();
  const whole = [text, ...words].join(' ').toLowerCase();
  const asked = typed.toLowerCase().trim();
  if (!asked.split(/\s+/).every((word) => whole.includes(word))) return 0;
  return text.startsWith(asked) ? 1 : 0.5;
};

/** Opens a page, after closing the palette. */
type Go = (link: LinkProps) => () => void;
/** Does something, after closing the palette. */
type Act = (action: () => void) => () => void;

const Commands = ({ projectId, onClose, onKeys, onAsk }: PaletteProps) => {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, choose] = useState('');
  const act: Act = (action) => () => {
    onClose();
    action();
  };
  const go: Go = (link) => act(() => void navigate(link));
  return (
    <Command label="Search pages and actions" loop filter={rank} value={chosen} onValueChange={choose}>
      <Command.Input
        autoFocus
        value={text}
        onValueChange={setText}
        placeholder="Search pages, runs, records, and actions…"
        className="h-11 w-full border-b bg-transparent px-4 text-lg outline-none"
      />
      <Command.List className="max-h-[50vh] overflow-auto p-2">
        {/* It counts neither what the service found nor the question, which are shown whatever is typed. */}
        <Command.Empty className="px-2 py-4 text-soft has-[~[data-found]]:hidden">
          No page or action has this name.
        </Command.Empty>
        {projectId && <ProjectCommands projectId={projectId} go={go} />}
        {projectId && <Found projectId={projectId} text={text.trim()} go={go} onId={choose} />}
        {projectId && <FoundTraffic projectId={projectId} text={text.trim()} go={go} />}
        <ProjectsCommands go={go} />
        <AccountCommands go={go} act={act} onKeys={onKeys} />
        {text.trim().length > 2 && <GuideCommand text={text.trim()} go={go} />}
        {projectId && <AskCommand text={text.trim()} onAsk={(question) => act(() => onAsk(question))()} />}
      </Command.List>
    </Command>
  );
};

const recordId = /^\d+-\d+$/;
const runNumber = /^(?:run\s*)?#?(\d+)$/i;
/** Runs that a text finds. */
const mostRuns = 5;

type FoundProps = {
  projectId: string;
  text: string;
  go: Go;
  /** Chooses the item of a record or run whose id was typed. */
  onId: (item: string) => void;
};

/** What the typed text names: a record or run by its id, runs by their name, tag or notes. */
const Found = ({ projectId, text, go, onId }: FoundProps) => {
  const may = useMay();
  const q = useDeferredValue(text);
  const { data } = useInfiniteQuery({
    ...apiPages('listRunDetails', projectId, { q, limit: mostRuns }),
    enabled: may.read && q.length > 1,
  });
  const runId = may.read ? runNumber.exec(text)?.[1] : undefined;
  const found = q.length > 1 ? (data?.pages[0]?.data ?? []) : [];
  const runs: { id: string; title?: string }[] = found.filter(({ id }) => id !== runId);
  if (runId !== undefined) runs.unshift(found.find(({ id }) => id === runId) ?? { id: runId });
  const record = recordId.test(text) ? text : undefined;
  const meant = record ? `record ${record}` : runId && `run ${runId}`;
  // An id is meant exactly: Enter must not open what a search puts first.
  useEffect(() => {
    if (meant) onId(meant);
  }, [meant, onId]);
  if (!record && runs.length === 0) return null;
  return (
    <Command.Group heading="Found" data-found forceMount className={groupClass}>
      {record && (
        <Item
          always
          value={`record ${record}`}
          icon={<ListChecks size={14} />}
          onSelect={go(paths.record(projectId, record))}
        >
          Record {record}
        </Item>
      )}
      {runs.map(({ id, title }) => (
        <Item
          key={id}
          always
          value={`run ${id}`}
          icon={<FlaskConical size={14} />}
          onSelect={go(paths.run(projectId, id))}
        >
          <bdi className="truncate">{title ?? `Run ${id}`}</bdi>
          {title && <span className="text-soft">run {id}</span>}
        </Item>
      ))}
    </Command.Group>
  );
};

const traceId = /^[0-9a-f]{32}$/i;

type TrafficProps = Omit<FoundProps, 'onId'>;

/** The trace, the session or the user that has the typed text as its id. */
const FoundTraffic = ({ projectId, text, go }: TrafficProps) => {
  const may = useMay();
  const id = useRested(text);
  const isAsked = may.read && id.length > 1 && !traceId.test(id) && !recordId.test(id);
  const has = (by: string) => ({
    ...apiQuery('listTraces', projectId, { q: formatFilter(by, id), limit: 1 }),
    enabled: isAsked,
  });
  const ofSession = useQuery(has('session'));
  const ofUser = useQuery(has('user'));
  const found = [
    ...(may.read && traceId.test(text)
      ? [{ name: `Trace ${text}`, to: paths.trace(projectId, text.toLowerCase()) }]
      : []),
    ...(ofSession.data?.data.length ? [{ name: `Session ${id}`, to: paths.session(projectId, id) }] : []),
    ...(ofUser.data?.data.length ? [{ name: `User ${id}`, to: paths.sessions(projectId, id) }] : []),
  ];
  if (found.length === 0 || id !== text) return null;
  return (
    <Command.Group heading="Traffic" data-found forceMount className={groupClass}>
      {found.map(({ name, to }) => (
        <Item key={name} always value={name} icon={<Waypoints size={14} />} onSelect={go(to)}>
          <bdi className="truncate">{name}</bdi>
        </Item>
      ))}
    </Command.Group>
  );
};

/** Searches the guide for the typed text: work of the operator, such as a backup, has no page of the site. */
const GuideCommand = ({ text, go }: { text: string; go: Go }) => (
  <Command.Group heading="Guide" forceMount className={groupClass}>
    <Item
      always
      value="search the guide"
      icon={<BookOpen size={14} />}
      onSelect={go(paths.guide('start', text))}
    >
      <span className="truncate">Search the guide: {text}</span>
    </Item>
  </Command.Group>
);

/** Opens the panel of questions, with the typed text as the question. */
const AskCommand = ({ text, onAsk }: { text: string; onAsk: (question: string) => void }) => {
  const may = useMay();
  if (!may.write) return null;
  return (
    <Command.Group heading="Ask" forceMount className={groupClass}>
      <Item
        always
        value="ask about this project"
        icon={<MessageCircleQuestionMark size={14} />}
        onSelect={() => onAsk(text)}
      >
        <span className="truncate">{text ? `Ask: ${text}` : 'Ask about this project'}</span>
      </Item>
    </Command.Group>
  );
};

/** The parts of the open project, its metrics, prompts and testsets. */
const ProjectCommands = ({ projectId, go }: { projectId: string; go: Go }) => {
  const sections = useSections();
  const may = useMay();
  const { data: metrics = [] } = useQuery({ ...metricsQuery(projectId), enabled: may.read });
  const { data: testsets = [] } = useQuery({ ...testsetsQuery(projectId), enabled: may.read });
  const { data: systems = [] } = useQuery({ ...systemsQuery(projectId), enabled: may.read });
  return (
    <Command.Group heading="This project" className={groupClass}>
      {sections
        .flatMap((section) => [section, ...(section.parts ?? [])])
        .map(({ label, icon: Icon, link, words }) => (
          <Item key={label} icon={<Icon size={14} />} words={words} onSelect={go(link(projectId))}>
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
        Gate rules
      </Item>
      <Item icon={<ShieldCheck size={14} />} onSelect={go(paths.decisions(projectId))}>
        Registered decisions
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
      {systems.map(({ id, name }) => (
        <Item
          key={id}
          value={`${name} prompt ${id}`}
          icon={<MessageSquareText size={14} />}
          onSelect={go(paths.system(projectId, id))}
        >
          <bdi className="truncate">{name}</bdi>
          <span className="text-soft">prompt</span>
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
  const { data: members = [] } = useQuery({ ...membersQuery, enabled: settings.length > 0 });
  return (
    <Command.Group heading="You and your organization" className={groupClass}>
      {settings.map(({ label, icon: Icon, link, words }) => (
        <Item key={label} icon={<Icon size={14} />} words={words} onSelect={go(link())}>
          {label}
        </Item>
      ))}
      {members.map(({ id, name, email }) => (
        <Item key={id} value={`${name} ${email}`} icon={<User size={14} />} onSelect={go(paths.members())}>
          <bdi className="truncate">{name}</bdi>
          <span className="truncate text-soft">{email}</span>
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
