import { useInfiniteQuery, useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { CircleAlert, MoreHorizontal, Play, Plus, Sparkles, Upload } from 'lucide-react';
import { type CSSProperties, useMemo, useState } from 'react';
import { bulkCalls } from '../../../../client/src/bulk.ts';
import { allOf, api, apiAsWritten, apiQuery, keyOf } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { testcasesQuery } from '../../resources/testsets/queries.ts';
import type { Testcase, Testset } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { type ExportFormat, exportItems } from '../../ui/export.ts';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { countOf } from '../../ui/format.ts';
import { Grid } from '../../ui/grid.tsx';
import type { Column } from '../../ui/grid-props.ts';
import { listKeys, useKeys } from '../../ui/keys.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { sayError } from '../../ui/toast.tsx';
import { type CellEditing, CellEditingContext, EditableCell } from './editable-cell.tsx';
import { GroupingDialog } from './grouping-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { SchemaDialog } from './schema-dialog.tsx';
import { TestcasePanel } from './testcase-panel.tsx';
import { UnsentEdits } from './unsent-edits.tsx';
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
              aria-label={`Does not match the schema: ${validationErrors.map(({ path, message }) => `${path} ${message}`).join('; ')}`}
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

const allTestcases = (testsetId: string) => allOf(apiAsWritten.listTestcases(testsetId), most);

const exportTestset = async ({ id, name }: Testset, format: ExportFormat): Promise<void> => {
  const rows = (await allTestcases(id)).map((testcase) => ({ id: testcase.id, ...testcase.jsonData }));
  await exportItems(name, format, rows, (row) => row);
};

/** Creates a second testset with the same fields and testcases. */
const duplicate = async (projectId: string, { id, name, description, jsonSchema, fieldMapping }: Testset) => {
  const body = { name: `Copy of ${name}`, description, jsonSchema, fieldMapping };
  const copy = await api.createTestset(projectId, body);
  const items = (await allTestcases(id)).map(({ jsonData }) => ({ jsonData }));
  await bulkCalls(api).createAllTestcases(copy.id, items);
  return copy;
};

export const TestsetPage = () => {
  const { projectId, testsetId } = route.useParams();
  const { data: testset } = useSuspenseQuery(apiQuery('getTestset', testsetId));
  return <TestsetTable key={testsetId} projectId={projectId} testset={testset} />;
};

type Open = 'import' | 'schema' | 'delete' | 'grouping' | 'deleteSelected';

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
  const refreshes = [keyOf('listTestsets', projectId)];
  const copy = useMutation({
    mutationFn: () => duplicate(projectId, testset),
    meta: { refreshes },
    onSuccess: ({ id }) => navigate(paths.testset(projectId, id)),
    onError: sayError,
  });
  const writes = useTestcaseWrites(testset.id);
  const [cell, setCell] = useState<CellEditing['cell']>();
  const fields = columns.slice(1).map(({ id }) => id);
  // Opening the panel covers the cell that is being double-clicked, so the panel waits for a second click.
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
    onSave: (testcase, field, text) => writes.write({ testcase, field, text }),
    kept: writes.kept,
  };
  const step = (by: number) => {
    const index = focused === undefined ? -1 : ids.indexOf(focused);
    const next = ids[Math.max(0, Math.min(ids.length - 1, index + by))];
    setFocused(next);
    if (editing && next) setEditing(next);
  };
  useKeys('Testcases', {
    ...listKeys({
      what: 'testcase',
      step,
      opening: 'Open beside the table',
      open: () => focused !== undefined && setEditing(focused),
    }),
    e: [
      'Edit in the table; Tab moves to the next field',
      () => focused && fields[0] !== undefined && setCell({ id: focused, field: fields[0] }),
    ],
    x: ['Select', () => focused && selection.toggle(focused, false)],
    X: ['Select from the last selected to here', () => focused && selection.toggle(focused, true)],
  });
  const close = () => setOpen(undefined);
  const editedCase = testcases.find(({ id }) => id === editing);
  const invalid = testcases.filter(({ validationErrors }) => validationErrors).length;
  return (
    <Page
      crumbs={<QuietLink {...paths.testsets(projectId)}>Testsets</QuietLink>}
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
            {invalid > 0 && <Badge tone="fail">{countOf(invalid, 'testcase')} with schema errors</Badge>}
            <ExportMenu onExport={(format) => void exportTestset(testset, format).catch(sayError)} />
            {may.write && (
              <>
                <Link {...paths.newRun(projectId, testset.id)} className={buttonClass()}>
                  <Play size={14} aria-hidden /> Run
                </Link>
                <Button onClick={() => setOpen('import')}>
                  <Upload size={14} aria-hidden /> Import
                </Button>
                {testcases.length > 0 && (
                  <Link {...paths.drafts(projectId, testset.id)} className={buttonClass()}>
                    <Sparkles size={14} aria-hidden /> Write with a model
                  </Link>
                )}
                <Button look="primary" onClick={() => setEditing('new')}>
                  <Plus size={14} aria-hidden /> New testcase
                </Button>
                <Menu align="end" trigger={<IconButton icon={MoreHorizontal} label="More" />}>
                  <MenuItem onSelect={() => setOpen('schema')}>Fields and schema</MenuItem>
                  <MenuItem onSelect={() => setOpen('grouping')}>Grouping of testcases</MenuItem>
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
      <UnsentEdits kept={writes.kept} onSend={writes.sendAnyway} onDiscard={writes.drop} />
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
              pages={list}
            />
          )}
        </CellEditingContext>
        {list.isSuccess && testcases.length === 0 && editing !== 'new' && (
          <div className="flex-1">
            <Empty
              title="No testcases yet"
              action={
                may.write && (
                  <>
                    <Button look="primary" onClick={() => setOpen('import')}>
                      <Upload size={14} aria-hidden /> Import
                    </Button>
                    <Link {...paths.drafts(projectId, testset.id)} className={buttonClass()}>
                      <Sparkles size={14} aria-hidden /> Write with a model
                    </Link>
                  </>
                )
              }
            >
              Drop a file, paste cells from a spreadsheet, let a model draft some, or write the first one.
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
      {open === 'schema' && <SchemaDialog projectId={projectId} testset={testset} onClose={close} />}
      {open === 'grouping' && <GroupingDialog testset={testset} onClose={close} />}
      {open === 'deleteSelected' && (
        <Confirm
          onClose={close}
          title={`Delete ${countOf(selection.selected.size, 'testcase')}?`}
          action="Delete"
          send={() => api.deleteTestcases({ ids: [...selection.selected] })}
          onDone={() => {
            selection.clear();
            close();
            return list.refetch();
          }}
        >
          Records of these testcases stay. This can’t be undone.
        </Confirm>
      )}
      {open === 'delete' && (
        <Confirm
          onClose={close}
          title={`Delete ${testset.name}?`}
          action="Delete testset"
          send={() => api.deleteTestset(testset.id)}
          meta={{ refreshes }}
          onDone={() => navigate(paths.testsets(projectId))}
        >
          Its testcases are deleted too. Runs of the testset stay. This can’t be undone.
        </Confirm>
      )}
    </Page>
  );
};
