import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const rows = read('bench/coverage-table.md')
  .split('\n')
  .map((line) => line.slice(2).split(' | '));

/** Returns the percentage of the one row with this method and these data. */
const rateOf = (method: string, data: string): number => {
  const found = rows.filter(([of, name]) => of === method && name === data);
  expect(found, `${method}: ${data}`).toHaveLength(1);
  return Number.parseFloat(found[0]![2]!);
};

const errs = (method: string, rate: number, numReviewers: number, numRecords: number) =>
  [2, 5, 10].map((err): [string, string] => [
    method,
    `true pass rate ${rate} from a judge (0.95, 0.8) on 1,000 records, 200 labelled; people err in ${err} %, ${numReviewers} review ${numRecords} of them`,
  ]);
const uncorrected = 'PPI++, people taken to be right';
const corrected = 'PPI++ and reviewers who err';
const coin = "Youden's index";
const judge = 'a judge (0.95, 0.8) on 1000 records, pass rate 0.9: it is calibrated after 40 labels';
const drawnExample =
  'pass rate 0.9, 300 testcases, people scored 100, half of what a judge (0.95, 0.7) failed';
const lost = '500 testcases, four equal looks, five points lost';

/** Sentences of docs/statistics.md, with `#` for each figure, and the rows of the tables that the figures are from. */
const stated: [sentence: string, rows: [method: string, data: string][]][] = [
  [
    'tried 3 times at .95, where a fifth is flaky, held the truth in # %',
    [['Wilson on the effective n', 'pass rate 0.95 of 50 testcases tried 3 times, a fifth of them flaky']],
  ],
  [
    'three pooled runs find it in # % of comparisons, one run in # %; without a difference they report one in # %',
    [
      ['baseline pooled as trials', '300 testcases, 3 runs of the baseline, five points lost'],
      ['paired', '300 testcases, one run of the baseline, five points lost'],
      ['baseline pooled as trials', '300 testcases, 3 runs of the baseline, no difference'],
    ],
  ],
  [
    'four looks find it in # % of runs, one look at the end in # %, the e-process at these looks in # %; without a difference four looks report one in # %, with five metrics in # %',
    [
      ['planned looks', lost],
      ['McNemar mid-p', '500 testcases, one look at the end, five points lost'],
      ['mixture e-process', lost],
      ['planned looks', '500 testcases, four equal looks, no difference'],
      ['planned looks', '500 testcases, four equal looks, any of five metrics, no difference'],
    ],
  ],
  [
    'With 60 and 300 testcases the interval of h held the truth in # and # %; that of d in # % with 40 and 100 normal scores, in # and # % with 30 and 100 exponential ones',
    [
      ["Cohen's h", 'h of pass rates 0.95 and 0.85, n = 60'],
      ["Cohen's h", 'h of pass rates 0.85 and 0.8, n = 300'],
      ["Cohen's d", 'd of normal scores that differ by 0.8 standard deviations, n = 40'],
      ["Cohen's d", 'd of exponential scores that differ by 0.5 standard deviations, n = 30'],
      ["Cohen's d", 'd of exponential scores that differ by 0.5 standard deviations, n = 100'],
    ],
  ],
  [
    "Its interval held the truth in # % with 100 scores of 300 records; the plain rate's in # %",
    [
      ["people's mean by the draw", drawnExample],
      ['Wilson over what people scored, not meant for it', drawnExample],
    ],
  ],
  [
    'read document by document, report a difference that is not there in # % of runs, in a drawn order in # %',
    [
      [
        'planned looks, not meant for it',
        '500 testcases in 50 documents, document by document, four looks, no difference',
      ],
      [
        'planned looks',
        '500 testcases in 50 documents, in an order that is drawn, four looks, no difference',
      ],
    ],
  ],
  [
    '60 testcases and a true rate of .94, the interval held the truth in # %',
    [['weighted mean', 'pass rate 0.94, 60 testcases, weights lognormal with σ 1']],
  ],
  [
    'its own interval held the truth in # %',
    [['Wilson', 'the best of 10 equal prompts on 100 testcases, pass rate 0.8, as if it were the only one']],
  ],
  [
    'its interval held the truth in # %, with a median-unbiased estimate',
    [['hybrid for winners', 'the best of 10 equal prompts on 100 testcases, pass rate 0.8']],
  ],
  [
    'a harmless change fails in # % instead of 5 %',
    [['McNemar mid-p, not meant for it', 'a look after every 20 of 500 testcases, no difference']],
  ],
  [
    'is then `calibrated` in # % of simulated samples; with 40 labels drawn from all records, in # %',
    [
      [coin, `${judge}, half of them of what it failed`],
      [coin, `${judge} at random`],
    ],
  ],
  [
    'it finds specificities of .85 and .55 in # % with 100 labels of each run',
    [
      [
        'errors of a judge on two runs',
        'a judge (0.9, 0.85) on 1000 records, pass rate 0.65, and (0.9, 0.55) on another run of pass rate 0.65: 100 labels at random in each',
      ],
    ],
  ],
  [
    'the lower review counts | #, #, # % | #, #, # %',
    [...errs(uncorrected, 0.9, 2, 60), ...errs(corrected, 0.9, 2, 60)],
  ],
  [
    '| the same at .7 | #, #, # % | #, #, # % | | pass rate .9; three review all: the majority | #, #, # % | #, #, # %',
    [
      ...errs(uncorrected, 0.7, 2, 60),
      ...errs(corrected, 0.7, 2, 60),
      ...errs(uncorrected, 0.9, 3, 200),
      ...errs(corrected, 0.9, 3, 200),
    ],
  ],
  [
    'the majority | 95, 93, 76 % | 95, 95, 96 % | | the same at .7 | #, #, # % | #, #, # %',
    [...errs(uncorrected, 0.7, 3, 200), ...errs(corrected, 0.7, 3, 200)],
  ],
];

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const statistics = read('docs/statistics.md').replace(/\s+/g, ' ');

it.each(stated)('docs/statistics.md has the figures of the tables: %s', (sentence, from) => {
  const found = new RegExp(escaped(sentence).replaceAll('#', '(\\d+(?:\\.\\d+)?)')).exec(statistics);
  expect(found, 'the sentence is in the page').not.toBeNull();
  const figures = found!.slice(1);
  expect(figures).toHaveLength(from.length);
  for (const [i, figure] of figures.entries()) {
    const digits = figure.split('.')[1]?.length ?? 0;
    expect(figure, from[i]!.join(': ')).toBe(rateOf(...from[i]!).toFixed(digits));
  }
});

it('a judge that tosses a coin is `calibrated` as rarely as docs/statistics.md says', () => {
  const isCoin = (data: string) => {
    const [, sensitivity, specificity] = /^a judge \((0\.\d+), (0\.\d+)\)/.exec(data) ?? [];
    return Number(sensitivity) + Number(specificity) === 1;
  };
  const rates = rows.flatMap(([method, data, rate]) =>
    method === coin && isCoin(data!) ? [Number.parseFloat(rate!)] : [],
  );
  expect(rates.length).toBeGreaterThan(2);
  expect(statistics).toContain(`A judge that tosses a coin is in at most ${Math.max(...rates).toFixed(1)} %`);
});

it('docs/statistics.md has the tables of several rules of one gate', () => {
  const page = read('docs/statistics.md');
  const [without, withMargin] = read('bench/gate-rules-table.md').split('\n\nWith ') as [string, string];
  expect(page).toContain(without);
  expect(page).toContain(`With ${withMargin.trim()}`);
});

it('docs/deciding.md has the coverage of preferences', () => {
  const deciding = read('docs/deciding.md').replace(/\s+/g, ' ');
  const four = 'strengths 0.6, 0.1, -0.2, -0.5, 40 testcases';
  const three = 'strengths 2, 0, -2, 60 testcases';
  const ratesOf = (method: string, who: string) =>
    [four, three, 'strengths 0.3, -0.3, 30 testcases'].map((data) =>
      rateOf(method, `${who}, ${data}`).toFixed(1),
    );
  const against = 'the strongest against the weakest';
  const lines = {
    '*preferred*': ratesOf('preferred', 'the strongest'),
    'one run against another': ratesOf('one run against another', against),
  };
  for (const [name, rates] of Object.entries(lines))
    expect(deciding).toContain(`| ${name} | ${rates.join(' % | ')} % |`);
  const few = [8, 15].map((n) =>
    rateOf('one run against another', `${against}, strengths 0.5, -0.5, ${n} testcases`).toFixed(1),
  );
  expect(deciding).toContain(`With two runs on 8 and 15 testcases it is ${few.join(' and ')} %`);
});

it('a plan of 80 % power holds what docs/statistics.md says', () => {
  const [, least, most] = /finds the loss in (\d+) to (\d+) % for a power of 80 %/
    .exec(statistics)!
    .map(Number);
  const rates = rows.filter(([method]) => method === 'plan').map((row) => Number.parseFloat(row[2]!));
  expect([Math.round(Math.min(...rates)), Math.round(Math.max(...rates))]).toEqual([least, most]);
});

it('every verdict errs in at most 5 %, or in as many as its row promises', () => {
  for (const [method, data, rate, promised] of rows) {
    const most = /in at most (one month of twelve|[\d.]+ %)/.exec(promised ?? '')?.[1];
    if (!most) continue;
    const bound = most.startsWith('one') ? 100 / 12 : Number.parseFloat(most);
    // The standard error of 5 % in 4,000 draws is .34.
    expect(Number.parseFloat(rate!), `${method}: ${data}`).toBeLessThanOrEqual(bound + 0.35);
  }
});

const cells = read('bench/gate-table.md')
  .split('\n')
  .map((line) => line.split(' | '));
const cellsOf = (n: string, change: string, rule: number): number[] =>
  cells
    .find((line) => line[0] === `| ${n}` && line[1] === change)!
    [rule + 2]!.match(/\d+/g)!
    .map(Number);

it('docs/deciding.md reads its table aloud as it is', () => {
  const deciding = read('docs/deciding.md').replace(/\s+/g, ' ');
  const [passes, passesLost] = [cellsOf('500', '0', 1)[0], cellsOf('500', '−5', 1)[0]];
  expect(deciding).toContain(
    `with 500 testcases and no change, \`nonInferiority\` with 5 points passes in ${passes} of 100 nights, and with a loss of 5 points in ${passesLost}.`,
  );
  expect(deciding).toContain(
    `The alarm is red in ${cellsOf('500', '−5', 0)[1]} of 100 pull requests that lose 5 points`,
  );
  const harmless = ['50', '100', '200', '500', '1,000'].map((n) => cellsOf(n, '0', 0)[1]!);
  expect(deciding).toContain(
    `and in ${Math.min(...harmless)} or ${Math.max(...harmless)} of 100 that change nothing`,
  );
});
