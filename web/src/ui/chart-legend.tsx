/** The colour of a series by its place. */
export const colorOf = (i: number): string => `var(--series-${(i % 8) + 1})`;
/** Lines differ by more than their colour. */
const dashes = [undefined, '6 3', '2 3', '8 3 2 3'];
export const dashOf = (i: number) => dashes[i % dashes.length];

type ChartLegendProps = {
  labels: readonly string[];
  /** How the series are drawn. */
  look?: 'lines' | 'stack';
};

/** The names of the series, with their looks. */
export const ChartLegend = ({ labels, look = 'lines' }: ChartLegendProps) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
    {labels.map((label, i) => (
      <li key={label} className="flex min-w-0 items-center gap-1.5">
        {look === 'stack' && (
          <span
            aria-hidden="true"
            className="size-2.5 shrink-0 rounded-xs"
            style={{ background: colorOf(i) }}
          />
        )}
        {look === 'lines' && (
          <svg width={20} height={4} aria-hidden="true" className="shrink-0">
            <line
              x1={0}
              x2={20}
              y1={2}
              y2={2}
              stroke={colorOf(i)}
              strokeWidth={3}
              strokeDasharray={dashOf(i)}
            />
          </svg>
        )}
        <bdi className="truncate">{label}</bdi>
      </li>
    ))}
  </ul>
);
