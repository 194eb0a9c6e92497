import { useState } from 'react';
import type { CellEditing } from './editable-cell.tsx';
import { useTestcaseWrites } from './use-testcase-writes.ts';

/** The editing of fields in the table, for members who may write. `onEdit` is called when an edit begins. */
export const useCellEditing = (
  testsetId: string,
  fields: readonly string[],
  { mayWrite, onEdit }: { mayWrite: boolean; onEdit: () => void },
) => {
  const writes = useTestcaseWrites(testsetId);
  const [cell, setCell] = useState<CellEditing['cell']>();
  const editing: CellEditing = {
    cell: mayWrite ? cell : undefined,
    onEdit: (id, field) => {
      onEdit();
      setCell({ id, field });
    },
    onLeave: (by) => {
      const next = cell && by !== 0 ? fields[fields.indexOf(cell.field) + by] : undefined;
      setCell(cell && next !== undefined ? { id: cell.id, field: next } : undefined);
    },
    onSave: (testcase, field, text) => writes.write({ testcase, field, text }),
    kept: writes.kept,
  };
  /** Begins with the first field of a testcase. */
  const editFirst = (id: string) => fields[0] !== undefined && setCell({ id, field: fields[0] });
  return { editing, editFirst, writes };
};
