import { CircleHelp, TrendingDown, TrendingUp } from 'lucide-react';
import { Badge } from './badge.tsx';

const verdicts = {
  better: { label: 'Better', tone: 'pass', Icon: TrendingUp },
  worse: { label: 'Worse', tone: 'fail', Icon: TrendingDown },
  'cannot tell': { label: 'Cannot tell', tone: 'neutral', Icon: CircleHelp },
} as const;

/** Verdict of a comparison: a word and an icon, never a colour alone. */
export const Verdict = ({ verdict }: { verdict: keyof typeof verdicts }) => {
  const { label, tone, Icon } = verdicts[verdict];
  return (
    <Badge tone={tone}>
      <Icon size={12} aria-hidden /> {label}
    </Badge>
  );
};
