import type { List, Page } from './types.ts';

/** The service's largest page, so that reading a whole list takes as few requests as possible. */
const pageLimit = 100;

type PageQuery = { cursor?: string; limit?: number };

/** Returns a list that reads its pages with `getPage`. */
export const listOf = <Item>(getPage: (query: PageQuery) => Promise<Page<Item>>): List<Item> => {
  async function* pages(): AsyncGenerator<Page<Item>> {
    let query: PageQuery = { limit: pageLimit };
    for (;;) {
      const page = await getPage(query);
      yield page;
      if (!page.hasMore) return;
      query = { limit: pageLimit, cursor: page.nextCursor };
    }
  }
  return {
    pages,
    // biome-ignore lint/suspicious/noThenProperty: awaiting the list gives its first page, as in other clients of such APIs.
    then: (onFulfilled, onRejected) => getPage({}).then(onFulfilled, onRejected),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.data;
    },
  };
};
