import type { ComponentProps, ReactNode } from 'react';

/** What a column without a width has at least. */
const leastWidth = 120;

/**
 * A short table: everything is drawn, the browser lays it out. `pinned`: the first column stays in sight when it is wide.
 * `widths`, in pixels: columns that nothing moves when cells fill one after another; one without a width shares what is left.
 */
export const Table = ({
  label,
  head,
  pinned = false,
  widths,
  children,
}: {
  label: string;
  pinned?: boolean;
  widths?: readonly (number | undefined)[];
  head: readonly ReactNode[];
  children: ReactNode;
}) => (
  // Positioned, so that what is in it for screen readers alone is cut off with the rest and makes no page wider.
  <div className="relative overflow-x-auto">
    <table
      aria-label={label}
      style={widths && { minWidth: widths.reduce<number>((sum, width = leastWidth) => sum + width, 0) }}
      className={`w-full border-collapse text-left ${widths ? 'table-fixed' : ''} ${pinned ? '[&_td:first-child]:sticky [&_td:first-child]:left-0 [&_td:first-child]:bg-surface [&_th:first-child]:sticky [&_th:first-child]:left-0 [&_th:first-child]:bg-surface' : ''}`}
    >
      {widths && (
        <colgroup>
          {widths.map((width, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move
            <col key={i} style={width === undefined ? undefined : { width }} />
          ))}
        </colgroup>
      )}
      <thead>
        <tr className="border-b text-sm text-soft">
          {head.map((name, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move
            <th key={i} scope="col" className="h-8 px-2 font-medium whitespace-nowrap first:pl-0">
              {name === '' ? <span className="sr-only">Actions</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

export const Row = (props: ComponentProps<'tr'>) => <tr className="border-b hover:bg-hover" {...props} />;
export const Cell = ({ className = '', ...rest }: ComponentProps<'td'>) => (
  <td className={`h-9 px-2 py-1 first:pl-0 ${className}`} {...rest} />
);
