import type { ComponentProps, ReactNode } from 'react';

/** A short table: everything is drawn, the browser lays it out. `pinned`: the first column stays in sight when it is wide. */
export const Table = ({
  label,
  head,
  pinned = false,
  children,
}: {
  label: string;
  pinned?: boolean;
  head: readonly ReactNode[];
  children: ReactNode;
}) => (
  <div className="overflow-x-auto">
    <table
      aria-label={label}
      className={`w-full border-collapse text-left ${pinned ? '[&_td:first-child]:sticky [&_td:first-child]:left-0 [&_td:first-child]:bg-surface [&_th:first-child]:sticky [&_th:first-child]:left-0 [&_th:first-child]:bg-surface' : ''}`}
    >
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
