import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { apiPages } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { SumCells, sumHeads } from './sums.tsx';

const route = getRouteApi('/app/projects/$projectId/sessions');

/** The sessions that traces name, or those of one user. */
export const SessionsPage = () => {
  const { projectId } = route.useParams();
  const { user } = route.useSearch();
  const navigate = useNavigate();
  const list = useInfiniteQuery(apiPages('listTraceSessions', projectId, user ? { userId: user } : {}));
  const sessions = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Page
      title={user ? `Sessions of ${user}` : 'Sessions'}
      actions={
        user && (
          <TextLink {...paths.traces(projectId, { q: `user:${JSON.stringify(user)}` })}>
            Traces of this user
          </TextLink>
        )
      }
    >
      {list.error && <ErrorNote error={list.error} />}
      {list.isLoading && <Skeleton lines={8} />}
      {list.isSuccess && sessions.length === 0 && (
        <Empty title="No sessions yet">
          Traces with one <code className="font-mono text-sm">session.id</code> are a session. Set the
          attribute on your spans.
        </Empty>
      )}
      {sessions.length > 0 && (
        <Table
          label="Sessions"
          head={['Session', 'First input', 'User', ...sumHeads]}
          widths={[200, undefined, 140, 72, 96, 88, 80, 96, 96]}
        >
          {sessions.map((session) => (
            <Row
              key={session.sessionId}
              onOpen={() => void navigate(paths.session(projectId, session.sessionId))}
            >
              <Cell className="truncate">
                <TextLink {...paths.session(projectId, session.sessionId)}>{session.sessionId}</TextLink>
              </Cell>
              <Cell className="truncate" dir="auto" title={session.input ?? undefined}>
                {session.input}
              </Cell>
              <Cell className="truncate text-soft">{session.userId}</Cell>
              <SumCells of={session} />
            </Row>
          ))}
        </Table>
      )}
      {list.hasNextPage && (
        <Button className="mt-3" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          More
        </Button>
      )}
    </Page>
  );
};
