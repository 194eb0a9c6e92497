import { useMemo } from 'react';
import type { Column } from './grid-props.ts';
import { useLocalStorage } from './local-storage.ts';

/** The user's choice of columns: their order, which are hidden, and their widths. */
export type ColumnChoice = {
  order: string[];
  hidden: string[];
  widths: Record<string, number>;
  /** Columns that the user added, each by the path of a field such as `outputs.answer.amount`. */
  paths?: string[];
};

export const defaultChoice: ColumnChoice = { order: [], hidden: [], widths: {} };

/** The columns, also hidden ones, in the chosen order and width. A column without a chosen place keeps its default place. */
export const arrange = <Row>(columns: Column<Row>[], { order, widths }: ColumnChoice): Column<Row>[] => {
  const place = new Map(order.map((id, i) => [id, i]));
  const placed = columns
    .filter(({ id }) => place.has(id))
    .sort((a, b) => place.get(a.id)! - place.get(b.id)!);
  const arranged = columns.map((column) => (place.has(column.id) ? placed.shift()! : column));
  return arranged.map((column) => ({ ...column, width: widths[column.id] ?? column.width }));
};

/** Columns as the user has arranged them, and what changes that. `storage`: where the browser keeps the choice. */
export const useColumnChoice = <Row>(
  storage: string,
  columns: Column<Row>[],
  /** Makes the column of a path that the user added. */
  ofPath?: (path: string) => Column<Row> | undefined,
) => {
  const [choice = defaultChoice, change] = useLocalStorage<ColumnChoice>(storage);
  const all = useMemo(() => {
    const known = new Set(columns.map(({ id }) => id));
    const added = (choice.paths ?? []).flatMap((path) => ofPath?.(path) ?? []);
    return arrange([...columns, ...added.filter(({ id }) => !known.has(id))], choice);
  }, [columns, choice, ofPath]);
  const shown = useMemo(() => all.filter(({ id }) => !choice.hidden.includes(id)), [all, choice]);
  const move = (id: string, beforeId: string | undefined) => {
    const order = all.map((column) => column.id).filter((each) => each !== id);
    order.splice(beforeId === undefined ? order.length : order.indexOf(beforeId), 0, id);
    change({ ...choice, order });
  };
  const resize = (id: string, width: number) =>
    change({ ...choice, widths: { ...choice.widths, [id]: width } });
  return { all, shown, choice, change, move, resize };
};
