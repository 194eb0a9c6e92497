import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { paths } from '../../paths.ts';
import { listKeys, useKeys } from '../../ui/keys.ts';
import type { RecordRows } from './record-pages.ts';

const route = getRouteApi('/app/projects/$projectId/records');

type FocusOptions = {
  rows: RecordRows;
  /** Selects a record, or all from the last selected to it. */
  onSelect: (id: string, range: boolean) => void;
};

/** The record that has the focus in the table, the one that is open beside it, and the keys that move both. */
export const useRecordFocus = ({ rows, onSelect }: FocusOptions) => {
  const { projectId } = route.useParams();
  const { q, record: openId } = route.useSearch();
  const navigate = useNavigate();
  const [focused, setFocused] = useState(openId);
  const open = useCallback(
    (id: string | undefined) =>
      void navigate({
        ...paths.records(projectId, { ...(q && { q }), ...(id && { record: id }) }),
        // Back closes the panel, and does not lead past the search. Stepping from record to record adds nothing.
        replace: openId !== undefined,
      }),
    [navigate, projectId, q, openId],
  );
  const step = (by: number) => {
    const index = focused === undefined ? -1 : rows.findIndex(({ id }) => id === focused);
    const next = rows.at(Math.max(0, Math.min(rows.length - 1, index + by)))?.id;
    if (next === undefined) return;
    setFocused(next);
    if (openId) open(next);
  };
  const select = (range: boolean) => focused !== undefined && onSelect(focused, range);
  useKeys('Records', {
    ...listKeys({
      what: 'record',
      step,
      opening: 'Open beside the table; press again to open as a page',
      open: () => {
        if (focused === undefined) return false;
        return openId === focused ? navigate(paths.record(projectId, focused, q)) : open(focused);
      },
    }),
    x: ['Select', () => select(false)],
    X: ['Select from the last selected to here', () => select(true)],
    Escape: ['Close the panel', () => openId !== undefined && open(undefined)],
  });
  return { focused, setFocused, openId, open, step };
};
