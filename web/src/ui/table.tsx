import type { ComponentProps, CSSProperties, ReactNode } from 'react';

/** The least width of a column without a fixed one. */
const leastWidth = 120;

const looks = { always: 'cards', onPhone: 'max-md:cards' };

/**
 * A short table, rendered whole. `pinned`: the first column stays visible in a wide table. `widths` in pixels: fixed columns, which
 * do not move when cells arrive one after another; a column without a width shares the rest.
 */
export const Table = ({
  label,
  head,
  pinned = false,
  widths,
  cards,
  children,
}: {
  label: string;
  /** Each row is a card whose cells have the text of their `data-head` beside them. */
  cards?: 'always' | 'onPhone';
  pinned?: boolean;
  widths?: readonly (number | undefined)[];
  head: readonly ReactNode[];
  children: ReactNode;
}) => (
  // Positioned, so that its texts for screen readers are clipped too and do not widen the page.
  <div className="relative overflow-x-auto [&+section]:mt-6">
    <table
      aria-label={label}
      style={
        widths &&
        ({
          '--least': `${widths.reduce<number>((sum, width = leastWidth) => sum + width, 0)}px`,
        } as CSSProperties)
      }
      className={`w-full border-collapse text-left ${cards ? looks[cards] : ''} ${widths ? `table-fixed ${cards ? 'md:min-w-(--least)' : 'min-w-(--least)'}` : 'max-md:[&_td:first-child]:min-w-28'} ${pinned ? '[&_td:first-child]:sticky [&_td:first-child]:left-0 [&_td:first-child]:bg-surface [&_th:first-child]:sticky [&_th:first-child]:left-0 [&_th:first-child]:bg-surface' : ''}`}
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

/** A row. `onOpen`: a click on it opens what it is about; a link in it does the same for the keyboard. Other links in it go where they say. */
export const Row = ({ onOpen, ...rest }: ComponentProps<'tr'> & { onOpen?: (() => void) | undefined }) => (
  <tr
    className={`border-b hover:bg-hover ${onOpen ? 'cursor-pointer' : ''}`}
    onClick={onOpen && (({ target }) => !(target as Element).closest('a') && onOpen())}
    {...rest}
  />
);
export const Cell = ({ className = '', ...rest }: ComponentProps<'td'>) => (
  <td className={`h-9 px-2 py-1 first:pl-0 ${className}`} {...rest} />
);
