import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';

type DrawerProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** What can be done, at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A panel over the right side of the page, for what is long. Escape and a click beside it close it. */
export const Drawer = ({ open, onClose, title, actions, children }: DrawerProps) => (
  <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-40 bg-shade" />
      <Base.Popup className="fixed inset-y-0 right-0 z-50 flex w-[min(760px,100vw)] flex-col border-l bg-surface shadow-xl">
        <header className="flex min-h-12 shrink-0 items-center gap-2 border-b px-4">
          <Base.Title className="min-w-0 flex-1 truncate text-lg font-semibold">{title}</Base.Title>
          {actions}
          <Base.Close render={<IconButton icon={X} label="Close (Esc)" />} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <div className="min-h-0 flex-1 overflow-auto px-4 py-3" tabIndex={0}>
          {children}
        </div>
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
