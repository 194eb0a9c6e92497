import type { ReactNode } from 'react';
import { Term } from './term.tsx';
import type { TermName } from './terms.ts';

/** A name and its value, one of a row of facts in a `dl`. */
export const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="flex min-h-6 flex-wrap items-center gap-x-2">{children}</dd>
  </div>
);

/** `term`: what explains the name. */
export type FactPair = [name: string, value: ReactNode, term?: TermName];

/** Facts one below the other, names at the left. */
export const FactList = ({ facts }: { facts: readonly FactPair[] }) => (
  <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 self-start">
    {facts.map(([name, value, term]) => (
      <div key={name} className="contents">
        <dt className="text-soft">{term ? <Term of={term}>{name}</Term> : name}</dt>
        <dd className="min-w-0 break-words">{value}</dd>
      </div>
    ))}
  </dl>
);
