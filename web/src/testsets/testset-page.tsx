import { useInfiniteQuery, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { CircleAlert, Download, MoreHorizontal, Plus, Upload } from 'lucide-react';
import { type CSSProperties, useCallback, useMemo, useState } from 'react';
import { api, apiAsWritten, listAll } from '../api.ts';
import { paths } from '../paths.ts';
import { useMay } from '../session/who.ts';
import type { Testcase, Testset } from '../types.ts';
import { Badge, countOf } from '../ui/bits.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { toCsv } from '../ui/csv.ts';
import { Confirm } from '../ui/dialog.tsx';
import { download } from '../ui/download.ts';
import { exactText } from '../ui/exact-json.ts';
import { Grid } from '../ui/grid.tsx';
import type { Column } from '../ui/grid-props.ts';
import { listKeys, useKeys } from '../ui/keys.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/states.tsx';
import { sayError } from '../ui/toast.tsx';
import { type CellEditing, CellEditingContext, EditableCell } from './editable-cell.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { testcasesQuery, testsetQuery, testsetsQuery } from './queries.ts';
import { SchemaDialog } from './schema-dialog.tsx';
import { TestcasePanel } from './testcase-panel.tsx';
import { useSelection } from './use-selection.ts';
import { useSingleClick } from './use-single-click.ts';
import { useTestcaseWrites } from './use-testcase-writes.ts';

const route = getRouteApi('/app/projects/$projectId/testsets/$testsetId');
const none: Testcase[] = [];
const most = 100_000;
const idOf = ({ id }: Testcase) => id;

const columnsOf = ({ fieldMapping }: Testset, testcases: readonly Testcase[]): Column<Testcase>[] => {
  const { inputs, expected, metadata } = fieldMapping;
  const named = new Set([...inputs, ...expected, ...metadata]);
  const others = new Set(testcases.slice(0, 200).flatMap(({ jsonData }) => Object.keys(jsonData)));
  const fields = (group: string, names: readonly string[]): Column<Testcase>[] =>
    names.map((field) => ({
      id: field,
      header: field,
      group,
      width: 260,
      render: (testcase) => <EditableCell testcase={testcase} field={field} />,
    }));
  return [
    {
      id: 'id',
      header: 'Testcase',
      width: 96,
      render: ({ id, validationErrors }) => (
        <span className="flex h-5 items-center gap-1 font-mono text-sm">
          {id}
          {validationErrors && (
            <CircleAlert
              size={12}
              className="text-fail"
              aria-label={`does not fit: ${validationErrors.map(({ path, message }) => `${path} ${message}`).join('; ')}`}
            />
          )}
        </span>
      ),
    },
    ...fields('inputs', inputs),
    ...fields('expected', expected),
    ...fields('metadata', metadata),
    ...fields(
      '',
      [...others].filter((name) => !named.has(name)),
    ),
  ];
};

const allTestcases = (testsetId: string) =>
  listAll<Testcase>(`/testsets/${testsetId}/testcases`, undefined, most, apiAsWritten);

const exportTestset = async ({ id, name }: Testset, format: 'csv' | 'jsonl' | 'parquet'): Promise<void> => {
  const testcases = await allTestcases(id);
  const rows = testcases.map((testcase) => ({ id: testcase.id, ...testcase.jsonData }));
  if (format === 'csv') download(`${name}.csv`, [toCsv(rows)], 'text/csv;charset=utf-8');
  else if (format === 'jsonl')
    download(`${name}.jsonl`, [rows.map((row) => `${exactText(row)}\n`).join('')], 'application/x-ndjson');
  else {
    const { toParquet } = await import('../ui/parquet.ts');
    download(`${name}.parquet`, [toParquet(rows)], 'application/vnd.apache.parquet');
  }
};

/** A second testset with the same fields and testcases. */
const duplicate = async (projectId: string, { id, name, description, jsonSchema, fieldMapping }: Testset) => {
  const copy = await api.post<Testset>(`/projects/${projectId}/testsets`, {
    name: `Copy of ${name}`,
    description,
    jsonSchema,
    fieldMapping,
  });
  const testcases = await allTestcases(id);
  for (let i = 0; i < testcases.length; i += 100) {
    const items = testcases.slice(i, i + 100).map(({ jsonData }) => ({ jsonData }));
    await api.post(`/testsets/${copy.id}/testcases`, { items });
  }
  return copy;
};

export const TestsetPage = () => {
  const { projectId, testsetId } = route.useParams();
  const { data: testset } = useSuspenseQuery(testsetQuery(testsetId));
  return <TestsetTable key={testsetId} projectId={projectId} testset={testset} />;
};

type Open = 'import' | 'schema' | 'delete' | 'deleteSelected';

const TestsetTable = ({ projectId, testset }: { projectId: string; testset: Testset }) => {
  const list = useInfiniteQuery(testcasesQuery(testset.id));
  const testcases = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? none, [list.data]);
  const ids = useMemo(() => testcases.map(idOf), [testcases]);
  const columns = columnsOf(testset, testcases);
  const [widths, setWidths] = useState<Record<string, number>>({});
  const [focused, setFocused] = useState<string>();
  const [editing, setEditing] = useState<string>();
  const [open, setOpen] = useState<Open>();
  const selection = useSelection(ids);
  const may = useMay();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: testsetsQuery(projectId).queryKey });

  const remove = useMutation({
    mutationFn: () => api.delete(`/testsets/${testset.id}`),
    onSuccess: async () => {
      await navigate(paths.testsets(projectId));
      await refresh();
    },
  });
  const removeSelected = useMutation({
    mutationFn: () => api.post('/testcases/bulk-delete', { ids: [...selection.selected] }),
    onSuccess: () => {
      selection.clear();
      setOpen(undefined);
      return list.refetch();
    },
  });
  const copy = useMutation({
    mutationFn: () => duplicate(projectId, testset),
    onSuccess: async ({ id }) => {
      await refresh();
      await navigate(paths.testset(projectId, id));
    },
    onError: sayError,
  });
  const writes = useTestcaseWrites(testset.id);
  const [cell, setCell] = useState<CellEditing['cell']>();
  const fields = columns.slice(1).map(({ id }) => id);
  // A panel that opens takes the right of the table, and the cell that is being double-clicked. One that is open moves nothing.
  const click = useSingleClick(setEditing);
  const onOpen = editing === undefined && may.write ? click.onClick : setEditing;
  const cellEditing: CellEditing = {
    cell: may.write ? cell : undefined,
    onEdit: (id, field) => {
      click.cancel();
      setCell({ id, field });
    },
    onLeave: (by) => {
      const next = cell && by !== 0 ? fields[fields.indexOf(cell.field) + by] : undefined;
      setCell(cell && next !== undefined ? { id: cell.id, field: next } : undefined);
    },
    onSave: (testcase, jsonData) => writes.mutate({ testcase, jsonData }),
  };
  const step = (by: number) => {
    const index = focused === undefined ? -1 : ids.indexOf(focused);
    const next = ids[Math.max(0, Math.min(ids.length - 1, index + by))];
    setFocused(next);
    if (editing && next) setEditing(next);
  };
  useKeys('Testcases', {
    ...listKeys({
      noun: 'testcase',
      step,
      opening: 'Open beside the table',
      open: () => focused !== undefined && setEditing(focused),
    }),
    e: [
      'Edit in the table; Tab goes on to the next field',
      () => focused && fields[0] !== undefined && setCell({ id: focused, field: fields[0] }),
    ],
    x: ['Select', () => focused && selection.toggle(focused, false)],
    X: ['Select from the last selected to here', () => focused && selection.toggle(focused, true)],
  });
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const close = () => setOpen(undefined);
  const editedCase = testcases.find(({ id }) => id === editing);
  const invalid = testcases.filter(({ validationErrors }) => validationErrors).length;
  return (
    <Page
      crumbs={
        <Link {...paths.testsets(projectId)} className="hover:underline">
          Testsets
        </Link>
      }
      title={testset.name}
      toolbar={
        testset.description && <p className="flex h-7 items-center text-soft">{testset.description}</p>
      }
      actions={
        selection.selected.size > 0 ? (
          <div role="toolbar" aria-label="Selected testcases" className="flex items-center gap-2">
            <span className="font-medium">{countOf(selection.selected.size, 'testcase')} selected</span>
            {may.write && (
              <Button look="danger" onClick={() => setOpen('deleteSelected')}>
                Delete
              </Button>
            )}
            <Button onClick={selection.clear}>Clear the selection</Button>
          </div>
        ) : (
          <>
            {invalid > 0 && (
              <Badge tone="fail">{countOf(invalid, 'testcase')} not fitting the schema, of those read</Badge>
            )}
            <Menu
              trigger={
                <Button>
                  <Download size={14} aria-hidden /> Export
                </Button>
              }
            >
              {(['csv', 'jsonl', 'parquet'] as const).map((format) => (
                <MenuItem key={format} onSelect={() => void exportTestset(testset, format).catch(sayError)}>
                  {{ csv: 'CSV', jsonl: 'JSONL', parquet: 'Parquet' }[format]}
                </MenuItem>
              ))}
            </Menu>
            {may.write && (
              <>
                <Button onClick={() => setOpen('import')}>
                  <Upload size={14} aria-hidden /> Import
                </Button>
                <Button look="primary" onClick={() => setEditing('new')}>
                  <Plus size={14} aria-hidden /> New testcase
                </Button>
                <Menu
                  align="end"
                  trigger={
                    <IconButton label="More">
                      <MoreHorizontal size={14} />
                    </IconButton>
                  }
                >
                  <MenuItem onSelect={() => setOpen('schema')}>Fields and schema</MenuItem>
                  <MenuItem disabled={copy.isPending} onSelect={() => copy.mutate()}>
                    Duplicate
                  </MenuItem>
                  <MenuItem danger onSelect={() => setOpen('delete')}>
                    Delete
                  </MenuItem>
                </Menu>
              </>
            )}
          </>
        )
      }
      fill
    >
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton lines={12} className="border-t px-4 pt-3" />}
      <div className="flex min-h-0 flex-1" style={{ '--lines': 1 } as CSSProperties}>
        <CellEditingContext value={cellEditing}>
          {testcases.length > 0 && (
            <Grid
              label="Testcases"
              columns={columns.map((column) => ({ ...column, width: widths[column.id] ?? column.width }))}
              rows={testcases}
              rowId={idOf}
              rowHeight={33}
              focused={focused}
              selected={selection.selected}
              onFocus={setFocused}
              onOpen={onOpen}
              onSelect={may.write ? selection.toggle : undefined}
              onSelectAll={selection.toggleAll}
              onResize={(id, width) => setWidths({ ...widths, [id]: width })}
              onEnd={onEnd}
              footer={
                <p className="sticky left-0 h-8 w-fit px-4 py-1.5 text-soft">
                  {hasNextPage
                    ? 'Reading more…'
                    : `n = ${testcases.length.toLocaleString('en')}, all that there are.`}
                </p>
              }
            />
          )}
        </CellEditingContext>
        {list.isSuccess && testcases.length === 0 && editing !== 'new' && (
          <div className="flex-1">
            <Empty
              title="No testcases yet"
              action={
                may.write && (
                  <Button look="primary" onClick={() => setOpen('import')}>
                    <Upload size={14} aria-hidden /> Import
                  </Button>
                )
              }
            >
              Drop a file, paste cells from a spreadsheet, or write the first one by hand.
            </Empty>
          </div>
        )}
        {(editedCase || editing === 'new') && (
          <TestcasePanel
            key={editing}
            testset={testset}
            testcase={editedCase}
            onClose={() => setEditing(undefined)}
          />
        )}
      </div>
      <ImportDialog
        projectId={projectId}
        testset={testset}
        open={open === 'import'}
        onClose={close}
        onDone={close}
      />
      {open === 'schema' && <SchemaDialog projectId={projectId} testset={testset} open onClose={close} />}
      <Confirm
        open={open === 'deleteSelected'}
        onClose={close}
        title={`Delete ${countOf(selection.selected.size, 'testcase')}?`}
        action="Delete"
        busy={removeSelected.isPending}
        onConfirm={removeSelected.mutate}
      >
        Records that answered them stay. This can’t be undone.
        {removeSelected.error && <ErrorNote error={removeSelected.error} />}
      </Confirm>
      <Confirm
        open={open === 'delete'}
        onClose={close}
        title={`Delete ${testset.name}?`}
        action="Delete the testset"
        busy={remove.isPending}
        onConfirm={remove.mutate}
      >
        Its testcases go with it. Runs that were made from it stay. This can’t be undone.
        {remove.error && <ErrorNote error={remove.error} />}
      </Confirm>
    </Page>
  );
};
