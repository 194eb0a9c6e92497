import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiPages } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { ScoreValue } from '../../resources/records/score-value.tsx';
import { type Change, changeNames } from '../../resources/rescoring/changes.ts';
import type { Rescoring, TrialChange } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

type Side = NonNullable<TrialChange['before']>;
type ScoreValueState = Parameters<typeof ScoreValue>[0]['state'];

/** A score with its reason, cut to the row; the whole reason on hover. */
const Verdict = ({ side }: { side: Side | null }) => {
  if (!side) return <span className="text-soft">none</span>;
  const { reasoning } = side.score ?? {};
  const why = typeof reasoning === 'string' ? reasoning : side.reason;
  return (
    <div className="flex items-start gap-2">
      <ScoreValue state={side as ScoreValueState} />
      {why && (
        <span className="line-clamp-3 min-w-0 break-words text-soft" title={why}>
          {why}
        </span>
      )}
    </div>
  );
};

type Props = { rescoring: Rescoring; change: Change | undefined; projectId: string };

/** The records of a rescoring, with their current and their proposed scores. */
export const ChangesTable = ({ rescoring, change, projectId }: Props) => {
  const { metricId, number, state, changes } = rescoring;
  const list = useInfiniteQuery(
    apiPages('listTrialChanges', metricId, String(number), { change, limit: 50 }),
  );
  const { refetch } = list;
  const { pending } = changes;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows change with the number of proposals
  useEffect(() => void refetch(), [pending, state, refetch]);
  if (list.error) return <ErrorNote error={list.error} />;
  if (list.isPending) return <Skeleton lines={6} className="mt-3" />;
  const rows = list.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0) return <p className="mt-3 text-soft">No record has this change.</p>;
  return (
    <div className="mt-3">
      <Table label="Records" head={['Record', 'Change', state === 'adopted' ? 'Before' : 'Now', 'Proposed']}>
        {rows.map((row) => (
          <Row key={row.recordId}>
            <Cell>
              <TextLink {...paths.record(projectId, row.recordId)} className="font-mono text-sm">
                {row.recordId}
              </TextLink>
            </Cell>
            <Cell>
              <Badge tone={changeNames[row.change].tone}>{changeNames[row.change].label}</Badge>
            </Cell>
            <Cell className="max-w-96">
              <Verdict side={row.before} />
            </Cell>
            <Cell className="max-w-96">
              <Verdict side={row.after} />
            </Cell>
          </Row>
        ))}
      </Table>
      {list.hasNextPage && (
        <Button className="mt-3" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          More records
        </Button>
      )}
    </div>
  );
};
