import { useState } from 'react';
import { listKeys, useKeys } from '../../ui/keys.ts';

type RowFocusOptions<Row> = {
  /** What one row is, as the list of keys names it. */
  what: string;
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The row that has the focus at first. */
  at: string | undefined;
  /** What opening a row does, as the list of keys names it. */
  opening: string;
  onOpen: (id: string) => unknown;
  /** Called with the row that has the focus when keys move it. */
  onStep?: (id: string) => void;
  /** Selects a row, or all from the last selected to it. */
  onSelect?: (id: string, range: boolean) => void;
};

/** The row that has the focus in a list, and the keys that move and open it. */
export const useRowFocus = <Row>(
  title: string,
  { what, rows, rowId, at, opening, onOpen, onStep, onSelect }: RowFocusOptions<Row>,
) => {
  const [focused, setFocused] = useState(at);
  const step = (by: number) => {
    const index = rows.findIndex((row) => rowId(row) === focused);
    const next = rows[Math.max(0, Math.min(rows.length - 1, index + by))];
    if (!next) return;
    setFocused(rowId(next));
    onStep?.(rowId(next));
  };
  useKeys(title, listKeys({ what, step, opening, open: () => focused !== undefined && onOpen(focused) }));
  const select = (range: boolean) => focused !== undefined && onSelect?.(focused, range);
  useKeys(
    title,
    {
      x: ['Select', () => select(false)],
      X: ['Select from the last selected to here', () => select(true)],
    },
    onSelect !== undefined,
  );
  return { focused, setFocused };
};
