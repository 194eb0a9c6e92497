/** Caveats of numbers, in the words that pages, reports and the command line share. */
import type { RunComparison } from './generated.ts';

export type Caveat = RunComparison['pairs'][number]['metrics'][number]['caveats'][number];
type CaveatCode = Caveat['code'];

/** What each kind of caveat is about, in a few words. The sentence of a caveat says the rest. */
export const caveatNames: Record<CaveatCode, string> = {
  fewTestcases: 'Few testcases',
  fewGroups: 'Few groups',
  fewLabels: 'Few labels',
  fewRecords: 'Few records',
  nearBound: 'Near the end of the scale',
  noSpread: 'No spread',
  noEvent: 'Nothing but one outcome',
  skewed: 'A few large values',
  unpaired: 'Not the same testcases',
  missingScores: 'Missing scores',
  missingVerdicts: 'Missing scores',
  belowFloor: 'Labels alone',
  dependentRecords: 'Records that depend on each other',
  metricChanged: 'The metric was changed',
  judgeError: 'Errors of the judge',
  judgeNoBetterThanChance: 'Errors of the judge',
  judgeNotCalibrated: 'Errors of the judge',
  judgeErrsDifferently: 'Errors of the judge',
  peopleErr: 'Errors of people',
  sampleIncomplete: 'The sample is not complete',
  notSampled: 'Labels not drawn at random',
  abstained: 'No verdict of the judge',
  reviewsLeftOut: 'Reviews left out',
  partialCoverage: 'Only part of the testcases',
  notSequential: 'Looked at more than once',
  orderNotDrawn: 'Order not drawn at random',
  mixedScorers: 'Scores of a person and of a model',
  repeatedInputs: 'Repeated inputs',
  nearDuplicates: 'Inputs that are nearly the same',
};

/** A number with its caveats. `of` names it for readers. */
type Limited = { of: string; caveats: readonly Caveat[] };

/** A caveat with the names of all that it limits. */
export type CaveatLine = { code: CaveatCode; name: string; sentence: string; of: string[] };

/** Returns the caveats of several numbers: each sentence once, in the order of its first number. */
export const caveatLines = (numbers: readonly Limited[]): CaveatLine[] => {
  const lines = new Map<string, CaveatLine>();
  for (const { of, caveats } of numbers)
    for (const { code, sentence } of caveats) {
      const line = lines.get(sentence) ?? { code, name: caveatNames[code], sentence, of: [] };
      if (!line.of.includes(of)) line.of.push(of);
      lines.set(sentence, line);
    }
  return [...lines.values()];
};
