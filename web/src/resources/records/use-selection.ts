import { useState } from 'react';
import type { Rows } from '../../ui/grid-props.ts';
import { sayError } from '../../ui/toast.tsx';

/** Most records that can be selected: an action takes them one by one, and each is kept here until it is done. */
export const mostSelected = 2_000;

/** Rows of a table; those that are not there yet are read. */
export type SelectableRows<Row> = Rows<Row> & { read: (from: number, to: number) => Promise<Row[]> };

/** Which rows are chosen, and from where a range begins. They stay chosen while the table goes on to others. */
export const useSelection = <Row>(
  rows: SelectableRows<Row>,
  idOf: (row: Row) => string,
  most = mostSelected,
) => {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const [anchor, setAnchor] = useState<number>();
  const indexOf = (id: string) => rows.findIndex((row) => idOf(row) === id);

  /** Adds the rows from one to another, reading those that are not there yet. */
  const add = async (from: number, to: number): Promise<void> => {
    if (to - from >= most)
      return sayError(new Error(`At most ${most.toLocaleString('en')} rows can be selected at once.`));
    try {
      const read = await rows.read(from, to);
      setSelected((before) => new Map([...before, ...read.map((row) => [idOf(row), row] as const)]));
    } catch (error) {
      sayError(error as Error);
    }
  };
  const toggle = (id: string, range: boolean): void => {
    const index = indexOf(id);
    const row = index < 0 ? undefined : rows.at(index);
    if (!row) return;
    setAnchor(index);
    if (range && anchor !== undefined) {
      void add(Math.min(anchor, index), Math.max(anchor, index));
      return;
    }
    setSelected((before) => {
      const next = new Map(before);
      if (!next.delete(id)) next.set(id, row);
      return next;
    });
  };
  const clear = (): void => setSelected(new Map());
  const toggleAll = (): void => (selected.size > 0 ? clear() : void add(0, Math.min(rows.length, most) - 1));
  return { selected, toggle, toggleAll, clear };
};
