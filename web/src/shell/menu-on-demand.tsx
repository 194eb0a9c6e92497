import { type ComponentType, cloneElement, lazy, type ReactElement, Suspense, useState } from 'react';

type MenuOf<Props> = ComponentType<Props & { trigger: ReactElement }>;

type OnDemandProps<Props> = {
  trigger: ReactElement<Record<string, unknown>>;
  /** Brings the menu, which is open at once. */
  load: () => Promise<{ default: MenuOf<Props> }>;
};

/** A menu whose code comes when someone is about to open it: menus would be a tenth of what each page loads. */
export const MenuOnDemand = <Props extends object>({
  trigger,
  load,
  ...rest
}: OnDemandProps<Props> & Props) => {
  const [Menu, setMenu] = useState<MenuOf<Props>>();
  const open = () => setMenu(() => lazy(load) as unknown as MenuOf<Props>);
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    // The code may come before the click. One that fails is asked for again by the click.
    onPointerEnter: () => void load().catch(() => {}),
    onFocus: () => void load().catch(() => {}),
    onClick: open,
    onKeyDown: ({ key }: { key: string }) => key.startsWith('Arrow') && open(),
  });
  if (!Menu) return closed;
  return (
    <Suspense fallback={trigger}>
      <Menu {...(rest as unknown as Props)} trigger={trigger} />
    </Suspense>
  );
};
