import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { errorText } from './error-text.ts';

/** An empty state: what belongs here, and the next step. */
export const Empty = ({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) => (
  <div className="mx-auto flex max-w-lg flex-col items-start gap-2 px-4 py-12">
    <h2 className="text-lg font-semibold">{title}</h2>
    <div className="text-soft">{children}</div>
    {action && <div className="mt-2 flex gap-2">{action}</div>}
  </div>
);

/** What went wrong, in the words of the service, and what can be done. */
export const ErrorNote = ({ error, action }: { error: Error; action?: ReactNode }) => (
  <div
    role="alert"
    className="flex items-start gap-2 rounded-md border border-fail/40 bg-fail-wash px-3 py-2 text-fail"
  >
    <TriangleAlert size={14} className="mt-0.5 shrink-0" aria-hidden />
    <div className="min-w-0 flex-1 break-words">{errorText(error)}</div>
    {action}
  </div>
);

/** Placeholder lines for text. */
export const Skeleton = ({ lines = 3, className = '' }: { lines?: number; className?: string }) => (
  <div aria-hidden className={`flex flex-col gap-2 ${className}`}>
    {Array.from({ length: lines }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
      <div key={i} className="skeleton h-4" style={{ width: `${90 - ((i * 17) % 40)}%` }} />
    ))}
  </div>
);

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: Error | null; isPending: boolean };
  /** Placeholder lines while the data is read. */
  lines: number;
  /** Shown for an empty list. */
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** Shows the result of a query, its error, or placeholders while it loads. */
export const Loaded = <Data,>({
  query: { data, error, isPending },
  lines,
  empty,
  children,
}: LoadedProps<Data>) => (
  <>
    {error && <ErrorNote error={error} />}
    {isPending && <Skeleton lines={lines} />}
    {data !== undefined && (empty && Array.isArray(data) && data.length === 0 ? empty : children(data))}
  </>
);

/** A placeholder as tall as a Table with this number of rows, so that nothing below it moves when they arrive. */
export const TableSkeleton = ({ rows }: { rows: number }) => (
  <div role="status">
    <span className="sr-only">Loading</span>
    <div className="box-content h-8 border-b" />
    {Array.from({ length: rows }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <div key={i} className="flex h-9 items-center border-b">
        <div className="h-3 w-2/3 skeleton" />
      </div>
    ))}
  </div>
);

/** The error of a list that fills the page. */
export const ListError = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <div className="px-4 pb-3">
    <ErrorNote error={error} action={<Button onClick={onRetry}>Try again</Button>} />
  </div>
);
