import type { Criterion } from '../../../../client/src/criteria.ts';
import type { Failed } from '../../engine/models/ask.ts';
import { followedBy } from '../../engine/models/media.ts';
import type { Content } from '../../engine/models/question.ts';
import type { Scale } from '../../evaluation/metrics/scale.ts';
import { secondFraming } from './addressed.ts';
import { combineCriteria } from './judge-criteria.ts';
import { type Combined, combine, isCertain, type Verdict } from './verdict.ts';
import type { Vote } from './vote.ts';

/** A vote to ask a model for: by the question as it is, or by the one that warns of an output which addresses its judge. */
export type Ballot = { question: Content; isSecondFraming: boolean };

/** Outcome of the ballots of one model, including earlier attempts. */
export type Count = {
  votes: Verdict[];
  unreadable: { reason: string; error?: string }[];
  /** The vote by the second framing; null if it can't be read, undefined if it was not cast. */
  second?: Verdict | null;
  /** Why no further ballot was cast. */
  stopped?: Failed | { state: 'unscored'; reason: string };
};

/** A question to a model, and the votes that it should get. */
export type Poll = {
  question: Content;
  scale: Scale;
  repeats: number;
  /** Signs that the output addresses its judge. */
  found: string[];
  /** The record's criteria, if the metric has any. */
  criteria?: readonly Criterion[] | undefined;
};

/** One verdict from several, if there is one. */
export const combined = (
  votes: Verdict[],
  { scale, criteria }: Pick<Poll, 'scale' | 'criteria'>,
): Combined | undefined => (criteria ? combineCriteria(votes, criteria) : combine(votes, scale));

/** The verdict of the repeats. Unreadable votes do not count: more than half of the votes must be readable. */
export const decided = ({ votes }: Count, poll: Poll) =>
  votes.length * 2 > poll.repeats ? combined(votes, poll) : undefined;

/** All ballots that are left, in the order in which they are cast: the repeats, then the second framing if there are signs. */
export const ballotsOf = ({ question, repeats, found }: Poll, { votes, unreadable }: Count): Ballot[] => [
  ...Array.from({ length: Math.max(0, repeats - votes.length - unreadable.length) }, () => ({
    question,
    isSecondFraming: false,
  })),
  ...(found.length > 0
    ? [{ question: followedBy(question, secondFraming(found)), isSecondFraming: true }]
    : []),
];

/**
 * Casts ballots one after the other, and adds the votes to the count: a provider's limit on concurrent calls counts judgements, and
 * each is one call at a time.
 */
export const castBallots = async (
  poll: Poll,
  count: Count,
  cast: (ballot: Ballot) => Promise<Vote | Failed>,
  signal?: AbortSignal,
): Promise<void> => {
  let isEnough = false;
  for (const ballot of ballotsOf(poll, count)) {
    const { isSecondFraming } = ballot;
    // A second framing confirms a verdict, so it is asked for only if there is one.
    if (isSecondFraming ? !decided(count, poll) : isEnough) continue;
    const vote = await cast(ballot);
    if ('state' in vote) {
      isEnough = !isSecondFraming && isCertain(count.votes, poll.repeats) && !signal?.aborted;
      if (isEnough) continue;
      count.stopped = vote;
      return;
    }
    if (isSecondFraming) count.second = 'verdict' in vote ? vote.verdict : null;
    else if ('verdict' in vote) count.votes.push(vote.verdict);
    else count.unreadable.push(vote);
    // Repeats would be refused as well.
    if (!isSecondFraming && 'reason' in vote && vote.reason === 'media_refused') {
      count.stopped = { state: 'unscored', reason: vote.reason };
      return;
    }
  }
};
