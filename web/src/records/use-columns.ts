import { useMemo, useRef, useState } from 'react';
import { useNames } from '../session/who.ts';
import type { RecordDetail } from '../types.ts';
import {
  arrange,
  type ColumnChoice,
  columnsOf,
  keepChoice,
  noFields,
  readChoice,
  withFieldsOf,
} from './columns.tsx';
import type { AskedScore } from './score-cell.tsx';

type ColumnsOptions = {
  projectId: string;
  /** Pages of records that were read; what they have as fields and metrics becomes columns. */
  pages: readonly (readonly RecordDetail[])[];
  lines: number;
  onAsk: (asked: AskedScore) => void;
};

/**
 * The columns that the records read so far can fill, as somebody chose them for the project. They stay the same objects while
 * somebody scrolls, so that rows which are drawn are not drawn again.
 */
export const useColumns = ({ projectId, pages, lines, onAsk }: ColumnsOptions) => {
  const nameOf = useNames();
  const [choice, setChoice] = useState(() => readChoice(projectId));
  const seen = useRef({ fields: noFields, pages: new WeakSet<readonly RecordDetail[]>() });
  for (const page of pages) {
    if (seen.current.pages.has(page)) continue;
    seen.current.pages.add(page);
    seen.current.fields = withFieldsOf(seen.current.fields, page);
  }
  const { fields } = seen.current;
  const all = useMemo(
    () => arrange(columnsOf(fields, { nameOf, lines, onAsk }), choice),
    [fields, nameOf, lines, onAsk, choice],
  );
  const shown = useMemo(() => all.filter(({ id }) => !choice.hidden.includes(id)), [all, choice]);
  const change = (next: ColumnChoice) => {
    keepChoice(projectId, next);
    setChoice(next);
  };
  const move = (id: string, beforeId: string | undefined) => {
    const order = all.map((column) => column.id).filter((each) => each !== id);
    order.splice(beforeId === undefined ? order.length : order.indexOf(beforeId), 0, id);
    change({ ...choice, order });
  };
  const resize = (id: string, width: number) =>
    change({ ...choice, widths: { ...choice.widths, [id]: width } });
  return { all, shown, choice, change, move, resize };
};
