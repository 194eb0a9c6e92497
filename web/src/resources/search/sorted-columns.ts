import type { Column } from '../../ui/grid-props.ts';
import type { Sorting } from './search.ts';

/**
 * What the next click on a header asks for: first the order that finds what is wanted (the worst score, the slowest), then the
 * reverse, then none.
 */
const nextOf = (
  column: string,
  isAscendingFirst: boolean,
  sorting: Sorting | undefined,
): Sorting | undefined => {
  if (sorting?.column !== column) return { column, descending: !isAscendingFirst };
  return sorting.descending === isAscendingFirst ? undefined : { column, descending: isAscendingFirst };
};

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The columns with the order that they are in, and what a click on their header does. */
export const sortedColumns = <Row>(
  columns: readonly Column<Row>[],
  sorting: Sorting | undefined,
  onSort: (next: Sorting | undefined) => void,
): Column<Row>[] =>
  columns.map((column) => {
    const { sortBy } = column;
    if (sortBy === undefined) return column;
    const current = sorting && same(sorting.column, sortBy) ? { ...sorting, column: sortBy } : undefined;
    const isAscendingFirst = sortBy.startsWith('score.') || sortBy === 'created' || sortBy === 'started';
    return {
      ...column,
      sort: {
        direction: current && (current.descending ? 'descending' : 'ascending'),
        onSort: () => onSort(nextOf(sortBy, isAscendingFirst, current)),
      },
    };
  });
