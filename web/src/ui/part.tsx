import type { ReactNode } from 'react';

/** A part of a panel, with a heading. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="border-t px-4 py-3">
    <h2 className="mb-1 text-sm font-semibold">{title}</h2>
    {children}
  </section>
);
