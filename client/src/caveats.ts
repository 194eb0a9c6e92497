/** Caveats of numbers, in the words that pages, reports and the command line share. */
import type { RunComparison } from './generated.ts';

export type Caveat = RunComparison['pairs'][number]['metrics'][number]['caveats'][number];
type CaveatCode = Caveat['code'];

/** Short title of each kind of caveat. The sentence of a caveat says the rest. */
export const caveatNames: Record<CaveatCode, string> = {
  fewTestcases: 'Few testcases',
  fewGroups: 'Few groups',
  spanMeans: 'Records count once each',
  spanLabels: 'Spans of a record count as one',
  fewLabels: 'Few labels',
  fewRecords: 'Few records',
  nearBound: 'Near the end of the scale',
  noSpread: 'No spread',
  noEvent: 'Nothing but one outcome',
  skewed: 'A few large values',
  unpaired: 'Not the same testcases',
  missingScores: 'Missing scores',
  missingVerdicts: 'Missing scores',
  invalidScores: 'Scores that do not fit the metric',
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
  labelsOfModels: 'Labels of models left out',
  abstained: 'No verdict of the judge',
  reviewsLeftOut: 'Reviews left out',
  reviewsSeen: 'Reviews that saw others',
  partialCoverage: 'Only part of the testcases',
  notSequential: 'Looked at more than once',
  orderNotDrawn: 'Order not drawn at random',
  mixedScorers: 'Scores of a person and of a model',
  repeatedInputs: 'Repeated inputs',
  nearDuplicates: 'Inputs that are nearly the same',
  unequalWeights: 'Few testcases decide',
  withoutWeight: 'Testcases left out',
  notCorrected: 'Errors of the judge',
};

/** A sentence about something that `of` names. */
export type Said = { of: string; sentence: string };

/** Returns each sentence once, in the order of its first occurrence, with the names of everything that it is about. */
export const foldSentences = (said: readonly Said[]): { of: string[]; sentence: string }[] => {
  const lines = new Map<string, Set<string>>();
  for (const { of, sentence } of said) lines.set(sentence, (lines.get(sentence) ?? new Set()).add(of));
  return [...lines].map(([sentence, of]) => ({ of: [...of], sentence }));
};

/** A number with its caveats. `of` names it for readers. */
export type Limited = { of: string; caveats: readonly Caveat[] };

/** A caveat with the names of all that it limits. */
export type CaveatLine = { code: CaveatCode; name: string; sentence: string; of: string[] };

/** Returns the caveats of several numbers: each sentence once, in the order of its first number. */
export const caveatLines = (numbers: readonly Limited[]): CaveatLine[] => {
  const said = numbers.flatMap(({ of, caveats }) => caveats.map((caveat) => ({ of, ...caveat })));
  const codes = new Map(said.map(({ sentence, code }) => [sentence, code]));
  return foldSentences(said).map((line) => {
    const code = codes.get(line.sentence)!;
    return { code, name: caveatNames[code], ...line };
  });
};

/** Caveats of the judge's own difference. They do not apply once people's labels decide, because another difference is then shown. */
const ofJudge: ReadonlySet<CaveatCode> = new Set([
  'judgeError',
  'judgeNoBetterThanChance',
  'judgeNotCalibrated',
]);

type Compared = Pick<RunComparison['pairs'][number]['metrics'][number], 'caveats' | 'corrected'>;

/** Returns the caveats of a difference: of the scores' own, or of the one by people's labels. */
export const comparedCaveats = (
  { caveats, corrected }: Compared,
  basis: 'scores' | 'people',
): readonly Caveat[] =>
  basis === 'people'
    ? [...caveats.filter(({ code }) => !ofJudge.has(code)), ...(corrected?.caveats ?? [])]
    : caveats;

/** Returns the caveats of both differences of a metric, where both are printed: that of its scores, and that by people's labels. */
export const caveatsOfBoth = (
  compared: Compared & Pick<RunComparison['pairs'][number]['metrics'][number], 'conclusion'>,
  name: string,
): Limited[] => {
  const { caveats, corrected, conclusion } = compared;
  return [
    { of: name, caveats: [...caveats, ...comparedCaveats(compared, conclusion.basis)] },
    ...(conclusion.basis === 'scores' && corrected?.interval
      ? [{ of: `${name}, as people would judge it`, caveats: corrected.caveats }]
      : []),
  ];
};

const mostNamed = 6;

/** Lists names for readers: the first six, and how many more there are. */
export const namesText = (names: readonly string[]): string =>
  names.length > mostNamed
    ? `${names.slice(0, mostNamed).join(', ')} and ${names.length - mostNamed} more`
    : names.join(', ');

/** Says which of `all` metrics a line is about. */
export const aboutText = (of: readonly string[], all: number): string =>
  all > 1 && of.length === all ? 'every metric' : namesText(of);
