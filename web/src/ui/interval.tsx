import { countText } from './format.ts';

const percent = (share: number): string => `${(share * 100).toFixed(1)}`;

/** A share as text; N/A without one. */
export const percentText = (share: number | null): string => (share === null ? 'N/A' : `${percent(share)} %`);

/** A share with its interval, as the API gives it. */
export type Estimate = {
  estimate: number | null;
  interval: { low: number; high: number } | null;
  n: number;
  /** Why there is no number. */
  reason?: string | null;
  /** What a reader must know beside it. */
  caveats?: readonly { code: string; sentence: string }[];
};

/** `85.4 %, 80.4 to 89.3 %, n = 240`. */
export const intervalText = ({ estimate, interval, n, reason }: Estimate): string => {
  if (estimate === null) return `N/A${reason ? `: ${reason}` : ''}`;
  const band = interval ? `${percent(interval.low)} to ${percent(interval.high)} %` : 'no interval';
  return `${percent(estimate)} %, ${band}, n = ${countText(n)}`;
};

/** `80.4–89.3, n = 240`, beside the share. */
export const spreadText = ({ interval, n }: Pick<Estimate, 'interval' | 'n'>): string =>
  `${interval ? `${percent(interval.low)}–${percent(interval.high)}, ` : ''}n = ${countText(n)}`;

const width = 96;

const Bar = ({ estimate, interval }: { estimate: number; interval: Estimate['interval'] }) => (
  <svg width={width} height={10} className="shrink-0 max-lg:hidden" aria-hidden="true">
    <rect y={4} width={width} height={2} rx={1} fill="var(--line)" />
    {interval && (
      <rect
        x={interval.low * width}
        y={2}
        width={Math.max(1, (interval.high - interval.low) * width)}
        height={6}
        rx={2}
        fill="var(--solid)"
        opacity={0.35}
      />
    )}
    <rect
      x={Math.min(width - 2, Math.max(0, estimate * width - 1))}
      width={2}
      height={10}
      fill="var(--accent)"
    />
  </svg>
);

type IntervalProps = {
  of: Estimate;
  /** The numbers alone, in two lines. */
  short?: boolean;
  /** Whether a bar is shown before the numbers. */
  bar?: boolean;
};

/** A share from 0 to 1 with its interval: a bar and the numbers beside it. */
export const Interval = ({ of, short = false, bar = !short }: IntervalProps) => {
  const { estimate, interval } = of;
  const title = intervalText(of);
  if (estimate === null)
    return (
      <span className="text-soft" title={title}>
        N/A
      </span>
    );
  const layout = short ? 'flex flex-col leading-4' : 'inline-flex items-center gap-2';
  return (
    <span className={`${layout} whitespace-nowrap`} title={title}>
      {bar && <Bar estimate={estimate} interval={interval} />}
      <span className="font-medium">{percent(estimate)} %</span>
      <span className="text-sm text-soft">{spreadText(of)}</span>
    </span>
  );
};
