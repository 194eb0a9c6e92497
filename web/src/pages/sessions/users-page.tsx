import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { apiPages } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { SumCells, sumHeads } from './sums.tsx';

const route = getRouteApi('/app/projects/$projectId/users');

/** The users of the system, whom traces name. */
export const UsersPage = () => {
  const { projectId } = route.useParams();
  const navigate = useNavigate();
  const list = useInfiniteQuery(apiPages('listTraceUsers', projectId));
  const users = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Page title="Users">
      {list.error && <ErrorNote error={list.error} />}
      {list.isLoading && <Skeleton lines={8} />}
      {list.isSuccess && users.length === 0 && (
        <Empty title="No users yet">
          A trace names its user with the attribute <code className="font-mono text-sm">user.id</code>. Set it
          on your spans.
        </Empty>
      )}
      {users.length > 0 && (
        <Table
          label="Users"
          head={['User', 'Sessions', ...sumHeads]}
          widths={[undefined, 80, 72, 96, 88, 80, 96, 96]}
        >
          {users.map((user) => (
            <Row key={user.userId} onOpen={() => void navigate(paths.sessions(projectId, user.userId))}>
              <Cell className="truncate">
                <TextLink {...paths.sessions(projectId, user.userId)}>{user.userId}</TextLink>
              </Cell>
              <Cell>{countText(user.numSessions)}</Cell>
              <SumCells of={user} />
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
