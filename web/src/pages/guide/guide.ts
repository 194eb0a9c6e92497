import { queryOptions } from '@tanstack/react-query';
import type { GuideSection, Passage } from '../../../build-guide.ts';
import { base } from '../../base.ts';

// The guide consists of files beside the pages (web/build-guide.ts), so it needs no key and no connection to anywhere else.

const file = async (path: string): Promise<string> => {
  const response = await fetch(`${base}/guide/${path}`);
  // Without a file, the service answers with the start page of the site.
  const isPage = response.headers.get('content-type')?.startsWith('text/html');
  if (!response.ok || isPage) throw new Error('The guide has no such page. Choose one from the contents.');
  return response.text();
};

const forever = { staleTime: Number.POSITIVE_INFINITY };
export const contentsQuery = queryOptions({
  queryKey: ['guide', 'contents'],
  queryFn: async (): Promise<GuideSection[]> => JSON.parse(await file('contents.json')),
  ...forever,
});
export const passagesQuery = queryOptions({
  queryKey: ['guide', 'passages'],
  queryFn: async (): Promise<Passage[]> => JSON.parse(await file('passages.json')),
  ...forever,
});
export const guidePageQuery = (path: string) =>
  queryOptions({ queryKey: ['guide', path], queryFn: () => file(`${path}.md`), ...forever });

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Returns the passages that have every word of the query, best first: a word in the heading counts more than many in the text.
 */
export const searchPassages = (passages: readonly Passage[], query: string): Passage[] => {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const scored = passages.flatMap((passage) => {
    const heading = `${passage.page} ${passage.heading}`.toLowerCase();
    const text = passage.text.toLowerCase();
    let score = 0;
    for (const word of words) {
      const times = text.split(word).length - 1;
      const named = heading.includes(word) ? 10 : 0;
      if (times + named === 0) return [];
      score += named + Math.log2(1 + times);
    }
    return [{ passage, score }];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, 20)
    .map(({ passage }) => passage);
};

/** Returns the line of a passage that has the first word of the query, or the first line. */
export const excerptOf = ({ text }: Passage, query: string): string => {
  const [word = ''] = wordsOf(query);
  const lines = text.split('\n').filter((line) => line.trim());
  return lines.find((line) => line.toLowerCase().includes(word)) ?? lines[0] ?? '';
};
