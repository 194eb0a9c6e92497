import { ShieldAlert, ShieldCheck, ShieldX } from 'lucide-react';
import type { RunSummary } from '../../types.ts';
import { judgeText } from './judge-text.ts';

type Judge = NonNullable<RunSummary['metrics'][number]['judge']>;
/** What the badge of a judge needs. */
export type Graded = Omit<Judge, 'correctedRate'>;

/** The three grades of a judge, in the words of the API, the gate and the command line. */
export const grades = {
  unusable: { words: 'Unusable', Icon: ShieldX, tone: 'text-fail' },
  useWithCorrection: { words: 'Use with correction', Icon: ShieldAlert, tone: 'text-warn' },
  mayGateAlone: { words: 'May gate alone', Icon: ShieldCheck, tone: 'text-pass' },
} as const;

const whyUnusable = {
  notCalibrated: 'not validated yet',
  tooFewLabels: 'too few labels',
  noBetterThanChance: 'no better than chance',
  calibrated: '',
};

/** The grade of a judge, with the reason if it is unusable. */
export const gradeText = ({ grade, state }: Pick<Graded, 'grade' | 'state'>): string =>
  grade === 'unusable' ? `Unusable: ${whyUnusable[state]}` : grades[grade].words;

/** How far a judge can be trusted: stands wherever its rates stand. `compact`: the shield alone, with its words for screen readers. */
export const GradeBadge = ({ judge, compact = false }: { judge: Graded; compact?: boolean }) => {
  const { Icon, tone } = grades[judge.grade];
  const words = gradeText(judge);
  return (
    <span
      title={`${words}. ${judgeText(judge)}`}
      className="inline-flex items-center gap-1 whitespace-nowrap"
    >
      <Icon size={14} aria-hidden className={`shrink-0 ${tone}`} />
      {compact ? <span className="sr-only">Judge: {words}.</span> : words}
    </span>
  );
};
