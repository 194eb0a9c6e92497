import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiPages } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useNames } from '../../resources/session/me.ts';
import type { ListedDecision } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, TableSkeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const route = getRouteApi('/app/projects/$projectId/decisions');

const Decisions = ({ projectId, list }: { projectId: string; list: readonly ListedDecision[] }) => {
  const nameOf = useNames();
  return (
    <Table
      label="Decisions"
      cards="onPhone"
      head={['Question', 'Owner', 'Testset', 'Testcases', 'Baseline', 'Registered']}
    >
      {list.map(
        ({ id, question, owner, testset, minTestcases, baselineRunId, registeredAt, registeredBy }) => (
          <Row key={id}>
            <Cell data-head="Question" className="font-medium">
              <QuietLink {...paths.decision(projectId, id)}>
                <bdi>{question}</bdi>
              </QuietLink>
            </Cell>
            <Cell data-head="Owner">
              <bdi>{owner}</bdi>
            </Cell>
            <Cell data-head="Testset">
              <span>
                <bdi>{testset.name}</bdi> <span className="text-soft">snapshot {testset.snapshot}</span>
              </span>
            </Cell>
            <Cell data-head="Testcases" className="tabular-nums">
              {countText(minTestcases)}
            </Cell>
            <Cell data-head="Baseline">{baselineRunId === null ? 'none' : `run ${baselineRunId}`}</Cell>
            <Cell data-head="Registered">
              <span>
                <Time at={registeredAt} />{' '}
                {registeredBy !== null && <span className="text-soft">by {nameOf(registeredBy)}</span>}
              </span>
            </Cell>
          </Row>
        ),
      )}
    </Table>
  );
};

/** The decisions that were registered in a project, newest first. */
export const DecisionsPage = () => {
  const { projectId } = route.useParams();
  const decisions = useInfiniteQuery(apiPages('listDecisions', projectId, {}));
  const list = decisions.data?.pages.flatMap(({ data }) => data);
  return (
    <Page crumbs={<QuietLink {...paths.gate(projectId)}>Gate rules</QuietLink>} title="Registered decisions">
      {decisions.error && <ErrorNote error={decisions.error} />}
      {decisions.isPending && <TableSkeleton rows={5} />}
      {list?.length === 0 && (
        <Empty
          title="No registered decision yet"
          action={<TextLink {...paths.guide('deciding')}>How to register one</TextLink>}
        >
          Register what will be decided before its run: <code>dokima decision register</code>. Then the audit
          log shows that the rules came before the results.
        </Empty>
      )}
      {list && list.length > 0 && <Decisions projectId={projectId} list={list} />}
      {decisions.hasNextPage && (
        <Button disabled={decisions.isFetchingNextPage} onClick={() => void decisions.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Page>
  );
};
