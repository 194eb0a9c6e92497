type Bin = { low: number; high: number; count: number };

const name = ({ low, high }: Bin, labels: Record<number, string> | undefined): string =>
  labels?.[low] ?? (low === high ? String(low) : `${low} to ${high}`);

type DistributionProps = {
  label: string;
  bins: readonly Bin[];
  /** What single values are called. */
  labels?: Record<number, string>;
  /** From here on a value passes. */
  threshold: number;
};

/** How often each value was given, large enough to read: bars with their counts, and where passing begins. */
export const Distribution = ({ label, bins, labels, threshold }: DistributionProps) => {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const isFine = bins.length > 8;
  const first = bins.findIndex(({ low }) => low >= threshold - 1e-9);
  const words = bins.filter(({ count }) => count > 0).map((bin) => `${name(bin, labels)}: ${bin.count}`);
  return (
    <figure className="max-w-md">
      <div
        role="img"
        aria-label={`${label}, n = ${total}. ${words.join(', ') || 'Nothing yet'}`}
        className="flex h-32 items-end gap-0.5"
      >
        {bins.map((bin, i) => (
          <div
            key={bin.low}
            title={`${name(bin, labels)}: ${bin.count} of ${total}`}
            className={`flex h-full min-w-0 flex-1 flex-col justify-end text-center text-sm text-soft ${i === first && i > 0 ? 'border-l border-dashed border-edge pl-0.5' : ''}`}
          >
            {(!isFine || bin.count === most) && bin.count > 0 && (
              <span>{bin.count.toLocaleString('en')}</span>
            )}
            <div
              style={{ height: `${(84 * bin.count) / most}%`, minHeight: 1 }}
              className={`rounded-t-sm ${i >= first && first >= 0 ? 'bg-solid' : 'bg-edge'}`}
            />
            {!isFine && <span className="truncate">{name(bin, labels)}</span>}
          </div>
        ))}
      </div>
      {isFine && (
        <div aria-hidden className="flex justify-between text-sm text-soft">
          <span>{bins[0]?.low}</span>
          <span>{bins.at(-1)?.high}</span>
        </div>
      )}
      <figcaption className="mt-1 text-sm text-soft">
        n = {total.toLocaleString('en')}
        {first > 0 && !labels && `; passes from ${threshold}, right of the dashed line`}
      </figcaption>
    </figure>
  );
};
