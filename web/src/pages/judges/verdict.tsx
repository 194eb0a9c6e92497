import type { ReactNode } from 'react';
import { grades } from '../../resources/judges/grade.tsx';
import type { Judge } from '../../resources/judges/queries.ts';
import type { PinnedTrial } from '../../types.ts';
import { countText } from '../../ui/format.ts';
import { mayGate } from './may-gate.ts';

const borders = {
  unusable: 'border-fail/40',
  useWithCorrection: 'border-warn/40',
  mayGateAlone: 'border-pass/40',
};

/** Who made the labels that the grade rests on. */
const LabelMakers = ({ labelsBy: { people, clients, code, models } }: Pick<Judge, 'labelsBy'>) => {
  const by = [
    people > 0 && `${countText(people)} by people`,
    clients > 0 && `${countText(clients)} by clients that do not say who made them`,
    code > 0 && `${countText(code)} by code`,
    models > 0 && `${countText(models)} by models, which do not count`,
  ].filter(Boolean);
  return by.length > 0 && <p className="text-sm text-soft">Labels: {by.join(', ')}.</p>;
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
        <LabelMakers labelsBy={judge.labelsBy} />
        {children}
      </div>
    </section>
  );
};
