import { ShieldCheck, ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Judge } from '../../resources/judges/queries.ts';
import type { PinnedTrial } from '../../types.ts';
import { mayGate } from './may-gate.ts';

/** Whether the judge may gate, in a sentence with its reason, and what can be done about it. */
export const Verdict = ({
  judge,
  trials,
  children,
}: {
  judge: Judge;
  trials: readonly PinnedTrial[];
  children: ReactNode;
}) => {
  const { may, answer, reason } = mayGate(judge, trials);
  const Icon = may ? ShieldCheck : ShieldX;
  return (
    <section
      aria-label="Ready to block releases?"
      className={`mb-6 flex items-start gap-3 rounded-md border p-4 ${may ? 'border-pass/40' : 'border-warn/40'}`}
    >
      <Icon size={24} aria-hidden className={`mt-1 shrink-0 ${may ? 'text-pass' : 'text-warn'}`} />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <h2 className="text-focal font-semibold">{answer}</h2>
        <p>{reason}</p>
        {children}
      </div>
    </section>
  );
};
