import { useMemo, useRef } from 'react';
import { useNames } from '../../resources/session/me.ts';
import type { RecordDetail } from '../../types.ts';
import { useLocalStorage } from '../../ui/local-storage.ts';
import {
  arrange,
  type ColumnChoice,
  columnsOf,
  defaultChoice,
  fieldPaths,
  noFields,
  withFieldsOf,
} from './columns.tsx';
import type { AskedScore } from './score-cell.tsx';

type ColumnsOptions = {
  projectId: string;
  /** The pages of records that are read: their fields and metrics become columns. */
  pages: readonly (readonly RecordDetail[])[];
  lines: number;
  onAsk: (asked: AskedScore) => void;
};

/**
 * The columns of the records read so far, arranged by the user's choice for the project. They stay the same objects during a
 * scroll, so that rendered rows are not rendered again.
 */
export const useColumns = ({ projectId, pages, lines, onAsk }: ColumnsOptions) => {
  const nameOf = useNames();
  const [choice = defaultChoice, change] = useLocalStorage<ColumnChoice>(`dokima.columns.${projectId}`);
  const seen = useRef({ fields: noFields, pages: new WeakSet<readonly RecordDetail[]>() });
  for (const page of pages) {
    if (seen.current.pages.has(page)) continue;
    seen.current.pages.add(page);
    seen.current.fields = withFieldsOf(seen.current.fields, page);
  }
  const { fields } = seen.current;
  const paths = useMemo(() => fieldPaths(fields), [fields]);
  const all = useMemo(
    () => arrange(columnsOf(fields, { nameOf, lines, onAsk }), choice),
    [fields, nameOf, lines, onAsk, choice],
  );
  const shown = useMemo(() => all.filter(({ id }) => !choice.hidden.includes(id)), [all, choice]);
  const move = (id: string, beforeId: string | undefined) => {
    const order = all.map((column) => column.id).filter((each) => each !== id);
    order.splice(beforeId === undefined ? order.length : order.indexOf(beforeId), 0, id);
    change({ ...choice, order });
  };
  const resize = (id: string, width: number) =>
    change({ ...choice, widths: { ...choice.widths, [id]: width } });
  return { all, shown, choice, change, move, resize, fields: paths };
};
