import type { ReactNode } from 'react';
import { grades } from '../../resources/judges/grade.tsx';
import type { Judge } from '../../resources/judges/queries.ts';
import type { PinnedTrial } from '../../types.ts';
import { mayGate } from './may-gate.ts';

const borders = {
  unusable: 'border-fail/40',
  useWithCorrection: 'border-warn/40',
  mayGateAlone: 'border-pass/40',
};

/** The grade of the judge with its reason, and what can be done about it. */
export const Verdict = ({
  judge,
  trials,
  children,
}: {
  judge: Judge;
  trials: readonly PinnedTrial[];
  children: ReactNode;
}) => {
  const { grade, answer, reason } = mayGate(judge, trials);
  const { Icon, tone } = grades[grade];
  return (
    <section
      aria-label="How far can it be trusted?"
      className={`mb-6 flex items-start gap-3 rounded-md border p-4 ${borders[grade]}`}
    >
      <Icon size={24} aria-hidden className={`mt-1 shrink-0 ${tone}`} />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <h2 className="text-focal font-semibold">{answer}</h2>
        <p>{reason}</p>
        {children}
      </div>
    </section>
  );
};
