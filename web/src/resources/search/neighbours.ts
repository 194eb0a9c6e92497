import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** The entries beside those of a list. */
export type Neighbours = {
  /** Returns the id of the entry after (1) or before (-1) one; undefined without one that is known. */
  beside: (id: string, by: 1 | -1) => string | undefined;
  /** Whether entries after the known ones may still be read. */
  hasMore: boolean;
  /** Reads more of them, unless it does so already. */
  readMore: () => void;
};

type Paged<Row> = { data: readonly Row[] };

/** An entry further down than this was opened by its address and not from the list. */
const mostPages = 20;

/** Entries before the end at which the next page is read, so that held keys do not wait for it. */
const ahead = 10;

/**
 * The neighbours in a list that is read page by page. Reads on until the entry and those after it are found, at most `most` pages of a list
 * that does not have it.
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
  const isWanted = index < 0 ? pages < most : index >= ids.length - ahead;
  const readMore = () => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetching) void fetchNextPage();
  }, [isWanted, hasNextPage, isFetching, fetchNextPage]);
  return {
    beside: (of, by) => {
      const at = ids.indexOf(of);
      return at < 0 ? undefined : ids[at + by];
    },
    hasMore: hasNextPage && index >= 0,
    readMore,
  };
};

/**
 * Returns the function that goes to the entry after or before the one of a page. A page that is still on its way counts as reached, so
 * each press of a key moves one entry, in order, however fast they come.
 */
export const useSteps = (
  id: string,
  { beside, hasMore, readMore }: Neighbours,
  open: (id: string) => void,
) => {
  const onItsWay = useRef<string>(undefined);
  /** The pages that were opened since one arrived. */
  const opened = useRef(new Set<string>());
  /** Steps beyond the entries that are known. */
  const owed = useRef(0);
  const go = (to: string) => {
    onItsWay.current = to;
    opened.current.add(to);
    open(to);
  };
  useEffect(() => {
    // A page between them may show up on the way; another one was opened by something else.
    if (id !== onItsWay.current && opened.current.has(id)) return;
    onItsWay.current = undefined;
    opened.current.clear();
  }, [id]);
  const step = (by: 1 | -1): void => {
    if (by === -1 && owed.current > 0) {
      owed.current--;
      return;
    }
    const to = owed.current > 0 ? undefined : beside(onItsWay.current ?? id, by);
    if (to !== undefined) go(to);
    else if (by === 1 && hasMore) {
      owed.current++;
      readMore();
    }
  };
  useEffect(() => {
    if (owed.current === 0) return;
    let at = onItsWay.current ?? id;
    for (let to = beside(at, 1); owed.current > 0 && to !== undefined; to = beside(at, 1)) {
      at = to;
      owed.current--;
    }
    if (at !== (onItsWay.current ?? id)) go(at);
    if (hasMore) readMore();
    else owed.current = 0;
  });
  return step;
};
