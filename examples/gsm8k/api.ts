/** Calls the evaluation API. Throws the service's message if the request is refused. */
export type Api = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<T>;

export const apiOf =
  (baseUrl: string, key: string): Api =>
  async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${baseUrl}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as T & { message?: string };
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer.message}`);
    return answer;
  };

type Page<T> = { data: T[]; nextCursor: string; hasMore: boolean };

/** Yields every item of a list, page by page. */
export async function* pages<T>(api: Api, path: string): AsyncGenerator<T> {
  let page: Page<T>;
  let cursor = '';
  do {
    page = await api<Page<T>>('GET', `${path}?limit=100&cursor=${cursor}`);
    yield* page.data;
    cursor = page.nextCursor;
  } while (page.hasMore);
}

/** Splits a list into batches of at most `size`. */
export const inBatches = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
