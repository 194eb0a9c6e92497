import { useState } from 'react';

/** Which rows are chosen, and from where a range begins. */
export const useSelection = (ids: readonly string[]) => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string>();

  const toggle = (id: string, range: boolean): void => {
    const next = new Set(selected);
    const [from, to] = [anchor ? ids.indexOf(anchor) : -1, ids.indexOf(id)];
    if (range && from >= 0) {
      for (const each of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each);
    } else if (!next.delete(id)) next.add(id);
    setAnchor(id);
    setSelected(next);
  };
  const toggleAll = (): void => setSelected(new Set(ids.every((id) => selected.has(id)) ? [] : ids));
  const clear = (): void => setSelected(new Set());
  return { selected, toggle, toggleAll, clear };
};
