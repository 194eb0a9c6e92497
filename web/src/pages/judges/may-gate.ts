import type { Judge } from '../../resources/judges/queries.ts';
import type { PinnedTrial } from '../../types.ts';
import { sentenceOf } from '../../ui/format.ts';

/** Whether decisions may rest on a judge: an answer, and the reason for it. */
export type MayGate = { may: boolean; answer: string; reason: string };

const two = (value: number): string => value.toFixed(2).replace('-', '−');

/**
 * Says whether the judge may gate, by the rule of the gate's `requireCalibrated`: the labels show it to be better than chance. A judge
 * whose newest drift trial says that it drifted should not, until someone has looked. Trials are newest first.
 */
export const mayGate = (judge: Judge, trials: readonly PinnedTrial[]): MayGate => {
  const { state, youden, sentence } = judge;
  if (state === 'calibrated' && youden) {
    const { low, high } = youden.interval;
    const reason = `${sentenceOf(sentence)} Sensitivity + specificity − 1 is ${two(youden.estimate)} (${two(low)} to ${two(high)}); 0 = chance.`;
    const newest = trials
      .flatMap(({ candidates }) => candidates)
      .find((candidate) => candidate.drift !== null);
    if (newest?.drift?.verdict === 'drifted' && newest.metricConfigId === judge.metricConfigId)
      return {
        may: false,
        answer: 'Not ready to block releases: look at its drift first',
        reason: `${sentenceOf(newest.drift.sentence)} ${reason}`,
      };
    return { may: true, answer: 'Ready to block releases', reason };
  }
  const answer = state === 'noBetterThanChance' ? 'Cannot block releases' : 'Not ready to block releases';
  return { may: false, answer, reason: sentenceOf(sentence) };
};
