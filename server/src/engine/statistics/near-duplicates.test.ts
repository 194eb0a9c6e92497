import { expect, it } from 'vitest';
import { countNearDuplicates } from './near-duplicates.ts';
import { seededRandom } from './random.ts';
import { commonShare, trigramsOf } from './similarity.ts';

const random = seededRandom(2);
const word = () => random().toString(36).slice(0, 5);
const text = () => Array.from({ length: 30 }, word).join(' ');
/** The text with its last words changed. */
const reworded = (of: string, words = 1) =>
  [...of.split(' ').slice(words), ...Array.from({ length: words }, word)].join(' ');

it('counts texts that share four of five trigrams with another, in any order, and no others', () => {
  const different = Array.from({ length: 100 }, text);
  expect(countNearDuplicates(different)).toBe(0);
  const twins = different.slice(0, 20).map((of) => reworded(of));
  for (const [i, twin] of twins.entries())
    expect(commonShare(trigramsOf(twin), trigramsOf(different[i]!))).toBeGreaterThan(0.85);
  expect(countNearDuplicates([...different, ...twins])).toBeGreaterThanOrEqual(39);
  expect(countNearDuplicates([...twins, ...different])).toBeLessThanOrEqual(40);
  expect(countNearDuplicates(different.flatMap((of) => [of, reworded(of, 15)]))).toBe(0);
});

it('leaves short texts alone, and takes no more time where all are alike', () => {
  expect(countNearDuplicates(['yes', 'yes', 'no'])).toBe(0);
  const one = text();
  const began = process.threadCpuUsage().user;
  expect(countNearDuplicates(Array.from({ length: 2_000 }, () => reworded(one)))).toBeGreaterThan(1_990);
  expect(process.threadCpuUsage().user - began).toBeLessThan(2_000_000);
});
