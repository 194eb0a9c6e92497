import type { Decision } from '../../../client/src/gate/decide.ts';
import { countOf, inThousands, levelText } from '../figures.ts';
import { words } from '../gate/report.ts';
import { table } from '../output.ts';
import type { Trial } from './run-trial.ts';
import type { Amount, Difference, Lift } from './verdict.ts';

const minus = (text: string): string => text.replaceAll('-', '−');
const percent = (share: number | null): string => (share === null ? '–' : `${Math.round(100 * share)} %`);

const writers: Record<Amount, (value: number) => string> = {
  costUsd: (value) => `${value < 0 ? '-' : ''}$${Number(Math.abs(value).toPrecision(3))}`,
  seconds: (value) => `${Number(value.toPrecision(3))} s`,
  tokens: (value) => inThousands(Math.round(value)),
};

export const amountNames: Record<Amount, string> = {
  costUsd: 'cost a trial',
  seconds: 'time a trial',
  tokens: 'tokens a trial',
};

const written = (amount: Amount, value: number | null): string =>
  value === null ? '–' : minus(writers[amount](value));
const signed = (text: string): string => (text.startsWith('−') || text === '–' ? text : `+${text}`);

const points = (share: number | null): string =>
  share === null ? '–' : signed(minus(`${Math.round(1_000 * share) / 10} points`));

const intervalOf = (
  interval: { low: number; high: number } | null,
  write: (value: number) => string,
): string => (interval === null ? '–' : `${write(interval.low)} … ${write(interval.high)}`);

const rowsOf = ({ compared, differences }: Lift): (string | number)[][] => [
  ...compared.map(({ metricName, before, after, difference, interval }) => [
    metricName,
    percent(before),
    percent(after),
    points(difference),
    intervalOf(interval, (value) => minus(String(Math.round(1_000 * value) / 10))),
  ]),
  ...differences.map(({ amount, before, after, difference, interval }) => [
    amountNames[amount],
    written(amount, before),
    written(amount, after),
    signed(written(amount, difference)),
    intervalOf(interval, (value) => written(amount, value)),
  ]),
];

/** Cost of each point by which the first score rose, for one trial of each case; undefined where nothing rose. */
export const costOfPoint = ({ compared, differences }: Pick<Lift, 'compared' | 'differences'>) => {
  const gained = compared[0]?.difference ?? null;
  const cost = differences.find(({ amount }) => amount === 'costUsd')?.difference ?? null;
  return gained === null || gained <= 0 || cost === null ? undefined : cost / (100 * gained);
};

const costText = (lift: Lift): string[] => {
  const cost = costOfPoint(lift);
  if (cost === undefined) return [];
  const first = lift.compared[0]!.metricName;
  return [
    cost > 0
      ? `Each point of ${first} costs ${writers.costUsd(cost)} a trial.`
      : `It costs ${writers.costUsd(-cost)} less a trial for each point of ${first}.`,
  ];
};

const usedText = ({ used }: Lift): string[] =>
  used === undefined || used.estimate === null
    ? []
    : [
        `The agent used it in ${percent(used.estimate)} (${intervalOf(used.interval, percent)}) of the trials that had it.`,
      ];

const planText = ({ plan, decision }: Lift): string[] =>
  decision.outcome !== 'inconclusive' || !plan || plan.minimumDetectable === null
    ? []
    : [
        `${countOf(plan.n, 'case')} like these show differences of ${Number((100 * plan.minimumDetectable).toFixed(0))} points or more in at least ${Math.round(100 * plan.power)} of 100 lifts.`,
      ];

/** Says what the trials cannot: those that failed, and those that are missing. */
export const troubleText = (trials: readonly Trial[], left: number): string[] => {
  const failed = trials.filter(({ error }) => error !== null);
  const late = trials.filter(({ timedOut }) => timedOut);
  const byArm = (some: readonly Trial[]) =>
    `${some.filter(({ arm }) => arm === 'with').length} with it, ${some.filter(({ arm }) => arm === 'without').length} without`;
  return [
    ...(failed.length > 0
      ? [
          `${countOf(failed.length, 'trial')} did not work (${byArm(failed)}): ${failed[0]!.error!.split('\n')[0]!.slice(0, 300)} The same command tries them again.`,
        ]
      : []),
    ...(late.length > 0
      ? [
          `${countOf(late.length, 'trial')} reached the time limit (${byArm(late)}); what they left was checked.`,
        ]
      : []),
    ...(left > 0 ? [`${countOf(left, 'trial')} not made: the budget is used.`] : []),
  ];
};

const checkLines = ({ checks }: Decision): string[] =>
  checks.map(({ outcome, sentence, said }) => `${words[outcome]}: ${sentence}: ${said}`);

/** Replaces the number of the bare arm's run, which is a run of a service that is gone. */
const withoutRun = (text: string, [before]: Lift['runs']): string =>
  text.replaceAll(new RegExp(`\\brun ${before}\\b`, 'g'), 'without');

/** Writes the answer for a terminal: the verdict, a table of both arms, and what to know about it. */
export const liftReport = (
  lift: Lift,
  { title, level, trials, left }: { title: string; level: number; trials: readonly Trial[]; left: number },
): string => {
  const headers = ['', 'without', 'with', 'difference', `interval (${levelText(level)})`];
  const notes = [
    ...usedText(lift),
    ...costText(lift),
    ...planText(lift),
    ...troubleText(trials, left),
    ...lift.about.notes,
  ];
  return [
    title,
    withoutRun(checkLines(lift.decision).join('\n'), lift.runs),
    table(headers, rowsOf(lift)),
    ...(notes.length > 0 ? [notes.map((note) => `- ${withoutRun(note, lift.runs)}`).join('\n')] : []),
  ].join('\n\n');
};

export type { Difference };
