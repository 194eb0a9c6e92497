import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { engine, type Organization, startApp, type TestApp } from '../../server/test/harness.ts';
import { apiOf } from './api.ts';
import { calibrateJudge, compareSystems, gate } from './decide.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { type Problem, readProblems } from './problems.ts';

let app: TestApp;
let own: Organization;
let problems: Problem[];
let url: string;
/** The last evaluation, which later tests read. */
let last: Evaluation | undefined;
/** Returns it. Skips a test where the evaluation was left out, because it takes long. */
const evaluationOf = ({ skip }: TestContext): Evaluation => last ?? skip('the evaluation is left out');

beforeAll(async () => {
  problems = await readProblems();
  app = await startApp({ DOKIMA_WORKERS: '2' });
  own = await app.organization();
  url = await app.url();
});
afterAll(() => app.close());

// The sandbox does not depend on the database, so one engine tests both languages and the other only one.
it.each(engine === 'embedded' ? (['typescript', 'python'] as const) : (['typescript'] as const))(
  'scores 5,276 records in %s as the authors labelled them',
  async (language) => {
    last = await evaluate(apiOf(url, own.key), problems, () => {}, language);
    const [records, mismatches] = [1319, 0];
    expect(last.results).toMatchObject([
      { system: '6b_finetuning', records, correct: 286, mismatches },
      { system: '6b_verification', records, correct: 515, mismatches },
      { system: '175b_finetuning', records, correct: 458, mismatches },
      { system: '175b_verification', records, correct: 742, mismatches },
    ]);
  },
);

// Computed from the same file in Python, independently of the service: wins and losses by counting, Tango's interval with
// scipy.optimize.brentq on the score, McNemar with statsmodels' mcnemar(exact=True) and 2·binom.cdf − binom.pmf.
// biome-ignore format: one pair on each line
const pairs = [
  ['6b_finetuning', '6b_verification', 293, 64, 0.14735334992734817, 0.2003865500373378, 3.928874710490944e-36, 2.3898473118218768e-36],
  ['6b_finetuning', '175b_finetuning', 260, 88, 0.10370845649065263, 0.1574559805585208, 7.466006443046378e-21, 4.9821985816386204e-21],
  ['6b_finetuning', '175b_verification', 499, 43, 0.3165824033827146, 0.3748617387148154, 1.6569333623969997e-99, 8.995467720491714e-100],
  ['6b_verification', '175b_finetuning', 152, 209, -0.0714581928810328, -0.0150517389589253, 0.003150656880360579, 0.002687391328471349],
  ['6b_verification', '175b_verification', 306, 79, 0.14458348304912125, 0.1999547759786782, 1.2400534250724266e-32, 7.787150265806292e-33],
  ['175b_finetuning', '175b_verification', 360, 76, 0.18661544040022873, 0.24422498613168364, 2.8913946350346335e-45, 1.7487808353214374e-45],
] as const;

it('compares the six pairs as SciPy and statsmodels do, to 1e-9', async (context) => {
  const compared = await compareSystems(apiOf(url, own.key), evaluationOf(context).results);
  expect(compared.map(({ before, after }) => [before, after])).toEqual(pairs.map(([a, b]) => [a, b]));
  for (const [i, [, , wins, losses, low, high, exact, midP]] of pairs.entries()) {
    const pair = compared[i]!;
    expect(pair).toMatchObject({ n: 1319, wins, losses });
    expect(pair.difference).toBeCloseTo((wins - losses) / 1319, 12);
    expect(pair.interval!.low).toBeCloseTo(low, 9);
    expect(pair.interval!.high).toBeCloseTo(high, 9);
    expect(pair.mcnemar.exact / exact).toBeCloseTo(1, 9);
    expect(pair.mcnemar.midP / midP).toBeCloseTo(1, 9);
  }
});

it('finds the verifier of the 175b model 21.53 points better than finetuning', async (context) => {
  const compared = await compareSystems(apiOf(url, own.key), evaluationOf(context).results);
  const verifier = compared.at(-1)!;
  expect((100 * verifier.difference).toFixed(2)).toBe('21.53');
  expect(verifier.sentence).toBe('better by 21.5 points, 99 % interval 17.8 to 25.3');
});

it('the gate lets the verifier replace finetuning, but not the other way round', async (context) => {
  const { results } = evaluationOf(context);
  const runOf = (name: string) => results.find(({ system }) => system === name)!.runId;
  const [finetuning, verification] = [runOf('175b_finetuning'), runOf('175b_verification')];
  const forward = await gate(url, own.key, finetuning, verification);
  expect(forward).toEqual({
    exitCode: 0,
    report: expect.stringContaining('difference 0.215 (95 %: 0.187 … 0.244'),
  });
  const back = await gate(url, own.key, verification, finetuning);
  expect(back).toEqual({ exitCode: 1, report: expect.stringMatching(/^WORSE /m) });
});

it('calibration finds that a judge flips 10 % of passes and 20 % of failures, and corrected intervals contain the truth', async (context) => {
  const { projectId, results } = evaluationOf(context);
  const judged = results.at(-1)!;
  const truth = judged.correct / judged.records;
  const { n, sensitivity, specificity, corrected } = await calibrateJudge(
    apiOf(url, own.key),
    projectId,
    judged,
    problems,
  );
  const contains = (interval: { low: number; high: number } | null, value: number) =>
    interval !== null && interval.low <= value && value <= interval.high;
  expect(n).toBeGreaterThan(350);
  expect(contains(sensitivity.interval, 0.9)).toBe(true);
  expect(contains(specificity.interval, 0.8)).toBe(true);
  // The expected bias of the uncorrected pass rate is (1 − .563)·.2 − .563·.1 = 3.1 points.
  expect(corrected.roganGladen.uncorrected - truth).toBeGreaterThan(0.02);
  expect(contains(corrected.roganGladen.interval, truth)).toBe(true);
  expect(contains(corrected.predictionPowered.interval, truth)).toBe(true);
  expect(corrected.predictionPowered.numLabels).toBe(n);
});
