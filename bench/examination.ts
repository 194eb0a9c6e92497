/**
 * Plants wrong keys and measures how many of those that an examination lists are wrong, and how many it finds: in simulated testsets, and in
 * GSM8K with corrupted answers. Then examines 100,000 scores. Prints the tables of docs/examining.md.
 */
import { finalAnswer, readProblems, systems } from '../examples/gsm8k/problems.ts';
import { examine } from '../server/src/engine/statistics/examine.ts';
import type { ExamineJob } from '../server/src/engine/statistics/examined-cases.ts';
import { seededRandom, uniform } from '../server/src/engine/statistics/random.ts';
import { type AnswerCounts, doubtKeys, listDoubtful } from '../server/src/engine/statistics/wrong-keys.ts';

const rounds = 100;
const percent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`;

const countOf = (answers: readonly string[], key: string): AnswerCounts => {
  const others = new Map<string, number>();
  for (const answer of answers) if (answer !== key) others.set(answer, (others.get(answer) ?? 0) + 1);
  return { numKey: answers.filter((answer) => answer === key).length, others: [...others.values()] };
};

type Drawn = { counts: AnswerCounts[]; planted: ReadonlySet<number> };

const measure = (name: string, times: number, draw: (random: () => number) => Drawn): void => {
  const drawn = seededRandom(1);
  let [listed, right, planted] = [0, 0, 0];
  for (let i = 0; i < times; i++) {
    const world = draw(() => uniform(drawn));
    const found = listDoubtful(doubtKeys(world.counts));
    listed += found.length;
    right += found.filter((one) => world.planted.has(one)).length;
    planted += world.planted.size;
  }
  console.log(
    `| ${name} | ${(planted / times).toFixed(1)} | ${(listed / times).toFixed(1)} | ${percent(right, listed)} | ${percent(right, planted)} |`,
  );
};

/** 200 testcases that versions answer rightly with chances of .8 on average. `shared`: the share of errors that are one common mistake. */
const simulated = (versions: number, shared: number, wrong: number) => (random: () => number) => {
  const planted = new Set<number>();
  const counts = Array.from({ length: 200 }, (_, i) => {
    const chance = Math.min(0.99, Math.max(0.05, 1 + 0.2 * Math.log(random())));
    const slip = () => (random() < shared ? 'mistake' : `slip ${Math.floor(random() * 20)}`);
    const answers = Array.from({ length: versions }, () => (random() < chance ? 'truth' : slip()));
    if (random() >= wrong) return countOf(answers, 'truth');
    planted.add(i);
    return countOf(answers, 'another');
  });
  return { counts, planted };
};

/** Versions that are one model in other words: they share each mistake, but for slips. */
const oneModel = (random: () => number) => {
  const planted = new Set<number>();
  const counts = Array.from({ length: 200 }, (_, i) => {
    const usual = random() < 0.9 ? 'truth' : 'mistake';
    const answers = Array.from({ length: 8 }, () =>
      random() < 0.95 ? usual : `slip ${Math.floor(random() * 20)}`,
    );
    if (random() >= 0.05) return countOf(answers, 'truth');
    planted.add(i);
    return countOf(answers, 'another');
  });
  return { counts, planted };
};

const problems = await readProblems();
const keys = problems.map(({ ground_truth }) => finalAnswer(ground_truth)!);
const recorded = problems.map((problem) =>
  systems.map((system) => finalAnswer(problem[system].solution) ?? ''),
);

/** GSM8K with one key of 20 changed; `answer` gives the answers to a problem. */
const corrupted = (answer: (i: number, random: () => number) => string[]) => (random: () => number) => {
  const planted = new Set<number>();
  const counts = recorded.map((_, i) => {
    const answers = answer(i, random);
    if (random() >= 0.05) return countOf(answers, keys[i]!);
    planted.add(i);
    return countOf(answers, String(Number(keys[i]) + 1 + Math.floor(random() * 10)));
  });
  return { counts, planted };
};

/** Eight versions, each right with `chance`, more where more recorded systems are; else it gives a recorded wrong answer. */
const redrawn = (chance: number) => (i: number, random: () => number) => {
  const wrong = recorded[i]!.filter((answer) => answer !== keys[i]);
  const own = Math.min(0.98, Math.max(0.05, chance + 0.12 * (4 - wrong.length - 1.5)));
  return Array.from({ length: 8 }, () =>
    random() < own
      ? keys[i]!
      : (wrong[Math.floor(random() * wrong.length)] ?? `slip ${Math.floor(random() * 10)}`),
  );
};

console.log('| testset | wrong keys | listed | of these wrong | found |\n|---|---|---|---|---|');
for (const versions of [5, 8, 16])
  measure(
    `200 testcases, ${versions} versions, 30 % of errors are shared`,
    rounds,
    simulated(versions, 0.3, 0.05),
  );
measure('200 testcases, 8 versions, 60 % are shared', rounds, simulated(8, 0.6, 0.05));
measure('200 testcases, 8 versions, no wrong key', rounds, simulated(8, 0.3, 0));
measure('200 testcases, 8 versions of one model that shares each mistake', rounds, oneModel);
measure(
  'GSM8K, its four recorded systems',
  5,
  corrupted((i) => recorded[i]!),
);
for (const chance of [0.75, 0.85, 0.9])
  measure(
    `GSM8K, 8 versions of about ${100 * chance} %, with recorded wrong answers`,
    10,
    corrupted(redrawn(chance)),
  );

/** A job of 5,000 testcases and 20 runs, as the service hands it on. */
const largeJob = (): ExamineJob => {
  const drawn = seededRandom(2);
  const random = () => uniform(drawn);
  const numbers = Array.from({ length: 5_000 }, (_, i) => i + 1);
  const of = <T>(make: (n: number) => T) => JSON.stringify(numbers.map(make));
  return {
    testset: { id: '1', inputs: ['question'], expected: ['answer'], groupingField: null },
    cases: {
      numbers: JSON.stringify(numbers),
      data: of((n) =>
        JSON.stringify({ question: `${problems[n % problems.length]!.question} ${n}`, answer: `${n}` }),
      ),
      revisions: of(() => 1),
      made: of(() => '2026-01-01T00:00:00Z'),
      changed: of(() => '2026-01-01T00:00:00Z'),
      invalid: of(() => 0),
    },
    metric: { id: '1', name: 'Right' },
    runs: Array.from({ length: 20 }, (_, run) => {
      const passed = numbers.map(() => Number(random() < 0.8));
      return {
        runId: String(run),
        voter: String(run),
        version: `v${run}`,
        records: JSON.stringify(numbers),
        testcases: JSON.stringify(numbers),
        passed: JSON.stringify(passed),
        outputs: JSON.stringify(
          passed.map((one) =>
            one ? null : JSON.stringify({ answer: `So it is A: ${Math.floor(random() * 30)}` }),
          ),
        ),
      };
    }),
    models: [],
    labels: null,
    prompts: [
      {
        name: 'a prompt',
        text: problems
          .slice(0, 100)
          .map(({ question }) => question)
          .join('\n'),
      },
    ],
    pair: null,
    level: 0.95,
    leftOut: [],
    limit: 100,
  };
};
const job = largeJob();
const began = performance.now();
const { findings } = examine(job);
console.log(
  `\n100,000 scores examined in ${((performance.now() - began) / 1000).toFixed(1)} s, ${findings.length} findings listed.`,
);
