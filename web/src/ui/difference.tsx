const width = 140;
const middle = width / 2;
const reach = (width - 4) / 2;

/** Returns the smallest round number (1, 2 or 5 times a power of ten) that is not below `value`. */
export const roundScale = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-6)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * (1 - 1e-9)) ?? 10 * power;
};

type AxisProps = {
  /** The largest difference that fits. */
  scale: number;
  text: (value: number) => string;
};

/** The axis of the differences below it: worse at the left of zero, better at the right. */
export const DifferenceAxis = ({ scale, text }: AxisProps) => (
  <svg width={width} height={18} className="shrink-0 max-lg:hidden" aria-hidden="true">
    {[-1, -0.5, 0, 0.5, 1].map((place) => (
      <line
        key={place}
        x1={middle + place * reach}
        x2={middle + place * reach}
        y1={13}
        y2={18}
        stroke="var(--edge)"
      />
    ))}
    {[-1, 0, 1].map((place) => (
      <text
        key={place}
        x={middle + place * reach}
        y={10}
        className="text-sm"
        fill="var(--soft)"
        textAnchor={place < 0 ? 'start' : place > 0 ? 'end' : 'middle'}
      >
        {text(place * scale)}
      </text>
    ))}
  </svg>
);

type DifferenceProps = {
  difference: number;
  low: number | null;
  high: number | null;
  /** The largest difference that fits. */
  scale: number;
};

/** A difference with its interval, drawn to the left and right of zero. The caller writes the numbers beside it. */
export const Difference = ({ difference, low, high, scale }: DifferenceProps) => {
  const x = (value: number) => middle + Math.max(-1, Math.min(1, value / scale)) * reach;
  return (
    <svg width={width} height={12} className="shrink-0 max-lg:hidden" aria-hidden="true">
      <rect y={5} width={width} height={2} rx={1} fill="var(--line)" />
      <rect x={middle - 0.5} width={1} height={12} fill="var(--edge)" />
      {low !== null && high !== null && (
        <rect
          x={x(low)}
          y={3}
          width={Math.max(1, x(high) - x(low))}
          height={6}
          rx={2}
          fill="var(--solid)"
          opacity={0.35}
        />
      )}
      <rect x={x(difference) - 1} width={2} height={12} fill="var(--accent)" />
    </svg>
  );
};
