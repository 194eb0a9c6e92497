import type { ReactNode } from 'react';

export type Column<Row> = {
  id: string;
  header: string;
  width: number;
  /** The group of the column, shown before its header. */
  group?: string;
  align?: 'end';
  /** The column by the name that a search sorts by; undefined if it cannot be sorted. */
  sortBy?: string;
  /** The order that the rows are in by this column, and what a click on its header does. */
  sort?: { direction: 'ascending' | 'descending' | undefined; onSort: () => void };
  /** `width`: the current width of the column in pixels. */
  render: (row: Row, width: number) => ReactNode;
};

/** The rows of a table: an array, or a list that is read in part. */
export type Rows<Row> = {
  readonly length: number;
  /** Undefined while the row is not read. */
  at: (index: number) => Row | undefined;
  findIndex: (test: (row: Row) => boolean) => number;
};

export const selectWidth = 36;

export type GridProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: Rows<Row>;
  rowId: (row: Row) => string;
  rowHeight: number;
  /** The row that keys act on. */
  focused: string | undefined;
  selected: { has: (id: string) => boolean };
  onFocus: (id: string) => void;
  onOpen: (id: string) => void;
  /** `range`: also the rows between the last selected row and this one. */
  onSelect?: ((id: string, range: boolean) => void) | undefined;
  onSelectAll?: (() => void) | undefined;
  selectAllLabel?: string;
  onResize?: (columnId: string, width: number) => void;
  onMove?: (columnId: string, beforeId: string | undefined) => void;
  /** Called with the first and the last row in view. */
  onRange?: (first: number, last: number) => void;
  /** The query of a list whose pages are read as the user scrolls; its state is shown below the last row. */
  pages?: { hasNextPage: boolean; isFetching: boolean; fetchNextPage: () => unknown };
};
