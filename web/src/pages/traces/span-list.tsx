import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { apiPages } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths, type TracesSearch } from '../../paths.ts';
import { AddSpanToTestset } from '../../resources/traces/add-span-to-testset.tsx';
import { Failed, OperationIcon, SpanTitle } from '../../resources/traces/operation.tsx';
import { SpanContents } from '../../resources/traces/span-contents.tsx';
import { keyOf, spanDurationText } from '../../resources/traces/span-tree.ts';
import type { Span } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Grid } from '../../ui/grid.tsx';
import type { Column } from '../../ui/grid-props.ts';
import { useKeys } from '../../ui/keys.ts';
import { Page } from '../../ui/page.tsx';
import { Scrolled, SidePanel } from '../../ui/side-panel.tsx';
import { Empty, ListError, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { RowsToggle } from './rows-toggle.tsx';
import { TracesFilter, toQuery } from './traces-filter.tsx';
import { useRowFocus } from './use-row-focus.ts';

const route = getRouteApi('/app/projects/$projectId/traces');

/** The spans of a project, and the form that narrows them. */
export const SpanList = ({ projectId }: { projectId: string }) => {
  const { open: openKey, q: _, ...search } = route.useSearch();
  const navigate = useNavigate();
  const { query, problems } = toQuery(search);
  const list = useInfiniteQuery({
    ...apiPages('listSpans', projectId, query),
    enabled: problems.length === 0,
  });
  const spans = useMemo(() => list.data?.pages.flatMap((page) => page.data) ?? none, [list.data]);
  const go = useCallback(
    (next: TracesSearch, replace: boolean) => void navigate({ ...paths.traces(projectId, next), replace }),
    [navigate, projectId],
  );
  const open = (key: string | undefined) => go({ ...search, ...(key && { open: key }) }, true);
  const opened = spans.find((each) => keyOf(each) === openKey);
  const { focused, setFocused } = useRowFocus('Spans', {
    what: 'span',
    rows: spans,
    rowId: keyOf,
    at: openKey,
    opening: 'Open beside the table; press again to open its trace',
    onOpen: (key) => {
      if (!opened || openKey !== key) return open(key);
      const { traceId, spanId } = opened;
      return void navigate(paths.trace(projectId, traceId, { span: spanId }));
    },
    onStep: (key) => openKey && open(key),
  });
  useKeys('Spans', { Escape: ['Close the panel', () => openKey !== undefined && open(undefined)] });
  return (
    <Page
      title="Spans"
      toolbar={
        <>
          <RowsToggle every onChange={() => go({}, false)} />
          <TracesFilter search={search} problems={problems} onChange={(next) => go(next, false)} />
        </>
      }
      fill
    >
      {list.error && <ListError error={list.error} onRetry={() => void list.refetch()} />}
      {list.isLoading && <Skeleton lines={12} className="border-t px-4 pt-3" />}
      {list.isSuccess && spans.length === 0 && <NoSpans onClear={() => go({ every: 'yes' }, false)} />}
      {spans.length > 0 && (
        <div className="flex min-h-0 flex-1">
          <Grid
            label="Spans"
            columns={columns}
            rows={spans}
            rowId={keyOf}
            rowHeight={32}
            focused={focused}
            selected={nothing}
            onFocus={setFocused}
            onOpen={open}
            pages={list}
          />
          {opened && (
            <SpanAside key={openKey} projectId={projectId} span={opened} onClose={() => open(undefined)} />
          )}
        </div>
      )}
    </Page>
  );
};

const none: Span[] = [];
const nothing: ReadonlySet<string> = new Set();

const columns: Column<Span>[] = [
  {
    id: 'started',
    header: 'Started',
    width: 100,
    render: ({ startTime }) => <Time at={startTime} />,
  },
  {
    id: 'name',
    header: 'Span',
    width: 260,
    render: ({ name, operation, failed }) => (
      <span className="flex items-center gap-1.5">
        <OperationIcon operation={operation} />
        <span className={`truncate ${failed ? 'text-fail' : ''}`} title={name}>
          {name || '(no name)'}
        </span>
        {failed && <Failed />}
      </span>
    ),
  },
  {
    id: 'duration',
    header: 'Duration',
    width: 92,
    align: 'end',
    render: (span) => <span className="whitespace-nowrap">{spanDurationText(span)}</span>,
  },
  {
    id: 'service',
    header: 'Service',
    width: 120,
    render: ({ service }) => <span className="block truncate text-soft">{service}</span>,
  },
  {
    id: 'model',
    header: 'Model',
    width: 120,
    render: ({ modelName }) => <span className="block truncate text-soft">{modelName}</span>,
  },
  {
    id: 'record',
    header: 'Record',
    width: 90,
    render: ({ recordId }) => <span className="font-mono text-sm">{recordId}</span>,
  },
  {
    id: 'trace',
    header: 'Trace',
    width: 256,
    render: ({ traceId }) => (
      <span className="block truncate font-mono text-sm leading-5 text-soft">{traceId}</span>
    ),
  },
];

const SpanAside = ({ projectId, span, onClose }: { projectId: string; span: Span; onClose: () => void }) => (
  <SidePanel
    label={`Span ${span.name}`}
    title={<SpanTitle span={span} />}
    actions={
      <AddSpanToTestset projectId={projectId} traceId={span.traceId} spanId={span.spanId} what="span" />
    }
    onClose={onClose}
  >
    <Scrolled className="pb-8">
      <p className="px-4 pb-2">
        <TextLink {...paths.trace(projectId, span.traceId, { span: span.spanId })}>Trace</TextLink>
        {span.recordId && (
          <>
            {' · '}
            <TextLink {...paths.record(projectId, span.recordId)}>Record {span.recordId}</TextLink>
          </>
        )}
        {' · '}
        <TextLink {...paths.traces(projectId, { trace: span.traceId, every: 'yes' })}>
          All spans of the trace
        </TextLink>
      </p>
      <SpanContents
        projectId={projectId}
        traceId={span.traceId}
        spanId={span.spanId}
        facts={[['Duration', spanDurationText(span)]]}
      />
    </Scrolled>
  </SidePanel>
);

const NoSpans = ({ onClear }: { onClear: () => void }) => (
  <Empty title="No matching spans" action={<Button onClick={onClear}>Clear the search</Button>}>
    Names of services, spans and models must match exactly.
  </Empty>
);
