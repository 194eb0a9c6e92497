import type { ReactNode } from 'react';

export const tones = {
  neutral: 'bg-sunken text-soft',
  accent: 'bg-selected text-accent',
  pass: 'bg-pass-wash text-pass',
  fail: 'bg-fail-wash text-fail',
  warn: 'bg-warn-wash text-warn',
};
export type Tone = keyof typeof tones;

export const Badge = ({
  tone = 'neutral',
  children,
  title,
}: {
  tone?: Tone;
  children: ReactNode;
  title?: string;
}) => (
  <span
    title={title}
    className={`inline-flex h-5 max-w-full items-center gap-1 rounded-sm px-1.5 text-sm whitespace-nowrap ${tones[tone]}`}
  >
    {children}
  </span>
);

/** A key. Hidden on touch screens. */
export const Kbd = ({ children }: { children: ReactNode }) => (
  <kbd className="pointer-coarse:hidden max-md:hidden inline-flex h-5 min-w-5 items-center justify-center rounded-sm border bg-sunken px-1 font-sans text-sm text-soft">
    {children}
  </kbd>
);

/** A person's initials. `alone`: no name is beside them, so screen readers read the name. */
export const Avatar = ({ name, alone = false }: { name: string; alone?: boolean }) => (
  <span
    title={name}
    {...(alone ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true })}
    className="inline-flex size-5 shrink-0 items-center justify-center rounded-full bg-sunken text-sm font-semibold text-soft"
  >
    {name
      .split(/\s+/)
      .slice(0, 2)
      .map((part) => [...part][0]?.toUpperCase())
      .join('')}
  </span>
);
