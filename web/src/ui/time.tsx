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
