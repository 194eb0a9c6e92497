import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

export type Neighbours = { previous: string | undefined; next: string | undefined };

type Paged<Row> = { data: readonly Row[] };

/** An entry further down than this was opened by its address and not from the list. */
const mostPages = 20;

/**
 * The ids before and after an entry in a list that is read page by page. Reads on until the entry and the one after it are found, at
 * most `most` pages of a list that does not have it.
 */
export const useNeighbours = <Row>(
  list: UseInfiniteQueryResult<InfiniteData<Paged<Row>>>,
  idOf: (row: Row) => string,
  id: string,
  most = mostPages,
): Neighbours => {
  const ids = list.data?.pages.flatMap((page) => page.data.map(idOf)) ?? [];
  const index = ids.indexOf(id);
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const pages = list.data?.pages.length ?? 0;
  const isWanted = index < 0 ? pages < most : index === ids.length - 1;
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetching) void fetchNextPage();
  }, [isWanted, hasNextPage, isFetching, fetchNextPage]);
  return { previous: index > 0 ? ids[index - 1] : undefined, next: index >= 0 ? ids[index + 1] : undefined };
};
