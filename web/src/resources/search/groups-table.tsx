import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ValueGroups } from '../../types.ts';
import { countText } from '../../ui/format.ts';
import { Interval, percentText } from '../../ui/interval.tsx';
import { Scrolled } from '../../ui/side-panel.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { CountsNote, countedFirst, ValueText } from './facets.tsx';
import type { GroupsQuery } from './groups.ts';

type GroupsTableProps = {
  /** What is grouped, such as `records`. */
  of: string;
  by: string;
  /** Reads the groups of all rows, or of the newest ones. */
  query: (newest: number | undefined) => GroupsQuery;
  /** Name of the metric whose rate each group has. */
  metric?: string | undefined;
  /** The shield of the judge whose rates these are. */
  judge?: ReactNode;
  /** What a value is called on the pages, where that differs. */
  nameOf?: (by: string, value: string) => string | undefined;
  /** Shows the rows of a group. */
  onOpen: (words: string) => void;
};

/** Rates read this many records at most. */
const mostNewest = 100_000;

/** Whether the rates leave records out though all rows are counted: runs and traces are fewer than their records. */
const hasOlder = ({ groups }: ValueGroups): boolean =>
  groups.some(({ passRate }) => passRate?.assumption.includes('older records are left out'));

/** The groups of a search by the value of a field: each with its number of rows, and the pass rate of a metric. */
export const GroupsTable = ({ of, by, query, metric, judge, nameOf, onOpen }: GroupsTableProps) => {
  const [isAll, setAll] = useState(false);
  const { data, error } = useQuery({
    ...query(isAll ? undefined : countedFirst),
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={8} className="border-t px-4 pt-3" />;
  return (
    <Scrolled className="border-t px-4 py-3">
      <Table
        label={`Groups by ${by}`}
        head={[<bdi key="by">{by}</bdi>, of, 'Share', ...(metric ? [`${metric}, 95 % interval`] : [])]}
        widths={[undefined, 120, 96, ...(metric ? [320] : [])]}
      >
        {data.groups.map(({ value, words, n, passRate }) => (
          <Row key={words ?? value} onOpen={words === null ? undefined : () => onOpen(words)}>
            <Cell>
              {words === null ? (
                <ValueText value={(value && nameOf?.(by, value)) ?? value} />
              ) : (
                <button type="button" className="flex max-w-full hover:underline" title={words}>
                  <ValueText value={(value && nameOf?.(by, value)) ?? value} />
                </button>
              )}
            </Cell>
            <Cell className="tabular-nums">{countText(n)}</Cell>
            <Cell className="tabular-nums text-soft">{percentText(data.n === 0 ? null : n / data.n)}</Cell>
            {metric && <Cell>{passRate && <Interval of={passRate} />}</Cell>}
          </Row>
        ))}
      </Table>
      <p className="mt-2 text-sm text-soft">
        n = {countText(data.n)}
        {data.numOthers > 0 && `. Not listed: ${countText(data.numOthers)} with other values`}
        {metric && '. Records with the same inputs count once; a judge’s errors are not corrected.'}
        {judge && <> Judge: {judge}</>}
      </p>
      {!data.partial && hasOlder(data) && (
        <p className="text-sm text-soft">
          Rates read the newest {countText(isAll ? mostNewest : countedFirst)} records; older ones are left
          out.{' '}
          {!isAll && (
            <button type="button" className="text-accent hover:underline" onClick={() => setAll(true)}>
              Read more
            </button>
          )}
        </p>
      )}
      <CountsNote of={data} isAll={isAll} onAll={() => setAll(true)} />
    </Scrolled>
  );
};
