import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { apiPages, apiQuery } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useNames } from '../../resources/session/me.ts';
import type { Look, Wear } from '../../types.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FactList, type FactPair } from '../../ui/fact.tsx';
import { optionsOf, Select } from '../../ui/field.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loaded, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { FreshPart } from './fresh-part.tsx';

const route = getRouteApi('/app/projects/$projectId/testsets/$testsetId/wear');

const periods = optionsOf({ month: 'This month', quarter: 'This quarter', year: 'This year' });

/** What asked for a look, in words. */
const kinds: Record<Look['kind'], string> = {
  gate: 'A gate',
  compare: 'A comparison',
  summary: 'The page of a run',
  report: 'A shared report',
  mcp: 'An agent',
  ask: 'Ask',
  evaluate: 'Code',
};

const percentOf = (share: number): string => `${Number((100 * share).toPrecision(2))} %`;

/** How often a testset was looked at, what that leaves of the level of a ledger, and each look with who asked and when. */
export const WearPage = () => {
  const { projectId, testsetId } = route.useParams();
  const { data: testset } = useSuspenseQuery(apiQuery('getTestset', testsetId));
  const [per, setPer] = useState<Wear['per']>('year');
  const wear = useQuery(apiQuery('getWear', testsetId, { per }));
  return (
    <Page
      crumbs={
        <>
          <QuietLink {...paths.testsets(projectId)}>Testsets</QuietLink>
          <span aria-hidden> / </span>
          <QuietLink {...paths.testset(projectId, testsetId)}>
            <bdi>{testset.name}</bdi>
          </QuietLink>
        </>
      }
      title="Wear"
    >
      <p className="mb-4 max-w-prose">
        A look is a verdict about these testcases that left the service. Who looks often enough finds a
        difference by luck, and versions that are chosen by their results here look better here than
        elsewhere.
      </p>
      <div className="mb-4 w-48">
        <Select label="Period" value={per} options={periods} onChange={setPer} />
      </div>
      <Loaded query={wear} lines={5}>
        {(found) => (
          <>
            <Counts wear={found} />
            <FreshPart {...{ projectId, testsetId }} wear={found} />
          </>
        )}
      </Loaded>
      <Looks projectId={projectId} testsetId={testsetId} />
    </Page>
  );
};

const Counts = ({ wear }: { wear: Wear }) => {
  const facts: FactPair[] = [
    ['Looks', `${countText(wear.numLooks)}, at ${countOf(wear.numVersions, 'version')}`],
    ['Looks ever', countText(wear.numLooksEver)],
    [`Left of ${percentOf(wear.alpha)}`, percentOf(wear.left)],
    ['The next look, by a gate with a ledger', `tested at ${percentOf(wear.next)}`],
  ];
  return (
    <div className="mb-6">
      <FactList facts={facts} />
      <p className="mt-2 max-w-prose text-soft">
        All looks of a period share {percentOf(wear.alpha)}: look {wear.numLooks + 1} gets{' '}
        {percentOf(wear.next)}, the next ones less, so that together they err with {percentOf(wear.alpha)} at
        most.
      </p>
    </div>
  );
};

const Looks = ({ projectId, testsetId }: { projectId: string; testsetId: string }) => {
  const list = useInfiniteQuery(apiPages('listLooks', testsetId, {}));
  const looks = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section title="Looks">
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton lines={6} />}
      {list.isSuccess && looks.length === 0 && (
        <Empty title="No looks yet">Compare two runs of this testset, or let a gate decide about one.</Empty>
      )}
      {looks.length > 0 && (
        <Table
          label="Looks"
          head={['Look', 'Run', 'Against', 'Split', 'Verdict', 'Asked by', 'At']}
          cards="onPhone"
        >
          {looks.map((look) => (
            <LookRow key={look.number} {...{ projectId, look }} />
          ))}
        </Table>
      )}
      {list.hasNextPage && (
        <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Section>
  );
};

const tones: Record<string, Tone> = { better: 'pass', worse: 'fail', pass: 'pass' };
const outcomes: Record<NonNullable<Look['outcome']>, string> = {
  pass: 'pass',
  worse: 'worse',
  inconclusive: 'not enough data',
  incomplete: 'incomplete',
};

const LookRow = ({ projectId, look }: { projectId: string; look: Look }) => {
  const nameOf = useNames();
  const { number, kind, runId, baselineRunIds, split, metrics, outcome, level, userId, at } = look;
  const said = metrics.filter(({ verdict }) => verdict !== null);
  return (
    <Row>
      <Cell className="tabular-nums" data-head="Look">
        {number}
      </Cell>
      <Cell data-head="Run">
        <TextLink {...paths.run(projectId, runId)}>Run {runId}</TextLink>
      </Cell>
      <Cell data-head="Against">
        {baselineRunIds.length === 0
          ? '–'
          : baselineRunIds.map((id) => (
              <TextLink key={id} {...paths.compare(projectId, [id, runId])} className="mr-2">
                Run {id}
              </TextLink>
            ))}
      </Cell>
      <Cell data-head="Split">{split ?? 'all'}</Cell>
      <Cell data-head="Verdict">
        <span className="flex flex-wrap gap-1">
          {outcome !== null && <Badge tone={tones[outcome] ?? 'neutral'}>{outcomes[outcome]}</Badge>}
          {outcome === null &&
            said.map(({ metricConfigId, baselineRunId, metricName, verdict }) => (
              <Badge key={`${metricConfigId} ${baselineRunId}`} tone={tones[verdict!] ?? 'neutral'}>
                <bdi>{`${metricName ?? 'deleted metric'}: ${verdict}`}</bdi>
              </Badge>
            ))}
          {outcome === null && said.length === 0 && '–'}
          {level !== null && <span className="text-soft">at {percentOf(level)}</span>}
        </span>
      </Cell>
      <Cell data-head="Asked by">
        <span>
          {kinds[kind]} <span className="text-soft">{userId === null ? '' : `of ${nameOf(userId)}`}</span>
        </span>
      </Cell>
      <Cell data-head="At">
        <Time at={at} />
      </Cell>
    </Row>
  );
};
