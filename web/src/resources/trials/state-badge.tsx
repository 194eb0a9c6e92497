import type { Trial } from '../../types.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

/** A battery that has its verdict, and a prompt that was measured on labels for tuning, are done: there is nothing to decide. */
type State = Trial['state'] | 'done';

const names: Record<State, { label: string; tone: Tone }> = {
  running: { label: 'Scoring', tone: 'accent' },
  sampled: { label: 'Sample ready', tone: 'warn' },
  ready: { label: 'Ready to decide', tone: 'warn' },
  done: { label: 'Done', tone: 'pass' },
  adopted: { label: 'Adopted', tone: 'pass' },
  discarded: { label: 'Discarded', tone: 'neutral' },
};

/** The state of a trial, as its badge says it. */
export const shownState = (trial: Trial): State =>
  trial.state === 'ready' &&
  (trial.kind === 'battery' || (trial.kind !== 'rescoring' && trial.split === 'dev'))
    ? 'done'
    : trial.state;

/** The state of a trial. */
export const StateBadge = ({ state }: { state: State }) => (
  <Badge tone={names[state].tone}>{names[state].label}</Badge>
);
