import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';

const item =
  'flex h-7 cursor-default items-center gap-2 rounded-sm px-2 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover';

type MenuProps = {
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
  defaultOpen?: boolean;
};

export const Menu = ({ trigger, children, align = 'start', defaultOpen = false }: MenuProps) => (
  <Base.Root defaultOpen={defaultOpen}>
    <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
    <Base.Portal>
      <Base.Positioner sideOffset={4} align={align} className="z-50">
        <Base.Popup className="max-h-[70vh] min-w-44 overflow-auto rounded-md border bg-surface p-1 shadow-lg outline-none">
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);

type ItemProps = { onSelect: () => void; children: ReactNode; disabled?: boolean; danger?: boolean };

export const MenuItem = ({ onSelect, children, disabled, danger }: ItemProps) => (
  <Base.Item
    className={`${item} ${danger ? 'text-fail' : ''}`}
    onClick={onSelect}
    {...(disabled !== undefined && { disabled })}
  >
    {children}
  </Base.Item>
);

type CheckProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode };

/** An item that is on or off; the menu stays open. */
export const MenuCheck = ({ checked, onChange, children }: CheckProps) => (
  <Base.CheckboxItem className={item} checked={checked} onCheckedChange={onChange} closeOnClick={false}>
    <span className="flex w-4 justify-center">{checked && <Check size={14} aria-hidden />}</span>
    {children}
  </Base.CheckboxItem>
);

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <div className="px-2 pt-1.5 pb-1 text-sm font-medium text-soft">{children}</div>
);
export const MenuLine = () => <Base.Separator className="my-1 h-px bg-line" />;
