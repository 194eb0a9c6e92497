import { useState } from 'react';
import { listKeys, useKeys } from '../../ui/keys.ts';

type RowFocusOptions<Row> = {
  /** What one row is, as the list of keys names it. */
  what: string;
  rows: readonly Row[];
  rowId: (row: Row) => string;
  openId: string | undefined;
  onOpen: (id: string | undefined) => void;
  /** Called when the open row is opened again. */
  onRecord: (row: Row) => void;
};

/** The row that has the focus in a list, the one that is open beside it, and the keys that move both. */
export const useRowFocus = <Row>(
  title: string,
  { what, rows, rowId, openId, onOpen, onRecord }: RowFocusOptions<Row>,
) => {
  const [focused, setFocused] = useState(openId);
  const opened = rows.find((row) => rowId(row) === openId);
  const step = (by: number) => {
    const index = rows.findIndex((row) => rowId(row) === focused);
    const next = rows[Math.max(0, Math.min(rows.length - 1, index + by))];
    if (!next) return;
    setFocused(rowId(next));
    if (openId) onOpen(rowId(next));
  };
  useKeys(title, {
    ...listKeys({
      what,
      step,
      opening: 'Open beside the table; press again to open its record',
      open: () => {
        if (focused === undefined) return false;
        return opened && openId === focused ? onRecord(opened) : onOpen(focused);
      },
    }),
    Escape: ['Close the panel', () => openId !== undefined && onOpen(undefined)],
  });
  return { focused, setFocused, opened };
};
