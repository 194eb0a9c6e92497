import type { Client } from '../../../client/src/main.ts';
import { elementsOf, type JsonText, membersOf, objectText } from '../json-text.ts';
import { parsed } from './format.ts';

/** What an archive is made of, and read from again: JSON as text, so that no digit changes. */

/** A value as JSON. */
export const text = (value: unknown): JsonText => JSON.stringify(value);

export type Members = ReadonlyMap<string, JsonText>;
export type Files = ReadonlyMap<string, Buffer>;
/** The ids that an import gave out, by those that the archive has. */
export type Ids = Map<string, string>;

/** Every item of a list as the text that the API gave. */
export async function* itemTexts(
  client: Client,
  path: string,
  query: Record<string, string> = {},
): AsyncGenerator<JsonText> {
  for (let cursor = ''; ; ) {
    const text = await client.send({
      method: 'GET',
      path,
      query: { ...query, limit: 100, ...(cursor && { cursor }) },
    });
    const page = membersOf(text);
    yield* elementsOf(page.get('data')!);
    if (!parsed<boolean>(page, 'hasMore')) return;
    cursor = parsed<string>(page, 'nextCursor');
  }
}

export const collect = async (items: AsyncIterable<JsonText>): Promise<JsonText[]> => {
  const all: JsonText[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** Texts as lines of a file. */
export const lines = (texts: Iterable<JsonText>): string[] =>
  Array.from(texts, (text) => `${text.replaceAll('\n', '')}\n`);

/** The lines of a file, none where there is no such file. */
export const linesOf = (files: Files, path: string): Members[] =>
  (files.get(path)?.toString() ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map(membersOf);

export const pick = (members: Members, ...names: string[]): Record<string, JsonText | undefined> =>
  Object.fromEntries(names.map((name) => [name, members.get(name)]));

/** The same object with other members in place of those that it has. */
export const withMembers = (members: Members, others: Record<string, JsonText>): JsonText =>
  objectText({ ...Object.fromEntries(members), ...others });

export const elementTexts = (members: Members, name: string): Members[] =>
  elementsOf(members.get(name)!).map(membersOf);

/** Texts in batches of at most `most` and about `bytes`, so that no body is too large. */
export const inBatches = <T extends { body: JsonText }>(
  items: T[],
  most: number,
  bytes = 5_000_000,
): T[][] => {
  const batches: T[][] = [];
  let size = 0;
  for (const item of items) {
    const last = batches.at(-1);
    if (!last || last.length >= most || size + item.body.length > bytes) {
      batches.push([item]);
      size = 0;
    } else last.push(item);
    size += item.body.length;
  }
  return batches;
};
