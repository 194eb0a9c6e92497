import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { apiPages } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { laterText } from '../../resources/traces/gaps.ts';
import { Failed } from '../../resources/traces/operation.tsx';
import { sessionSearch } from '../../resources/traces/queries.ts';
import { tokensOf } from '../../resources/traces/trace-columns.tsx';
import type { Trace } from '../../types.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { countOf, countText, durationText, usdText } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

const route = getRouteApi('/app/projects/$projectId/sessions/$sessionId');

/** A shorter pause between turns is not worth a word. */
const leastGapMs = 60_000;

type TurnProps = {
  projectId: string;
  sessionId: string;
  trace: Trace;
  before: Trace | undefined;
  place: number;
};

const Turn = ({ projectId, sessionId, trace, before, place }: TurnProps) => {
  const afterMs = before
    ? Date.parse(trace.startTime) - Date.parse(before.startTime) - (before.durationMs ?? 0)
    : 0;
  const { traceId, input, output, durationMs, costUsd, numErrors } = trace;
  const tokens = tokensOf(trace);
  const facts = [
    durationMs !== null && durationText(durationMs),
    tokens !== null && `${countText(tokens)} tokens`,
    costUsd !== null && usdText(costUsd),
  ].filter((fact) => fact !== false);
  return (
    <li className="rounded-md border">
      <header className="flex flex-wrap items-center gap-x-3 border-b px-3 py-1.5 text-sm text-soft">
        <h2 className="font-semibold text-ink">Turn {place}</h2>
        <Time at={trace.startTime} />
        {afterMs >= leastGapMs && <span>{laterText(afterMs)}</span>}
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {numErrors > 0 && <Failed />}
        <TextLink {...paths.trace(projectId, traceId, { q: sessionSearch(sessionId) })} className="ml-auto">
          Trace
        </TextLink>
      </header>
      <dl className="grid grid-cols-[64px_minmax(0,1fr)] gap-x-3 gap-y-2 px-3 py-2">
        <dt className="text-soft">Input</dt>
        <dd dir="auto" className="break-words">
          {input ?? <span className="text-soft">None</span>}
        </dd>
        <dt className="text-soft">Output</dt>
        <dd dir="auto" className="break-words">
          {output ?? <span className="text-soft">None</span>}
        </dd>
      </dl>
    </li>
  );
};

/** A session: its traces in their order, each a turn. */
export const SessionPage = () => {
  const { projectId, sessionId } = route.useParams();
  const list = useInfiniteQuery(apiPages('listTraces', projectId, { q: sessionSearch(sessionId) }));
  const turns = list.data?.pages.flatMap((page) => page.data) ?? [];
  const [first] = turns;
  const { write } = useMay();
  return (
    <Page
      crumbs={<QuietLink {...paths.sessions(projectId)}>Sessions</QuietLink>}
      title={sessionId}
      actions={
        first && (
          <>
            {write && (
              <Link {...paths.newSimulation(projectId, { session: sessionId })} className={buttonClass()}>
                Replay as this user
              </Link>
            )}
            {first.userId !== null && (
              <TextLink {...paths.sessions(projectId, first.userId)}>User {first.userId}</TextLink>
            )}
            {first.recordId !== null && (
              <TextLink {...paths.record(projectId, first.recordId, undefined, { tab: 'conversation' })}>
                Record {first.recordId}
              </TextLink>
            )}
          </>
        )
      }
    >
      {list.error && <ErrorNote error={list.error} />}
      {list.isLoading && <Skeleton lines={8} />}
      {list.isSuccess && turns.length === 0 && (
        <Empty title="No traces of this session">
          Its traces have been deleted, or only a record names it.
        </Empty>
      )}
      {turns.length > 0 && (
        <>
          <p className="mb-3 text-soft">
            {countOf(turns.length, 'turn')}
            {list.hasNextPage ? ' or more' : ''}, in their order.
          </p>
          <ol className="flex max-w-4xl flex-col gap-3">
            {turns.map((trace, i) => (
              <Turn
                key={trace.traceId}
                projectId={projectId}
                sessionId={sessionId}
                trace={trace}
                before={turns[i - 1]}
                place={i + 1}
              />
            ))}
          </ol>
        </>
      )}
      {list.hasNextPage && (
        <Button className="mt-3" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          More
        </Button>
      )}
    </Page>
  );
};
