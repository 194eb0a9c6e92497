import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decide } from '../../client/src/gate/decide.ts';
import { seededRandom } from '../src/engine/statistics/random.ts';
import { gateRules, gateShares, ratchet, testOf, twoRuns } from './gate-world.ts';
import { falseVerdicts } from './ledger-world.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the table of pass, worse and not enough data', () => {
  it('is in docs/deciding.md as bench/gate.ts wrote it', () => {
    expect(read('docs/deciding.md')).toContain(read('bench/gate-table.md'));
  });

  // The standard error of .5 in 200 draws is .035.
  it.each([
    [200, 0],
    [500, -0.05],
  ])('still holds: %d testcases, a change of %d', async (n, change) => {
    const name = `| ${n} | ${Math.round(100 * change)} |`.replace('-', '−');
    const line = read('bench/gate-table.md')
      .split('\n')
      .find((one) => one.startsWith(name))!;
    const cells = line.split(' | ').slice(2);
    const shares = await gateShares(n, change, 200);
    for (const [i, { pass, worse, inconclusive }] of shares.entries()) {
      const stated = cells[i]!.match(/\d+/g)!.map(Number);
      for (const [k, share] of [pass, worse, inconclusive].entries())
        expect(Math.abs(100 * share - stated[k]!), gateRules[i]!.name).toBeLessThan(12);
    }
  });

  it('an alarm without a change is red in at most 2.5 %', async () => {
    for (const n of [50, 500]) {
      const [alarm] = await gateShares(n, 0, 400);
      // The standard error of .025 in 400 draws is .008.
      expect(alarm!.worse).toBeLessThanOrEqual(0.041);
    }
  });
});

describe('the number of testcases that a margin needs', () => {
  it('is said by a nightly gate without enough data, and then four of five gates pass', async () => {
    const nightly = gateRules.find(({ name }) => name.includes('nightly'))!;
    const random = seededRandom(7);
    const needed: number[] = [];
    for (let draw = 0; draw < 100; draw++) {
      const { checks } = await decide([testOf(nightly, twoRuns(random, 100, 0))], [], 0.95);
      const said = /needs about ([\d,]+) in all/.exec(checks[0]!.said)?.[1];
      if (said) needed.push(Number(said.replace(',', '')));
    }
    expect(needed.length).toBeGreaterThan(50);
    const mean = needed.reduce((a, b) => a + b, 0) / needed.length;
    const share = (await gateShares(Math.round(mean), 0, 400))[gateRules.indexOf(nightly)]!.pass;
    // The standard error of .8 in 400 draws is .02; a number is that of the draws that lacked data.
    expect(share).toBeGreaterThan(0.74);
    expect(share).toBeLessThan(0.9);
  });
});

describe('many gates about the same testcases', () => {
  it('is in docs/deciding.md as bench/gate.ts wrote it', () => {
    expect(read('docs/deciding.md')).toContain(read('bench/gate-ledger-table.md'));
  });

  it('ship a false verdict in a third of projects after 20 looks, and with a ledger in one of twenty at most', async () => {
    // The standard errors in 60 projects are .06 and .03.
    const [[without], [withOne]] = [
      await falseVerdicts(60, [20], false),
      await falseVerdicts(60, [20], true),
    ];
    expect(without).toBeGreaterThan(0.3);
    expect(withOne).toBeLessThanOrEqual(0.05 + 2 * 0.03);
  });
});

describe('the ratchet: twelve changes of −1.5 points, each compared with the run before', () => {
  it('is seen by the anchor and not by the baseline alone', async () => {
    const [alone, anchored] = [await ratchet(60, false), await ratchet(60, true)];
    expect(alone).toBeLessThan(0.8);
    expect(anchored).toBeGreaterThan(0.95);
  });
});
