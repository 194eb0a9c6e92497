/** A free-form JSON object. */
export type JsonObject = { [key: string]: unknown };

/** Variables of a process. Not the type of `@types/node`, which a program with these types need not have. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One page of a list. */
export type Page<Item> = { data: Item[]; nextCursor: string; hasMore: boolean };

/**
 * A list. `await` gives its first page. `for await` gives every item and reads page by page. No request is sent before one of the
 * two.
 */
export interface List<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {
  /** Yields every page as the service answers it. */
  pages(): AsyncIterable<Page<Item>>;
}

/** Options of every call. */
export type CallOptions = {
  /** Ends the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Key of a POST, so that a retry gets the answer of the first attempt. By default each call of a client that retries has a new
   * key. `null` sends none, for requests that the service recognizes by themselves when they are repeated.
   */
  idempotencyKey?: string | null | undefined;
  /** Changes the resource only if it still has this ETag (`etagOf`). Otherwise the call throws `PRECONDITION_FAILED`. */
  ifMatch?: string | undefined;
};

/** How an operation is called over HTTP. */
export type OperationFacts = {
  readonly method: string;
  readonly path: string;
  readonly body?: true;
  readonly query?: true;
  readonly list?: true;
  /** Takes no Idempotency-Key. */
  readonly keyless?: true;
};
