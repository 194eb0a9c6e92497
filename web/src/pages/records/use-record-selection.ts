import { useState } from 'react';
import type { RecordDetail } from '../../types.ts';
import { sayError } from '../../ui/toast.tsx';
import type { RecordRows } from './record-pages.ts';

/** Most records that can be selected: an action takes them one by one, and each is kept here until it is done. */
export const mostSelected = 2_000;

/** Which records are chosen, and from where a range begins. They stay chosen while the table goes on to others. */
export const useRecordSelection = (rows: RecordRows) => {
  const [selected, setSelected] = useState<ReadonlyMap<string, RecordDetail>>(new Map());
  const [anchor, setAnchor] = useState<number>();
  const indexOf = (id: string) => rows.findIndex((row) => row.id === id);

  /** Adds the rows from one to another, reading those that are not there yet. */
  const add = async (from: number, to: number): Promise<void> => {
    if (to - from >= mostSelected)
      return sayError(
        new Error(`At most ${mostSelected.toLocaleString('en')} records can be selected at once.`),
      );
    try {
      const records = await rows.read(from, to);
      setSelected((before) => new Map([...before, ...records.map((record) => [record.id, record] as const)]));
    } catch (error) {
      sayError(error as Error);
    }
  };
  const toggle = (id: string, range: boolean): void => {
    const index = indexOf(id);
    const record = index < 0 ? undefined : rows.at(index);
    if (!record) return;
    setAnchor(index);
    if (range && anchor !== undefined) {
      void add(Math.min(anchor, index), Math.max(anchor, index));
      return;
    }
    setSelected((before) => {
      const next = new Map(before);
      if (!next.delete(id)) next.set(id, record);
      return next;
    });
  };
  const clear = (): void => setSelected(new Map());
  const toggleAll = (): void =>
    selected.size > 0 ? clear() : void add(0, Math.min(rows.length, mostSelected) - 1);
  return { selected, toggle, toggleAll, clear };
};
