const percent = (share: number): string => `${(share * 100).toFixed(1)}`;

/** A share as text; N/A where there is none. */
export const percentText = (share: number | null): string => (share === null ? 'N/A' : `${percent(share)} %`);

export type IntervalProps = {
  estimate: number | null;
  low: number | null;
  high: number | null;
  n: number;
  /** Why there is no number. */
  reason?: string | null;
};

/** `85.4 %, from 80.4 to 89.3 %, n = 240`: a share as it is said. */
export const intervalText = ({ estimate, low, high, n, reason }: IntervalProps): string => {
  if (estimate === null) return `N/A${reason ? `: ${reason}` : ''}`;
  const band = low === null || high === null ? 'no interval' : `${percent(low)} to ${percent(high)} %`;
  return `${percent(estimate)} %, ${band}, n = ${n}`;
};

const width = 96;

/** A share from 0 to 1 with its interval, drawn and written. */
export const Interval = (props: IntervalProps) => {
  const { estimate, low, high, n } = props;
  if (estimate === null)
    return (
      <span className="text-soft" title={intervalText(props)}>
        N/A
      </span>
    );
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap" title={intervalText(props)}>
      <svg width={width} height={10} className="shrink-0 max-lg:hidden" aria-hidden="true">
        <rect y={4} width={width} height={2} rx={1} fill="var(--line)" />
        {low !== null && high !== null && (
          <rect
            x={low * width}
            y={2}
            width={Math.max(1, (high - low) * width)}
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
      <span className="font-medium">{percent(estimate)} %</span>
      <span className="text-sm text-soft">
        {low !== null && high !== null && `${percent(low)}–${percent(high)}, `}n = {n}
      </span>
    </span>
  );
};

/** The same where room is short: the share, and below it its interval and n. */
export const ShortInterval = (props: IntervalProps) => {
  const { estimate, low, high, n } = props;
  if (estimate === null)
    return (
      <span className="text-soft" title={intervalText(props)}>
        N/A
      </span>
    );
  return (
    <span className="flex flex-col leading-4 whitespace-nowrap" title={intervalText(props)}>
      <span className="font-medium">{percent(estimate)} %</span>
      <span className="text-xs text-soft">
        {low !== null && high !== null && `${percent(low)}–${percent(high)}, `}n = {n}
      </span>
    </span>
  );
};
