import { CloudOff } from 'lucide-react';
import { useIsLost } from '../connection.ts';

/** Says on every page that the service does not answer. Always there for screen readers, which announce only changes of it. */
export const ConnectionBanner = () => {
  const isLost = useIsLost();
  return (
    <div role="status">
      {isLost && (
        <p className="flex min-h-8 items-center gap-2 border-b bg-warn-wash px-4 py-1">
          <CloudOff size={14} className="shrink-0 text-warn" aria-hidden />
          No connection to Dokima. This page may be out of date; it reconnects by itself.
        </p>
      )}
    </div>
  );
};
