/** Simulated successions: stand-in judges whose sensitivity and specificity are known decide GSM8K answers whose truth is known. */
import { readProblems, type System, systems } from '../../examples/gsm8k/problems.ts';
import { type JudgedTwice, testEquivalence } from '../src/engine/statistics/equivalence.ts';
import { type Random, uniform } from '../src/engine/statistics/random.ts';

/** A judge by its true rates. `own` is the share of verdicts that are its own; the rest it has in common with the judge in use. */
export type StandIn = { sensitivity: number; falsePasses: number };

type Answer = { question: string; system: System; isRight: boolean };

export const readAnswers = async (): Promise<Answer[]> =>
  (await readProblems()).flatMap((problem) =>
    systems.map((system) => ({
      question: problem.question,
      system,
      isRight: problem[system].is_correct,
    })),
  );

/** Draws `size` answers without replacement. */
const draw = (answers: readonly Answer[], size: number, random: Random): Answer[] => {
  const pool = [...answers];
  for (let i = 0; i < size; i++) {
    const j = i + Math.floor(uniform(random) * (pool.length - i));
    [pool[i], pool[j]] = [pool[j]!, pool[i]!];
  }
  return pool.slice(0, size);
};

export type World = {
  name: string;
  incumbent: StandIn;
  candidate: StandIn;
  /** Share of records on which both judges decide by the same number, as two good models mostly do. */
  shared: number;
  labels: number;
  margin: number;
  /** Candidates that are tried together, all like this one. */
  candidates?: number;
  /** Share of the candidate's verdicts that are missing. */
  missing?: number;
};

/**
 * One succession. Answers to one question share how hard they are to judge: the number that decides is the question's in half of the cases.
 */
export const simulate = (world: World, answers: readonly Answer[], random: Random) => {
  const { incumbent, candidate, shared, labels, margin, candidates = 1, missing = 0 } = world;
  const hardness = new Map<string, number>();
  const numberOf = (question: string) => {
    if (!hardness.has(question)) hardness.set(question, uniform(random));
    return uniform(random) < 0.5 ? hardness.get(question)! : uniform(random);
  };
  const sample = draw(answers, labels, random);
  const chance = (judge: StandIn, isRight: boolean) => (isRight ? judge.sensitivity : judge.falsePasses);
  const decided = sample.map(({ question, isRight }) => {
    const number = numberOf(question);
    return { question, isRight, number, before: number < chance(incumbent, isRight) };
  });
  const tried = Array.from({ length: candidates }, () =>
    decided.map(({ question, isRight, number, before }): JudgedTwice => {
      const own = uniform(random) < shared ? number : uniform(random);
      const isMissing = missing > 0 && uniform(random) < missing;
      return {
        human: isRight,
        before,
        after: isMissing ? null : own < chance(candidate, isRight),
        group: question,
      };
    }),
  );
  return testEquivalence(tried, margin);
};

/** Share of successions in which any candidate is accepted. */
export const acceptance = (
  world: World,
  answers: readonly Answer[],
  draws: number,
  random: Random,
): { accepted: number; error: number } => {
  let accepted = 0;
  for (let i = 0; i < draws; i++)
    if (simulate(world, answers, random).some(({ verdict }) => verdict === 'equivalent')) accepted++;
  const share = accepted / draws;
  return { accepted: share, error: Math.sqrt((share * (1 - share)) / draws) };
};

const good: StandIn = { sensitivity: 0.92, falsePasses: 0.1 };
const common = { incumbent: good, shared: 0.9, labels: 1000, margin: 0.05 };

/** Candidates that must not be accepted: one rate differs by the margin, where an error is most likely, or by more. */
export const wrongSuccessors: World[] = [
  { ...common, name: 'passes 5 points fewer good answers', candidate: { ...good, sensitivity: 0.87 } },
  { ...common, name: 'passes 5 points more bad answers', candidate: { ...good, falsePasses: 0.15 } },
  {
    ...common,
    name: 'is laxer on both, by 5 points',
    candidate: { sensitivity: 0.97, falsePasses: 0.15 },
  },
  {
    ...common,
    name: 'passes as many answers in all, 5 points fewer good and more bad ones',
    candidate: { sensitivity: 0.87, falsePasses: 0.15 },
  },
  {
    ...common,
    name: 'three candidates, each 5 points stricter on good answers',
    candidate: { ...good, sensitivity: 0.87 },
    candidates: 3,
  },
  {
    ...common,
    name: '5 points stricter, 200 labels',
    candidate: { ...good, sensitivity: 0.87 },
    labels: 200,
  },
  {
    ...common,
    name: '10 points laxer, margin 10, 100 labels',
    candidate: { ...good, falsePasses: 0.2 },
    labels: 100,
    margin: 0.1,
  },
  {
    ...common,
    name: 'agrees wherever it does not differ, 5 points stricter, 200 labels',
    candidate: { ...good, sensitivity: 0.87 },
    labels: 200,
    shared: 1,
  },
  {
    ...common,
    name: 'tosses a coin with the pass rate of the judge',
    candidate: { sensitivity: 0.41, falsePasses: 0.41 },
  },
];

/** Candidates with the rates of the judge in use. */
export const rightSuccessors: World[] = [
  { ...common, name: 'the same rates, nine of ten verdicts in common', candidate: good },
  { ...common, name: 'the same rates, 400 labels', candidate: good, labels: 400 },
  { ...common, name: 'the same rates, 200 labels', candidate: good, labels: 200 },
  { ...common, name: 'the same rates, 400 labels, margin 10', candidate: good, labels: 400, margin: 0.1 },
  { ...common, name: 'the same rates, half of the verdicts in common', candidate: good, shared: 0.5 },
  { ...common, name: 'one point laxer', candidate: { sensitivity: 0.93, falsePasses: 0.11 } },
  { ...common, name: 'the same rates, 2 % of verdicts missing', candidate: good, missing: 0.02 },
];
