import type { Baseline } from './baselines.ts';
import type { Check } from './check.ts';
import { checkOf, claim, passesUncompared } from './claims.ts';
import type { Evidence, Test } from './decide.ts';
import { waitForEnd } from './looks.ts';
import { type Policy, type RisePolicy, riseMeasures } from './policy.ts';
import type { Rise, Source } from './source.ts';

const names = { costUsd: 'cost of a record', latencyMs: 'latency of a record' } as const;

const percent = (share: number): string =>
  `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)} %`.replace('-', '−');

const evidenceOf = ({ n, rise, interval, p, sentence, warnings }: Rise): Evidence => ({
  n,
  value: rise,
  interval,
  p,
  reason: [sentence, ...warnings].join('; '),
});

/** The rules on one rise: the line of the rise, whether it must be shown to lie below, and the rule in words. */
const rulesOf = ({ noRise, maxRise }: RisePolicy) => [
  ...(noRise
    ? [
        {
          line: 0,
          mustShow: false,
          words: (since: string) => ({
            must: `must not have risen${since}`,
            pass: `is not shown to have risen${since}`,
            worse: `has risen${since}`,
          }),
        },
      ]
    : []),
  ...(maxRise === undefined
    ? []
    : [
        {
          line: maxRise,
          mustShow: true,
          words: (since: string) => ({
            must: `must be shown to have risen by no more than ${percent(maxRise).slice(1)}${since}`,
            pass: `has risen by no more than ${percent(maxRise).slice(1)}${since}`,
            worse: `has risen by more than ${percent(maxRise).slice(1)}${since}`,
          }),
        },
      ]),
];

/** Tests the rules on a rise of cost and latency against each baseline. */
export const riseTests = async (
  source: Source,
  { rises }: Policy,
  baselines: readonly Baseline[],
  level: number,
): Promise<{ tests: Test[]; facts: Check[] }> => {
  const [tests, facts]: [Test[], Check[]] = [[], []];
  for (const measure of riseMeasures) {
    for (const { line, mustShow, words } of rulesOf(rises[measure] ?? {})) {
      const claimOf = (since: string) => claim(names[measure], words(since));
      if (baselines.length === 0)
        facts.push(
          checkOf(claimOf(' since a baseline'), 'incomplete', 'there is no baseline run to compare with'),
        );
      for (const { id, name, anchor } of baselines) {
        const claimed = claimOf(` since ${anchor ? 'anchor ' : ''}${id === undefined ? name : `run ${id}`}`);
        if (id === undefined) {
          const said = `no run is ${name} yet: nothing to compare with, so this rule passes`;
          facts.push(passesUncompared(claimed, said));
          continue;
        }
        const known = await source.rise(id, measure, level);
        if (known.rise === null && !(await source.grows()))
          facts.push(checkOf(claimed, 'incomplete', known.sentence));
        else
          tests.push({
            ...claimed,
            side: 'atMost',
            line,
            difference: true,
            mustShow,
            write: percent,
            at: async (at) => evidenceOf(await source.rise(id, measure, at)),
          });
      }
    }
  }
  return { tests: await waitForEnd(source, tests), facts };
};
