import { expect, it } from 'vitest';
import { readProblems, systems } from '../../../../examples/gsm8k/problems.ts';
import { findLeaks } from './leaks.ts';
import { seededRandom, uniform } from './random.ts';
import { answerIn, answerPart, isNumeric, parsedOrText } from './read-answer.ts';
import { type AnswerCounts, doubtKeys, listDoubtful } from './wrong-keys.ts';

const countOf = (answers: readonly string[], key: string): AnswerCounts => {
  const others = new Map<string, number>();
  for (const answer of answers) if (answer !== key) others.set(answer, (others.get(answer) ?? 0) + 1);
  return { numKey: answers.filter((answer) => answer === key).length, others: [...others.values()] };
};

type World = { versions: number; shared: number; wrong: number; cases?: number };

/** Listed keys, and those of them that are wrong, over seeded testsets. `shared`: the share of errors that are one common mistake. */
const draw = ({ versions, shared, wrong, cases = 200 }: World, rounds: number) => {
  const [drawn, total] = [seededRandom(1), { listed: 0, right: 0, planted: 0 }];
  const random = () => uniform(drawn);
  for (let round = 0; round < rounds; round++) {
    const planted = new Set<number>();
    const counts = Array.from({ length: cases }, (_, i) => {
      const chance = Math.min(0.99, Math.max(0.05, 1 + 0.2 * Math.log(random())));
      const slip = () => (random() < shared ? 'mistake' : `slip ${Math.floor(random() * 20)}`);
      const answers = Array.from({ length: versions }, () => (random() < chance ? 'truth' : slip()));
      if (random() >= wrong) return countOf(answers, 'truth');
      planted.add(i);
      return countOf(answers, 'another');
    });
    const listed = listDoubtful(doubtKeys(counts));
    total.listed += listed.length;
    total.right += listed.filter((i) => planted.has(i)).length;
    total.planted += planted.size;
  }
  return total;
};

it('lists wrong keys with nine of ten right at eight versions, and finds more than half of them, seeded', () => {
  const { listed, right, planted } = draw({ versions: 8, shared: 0.3, wrong: 0.05 }, 20);
  expect(right / listed).toBeGreaterThan(0.9);
  expect(right / planted).toBeGreaterThan(0.56);
  expect(draw({ versions: 8, shared: 0.5, wrong: 0 }, 20).listed).toBeLessThanOrEqual(2);
});

it('accuses no key where all versions answer alike, or where fewer than five answered', () => {
  const alike = Array.from({ length: 200 }, (_, i) => ({
    numKey: i % 5 === 0 ? 0 : 8,
    others: i % 5 === 0 ? [8] : [],
  }));
  expect(listDoubtful(doubtKeys(alike))).toEqual([]);
  expect(doubtKeys([{ numKey: 0, others: [4] }])).toEqual([null]);
  expect(doubtKeys([])).toEqual([]);
});

it('reads final answers: of GSM8K those that its authors counted as right', async () => {
  for (const problem of await readProblems()) {
    expect(isNumeric(problem.ground_truth)).toBe(true);
    const key = answerIn(problem.ground_truth, true);
    for (const system of systems)
      if (problem[system].is_correct) expect(answerIn(problem[system].solution, true)).toBe(key);
  }
});

it.each([
  ['So 3 + 4 = 7.\n#### 1,234.50', true, '1234.5'],
  ['\\boxed{-7} is what I get in 3 steps', true, '-7'],
  ['It is 12 of 30', true, '30'],
  ['no number', true, null],
  ['12345678901234567890', true, '12345678901234567890'],
  ['The answer is: Paris.', false, 'paris'],
  ['  PARIS!  ', false, 'paris'],
  ['x'.repeat(200), false, null],
] as const)('answer of %j', (text, ofNumber, answer) => {
  expect(answerIn(text, ofNumber)).toBe(answer);
});

it('takes the member of an output that the key has too, else the only one, else one with a usual name', () => {
  expect(answerPart({ steps: 'a', city: 'Lima' }, ['city'])).toBe('Lima');
  expect(answerPart({ reply: 'Lima' }, ['city'])).toBe('Lima');
  expect(answerPart({ output: 'Lima', steps: 3 }, ['city'])).toBe('Lima');
  expect(answerPart({ b: 1, a: [2] }, ['city'])).toBe('{"a":[2],"b":1}');
  expect(answerPart(parsedOrText('{"city":12345678901234567890}'), ['city'])).toBe('12345678901234567890');
  expect(isNumeric('$1,200.50')).toBe(true);
  expect(isNumeric('12 apples')).toBe(false);
});

it('a leak is a text of few testcases in a prompt; what all testcases share is none', () => {
  const shared =
    'You are asked a question about the shop. Answer it in one word and say nothing else at all please.';
  const own = (i: number) =>
    `${shared} Which ${i} of the many red lamps in aisle ${i} did customer ${i} return on day ${i} of May?`;
  const cases = Array.from({ length: 9 }, (_, i) => ({
    inputs: own(i),
    key: `the lamp with serial number ${i} ${i} ${i}`,
  }));
  const prompts = [
    { name: 'Shop, version 2', text: `${shared} ${own(4)} Reply: the LAMP, with serial number 7 7 7.` },
  ];
  expect(findLeaks(cases, prompts).map((leak) => leak && [leak.of, leak.prompt.name])).toEqual(
    cases.map((_, i) =>
      i === 4 ? ['inputs', 'Shop, version 2'] : i === 7 ? ['key', 'Shop, version 2'] : null,
    ),
  );
  expect(findLeaks(cases, [])).toEqual(cases.map(() => null));
});
