import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useRef } from 'react';
import { apiPages, apiQuery } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { AddRecordButton } from '../../resources/records/add-record-button.tsx';
import { useNeighbours, useSteps } from '../../resources/search/neighbours.ts';
import { AddSpanToTestset } from '../../resources/traces/add-span-to-testset.tsx';
import { ConversationView } from '../../resources/traces/conversation-view.tsx';
import { Failed } from '../../resources/traces/operation.tsx';
import { type SpanSource, treeQuery } from '../../resources/traces/source.ts';
import { SpanContents } from '../../resources/traces/span-contents.tsx';
import { tokensOf } from '../../resources/traces/trace-columns.tsx';
import { besideWidth, TraceView } from '../../resources/traces/trace-view.tsx';
import type { RecordDetail, Trace } from '../../types.ts';
import { IconButton } from '../../ui/button.tsx';
import { countOf, countText, durationText, usdText } from '../../ui/format.ts';
import { useKeys } from '../../ui/keys.ts';
import { Page } from '../../ui/page.tsx';
import { Scrolled } from '../../ui/side-panel.tsx';
import { Time } from '../../ui/time.tsx';
import { traceIdOf, tracesQuery } from './queries.ts';
import { TraceVerdicts } from './trace-verdicts.tsx';

const route = getRouteApi('/app/projects/$projectId/traces/$traceId');

/** Pages that are read to find a trace that was opened by its address alone. */
const pagesWithoutSearch = 1;

const useTraceNeighbours = (projectId: string, traceId: string, q: string) =>
  useNeighbours(
    useInfiniteQuery(apiPages('listTraces', projectId, tracesQuery(q))),
    traceIdOf,
    traceId,
    q === '' ? pagesWithoutSearch : undefined,
  );

/** A trace: its scores on top, its spans at the left, and its conversation or the chosen span at the right. */
export const TracePage = () => {
  const { projectId, traceId } = route.useParams();
  const { q = '', span } = route.useSearch();
  const navigate = useNavigate();
  const { data: trace } = useSuspenseQuery(apiQuery('getTrace', projectId, traceId));
  const { recordId } = trace;
  const { data: record } = useQuery({ ...apiQuery('getRecord', recordId ?? ''), enabled: recordId !== null });
  const neighbours = useTraceNeighbours(projectId, traceId, q);
  const step = useSteps(traceId, neighbours, (id) => {
    void navigate({ ...paths.trace(projectId, id, { q }), replace: true });
  });
  const choose = (key: string | undefined) =>
    void navigate({
      // The trace is in the path already.
      ...paths.trace(projectId, traceId, { q, ...(key && { span: key.slice(key.indexOf('-') + 1) }) }),
      replace: true,
    });
  const list = paths.traces(projectId, { ...(q && { q }), at: traceId });
  useKeys('A trace', {
    j: ['Next trace', () => step(1)],
    k: ['Previous trace', () => step(-1)],
    Escape: ['Back to the traces', () => (span === undefined ? void navigate(list) : choose(undefined))],
  });
  const source = { projectId, recordId, traceId };
  return (
    <Page
      crumbs={<QuietLink {...list}>Traces</QuietLink>}
      title={trace.name || '(no name)'}
      toolbar={<TraceFacts projectId={projectId} trace={trace} />}
      actions={
        <>
          <AddToTestset source={source} trace={trace} record={record} />
          <IconButton
            icon={ChevronUp}
            label="Previous trace (k)"
            disabled={!neighbours.beside(traceId, -1)}
            onClick={() => step(-1)}
          />
          <IconButton
            icon={ChevronDown}
            label="Next trace (j)"
            disabled={!neighbours.beside(traceId, 1)}
            onClick={() => step(1)}
          />
        </>
      }
      fill
    >
      <TraceVerdicts projectId={projectId} record={record} isOfSession={trace.sessionId !== null} />
      <TraceBody key={traceId} source={source} span={span} q={q} onChoose={choose} />
    </Page>
  );
};

type TraceBodyProps = {
  source: SpanSource & { traceId: string };
  span: string | undefined;
  q: string;
  onChoose: (key: string | undefined) => void;
};

const TraceBody = ({ source, span, q, onChoose }: TraceBodyProps) => {
  // When a span is closed, the conversation is shown at its messages.
  const last = useRef(span);
  if (span !== undefined) last.current = span;
  return (
    <TraceView source={source} view="beside" span={span} onChoose={onChoose}>
      <div className={`flex flex-col border-t border-l pt-2 max-md:border-l-0 ${besideWidth}`}>
        <ConversationView
          source={source}
          span={last.current}
          spanLink={({ spanId }) => paths.trace(source.projectId, source.traceId, { q, span: spanId })}
          empty={<Root source={source} />}
        />
      </div>
    </TraceView>
  );
};

/** The root of a trace, whose spans have no messages. */
const Root = ({ source }: Pick<TraceBodyProps, 'source'>) => {
  const { projectId, traceId } = source;
  const { data: tree } = useQuery(treeQuery(source));
  const root = tree?.data[0];
  return (
    root && (
      <Scrolled className="pb-8">
        <SpanContents projectId={projectId} traceId={traceId} spanId={root.spanId} />
      </Scrolled>
    )
  );
};

const TraceFacts = ({ projectId, trace }: { projectId: string; trace: Trace }) => {
  const { durationMs, costUsd, numSpans, numErrors, modelName, sessionId, userId, recordId } = trace;
  const tokens = tokensOf(trace);
  const facts = [
    durationMs !== null && durationText(durationMs),
    tokens !== null && `${countText(tokens)} tokens`,
    costUsd !== null && usdText(costUsd),
    modelName,
    countOf(numSpans, 'span'),
  ].filter((fact): fact is string => Boolean(fact));
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
      <Time at={trace.startTime} />
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      {numErrors > 0 && <Failed word={`${countText(numErrors)} failed`} />}
      {recordId ? (
        <TextLink {...paths.record(projectId, recordId)}>Record {recordId}</TextLink>
      ) : (
        <span>No record yet: the record that this trace links to has not arrived.</span>
      )}
      {sessionId !== null && (
        <TextLink {...paths.session(projectId, sessionId)}>Session {sessionId}</TextLink>
      )}
      {userId !== null && <TextLink {...paths.sessions(projectId, userId)}>User {userId}</TextLink>}
    </div>
  );
};

type AddToTestsetProps = {
  source: SpanSource & { traceId: string };
  trace: Trace;
  record: RecordDetail | undefined;
};

const AddToTestset = ({ source, trace, record }: AddToTestsetProps) => {
  const { projectId, traceId } = source;
  // The record of a session has the inputs and outputs of all its traces.
  const isOwnRecord = trace.recordId !== null && trace.sessionId === null;
  const { data: tree } = useQuery({ ...treeQuery(source), enabled: !isOwnRecord });
  if (isOwnRecord)
    return record && <AddRecordButton key={traceId} projectId={projectId} record={record} what="trace" />;
  const root = tree?.data[0];
  return (
    root && (
      <AddSpanToTestset
        key={traceId}
        projectId={projectId}
        traceId={traceId}
        spanId={root.spanId}
        what="trace"
      />
    )
  );
};
