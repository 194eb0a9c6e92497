import type { ReactNode } from 'react';

export type FocalAnswer = {
  key: string;
  /** The answer: a number with its unit, or a word. */
  value: string;
  /** What it is the answer to, such as the name of a metric. */
  says: ReactNode;
};

type FocalProps = {
  /** What the answers are, for screen readers. */
  label: string;
  answers: readonly FocalAnswer[];
  /** What to do now. */
  children?: ReactNode;
};

/** The one answer of a page, before everything else. Its place is kept while it is read, so that nothing below it moves. */
export const Focal = ({ label, answers, children }: FocalProps) => (
  <div className="mb-4 flex min-h-13 items-end gap-x-8 gap-y-3 max-lg:flex-wrap">
    <ul aria-label={label} className="flex min-w-0 gap-x-8 gap-y-2 max-lg:flex-wrap">
      {answers.map(({ key, value, says }) => (
        <li key={key} className="max-w-80 min-w-24">
          <span className="block text-focal font-semibold whitespace-nowrap">{value}</span>
          <span className="block truncate text-soft">{says}</span>
        </li>
      ))}
    </ul>
    {children}
  </div>
);
