import type { Rescoring, TrialChange } from '../../types.ts';
import type { Tone } from '../../ui/badge.tsx';

export type Change = TrialChange['change'];

/** Labels of the changes that proposals make, the most important first. */
export const changeNames: Record<Change, { label: string; tone: Tone }> = {
  passToFail: { label: 'Pass → fail', tone: 'fail' },
  failToPass: { label: 'Fail → pass', tone: 'pass' },
  valueOnly: { label: 'Other value, same verdict', tone: 'neutral' },
  newlyScored: { label: 'Scored for the first time', tone: 'accent' },
  same: { label: 'Unchanged', tone: 'neutral' },
  unscored: { label: 'Unscored', tone: 'warn' },
  failed: { label: 'Failed', tone: 'warn' },
  givenSince: { label: 'Scored by a person since', tone: 'accent' },
  pending: { label: 'Pending', tone: 'neutral' },
};
export const changeOrder = Object.keys(changeNames) as Change[];

/** The number of records whose score is replaced when the rescoring is adopted. */
export const replacedBy = ({ changes }: Rescoring): number =>
  changes.passToFail + changes.failToPass + changes.valueOnly + changes.newlyScored + changes.same;
