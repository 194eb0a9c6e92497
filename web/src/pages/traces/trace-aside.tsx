import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { AddRecordButton } from '../../resources/records/add-record-button.tsx';
import { summaryOf } from '../../resources/records/score-value.tsx';
import { AddSpanToTestset } from '../../resources/traces/add-span-to-testset.tsx';
import { Failed } from '../../resources/traces/operation.tsx';
import { SpanContents } from '../../resources/traces/span-contents.tsx';
import { keyOf } from '../../resources/traces/span-tree.ts';
import { tokensOf } from '../../resources/traces/trace-columns.tsx';
import type { Trace } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { countOf, countText, durationText, usdText } from '../../ui/format.ts';
import { Scrolled, SidePanel } from '../../ui/side-panel.tsx';

const factsOf = (trace: Trace): [string, string][] => {
  const tokens = tokensOf(trace);
  return [
    ['Duration', trace.durationMs === null ? '' : durationText(trace.durationMs)],
    ['All tokens', tokens === null ? '' : countText(tokens)],
    ['Total cost', trace.costUsd === null ? '' : usdText(trace.costUsd)],
    [
      'Spans',
      `${countText(trace.numSpans)}${trace.numErrors > 0 ? `, ${countText(trace.numErrors)} failed` : ''}`,
    ],
  ];
};

/** A trace beside the list: its record and session, its scores, and its root span. */
export const TraceAside = ({
  projectId,
  trace,
  onClose,
}: {
  projectId: string;
  trace: Trace;
  onClose: () => void;
}) => {
  const { traceId, recordId, sessionId } = trace;
  const { data } = useQuery(apiQuery('listSpans', projectId, { traceId, limit: 100 }));
  const { data: record } = useQuery({
    ...apiQuery('getRecord', recordId ?? ''),
    enabled: recordId !== null && sessionId === null,
  });
  // The list begins with the latest; the first root is the last of them.
  const root = data?.data.findLast(({ parentSpanId }) => parentSpanId === null) ?? data?.data.at(-1);
  const name = trace.name || '(no name)';
  return (
    <SidePanel
      label={`Trace ${name}`}
      title={
        <h2 className="flex min-w-0 flex-1 items-center gap-1.5 font-semibold">
          <span className="truncate">{name}</span>
          {trace.numErrors > 0 && <Failed />}
        </h2>
      }
      actions={
        // The record of a session has the inputs and outputs of all its traces.
        recordId !== null && sessionId === null
          ? record && <AddRecordButton projectId={projectId} record={record} what="trace" />
          : root && (
              <AddSpanToTestset projectId={projectId} traceId={traceId} spanId={root.spanId} what="trace" />
            )
      }
      onClose={onClose}
    >
      <Scrolled className="pb-8">
        <TraceLinks projectId={projectId} trace={trace} root={root} />
        {trace.scoreStates.length > 0 && <ScoreList states={trace.scoreStates} />}
        {root && (
          <SpanContents
            projectId={projectId}
            traceId={traceId}
            spanId={root.spanId}
            facts={factsOf(trace).filter(([, value]) => value !== '')}
          />
        )}
      </Scrolled>
    </SidePanel>
  );
};

type TraceLinksProps = {
  projectId: string;
  trace: Trace;
  root: { traceId: string; spanId: string } | undefined;
};

/** Links to the record, the session, the user and the spans of a trace. */
const TraceLinks = ({ projectId, trace, root }: TraceLinksProps) => {
  const { traceId, recordId, sessionId, userId } = trace;
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 px-4 pb-2">
      {recordId ? (
        <TextLink
          {...paths.record(projectId, recordId, undefined, {
            tab: 'timeline',
            ...(root && { span: keyOf(root) }),
          })}
        >
          Record {recordId}
        </TextLink>
      ) : (
        <span className="text-soft">No record yet: the record that this trace links to has not arrived.</span>
      )}
      {sessionId !== null && (
        <TextLink {...paths.session(projectId, sessionId)}>Session {sessionId}</TextLink>
      )}
      {userId !== null && <TextLink {...paths.sessions(projectId, userId)}>User {userId}</TextLink>}
      <TextLink {...paths.traces(projectId, { trace: traceId, every: 'yes' })}>
        All {countOf(trace.numSpans, 'span')}
      </TextLink>
    </p>
  );
};

const ScoreList = ({ states }: { states: Trace['scoreStates'] }) => (
  <ul className="flex flex-wrap gap-2 px-4 pb-3" aria-label="Scores">
    {states.map((state) => {
      const { tone, sign, word } = summaryOf(state);
      return (
        <li key={state.metricConfigId} className="flex items-center gap-1.5">
          <span className="text-soft">{state.metricName}</span>
          <Badge tone={tone}>
            {sign} {word}
          </Badge>
        </li>
      );
    })}
  </ul>
);
