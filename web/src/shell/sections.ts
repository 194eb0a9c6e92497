import type { LinkProps } from '@tanstack/react-router';
import {
  Bot,
  ChartLine,
  ClipboardCheck,
  Columns3,
  Database,
  FileX,
  FlaskConical,
  Gauge,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  MessageSquareText,
  MessagesSquare,
  Radar,
  Scale,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  Users,
  Waypoints,
} from 'lucide-react';
import type { Answer } from '../api.ts';
import { paths } from '../paths.ts';
import { useMay, useMe } from '../resources/session/me.ts';

/** What people do in a project, in the order in which they do it, and the use that shows a group. Without a use it is always shown. */
export const groups = [
  { name: 'Build' },
  { name: 'Evaluate' },
  { name: 'Review', use: 'review' },
  { name: 'Production', use: 'production' },
] as const satisfies readonly { name: string; use?: Answer<'getProjectAccess'>['uses'][number] }[];

type Part = {
  label: string;
  icon: LucideIcon;
  link: (projectId: string) => LinkProps;
  /** What else the palette finds it by. */
  words?: string[];
};

type Section = Part & {
  /** Where it stands in the navigation; undefined for what belongs to the project as a whole. */
  group?: (typeof groups)[number]['name'];
  exact?: true;
  /** Whether it is in the bottom bar on a phone, which has few places. */
  atFoot?: true;
  /** Whether people who only review see it. */
  forReview?: true;
  /** Whether it has the number of records that wait for the member. */
  counts?: true;
  /** Pages beside it, which its own page leads to: they have no line in the navigation. */
  parts?: readonly Part[];
  /** Where its pages of one row are, if not below its own route. */
  below?: string;
};

/** The parts of a project, in the order in which the navigation and the palette list them. */
const sections: Section[] = [
  { label: 'Home', atFoot: true, icon: LayoutDashboard, link: paths.home, exact: true },
  {
    label: 'Prompts',
    group: 'Build',
    icon: MessageSquareText,
    link: paths.systems,
    parts: [{ label: 'Playground', icon: Columns3, link: (projectId) => paths.playground(projectId) }],
  },
  { label: 'Testsets', group: 'Build', icon: Database, link: paths.testsets },
  { label: 'Runs', group: 'Evaluate', atFoot: true, icon: FlaskConical, link: paths.runs },
  { label: 'Metrics', group: 'Evaluate', icon: Gauge, link: paths.metrics },
  {
    label: 'Records',
    group: 'Evaluate',
    atFoot: true,
    icon: ListChecks,
    link: (projectId) => paths.records(projectId),
  },
  {
    label: 'Queue',
    group: 'Review',
    atFoot: true,
    forReview: true,
    counts: true,
    icon: ClipboardCheck,
    link: (projectId) => paths.review(projectId),
  },
  { label: 'Side by side', group: 'Review', forReview: true, icon: Scale, link: paths.preferences },
  {
    label: 'Disagreements',
    group: 'Review',
    icon: MessagesSquare,
    link: (projectId) => paths.disagreements(projectId),
  },
  {
    label: 'Dashboard',
    group: 'Production',
    icon: ChartLine,
    link: (projectId) => paths.dashboard(projectId),
  },
  {
    label: 'Traces',
    group: 'Production',
    atFoot: true,
    icon: Waypoints,
    link: (projectId) => paths.traces(projectId),
    parts: [
      { label: 'Sessions', icon: MessagesSquare, link: (projectId) => paths.sessions(projectId) },
      { label: 'Users', icon: Users, link: paths.users },
    ],
  },
  {
    label: 'Checks',
    group: 'Production',
    icon: Radar,
    link: (projectId) => paths.checks(projectId),
    below: '/projects/$projectId/monitors',
    words: ['Production checks', 'Monitors', 'Alerts', 'Webhooks', 'Slack', 'Schedules'],
  },
  {
    label: 'Settings',
    icon: SlidersHorizontal,
    link: paths.projectSettings,
    words: ['Masking', 'Retention'],
    parts: [{ label: 'Access', icon: ShieldCheck, link: paths.access }],
  },
];

type Setting = Pick<Part, 'label' | 'icon' | 'words'> & { link: () => LinkProps; adminOnly?: true };

const settings: Setting[] = [
  { label: 'API keys', icon: KeyRound, link: paths.keys },
  { label: 'Providers', icon: Bot, link: paths.providers, words: ['Models', 'Prices'] },
  { label: 'Members', icon: Users, link: paths.members, words: ['Invite', 'SSO', 'Single sign-on', 'SCIM'] },
  { label: 'Unused files', icon: FileX, link: paths.orphans, adminOnly: true },
  { label: 'Audit log', icon: ScrollText, link: () => paths.audit(), adminOnly: true },
];

/** The page of a section and the pages beside it; empty for a route that is in no section or below one. */
export const familyOf = (route: string): Part[] => {
  const family = sections
    .map((section) => [section, ...(section.parts ?? [])])
    .find((pages) => pages.length > 1 && pages.some(({ link }) => link('').to === route));
  return family ?? [];
};

/** The parts of a project that the member sees. */
export const useSections = () => {
  const { read } = useMay();
  return read ? sections : sections.filter(({ forReview }) => forReview);
};

/** The settings that the member sees: none for people who only review. */
export const useSettings = () => {
  const { role } = useMe().user;
  return role === 'annotator' ? [] : settings.filter(({ adminOnly }) => role === 'admin' || !adminOnly);
};
