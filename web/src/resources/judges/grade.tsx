import { ShieldAlert, ShieldCheck, ShieldX } from 'lucide-react';
import { gradeWords, gradeText as textOfGrade } from '../../../../client/src/gate/grade.ts';
import type { RunSummary } from '../../types.ts';
import { judgeText } from './judge-text.ts';

type Judge = NonNullable<RunSummary['metrics'][number]['judge']>;
/** What the badge of a judge needs. */
export type Graded = Omit<Judge, 'correctedRate'>;

const capital = (words: string): string => words[0]!.toUpperCase() + words.slice(1);

/** The grades as the pages show them. */
export const grades = {
  unusable: { words: capital(gradeWords.unusable), Icon: ShieldX, tone: 'text-fail' },
  useWithCorrection: { words: capital(gradeWords.useWithCorrection), Icon: ShieldAlert, tone: 'text-warn' },
  mayGateAlone: { words: capital(gradeWords.mayGateAlone), Icon: ShieldCheck, tone: 'text-pass' },
} as const;

/** The grade of a judge, with the reason if it is unusable. */
export const gradeText = (judge: Pick<Graded, 'grade' | 'state'>): string => capital(textOfGrade(judge));

/**
 * How far a judge can be trusted, and what speaks against it, such as a bias that a battery found: stands wherever its rates stand. `compact`:
 * the shield alone, with its words for screen readers.
 */
export const GradeBadge = ({ judge, compact = false }: { judge: Graded; compact?: boolean }) => {
  const { Icon, tone } =
    judge.doubts.length > 0 && judge.grade === 'mayGateAlone'
      ? grades.useWithCorrection
      : grades[judge.grade];
  const words = capital(judge.trust);
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

/** The shield beside a rate that a judge gave; nothing beside others. */
export const Shield = ({ judge }: { judge: Graded | null | undefined }) =>
  judge ? <GradeBadge judge={judge} compact /> : null;
