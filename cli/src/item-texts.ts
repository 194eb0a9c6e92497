import type { Client } from '../../client/src/main.ts';
import { elementsOf, type JsonText, membersOf } from './json-text.ts';

/** Yields the items of a list as the API's own text, so that no digit changes. */
export async function* itemTexts(client: Client, path: string): AsyncGenerator<JsonText> {
  for (let cursor = ''; ; ) {
    const query = { limit: 100, ...(cursor && { cursor }) };
    const page = membersOf(await client.send({ method: 'GET', path, query }));
    yield* elementsOf(page.get('data')!);
    if (page.get('hasMore') !== 'true') return;
    cursor = JSON.parse(page.get('nextCursor')!) as string;
  }
}
