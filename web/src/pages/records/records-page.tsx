import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Rows2, Rows3, Rows4 } from 'lucide-react';
import { type CSSProperties, useCallback, useMemo, useRef, useState } from 'react';
import { recordSearchKeys } from '../../../../client/src/search-keys.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { ViewsMenu } from '../../resources/records/views.tsx';
import { RescoreDialog } from '../../resources/rescoring/rescore-dialog.tsx';
import { problemsOf, sortingOf, withSorting } from '../../resources/search/search.ts';
import { SearchBar } from '../../resources/search/search-bar.tsx';
import { sortedColumns } from '../../resources/search/sorted-columns.ts';
import type { RecordDetail, SavedView } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { Grid } from '../../ui/grid.tsx';
import { listKeys, useKeys } from '../../ui/keys.ts';
import { useLocalStorage } from '../../ui/local-storage.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { ColumnMenu } from './column-menu.tsx';
import type { ColumnChoice } from './columns.tsx';
import { recordsQuery } from './queries.ts';
import { useRecordPages } from './record-pages.ts';
import { RecordPanel } from './record-panel.tsx';
import { type AskedScore, ScorePopover } from './score-cell.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useColumns } from './use-columns.ts';
import { useLiveRecords } from './use-live-records.ts';
import { mostSelected, useRecordSelection } from './use-record-selection.ts';
import { VolumeBar } from './volume-bar.tsx';

const route = getRouteApi('/app/projects/$projectId/records');

/** The heights of a row, with the lines of text that fit. */
const densities = [
  { id: 'dense', label: 'Dense rows', icon: Rows4, height: 33, lines: 1 },
  { id: 'medium', label: 'Medium rows', icon: Rows3, height: 73, lines: 3 },
  { id: 'tall', label: 'Tall rows', icon: Rows2, height: 153, lines: 7 },
] as const;

export const RecordsPage = () => {
  const { projectId } = route.useParams();
  return <Records key={projectId} projectId={projectId} />;
};

const sorts = ['created', 'latency', 'cost', 'tokens'];

const useDensity = () => {
  const [density, change] = useLocalStorage<string>('dokima.density');
  return { ...(densities.find(({ id }) => id === density) ?? densities[0]), change };
};

const Records = ({ projectId }: { projectId: string }) => {
  const { q = '', record: openId } = route.useSearch();
  const navigate = useNavigate();
  const query = useMemo(() => recordsQuery(q), [q]);
  const list = useRecordPages(projectId, query);
  const problems = problemsOf(list.first.error);
  const { rows, first } = list;
  const density = useDensity();
  const [asked, setAsked] = useState<AskedScore>();
  const columns = useColumns({ projectId, pages: list.pages, lines: density.lines, onAsk: setAsked });
  const selection = useRecordSelection(rows);
  const [focused, setFocused] = useState(openId);
  const [rescored, setRescored] = useState<readonly RecordDetail[]>();

  const range = useRef({ first: 0, last: 0 });
  const onRange = useCallback(
    (from: number, to: number) => {
      range.current = { first: from, last: to };
      setAsked(undefined);
      list.onRange(from, to);
    },
    [list.onRange],
  );
  const isFollowing = () =>
    range.current.first === 0 && focused === undefined && selection.selected.size === 0;
  const live = useLiveRecords({ projectId, query, until: list.until, isFollowing });

  const onSearch = (next: string) => void navigate(paths.records(projectId, next ? { q: next } : {}));
  const search = useRef(onSearch);
  search.current = onSearch;
  const open = useCallback(
    (id: string | undefined) =>
      void navigate({
        ...paths.records(projectId, { ...(q && { q }), ...(id && { record: id }) }),
        // Back closes the panel, and does not lead past the search. Stepping from record to record adds nothing.
        replace: openId !== undefined,
      }),
    [navigate, projectId, q, openId],
  );
  const shown = useMemo(
    () => sortedColumns(columns.shown, sortingOf(q), (next) => search.current(withSorting(q, next))),
    [columns.shown, q],
  );
  const step = (by: number) => {
    const index = focused === undefined ? -1 : rows.findIndex(({ id }) => id === focused);
    const next = rows.at(Math.max(0, Math.min(rows.length - 1, index + by)))?.id;
    if (next === undefined) return;
    setFocused(next);
    if (openId) open(next);
  };
  const show = ({ search: text, display }: SavedView) => {
    const { density: height, columns: choice } = display as { density?: string; columns?: ColumnChoice };
    if (height) density.change(height);
    if (choice) columns.change(choice);
    onSearch(text);
  };

  useKeys('Records', {
    ...listKeys({
      what: 'record',
      step,
      opening: 'Open beside the table; again to open as a page',
      open: () => {
        if (focused === undefined) return false;
        return openId === focused ? navigate(paths.record(projectId, focused, q)) : open(focused);
      },
    }),
    x: ['Select', () => focused !== undefined && selection.toggle(focused, false)],
    X: [
      'Select from the last selected to here',
      () => focused !== undefined && selection.toggle(focused, true),
    ],
    Escape: ['Close the panel', () => openId !== undefined && open(undefined)],
  });

  const toolbar = (
    <>
      <SearchBar
        q={q}
        onSearch={onSearch}
        projectId={projectId}
        of="records"
        placeholder="Search text, or score.Accuracy:<0.5 latency:>2s tag:prod -error outputs.answer:~part"
        known={{ keys: recordSearchKeys, fields: columns.fields, sorts }}
        problems={problems}
      />
      <ViewsMenu
        projectId={projectId}
        shown={{ search: q, display: { density: density.id, columns: columns.choice } }}
        onShow={show}
      />
      <fieldset className="flex" aria-label="Row height">
        {densities.map(({ id, label, icon: Icon }) => (
          <IconButton
            icon={Icon}
            key={id}
            label={label}
            aria-pressed={density.id === id}
            className="aria-pressed:bg-sunken aria-pressed:text-ink"
            onClick={() => density.change(id)}
          />
        ))}
      </fieldset>
      <ColumnMenu columns={columns.all} choice={columns.choice} onChange={columns.change} />
    </>
  );
  const isEmpty = first.isSuccess && first.data.data.length === 0;
  return (
    <Page
      title="Records"
      toolbar={toolbar}
      actions={
        selection.selected.size > 0 && (
          <SelectionBar
            projectId={projectId}
            records={[...selection.selected.values()]}
            onClear={selection.clear}
            onRescore={setRescored}
          />
        )
      }
      fill
    >
      {list.error && problems.length === 0 && (
        <div className="px-4 pb-3">
          <ErrorNote
            error={list.error}
            action={<Button onClick={() => void first.refetch()}>Try again</Button>}
          />
        </div>
      )}
      {!(isEmpty && q === '') && (
        <VolumeBar projectId={projectId} q={q} query={query} enabled={first.isSuccess} onSearch={onSearch} />
      )}
      {first.isPending && !first.error && <Skeleton lines={12} className="border-t px-4 pt-3" />}
      {isEmpty && <NoRecords projectId={projectId} isSearch={q !== ''} onClear={() => onSearch('')} />}
      {first.isSuccess && !isEmpty && (
        <div className="relative flex min-h-0 flex-1" style={{ '--lines': density.lines } as CSSProperties}>
          {live.newer > 0 && (
            <Button
              look="primary"
              className="absolute top-10 left-1/2 z-20 -translate-x-1/2 shadow-lg"
              onClick={() => {
                setFocused(undefined);
                void live.showNewer();
              }}
            >
              Show {countOf(live.newer, 'new record')}
            </Button>
          )}
          <Grid
            // Another search, or one that includes new records, starts at its first record.
            key={`${q} ${list.until}`}
            label="Records"
            columns={shown}
            rows={rows}
            rowId={recordId}
            rowHeight={density.height}
            focused={focused}
            selected={selection.selected}
            onFocus={setFocused}
            onOpen={open}
            onSelect={selection.toggle}
            onSelectAll={selection.toggleAll}
            selectAllLabel={`Select all, at most ${mostSelected.toLocaleString('en')}`}
            onResize={columns.resize}
            onMove={columns.move}
            onRange={onRange}
          />
          {openId && (
            <RecordPanel
              recordId={openId}
              projectId={projectId}
              q={q}
              known={rows.at(rows.findIndex(({ id }) => id === openId))}
              onStep={step}
              onClose={() => open(undefined)}
            />
          )}
        </div>
      )}
      {first.isSuccess && !isEmpty && (
        <p aria-live="polite" className="h-7 shrink-0 border-t px-4 py-1 text-sm text-soft">
          {countText(list)}
        </p>
      )}
      {rescored?.[0] && (
        <RescoreDialog
          projectId={projectId}
          runId={rescored[0].runId}
          recordIds={rescored.map(({ id }) => id)}
          onClose={() => setRescored(undefined)}
        />
      )}
      <ScorePopover
        asked={asked}
        onClose={() => setAsked(undefined)}
        onOpenRecord={(id) => {
          setAsked(undefined);
          setFocused(id);
          open(id);
        }}
      />
    </Page>
  );
};

const recordId = ({ id }: RecordDetail) => id;

const countText = ({ total, isEstimate, histogram }: ReturnType<typeof useRecordPages>): string => {
  if (total !== undefined) return `n ${isEstimate ? '≈' : '='} ${total.toLocaleString('en')}`;
  return histogram.error ? `Not counted: ${histogram.error.message}` : 'Counting…';
};

type NoRecordsProps = { projectId: string; isSearch: boolean; onClear: () => void };

const NoRecords = ({ projectId, isSearch, onClear }: NoRecordsProps) =>
  isSearch ? (
    <Empty title="No matching records" action={<Button onClick={onClear}>Clear the search</Button>}>
      No record of this project matches the search.
    </Empty>
  ) : (
    <Empty
      title="No records yet"
      action={<TextLink {...paths.home(projectId)}>How to send the first one</TextLink>}
    >
      A record is one case of your system: the inputs, the outputs and the expected result. Send records to a
      run through the API.
    </Empty>
  );
