import type { LinkProps } from '@tanstack/react-router';
import {
  Bell,
  Bot,
  CalendarClock,
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
  MessageCircleQuestionMark,
  MessageSquareText,
  Radar,
  Scale,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  Users,
  Waypoints,
} from 'lucide-react';
import { paths } from '../paths.ts';
import { useMay, useMe } from '../resources/session/me.ts';

/** What people do in a project, in the order in which they do it. */
export const groups = ['Build', 'Evaluate', 'Review', 'Production'] as const;

type Section = {
  label: string;
  icon: LucideIcon;
  link: (projectId: string) => LinkProps;
  /** Where it stands in the navigation; undefined for what belongs to the project as a whole. */
  group?: (typeof groups)[number];
  exact?: true;
  /** Whether it is in the bottom bar on a phone, which has few places. */
  atFoot?: true;
  /** Whether people who only review see it. */
  forReview?: true;
  /** Whether the page of the settings leads to it, in place of the navigation. */
  inSettings?: true;
};

/** The parts of a project, in the order in which the navigation and the palette list them. */
const sections: Section[] = [
  { label: 'Home', atFoot: true, icon: LayoutDashboard, link: paths.home, exact: true },
  { label: 'Prompts', group: 'Build', icon: MessageSquareText, link: paths.systems },
  {
    label: 'Playground',
    group: 'Build',
    icon: Columns3,
    link: (projectId) => paths.playground(projectId),
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
    label: 'Review',
    group: 'Review',
    atFoot: true,
    forReview: true,
    icon: ClipboardCheck,
    link: (projectId) => paths.review(projectId),
  },
  { label: 'Preferences', group: 'Review', forReview: true, icon: Scale, link: paths.preferences },
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
  },
  { label: 'Monitors', group: 'Production', icon: Radar, link: paths.monitors },
  { label: 'Alerts', group: 'Production', icon: Bell, link: paths.alerts },
  { label: 'Ask', icon: MessageCircleQuestionMark, link: paths.ask },
  { label: 'Settings', icon: SlidersHorizontal, link: paths.projectSettings },
  { label: 'Access', inSettings: true, icon: ShieldCheck, link: paths.access },
  { label: 'Schedules', inSettings: true, icon: CalendarClock, link: paths.schedules },
];

const settings: { label: string; icon: LucideIcon; link: () => LinkProps; adminOnly?: true }[] = [
  { label: 'API keys', icon: KeyRound, link: paths.keys },
  { label: 'Providers', icon: Bot, link: paths.providers },
  { label: 'Members', icon: Users, link: paths.members },
  { label: 'Unused files', icon: FileX, link: paths.orphans, adminOnly: true },
  { label: 'Audit log', icon: ScrollText, link: () => paths.audit(), adminOnly: true },
];

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
