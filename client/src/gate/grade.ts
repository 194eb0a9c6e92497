/** The three grades of a judge, in the words of the API, the pages, the gate and the command line. */
export const gradeWords = {
  unusable: 'unusable',
  useWithCorrection: 'use with correction',
  mayGateAlone: 'may gate alone',
} as const;
export type Grade = keyof typeof gradeWords;

const whyUnusable = {
  notCalibrated: 'not validated yet',
  tooFewLabels: 'too few labels',
  noBetterThanChance: 'no better than chance',
  calibrated: '',
} as const;

/** The grade of a judge, with the reason if it is unusable. */
export const gradeText = ({ grade, state }: { grade: Grade; state: keyof typeof whyUnusable }): string =>
  grade === 'unusable' ? `${gradeWords.unusable}: ${whyUnusable[state]}` : gradeWords[grade];

/** A judge's calibration as a sentence that begins with its grade. A better grade stands in the sentence itself. */
export const gradedSentence = ({ grade, sentence }: { grade: string; sentence: string }): string =>
  grade === 'unusable' ? `${gradeWords.unusable}: ${sentence}` : sentence;

type Trusted = { trust: string };

/** How far the judges of two compared runs can be trusted, in a few words. */
export const trustOfBoth = ({ before, after }: { before: Trusted; after: Trusted }): string =>
  before.trust === after.trust ? after.trust : `${before.trust}, then ${after.trust}`;
