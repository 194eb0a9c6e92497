import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import type { Passage } from '../../../build-passages.ts';

/** Words of questions that say nothing about the answer. */
const stopWords = new Set(
  'a an and are as at be but by can could do does for from get give had has have how i if in into is it its me my need of on or our should so than that the their them then there these they this to us use using want was we what when where which who why will with would you your'.split(
    ' ',
  ),
);

const termOf = (word: string): string | null => {
  const lower = word.toLowerCase();
  return stopWords.has(lower) ? null : stemmer(lower);
};

/** How much a word counts where it stands: the words of the glossary and a heading say what a passage is about. */
const boost = { heading: 6, aliases: 6, title: 3, text: 1 };

export type GuideSearch = (query: string) => Passage[];

/**
 * Returns a search over the passages: those with any word of the query, best first (BM25+ over heading, glossary, title and text). A passage
 * with all its words comes before one with some. The last word may be unfinished.
 */
export const openSearch = (passages: readonly Passage[]): GuideSearch => {
  const index = new MiniSearch<Passage & { id: number }>({
    fields: Object.keys(boost),
    processTerm: termOf,
    searchOptions: {
      boost,
      prefix: (term, at, terms) => at === terms.length - 1 && term.length > 2,
      fuzzy: (term) => (term.length > 5 ? 0.15 : false),
      weights: { prefix: 0.3, fuzzy: 0.2 },
    },
  });
  index.addAll(passages.map((passage, id) => ({ ...passage, id })));
  return (query) => {
    const asksForMeaning = /^\s*what (is|are)\b/i.test(query);
    const found = index.search(query).map(({ id, score, queryTerms }) => {
      const passage = passages[id as number]!;
      const explains = asksForMeaning && passage.page === 'concepts';
      return { passage, score: score * queryTerms.length ** 2 * (explains ? 3 : 1) };
    });
    return found
      .toSorted((a, b) => b.score - a.score)
      .slice(0, 20)
      .map(({ passage }) => passage);
  };
};

/** Returns the line of a passage that has the most words of the query, or its first line. */
export const excerptOf = ({ text }: Passage, query: string): string => {
  const words = query.split(/\W+/).map(termOf).filter(Boolean) as string[];
  const lines = text.split('\n').filter((line) => line.trim());
  const hits = (line: string) => words.filter((word) => line.toLowerCase().includes(word)).length;
  return lines.reduce((best, line) => (hits(line) > hits(best) ? line : best), lines[0] ?? '');
};
