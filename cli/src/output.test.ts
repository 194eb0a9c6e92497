import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { bar, outputOver } from './output.ts';

const streams = (isTTY: boolean) => {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY, columns: 20 })];
  return { stdout, stderr, err: () => stderr.read()?.toString() ?? '' };
};

it('on a terminal progress is one line, cut to the width, replaced by the next and erased before a result', () => {
  const { stdout, stderr, err } = streams(true);
  const out = outputOver(stdout, stderr, false);
  out.progress('[##--] 1/2 and more than fits');
  out.progress('[####] 2/2');
  out.result('Done.', {});
  const erase = '\r\u001b[2K';
  expect(err()).toBe(`${erase}[##--] 1/2 and more${erase}[####] 2/2${erase}`);
  expect(stdout.read().toString()).toBe('Done.\n');
});

it('without a terminal there is no progress', () => {
  const { stdout, stderr, err } = streams(false);
  const out = outputOver(stdout, stderr, true);
  out.progress(bar(1, 2));
  out.result('Done.', { done: 2 });
  expect(err()).toBe('');
  expect(JSON.parse(stdout.read().toString())).toEqual({ done: 2 });
});

it.each([
  [0, 4, '------------------------'],
  [1, 4, '######------------------'],
  [4, 4, '########################'],
  [9, 4, '########################'],
  [0, 0, '########################'],
])('a bar of %i out of %i', (done, total, filled) => {
  expect(bar(done, total)).toBe(`[${filled}] ${done}/${total}`);
});
