import { beforeAll, expect, it } from 'vitest';
import { type Problem, readProblems, type System } from '../../../../examples/gsm8k/problems.ts';
import { compareRuns } from './compare.ts';
import { rateEstimate } from './intervals.ts';
import type { Observation } from './testcases.ts';

let problems: Problem[];
beforeAll(async () => {
  problems = await readProblems();
});

const runOf = (system: System): Observation[] =>
  problems.map((problem, i) => ({ testcase: String(i), score: problem[system].is_correct }));

// Computed from the same file in Python: wins and losses by counting; the interval by maximising the likelihood under
// each Δ with scipy.optimize.brentq and inverting Tango's score with brentq; McNemar by statsmodels' mcnemar(exact=True)
// and 2·binom.cdf − binom.pmf; correlation by np.corrcoef; unpaired by confint_proportions_2indep(method='newcomb').
// biome-ignore format: one pair a line
it.each([
  ['6b_finetuning', '6b_verification', 293, 64, 0.14735334992734817, 0.2003865500373378, 3.928874710490944e-36, 2.3898473118218768e-36, 0.41608469822225425, 0.1388940387023399, 0.20776318772512936],
  ['6b_finetuning', '175b_finetuning', 260, 88, 0.10370845649065263, 0.1574559805585208, 7.466006443046378e-21, 4.9821985816386204e-21, 0.38137898452750857, 0.09624227465534752, 0.16415555803287157],
  ['6b_finetuning', '175b_verification', 499, 43, 0.3165824033827146, 0.3748617387148154, 1.6569333623969997e-99, 8.995467720491714e-100, 0.3045267658127323, 0.31028432297502073, 0.37981807103609105],
  ['6b_verification', '175b_finetuning', 152, 209, -0.0714581928810328, -0.0150517389589253, 0.003150656880360579, 0.002687391328471349, 0.4151270577367334, -0.07987388055312707, -0.00639089077149748],
  ['6b_verification', '175b_verification', 306, 79, 0.14458348304912125, 0.1999547759786782, 1.2400534250724266e-32, 7.787150265806292e-33, 0.45828145994848024, 0.13425212619592122, 0.20924288031466665],
  ['175b_finetuning', '175b_verification', 360, 76, 0.18661544040022873, 0.24422498613168364, 2.8913946350346335e-45, 1.7487808353214374e-45, 0.39918841521927234, 0.17782093411798292, 0.2519318649049491],
] as const)('%s against %s is as SciPy finds it, to 1e-9', (before, after, wins, losses, low, high, exact, midP, correlation, unpairedLow, unpairedHigh) => {
  const result = compareRuns(runOf(before), runOf(after), { boolean: true });
  expect(result).toMatchObject({ n: 1319, wins, losses, verdict: wins > losses ? 'better' : 'worse' });
  expect(result.difference).toBeCloseTo((wins - losses) / 1319, 12);
  expect(result.interval!.low).toBeCloseTo(low, 9);
  expect(result.interval!.high).toBeCloseTo(high, 9);
  expect(result.mcnemar!.exact / exact).toBeCloseTo(1, 9);
  expect(result.mcnemar!.midP / midP).toBeCloseTo(1, 9);
  expect(result.correlation).toBeCloseTo(correlation, 9);
  expect(result.unpairedInterval!.low).toBeCloseTo(unpairedLow, 9);
  expect(result.unpairedInterval!.high).toBeCloseTo(unpairedHigh, 9);
});

it('finds the verifier of the 175b model 21.53 points better than finetuning', () => {
  const result = compareRuns(runOf('175b_finetuning'), runOf('175b_verification'), { boolean: true });
  expect((100 * result.difference!).toFixed(2)).toBe('21.53');
  expect(result.sentence).toBe('better by 21.5 points, 95 % interval 18.7 to 24.4');
});

it.each([
  ['6b_finetuning', 286],
  ['6b_verification', 515],
  ['175b_finetuning', 458],
  ['175b_verification', 742],
] as const)('counts %s right on %i problems', (system, right) => {
  const passed = problems.filter((problem) => problem[system].is_correct).length;
  expect(passed).toBe(right);
  expect(rateEstimate(passed, problems.length).warnings).toEqual([]);
});
