import type { LinkProps } from '@tanstack/react-router';
import {
  Bot,
  ClipboardCheck,
  Database,
  FlaskConical,
  Gauge,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Radar,
  Settings,
  Users,
  Waypoints,
} from 'lucide-react';
import { paths } from '../paths.ts';

/** The parts of a project, in the order in which the navigation and the palette list them. */
export const sections: {
  label: string;
  icon: LucideIcon;
  link: (projectId: string) => LinkProps;
  exact?: true;
  /** Whether it is in the bottom bar on a phone, which has few places. */
  atFoot?: true;
}[] = [
  { label: 'Home', atFoot: true, icon: LayoutDashboard, link: paths.home, exact: true },
  { label: 'Records', atFoot: true, icon: ListChecks, link: (projectId) => paths.records(projectId) },
  { label: 'Traces', atFoot: true, icon: Waypoints, link: (projectId) => paths.traces(projectId) },
  { label: 'Runs', atFoot: true, icon: FlaskConical, link: paths.runs },
  { label: 'Review', atFoot: true, icon: ClipboardCheck, link: (projectId) => paths.review(projectId) },
  { label: 'Testsets', icon: Database, link: paths.testsets },
  { label: 'Metrics', icon: Gauge, link: paths.metrics },
  { label: 'Monitors', icon: Radar, link: paths.monitors },
  { label: 'Project settings', icon: Settings, link: paths.projectSettings },
];

/** The settings of the organization. */
export const settings: { label: string; icon: LucideIcon; link: () => LinkProps }[] = [
  { label: 'API keys', icon: KeyRound, link: paths.keys },
  { label: 'Providers', icon: Bot, link: paths.providers },
  { label: 'Members', icon: Users, link: paths.members },
];
