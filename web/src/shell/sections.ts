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

/** The parts of a project, in the order in which the navigation and the palette list them. */
export const sections: {
  label: string;
  icon: LucideIcon;
  link: (projectId: string) => LinkProps;
  exact?: true;
  /** Whether it is in the bottom bar on a phone, which has few places. */
  atFoot?: true;
  /** Whether people who only review see it. */
  forReview?: true;
}[] = [
  { label: 'Home', atFoot: true, icon: LayoutDashboard, link: paths.home, exact: true },
  { label: 'Dashboard', icon: ChartLine, link: (projectId) => paths.dashboard(projectId) },
  { label: 'Records', atFoot: true, icon: ListChecks, link: (projectId) => paths.records(projectId) },
  { label: 'Traces', atFoot: true, icon: Waypoints, link: (projectId) => paths.traces(projectId) },
  { label: 'Runs', atFoot: true, icon: FlaskConical, link: paths.runs },
  {
    label: 'Review',
    atFoot: true,
    forReview: true,
    icon: ClipboardCheck,
    link: (projectId) => paths.review(projectId),
  },
  { label: 'Preferences', forReview: true, icon: Scale, link: paths.preferences },
  { label: 'Testsets', icon: Database, link: paths.testsets },
  { label: 'Metrics', icon: Gauge, link: paths.metrics },
  { label: 'Prompts', icon: MessageSquareText, link: paths.systems },
  { label: 'Playground', icon: Columns3, link: (projectId) => paths.playground(projectId) },
  { label: 'Monitors', icon: Radar, link: paths.monitors },
  { label: 'Alerts', icon: Bell, link: paths.alerts },
  { label: 'Schedules', icon: CalendarClock, link: paths.schedules },
  { label: 'Ask', icon: MessageCircleQuestionMark, link: paths.ask },
  { label: 'Access', icon: ShieldCheck, link: paths.access },
  { label: 'Settings', icon: SlidersHorizontal, link: paths.projectSettings },
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
