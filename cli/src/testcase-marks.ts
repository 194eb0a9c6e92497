import type { Client, CreateTestcasesBody, UpdateTestcaseMarksBody } from '../../client/src/main.ts';

/** The split and tags of a testcase. In a file, what is absent stays as it is. */
type Marks = { split?: string | null | undefined; tags?: readonly string[] | undefined };
export type Change = Pick<UpdateTestcaseMarksBody, 'split' | 'addTags' | 'removeTags'>;

/** Returns what gives a testcase the wanted split and tags; undefined if it has them. */
export const marksBetween = (former: Marks, wanted: Marks): Change | undefined => {
  const before = former.tags ?? [];
  const tags = wanted.tags ?? before;
  const change: Change = {
    ...(wanted.split !== undefined && wanted.split !== (former.split ?? null) && { split: wanted.split }),
    ...(tags.some((tag) => !before.includes(tag)) && {
      addTags: tags.filter((tag) => !before.includes(tag)),
    }),
    ...(before.some((tag) => !tags.includes(tag)) && {
      removeTags: before.filter((tag) => !tags.includes(tag)),
    }),
  };
  return Object.keys(change).length > 0 ? change : undefined;
};

// Ids that one request may name.
const atOnce = 10_000;

/** Makes changes of splits and tags, in one request for all testcases that change alike. */
export const writeMarks = async (
  client: Client,
  testsetId: string,
  changes: readonly { id: string; marks: Change }[],
): Promise<void> => {
  const alike = Map.groupBy(changes, ({ marks }) => JSON.stringify(marks));
  for (const each of alike.values())
    for (let i = 0; i < each.length; i += atOnce) {
      const ids = each.slice(i, i + atOnce).map(({ id }) => id);
      await client.updateTestcaseMarks(testsetId, { ids, ...each[0]!.marks });
    }
};

type Item = CreateTestcasesBody['items'][number];

/** A testcase as it is created: without a split, rules of the testset may give it one. */
export const itemOf = ({ jsonData, split, tags }: Pick<Item, 'jsonData'> & Marks): Item => ({
  jsonData,
  ...(split != null && { split }),
  ...(tags !== undefined && tags.length > 0 && { tags: [...tags] }),
});
