import { useCallback, useMemo, useRef } from 'react';
import { useNames } from '../../resources/session/me.ts';
import type { RecordDetail } from '../../types.ts';
import { useColumnChoice } from '../../ui/column-choice.ts';
import { columnsOf, fieldPaths, noFields, pathColumn, withFieldsOf } from './columns.tsx';
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
  const seen = useRef({ fields: noFields, pages: new WeakSet<readonly RecordDetail[]>() });
  for (const page of pages) {
    if (seen.current.pages.has(page)) continue;
    seen.current.pages.add(page);
    seen.current.fields = withFieldsOf(seen.current.fields, page);
  }
  const { fields } = seen.current;
  const paths = useMemo(() => fieldPaths(fields), [fields]);
  const columns = useMemo(() => columnsOf(fields, { nameOf, lines, onAsk }), [fields, nameOf, lines, onAsk]);
  const ofPath = useCallback((path: string) => pathColumn(path, lines), [lines]);
  return { ...useColumnChoice(`dokima.columns.${projectId}`, columns, ofPath), fields: paths };
};
