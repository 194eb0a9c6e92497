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

/** How exactly a time is written. */
export type Exactness = 'day' | 'minute' | 'second' | 'millisecond';

// British English writes the day before the month as a word and counts 24 hours, which readers of every country read alike.
const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const minute = { ...day, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
const second = { ...minute, second: '2-digit' } as const;
const formats: Record<Exactness, Intl.DateTimeFormat> = {
  day: new Intl.DateTimeFormat('en-GB', day),
  minute: new Intl.DateTimeFormat('en-GB', minute),
  second: new Intl.DateTimeFormat('en-GB', second),
  millisecond: new Intl.DateTimeFormat('en-GB', { ...second, fractionalSecondDigits: 3 }),
};

/** `22 Nov 2026, 18:30:57 CET`: every time in the pages is written this way, in the reader's time zone. */
export const timeText = (at: Date | string, exactness: Exactness = 'second'): string =>
  formats[exactness].format(new Date(at));

/** `22 Nov 2026, 18:30 – 19:30 CET`: what two times share is written once. */
export const timesText = (from: Date, to: Date, exactness: Exactness): string =>
  formats[exactness].formatRange(from, to);

/** How long ago; the exact time on hover. */
export const Time = ({ at }: { at: string | null }) =>
  at === null ? (
    'never'
  ) : (
    <time dateTime={at} title={timeText(at)} className="whitespace-nowrap">
      {ago((Date.now() - new Date(at).getTime()) / 1000)}
    </time>
  );
