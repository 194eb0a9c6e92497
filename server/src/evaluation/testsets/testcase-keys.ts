/** The filters of a search of testcases, with their values. docs/searching.md explains them; a test compares the two. */
export const testcaseKeys = {
  split: 'in this split; * for any',
  tag: 'has this tag; repeat it for several tags; * for any',
  data: 'a field of jsonData: data.lang:de, data.topic:~tax, data.source:*',
  problem: 'does not match the schema: problem:*, problem:~required',
} as const;
export type TestcaseSearchKey = keyof typeof testcaseKeys;

export const isTestcaseKey = (key: string): key is TestcaseSearchKey => Object.hasOwn(testcaseKeys, key);
