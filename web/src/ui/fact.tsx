import type { ReactNode } from 'react';

/** A name and its value, one of a row of facts in a `dl`. */
export const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="flex min-h-6 flex-wrap items-center gap-x-2">{children}</dd>
  </div>
);

export type FactPair = [name: string, value: ReactNode];

/** Facts one below the other, names at the left. */
export const FactList = ({ facts }: { facts: readonly FactPair[] }) => (
  <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 self-start">
    {facts.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-soft">{name}</dt>
        <dd className="min-w-0 break-words">{value}</dd>
      </div>
    ))}
  </dl>
);
