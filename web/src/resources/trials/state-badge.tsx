import type { Trial } from '../../types.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

type State = Trial['state'];

const names: Record<State, { label: string; tone: Tone }> = {
  running: { label: 'Scoring', tone: 'accent' },
  sampled: { label: 'Sample ready', tone: 'warn' },
  ready: { label: 'Ready to decide', tone: 'warn' },
  adopted: { label: 'Adopted', tone: 'pass' },
  discarded: { label: 'Discarded', tone: 'neutral' },
};

/** The state of a trial. */
export const StateBadge = ({ state }: { state: State }) => (
  <Badge tone={names[state].tone}>{names[state].label}</Badge>
);
