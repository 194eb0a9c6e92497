import type { UpdateTestcaseMarksBody } from '../../../../client/src/main.ts';
import type { Testcase } from '../../types.ts';

export type Marks = Pick<UpdateTestcaseMarksBody, 'split' | 'addTags' | 'removeTags'>;

/** The split of testcases that are set aside: runs about another split leave them out. */
export const aside = 'aside';

/** The tag that says which split a testcase had before it was set aside. */
const prefix = 'aside from ';
const mostTag = 100;

/** Sets a testcase aside. Its former split becomes a tag, so that anyone can put it back, at any time. */
export const marksAside = ({ split }: Pick<Testcase, 'split'>): { split: string; addTags: string[] } => ({
  split: aside,
  addTags:
    split !== undefined && split !== aside && (prefix + split).length <= mostTag ? [prefix + split] : [],
});

/** Gives a testcase that was set aside its former split. */
export const marksBack = ({ tags = [] }: Pick<Testcase, 'tags'>): Marks => {
  const from = tags.filter((tag) => tag.startsWith(prefix));
  return { split: from[0]?.slice(prefix.length) ?? null, removeTags: from };
};
