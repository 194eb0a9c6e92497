/** Two growing runs at looks that were planned before: the test for one look, at the error rate that this look may spend. */
import type { AdjustedComparison } from './comparison-schema.ts';
import { normalQuantile } from './distributions.ts';
import { boundariesOf, conditionalPower, type Look } from './group-sequential.ts';
import { type PairedSettings, type Pairs, type Tested, testPairs } from './paired-tests.ts';
import type { TestcaseColumns } from './testcases.ts';

/** How far a run is that is looked at while it grows. */
export interface Growth {
  /** Trials that each testcase of the later run gets. A testcase counts once it has all: a look again at the same ones finds the same. */
  numTrials: number;
  /** Whether the run is over, so that what it has is the last look. */
  isOver: boolean;
  /** Whether the rest of the run was cancelled, perhaps because of what the looks had shown. */
  isCancelled?: boolean;
}

export interface LookPlan extends Growth {
  /** Numbers of testcases of the looks, ascending. */
  looks: readonly number[];
}

/** How far a metric is in the plan. */
export interface PlanState {
  numSeen: number;
  numPlanned: number;
  numLooks: number;
  /** Numbers of testcases of the looks so far; empty before the first. */
  sizes: number[];
  /** Testcases of the next look; null after the last. */
  next: number | null;
  /** Whether the run ended before its last look. */
  isCancelled: boolean;
}

/** Returns the pairs that count while the later run grows. */
export const pairsThatCount = (
  pairs: Int32Array,
  after: TestcaseColumns,
  { numTrials, isOver, isCancelled }: Growth,
): Int32Array => (isOver && !isCancelled ? pairs : pairs.filter((i) => after.trials[i]! >= numTrials));

/**
 * Returns how far a plan is. A run that lacks testcases takes its last look with fewer of them, unless it was cancelled: an end that may
 * depend on results must not spend the error rate that later looks had.
 */
export const stateOf = (
  { looks, isOver, isCancelled = false }: Pick<LookPlan, 'looks' | 'isOver' | 'isCancelled'>,
  numSeen: number,
): PlanState => {
  const sizes = looks.filter((size) => size <= numSeen);
  const next = looks.find((size) => size > numSeen) ?? null;
  const state = {
    numSeen,
    numPlanned: looks.at(-1)!,
    numLooks: looks.length,
    sizes,
    next,
    isCancelled: isOver && isCancelled && next !== null,
  };
  if (state.isCancelled) return { ...state, next: null };
  if (!isOver || next === null || numSeen === 0) return state;
  const all = sizes.at(-1) === numSeen ? sizes : [...sizes, numSeen];
  return { ...state, numLooks: all.length, sizes: all, next: null };
};

/** Boundaries by level and looks. A growing run asks for the same ones again and again. */
const known = new Map<string, Look>();
const mostKnown = 10_000;

/** Returns the boundary of the newest look. */
const boundaryAt = ({ sizes, numPlanned, next, isCancelled }: PlanState, level: number): Look => {
  const isLast = next === null && !isCancelled;
  const key = [level, numPlanned, isLast, ...sizes].join(' ');
  const found =
    known.get(key) ??
    boundariesOf(
      sizes.map((size) => size / numPlanned),
      level,
      isLast,
    ).at(-1)!;
  if (known.size >= mostKnown) known.clear();
  known.set(key, found);
  return found;
};

/**
 * Holm's adjustment at planned looks. Each step compares the p of one look with the boundary for the level of that step; a metric is
 * decided if its p is inside. Returns each p times α/boundary at the step where it was decided or left open: it is at most α exactly if
 * the metric is decided, and with one look it is Holm's p.
 *
 * The chance of one false verdict among all metrics and looks stays at α: boundaries grow with the level, so each step is a Bonferroni test
 * of the metrics left (Goeman & Solari 2010, Ann. Stat. 38:3782–3810; for looks: Maurer & Bretz 2013, Stat. Biopharm. Res. 5:311–320).
 */
export const adjustLooks = (
  metrics: readonly { p: number | null; state: PlanState }[],
  { level, tests }: { level: number; tests: number },
): (number | null)[] => {
  const adjusted: (number | null)[] = metrics.map(() => null);
  let open = metrics.flatMap(({ p, state }, i) => (p === null ? [] : [{ p, state, i }]));
  let left = tests;
  while (open.length > 0) {
    const at = 1 - (1 - level) / left;
    for (const { p, state, i } of open)
      adjusted[i] = Math.min(1, ((1 - level) * p) / boundaryAt(state, at).nominal);
    const still = open.filter(({ i }) => adjusted[i]! > 1 - level);
    if (still.length === open.length) break;
    left -= open.length - still.length;
    open = still;
  }
  return adjusted;
};

/** Below this chance of a verdict at the end, the rest of a run is rarely worth its cost. */
const futile = 0.1;

/** The standardized difference of a p that is 0 in doubles. */
const farthest = 40;

const describeLook = (
  state: PlanState,
  p: number | null,
  { level, power }: Pick<PairedSettings, 'level' | 'power'>,
): NonNullable<AdjustedComparison['look']> => {
  const { numSeen, numPlanned, numLooks, sizes, next } = state;
  const common = { look: sizes.length, numLooks, numSeen, numPlanned, next };
  if (sizes.length === 0 || p === null) {
    const unknown = { fraction: 0, boundary: null, nominal: null, conditionalPower: null };
    return { ...common, ...unknown, boundaryAlone: null, nominalAlone: null, futile: false };
  }
  const { fraction, boundary, nominal } = boundaryAt(state, level);
  const z = Math.min(farthest, normalQuantile(1 - p / 2));
  const chance = next === null ? null : conditionalPower(z, fraction, { level, power });
  return {
    ...common,
    fraction,
    boundary,
    nominal,
    boundaryAlone: boundary,
    nominalAlone: nominal,
    conditionalPower: chance,
    futile: chance !== null && chance < futile,
  };
};

const inOrder = 'their order does not depend on their results';

const waitFor = (n: number, state: PlanState, settings: PairedSettings): Tested => ({
  method: 'planned looks (Lan–DeMets, O’Brien–Fleming type)',
  seed: null,
  effectiveN: n,
  standardError: null,
  interval: null,
  reason: state.isCancelled
    ? 'the run was cancelled before its first look'
    : `next look at ${state.next} testcases`,
  p: null,
  mcnemar: null,
  watched: null,
  look: describeLook(state, null, settings),
  minimumDetectable: null,
  assumption: `testcases are independent draws, and ${inOrder}`,
  caveats: [],
  warnings: [],
});

const afterLook = ({ sizes, numLooks, next, isCancelled }: PlanState, isFutile: boolean): string => {
  const hopeless = isFutile ? ', which will hardly decide either' : '';
  if (isCancelled)
    return `look ${sizes.length} of ${numLooks}, at ${sizes.at(-1)} testcases, did not decide, and the run was cancelled after it`;
  return `look ${sizes.length} of ${numLooks}, at ${sizes.at(-1)} testcases, does not decide; next look at ${next}${hopeless}`;
};

/**
 * Tests the pairs of the newest look. Between two looks the answer is that of the earlier one. The interval is the repeated one of Jennison
 * & Turnbull (1989), J. R. Stat. Soc. B 51:305–334: those of all looks hold together.
 */
export const testLook = (pairs: Pairs, state: PlanState, settings: PairedSettings): Tested => {
  if (state.sizes.length === 0) return waitFor(pairs.differences.length, state, settings);
  const { nominal } = boundaryAt(state, settings.level);
  const tested = testPairs(pairs, { ...settings, test: 'fixed', level: 1 - nominal });
  const look = describeLook(state, tested.p, settings);
  const said = state.next === null && !state.isCancelled ? null : afterLook(state, look.futile);
  return {
    ...tested,
    method: `${tested.method}, at a planned look`,
    ...(said !== null && {
      minimumDetectable: null,
      open: said,
      reason: tested.reason && `${tested.reason}; ${said}`,
    }),
    look,
    assumption: `${tested.assumption}; ${inOrder}`,
  };
};
