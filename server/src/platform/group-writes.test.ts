import { describe, expect, it } from 'vitest';
import { groupWrites } from './group-writes.ts';

/** Writes items of these lengths that arrive together, and returns the lengths of each group. */
const groupsOf = async (lengths: number[]): Promise<number[][]> => {
  const groups: number[][] = [];
  const write = async (items: number[]) => {
    groups.push(items);
    return items.map((item) => `${item}`);
  };
  const grouped = groupWrites({ write, lengthOf: (item: number) => item });
  const answers = await Promise.all(lengths.map((length) => grouped('here', length)));
  expect(answers).toEqual(lengths.map(String));
  return groups;
};

describe('writes that arrive together', () => {
  it('are written together, after the first', async () => {
    expect(await groupsOf([1, 2, 3, 4])).toEqual([[1], [2, 3, 4]]);
  });

  it('make groups of at most eight million characters, and a longer one is written alone', async () => {
    const [small, large] = [3_000_000, 15_000_000];
    expect(await groupsOf([1, small, small, small, large, small, 1])).toEqual([
      [1],
      [small, small],
      [small],
      [large],
      [small, 1],
    ]);
  });

  it('make groups of at most 250', async () => {
    const groups = await groupsOf(Array<number>(601).fill(0));
    expect(groups.map(({ length }) => length)).toEqual([1, 250, 250, 100]);
  });
});
