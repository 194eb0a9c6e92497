import type { ReactNode } from 'react';

export type Column<Row> = {
  id: string;
  header: string;
  width: number;
  /** Shown at the left of the header: what the column is a part of. */
  group?: string;
  align?: 'end';
  /** `width`: of the column as it stands, in pixels. */
  render: (row: Row, width: number) => ReactNode;
};

/** The rows of a table: an array, or something that has them only in part and is asked for those in sight. */
export type Rows<Row> = {
  readonly length: number;
  /** Undefined: not read yet. */
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
  /** `range`: from the last selected to this one. */
  onSelect?: ((id: string, range: boolean) => void) | undefined;
  onSelectAll?: (() => void) | undefined;
  selectAllLabel?: string;
  onResize?: (columnId: string, width: number) => void;
  onMove?: (columnId: string, beforeId: string | undefined) => void;
  /** Hears which rows are in sight. */
  onRange?: (first: number, last: number) => void;
  /** Called when the end comes into sight. */
  onEnd?: () => void;
  /** Says what stands below the last row. */
  footer?: ReactNode;
};
