import { Check, Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from './button.tsx';

const tones = {
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

/** A key. Where fingers point there are none to press. */
export const Kbd = ({ children }: { children: ReactNode }) => (
  <kbd className="pointer-coarse:hidden max-md:hidden inline-flex h-5 min-w-5 items-center justify-center rounded-sm border bg-sunken px-1 font-sans text-xs text-soft">
    {children}
  </kbd>
);

/** A person's initials. Where no name stands beside them (`alone`), they are read out as it. */
export const Avatar = ({ name, alone = false }: { name: string; alone?: boolean }) => (
  <span
    title={name}
    {...(alone ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true })}
    className="inline-flex size-5 shrink-0 items-center justify-center rounded-full bg-sunken text-[10px] font-semibold text-soft"
  >
    {name
      .split(/\s+/)
      .slice(0, 2)
      .map((part) => [...part][0]?.toUpperCase())
      .join('')}
  </span>
);

/** Nothing in a page that is served without TLS: there the browser lets nobody copy. */
export const CopyButton = ({ text, label = 'Copy' }: { text: string; label?: string }) => {
  const [copied, setCopied] = useState(false);
  if (!('clipboard' in navigator)) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <IconButton label={copied ? 'Copied' : label} onClick={copy}>
      {copied ? <Check size={14} className="text-pass" /> : <Copy size={14} />}
    </IconButton>
  );
};

/** Text to copy as it stands. */
export const CodeBlock = ({ text, label }: { text: string; label?: string }) => (
  <div className="relative rounded-md border bg-sunken">
    <div className="absolute top-1 right-1">
      <CopyButton text={text} label={label ?? 'Copy'} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
    <pre tabIndex={0} className="overflow-auto p-3 pr-10 font-mono text-sm whitespace-pre">
      {text}
    </pre>
  </div>
);

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

const ago = (seconds: number): string => {
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(-Math.round(seconds / size), unit);
  }
  return 'just now';
};

/** How long ago; the exact time on hover. */
export const Time = ({ at }: { at: string }) => {
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toLocaleString()} className="whitespace-nowrap">
      {ago((Date.now() - date.getTime()) / 1000)}
    </time>
  );
};

/** `3 records`, `1 record`. */
export const countOf = (n: number, noun: string): string =>
  `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;
