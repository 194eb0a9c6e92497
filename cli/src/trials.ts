import type { PinnedTrial, Rescoring, Trial } from '../../client/src/main.ts';

export const isRescoring = (trial: Trial): trial is Rescoring => trial.kind === 'rescoring';

/** Whether a trial has candidates, which decide the pinned records. */
export const isPinned = (trial: Trial): trial is PinnedTrial => !isRescoring(trial);

/** Returns a trial that is known to have candidates. */
export const asPinned = (trial: Trial): PinnedTrial => {
  if (isPinned(trial)) return trial;
  throw new Error(`Trial ${trial.number} is a rescoring.`);
};

/** Returns a trial that is known to be a rescoring. */
export const asRescoring = (trial: Trial): Rescoring => {
  if (isRescoring(trial)) return trial;
  throw new Error(`Trial ${trial.number} is not a rescoring.`);
};
