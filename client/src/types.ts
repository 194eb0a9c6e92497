/** A free-form JSON object. */
export type JsonObject = { [key: string]: unknown };

/** One page of a list. */
export type Page<Item> = { data: Item[]; nextCursor: string; hasMore: boolean };

/**
 * A list. Awaited, it is its first page; walked with `for await`, it is every item, fetched page by page. Nothing is asked
 * before one of the two is done.
 */
export interface List<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {
  /** Page after page, as the service gives them. */
  pages(): AsyncIterable<Page<Item>>;
}

/** What any call takes beside its own arguments. */
export type CallOptions = {
  /** Ends the call; it then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * For a POST. Each call has one of its own unless given, so that a retry is answered as the first attempt; a client that does
   * not retry sends none. `null` sends none: for requests that the service recognizes by themselves when they come again.
   */
  idempotencyKey?: string | null | undefined;
};

/** How an operation is called over HTTP. */
export type OperationFacts = {
  readonly method: string;
  readonly path: string;
  readonly body?: true;
  readonly query?: true;
  readonly list?: true;
};
