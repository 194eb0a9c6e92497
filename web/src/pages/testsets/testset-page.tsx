import { type UseInfiniteQueryResult, useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { type CSSProperties, type ReactNode, useMemo, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Shield } from '../../resources/judges/grade.tsx';
import { ofNewestRun, useLatestResults } from '../../resources/runs/latest-results.ts';
import { problemsOf } from '../../resources/search/search.ts';
import { useMay } from '../../resources/session/me.ts';
import { testcasesQuery } from '../../resources/testsets/queries.ts';
import { SealedLine } from '../../resources/testsets/sealed-line.tsx';
import type { Testcase, Testset } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { Grid } from '../../ui/grid.tsx';
import { percentText, spreadText } from '../../ui/interval.tsx';
import { listKeys, useKeys } from '../../ui/keys.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { CellEditingContext } from './editable-cell.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { TestcasePanel } from './testcase-panel.tsx';
import { TestcaseSearch } from './testcase-search.tsx';
import { DraftsLink, SelectedTestcases, TestsetActions } from './testset-actions.tsx';
import { columnsOf } from './testset-columns.tsx';
import { UnsentEdits } from './unsent-edits.tsx';
import { useCellEditing } from './use-cell-editing.ts';
import { useSelection } from './use-selection.ts';
import { useSingleClick } from './use-single-click.ts';

const route = getRouteApi('/app/projects/$projectId/testsets/$testsetId');
const none: Testcase[] = [];
const idOf = ({ id }: Testcase) => id;

/** Rates that the head of the page has place for. */
const mostRates = 2;

/** What the newest run of the testset found. */
const NewestRates = ({ projectId, testsetId }: { projectId: string; testsetId: string }) => {
  const [isAsked, ask] = useState(false);
  // The list of testsets has read them; a page that is opened by its address asks for them only when one wants to know.
  const results = useLatestResults(projectId, isAsked)?.filter((result) => result.testsetId === testsetId);
  if (!results)
    return (
      <Button look="quiet" disabled={isAsked} onClick={() => ask(true)}>
        Show the last result
      </Button>
    );
  const newest = ofNewestRun(results);
  const [first] = newest;
  if (!first) return <span className="text-soft">No run yet</span>;
  return (
    <>
      {newest.slice(0, mostRates).map(({ metricId, metricName, passRate, judge }) => (
        <span key={metricId} className="max-w-80 truncate" title={`${metricName}: ${spreadText(passRate)}`}>
          <span className="text-lg font-semibold">{percentText(passRate.estimate)}</span> pass{' '}
          <Shield judge={judge} /> <bdi>{metricName}</bdi>
        </span>
      ))}
      <span className="text-soft">
        in <QuietLink {...paths.run(projectId, first.runId)}>run {first.runId}</QuietLink>,{' '}
        <Time at={first.createdAt} />
      </span>
    </>
  );
};

export const TestsetPage = () => {
  const { projectId, testsetId } = route.useParams();
  const { data: testset } = useSuspenseQuery(apiQuery('getTestset', testsetId));
  return <TestsetTable key={testsetId} projectId={projectId} testset={testset} />;
};

type SummaryProps = {
  projectId: string;
  testset: Testset;
  q: string;
  problems: readonly string[];
  numShown: number;
  more: boolean;
};

/** How many testcases are there, what the newest run found, and the search. */
const Summary = ({ projectId, testset, q, problems, numShown, more }: SummaryProps) => (
  <>
    <p className="flex min-h-8 flex-wrap items-baseline gap-x-3">
      {numShown > 0 && (
        <span>
          <span className="text-focal font-semibold">
            {countText(numShown)}
            {more && '+'}
          </span>{' '}
          {numShown === 1 ? 'testcase' : 'testcases'}
        </span>
      )}
      {testset.description && <span className="text-soft">{testset.description}</span>}
      <NewestRates projectId={projectId} testsetId={testset.id} />
      <SealedLine projectId={projectId} testsetId={testset.id} />
    </p>
    <TestcaseSearch projectId={projectId} testset={testset} q={q} problems={problems} />
  </>
);

const TestsetTable = ({ projectId, testset }: { projectId: string; testset: Testset }) => {
  const { q = '' } = route.useSearch();
  const list = useInfiniteQuery(testcasesQuery(testset.id, q));
  const testcases = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? none, [list.data]);
  const selection = useSelection(useMemo(() => testcases.map(idOf), [testcases]));
  const [opened, setOpened] = useState<string>();
  const [isImporting, setImporting] = useState(false);
  const onImport = () => setImporting(true);
  const navigate = useNavigate();
  const problems = problemsOf(list.error);
  const invalid = testcases.filter(({ validationErrors }) => validationErrors).length;
  return (
    <Page
      crumbs={<QuietLink {...paths.testsets(projectId)}>Testsets</QuietLink>}
      title={testset.name}
      toolbar={
        <Summary
          {...{ projectId, testset, q, problems }}
          numShown={testcases.length}
          more={list.hasNextPage}
        />
      }
      actions={
        selection.selected.size > 0 ? (
          <SelectedTestcases
            testcases={testcases.filter(({ id }) => selection.selected.has(id))}
            onClear={selection.clear}
            onDeleted={() => list.refetch()}
          />
        ) : (
          <>
            {invalid > 0 && <Badge tone="fail">{countOf(invalid, 'testcase')} with schema errors</Badge>}
            <TestsetActions
              {...{ projectId, testset, onImport }}
              hasTestcases={testcases.length > 0}
              onNew={() => setOpened('new')}
            />
          </>
        )
      }
      fill
    >
      {list.error && problems.length === 0 && <ErrorNote error={list.error} />}
      <Testcases {...{ projectId, testset, list, testcases, selection, opened }} onOpen={setOpened}>
        {list.isSuccess && testcases.length === 0 && opened !== 'new' && q === '' && (
          <NoTestcases {...{ projectId, testset, onImport }} />
        )}
        {list.isSuccess && testcases.length === 0 && q !== '' && (
          <p className="border-t px-4 pt-3 text-soft">No testcase fits. Change the search.</p>
        )}
      </Testcases>
      <ImportDialog
        projectId={projectId}
        testset={testset}
        open={isImporting}
        onClose={() => setImporting(false)}
        onDone={({ runId }) => {
          if (runId) void navigate(paths.run(projectId, runId));
        }}
      />
    </Page>
  );
};

type TestcasesProps = {
  projectId: string;
  testset: Testset;
  list: UseInfiniteQueryResult;
  testcases: readonly Testcase[];
  selection: ReturnType<typeof useSelection>;
  /** The testcase beside the table, or `new`. */
  opened: string | undefined;
  onOpen: (id: string | undefined) => void;
  /** Takes the table's place when there are no testcases. */
  children: ReactNode;
};

/** The testcases as rows that are edited in place, with the opened one beside them. */
const Testcases = (props: TestcasesProps) => {
  const { projectId, testset, list, testcases, selection, opened, onOpen, children } = props;
  const may = useMay();
  const columns = columnsOf(testset, testcases);
  const [widths, setWidths] = useState<Record<string, number>>({});
  const [focused, setFocused] = useState<string>();
  // Opening the panel covers the cell that is being double-clicked, so the panel waits for a second click.
  const click = useSingleClick(onOpen);
  const fields = columns.flatMap(({ id, group }) => (group === undefined ? [] : [id]));
  const { editing, editFirst, writes } = useCellEditing(testset.id, fields, {
    mayWrite: may.write,
    onEdit: click.cancel,
  });
  const step = (by: number) => {
    const index = testcases.findIndex(({ id }) => id === focused);
    const next = testcases[Math.max(0, Math.min(testcases.length - 1, index + by))]?.id;
    setFocused(next);
    if (opened && next) onOpen(next);
  };
  useKeys('Testcases', {
    ...listKeys({
      what: 'testcase',
      step,
      opening: 'Open beside the table',
      open: () => focused !== undefined && onOpen(focused),
    }),
    e: ['Edit in the table; Tab moves to the next field', () => focused && editFirst(focused)],
    x: ['Select', () => focused && selection.toggle(focused, false)],
    X: ['Select from the last selected to here', () => focused && selection.toggle(focused, true)],
  });
  const openedCase = testcases.find(({ id }) => id === opened);
  return (
    <>
      <UnsentEdits kept={writes.kept} onSend={writes.sendAnyway} onDiscard={writes.drop} />
      {list.isPending && <Skeleton lines={12} className="border-t px-4 pt-3" />}
      <div className="flex min-h-0 flex-1" style={{ '--lines': 1 } as CSSProperties}>
        <CellEditingContext value={editing}>
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
              onOpen={opened === undefined && may.write ? click.onClick : onOpen}
              onSelect={may.write ? selection.toggle : undefined}
              onSelectAll={selection.toggleAll}
              onResize={(id, width) => setWidths({ ...widths, [id]: width })}
              pages={list}
            />
          )}
        </CellEditingContext>
        {children}
        {(openedCase || opened === 'new') && (
          <TestcasePanel
            projectId={projectId}
            key={opened}
            testset={testset}
            testcase={openedCase}
            onClose={() => onOpen(undefined)}
          />
        )}
      </div>
    </>
  );
};

type NoTestcasesProps = { projectId: string; testset: Testset; onImport: () => void };

const NoTestcases = ({ projectId, testset, onImport }: NoTestcasesProps) => {
  const may = useMay();
  return (
    <div className="flex-1">
      <Empty
        title="No testcases yet"
        action={
          may.write && (
            <>
              <Button look="primary" onClick={onImport}>
                <Upload size={14} aria-hidden /> Import
              </Button>
              <DraftsLink projectId={projectId} testset={testset} />
            </>
          )
        }
      >
        Drop a file, paste cells from a spreadsheet, let a model draft some, or write the first one.
      </Empty>
    </div>
  );
};
