import { wordPattern, wordsOf } from '../../engine/statistics/cluster-texts.ts';

/** What a score says why, and by which metric. */
export type Reason = { metricId: string; text: string };

/** Share of the reasons of a metric from which on a word belongs to the words that the metric always uses. */
const always = 0.8;
/** The same for a word that reasons of passed records have about as often. */
const often = 0.5;
/** Fewer reasons than these show no pattern. */
const fewest = 5;

const sharesOf = (texts: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of new Set(wordsOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, count / texts.length]));
};

/** Returns the words of a metric's reasons that say nothing about one failure: they are in nearly all of them, or as often when it passes. */
const templateOf = (failed: readonly string[], passed: readonly string[]): Set<string> => {
  if (failed.length < fewest) return new Set();
  const inPassed = passed.length < fewest ? new Map<string, number>() : sharesOf(passed);
  const found = [...sharesOf(failed)].filter(
    ([word, share]) => share > always || (share > often && (inPassed.get(word) ?? 0) > share / 2),
  );
  return new Set(found.map(([word]) => word));
};

/**
 * Returns what the reasons of each failure say beside the words that their metrics always use, such as “Answered …, expected …”. `passed`
 * are reasons of records that passed.
 */
export const withoutTemplates = (
  failures: readonly (readonly Reason[])[],
  passed: readonly Reason[],
): string[] => {
  const textsBy = (reasons: readonly Reason[]) =>
    new Map(
      [...Map.groupBy(reasons, ({ metricId }) => metricId)].map(([id, own]) => [
        id,
        own.map(({ text }) => text),
      ]),
    );
  const ofPassed = textsBy(passed);
  const templates = new Map(
    [...textsBy(failures.flat())].map(([id, texts]) => [id, templateOf(texts, ofPassed.get(id) ?? [])]),
  );
  const strip = ({ metricId, text }: Reason) =>
    text.replace(wordPattern, (word) => (templates.get(metricId)!.has(word.toLowerCase()) ? '' : word));
  return failures.map((reasons) => reasons.map(strip).join('\n').trim());
};

/** Fewest words of a reason, shared with others, by which it can be grouped. */
const fewestWords = 3;

/** Whether most of the texts have words in common with some of the others, so that they can be grouped. */
export const areTelling = (texts: readonly string[]): boolean => {
  const words = texts.map((text) => [...new Set(wordsOf(text))]);
  const counts = new Map<string, number>();
  for (const word of words.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const telling = words.filter(
    (own) => own.filter((word) => counts.get(word)! > 1).length >= fewestWords,
  ).length;
  return texts.length > 0 && telling >= 0.8 * texts.length;
};
