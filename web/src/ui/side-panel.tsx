import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';

type SidePanelProps = {
  label: string;
  title: ReactNode;
  /** Buttons before the one that closes the panel. */
  actions?: ReactNode;
  width?: string;
  onClose: () => void;
  children: ReactNode;
};

/** A panel beside a table. On a phone it covers the page. */
export const SidePanel = ({
  label,
  title,
  actions,
  width = 'w-[44%] max-w-3xl min-w-80',
  onClose,
  children,
}: SidePanelProps) => (
  <aside
    aria-label={label}
    className={`flex ${width} shrink-0 flex-col border-t border-l max-md:fixed max-md:inset-0 max-md:z-30 max-md:w-auto max-md:max-w-none max-md:bg-surface`}
  >
    <header className="flex min-h-11 shrink-0 items-center gap-1 px-4 py-1">
      {title}
      {actions}
      <IconButton icon={X} label="Close (Esc)" onClick={onClose} />
    </header>
    {children}
  </aside>
);

/** The part of a page that scrolls, also by the keyboard. */
export const Scrolled = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
  <div className={`relative min-h-0 flex-1 overflow-auto ${className}`} tabIndex={0}>
    {children}
  </div>
);
