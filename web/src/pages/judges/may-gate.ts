import { gradeText } from '../../resources/judges/grade.tsx';
import type { Judge } from '../../resources/judges/queries.ts';
import type { PinnedTrial } from '../../types.ts';
import { sentenceOf } from '../../ui/format.ts';

/** How far decisions may rest on a judge: its grade in words, and the reason for it. */
export type MayGate = { grade: Judge['grade']; answer: string; reason: string };

const pointsOf = (share: number): string => (100 * share).toFixed(0);

/** The largest loss by the judge's errors, and which of them is the largest. */
const lossText = ({ grade, loss }: Judge): string => {
  if (!loss || grade === 'unusable') return '';
  const { low, high } = loss.interval;
  const kind = loss.largest === 'falseFails' ? 'it fails good records' : 'it passes bad records';
  return ` Its largest error is that ${kind}: in ${pointsOf(loss.estimate)} of 100 (${pointsOf(low)} to ${pointsOf(high)}), so its own rate can be that many points away from that of people. Below 20 points it may gate alone.`;
};

/**
 * Says how far the judge can be trusted, by the rule of the gate's `requireCalibrated`: its grade. A judge whose newest drift trial says that
 * it drifted has no better grade than *use with correction* on the page, until someone has looked. Trials are newest first.
 */
export const mayGate = (judge: Judge, trials: readonly PinnedTrial[]): MayGate => {
  const reason = `${sentenceOf(judge.sentence)}${lossText(judge)}`;
  const newest = trials.flatMap(({ candidates }) => candidates).find((candidate) => candidate.drift !== null);
  if (
    judge.grade !== 'unusable' &&
    newest?.drift?.verdict === 'drifted' &&
    newest.metricConfigId === judge.metricConfigId
  )
    return {
      grade: 'useWithCorrection',
      answer: `${gradeText(judge)}, but it drifted: look at its drift first`,
      reason: `${sentenceOf(newest.drift.sentence)} ${reason}`,
    };
  // The grade is that of the labels. What speaks against the judge stands in its sentence, and it is not shown as safe.
  if (judge.grade === 'mayGateAlone' && judge.doubts.length > 0)
    return {
      grade: 'useWithCorrection',
      answer: `${gradeText(judge)}, but ${judge.doubts.map(({ words }) => words).join(', ')}`,
      reason,
    };
  return { grade: judge.grade, answer: gradeText(judge), reason };
};
