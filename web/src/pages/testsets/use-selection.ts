import { useState } from 'react';
import { toggled } from '../../ui/toggled.ts';

/** The selected rows, and the row from which a range starts. */
export const useSelection = (ids: readonly string[]) => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string>();

  const toggle = (id: string, range: boolean): void => {
    const [from, to] = [anchor ? ids.indexOf(anchor) : -1, ids.indexOf(id)];
    setSelected(
      range && from >= 0
        ? new Set([...selected, ...ids.slice(Math.min(from, to), Math.max(from, to) + 1)])
        : toggled(selected, id),
    );
    setAnchor(id);
  };
  const toggleAll = (): void => setSelected(new Set(ids.every((id) => selected.has(id)) ? [] : ids));
  const clear = (): void => setSelected(new Set());
  return { selected, toggle, toggleAll, clear };
};
