import { gwetAc1 } from '../../engine/statistics/agreement.ts';
import { clusteredMeanEstimate } from '../../engine/statistics/clusters.ts';
import type { Preference } from '../../engine/statistics/preference.ts';
import { rankPreferences } from '../../engine/statistics/preferences.ts';

/** The vote of a person or of the model on a pair. Runs are named by their positions. */
export type StudyVote = {
  n: number;
  unit: number;
  a: number;
  b: number;
  byJudge: boolean;
  left: number;
  preferred: number | null;
  /** The model's, as shown and swapped; nulls for people. */
  ratings: (number | null)[];
};

export type RankJob = {
  studyId: string;
  runs: { position: number; runId: string }[];
  votes: StudyVote[];
  level: number;
};

const unitInterval = { low: 0, high: 1 };

/** 1 if the first run was preferred, 0 if the second was, ½ for a tie. */
const scoreOf = ({ a, preferred }: StudyVote): number => (preferred === null ? 0.5 : Number(preferred === a));

/** The majority of a pair's votes: 1, ½ or 0. */
const verdictOf = (votes: readonly StudyVote[]): number => {
  const mean = votes.reduce((sum, vote) => sum + scoreOf(vote), 0) / votes.length;
  return mean > 0.5 ? 1 : mean < 0.5 ? 0 : 0.5;
};

/** Whether the model's preference followed the position: the first in both orders, or the second in both. */
const followsPosition = ({ ratings }: StudyVote): boolean =>
  ratings.every((rating) => rating !== null && rating < 3) ||
  ratings.every((rating) => rating !== null && rating > 3);

/** The share of pairs whose verdict followed the position, or of decided votes that went to the left. */
const positionOf = (votes: readonly StudyVote[], byJudge: boolean, level: number) => {
  const counted = byJudge ? votes : votes.filter(({ preferred }) => preferred !== null);
  const values = counted.map((vote) =>
    Number(byJudge ? followsPosition(vote) : vote.preferred === vote.left),
  );
  return clusteredMeanEstimate(
    values,
    counted.map(({ unit }) => unit),
    level,
    unitInterval,
  );
};

/** The votes of each pair. */
type ByPair = Map<number, StudyVote[]>;

const rank = ({ runs, level }: RankJob, byPair: ByPair, byJudge: boolean) => {
  if (byPair.size === 0) return null;
  const indexOf = new Map(runs.map(({ position }, i) => [position, i]));
  const votes = [...byPair.values()].flat();
  const pairs = [...byPair.values()].map((own): Preference => {
    const { unit, a, b } = own[0]!;
    return { unit, a: indexOf.get(a)!, b: indexOf.get(b)!, score: verdictOf(own) };
  });
  const { systems, pairs: two, ...ranking } = rankPreferences(pairs, runs.length, level);
  const idOf = (i: number) => runs[i]!.runId;
  const ranked = systems?.map((system, i) => ({ runId: idOf(i), ...system }));
  return {
    ...ranking,
    runs: ranked?.toSorted((one, other) => other.strength - one.strength) ?? null,
    pairs: two.map(({ a, b, ...met }) => ({ firstRunId: idOf(a), secondRunId: idOf(b), ...met })),
    ties: clusteredMeanEstimate(
      pairs.map(({ score }) => Number(score === 0.5)),
      pairs.map(({ unit }) => unit),
      level,
      unitInterval,
    ),
    position: positionOf(votes, byJudge, level),
  };
};

const agree = (people: ByPair, judge: ByPair, level: number) => {
  const both = [...people].flatMap(([n, votes]) => {
    const judged = judge.get(n);
    return judged ? [{ unit: votes[0]!.unit, person: verdictOf(votes), model: verdictOf(judged) }] : [];
  });
  if (both.length === 0) return null;
  const values = [0, 0.5, 1];
  const table = values.map((row) =>
    values.map((column) => both.filter(({ person, model }) => person === row && model === column).length),
  );
  return {
    numPairs: both.length,
    same: clusteredMeanEstimate(
      both.map(({ person, model }) => Number(person === model)),
      both.map(({ unit }) => unit),
      level,
      unitInterval,
    ),
    ac1: gwetAc1(table, level),
    opposite: table[0]![2]! + table[2]![0]!,
  };
};

/** Ranks the runs of a study, by people and by the model, and compares the two. */
export const rankStudy = (job: RankJob) => {
  const { votes, level } = job;
  const pairsOf = (byJudge: boolean): ByPair =>
    Map.groupBy(
      votes.filter((vote) => vote.byJudge === byJudge),
      ({ n }) => n,
    );
  const [people, judge] = [pairsOf(false), pairsOf(true)];
  return {
    studyId: job.studyId,
    people: rank(job, people, false),
    judge: rank(job, judge, true),
    agreement: agree(people, judge, level),
  };
};
