import GithubSlugger from 'github-slugger';

/** The part of a page below one heading, as the search finds it. */
export type Passage = {
  page: string;
  /** Title of the page. */
  title: string;
  heading: string;
  anchor: string;
  /** Plain text, a line for each line of the page. Code is left in. */
  text: string;
  /** Other words for what the passage is about, from the glossary. */
  aliases?: string;
};

/** Returns Markdown within a line as plain text. A parser of Markdown takes 20 times as long, and this is only read in results of a search. */
const wordsOf = (line: string): string =>
  line.replaceAll(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)\s]+\)/g, '$1').replaceAll(/\*\*|`/g, '');

/** Returns a line of a paragraph, a list or a table as plain text. */
const plainOf = (line: string): string =>
  wordsOf(line.replace(/^\s*(?:[-*>]|\d+\.)\s+/, '').replace(/^\s*\|\s*(.*?)\s*\|\s*$/, '$1')).replaceAll(
    /\s+\|\s+/g,
    ' · ',
  );

/** Returns the parts of a page, one for each heading outside of code. Anchors are GitHub's, as those of the rendered page. */
export const passagesOf = (page: string, markdown: string): Passage[] => {
  const passages: Passage[] = [];
  const slugger = new GithubSlugger();
  let isCode = false;
  for (const line of markdown.split('\n')) {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    const heading = isCode ? undefined : /^#{1,4} (.+)$/.exec(line)?.[1];
    if (heading) {
      const words = wordsOf(heading);
      const title = passages[0]?.heading ?? words;
      passages.push({ page, title, heading: words, anchor: slugger.slug(words), text: '' });
    } else if (passages.length > 0 && !isFence && !/^<!--|^\s*\|[\s|:-]+\|$/.test(line))
      passages.at(-1)!.text += `${isCode ? line : plainOf(line)}\n`;
  }
  return passages;
};

/**
 * Returns the words of the glossary by the place that explains them, such as `governance#deletion`. A row of its table has the words, separated
 * by commas, and then a cell with links: `| gdpr, erasure | [deletion](governance.md#deletion) |`.
 */
export const aliasesOf = (glossary: string): Map<string, string> => {
  const aliases = new Map<string, string>();
  for (const [, words, links] of glossary.matchAll(/^\| ([^|]+) \| ([^|]*\]\([^|]+) \|/gm))
    for (const [, page, anchor] of links!.matchAll(/\]\(([\w/-]+)\.md(?:#([^)]+))?\)/g)) {
      const place = anchor ? `${page}#${anchor}` : page!;
      aliases.set(place, [aliases.get(place), words].filter(Boolean).join(', '));
    }
  return aliases;
};

/** Adds the glossary's words to the passages that explain them. A place without an anchor is the beginning of its page. */
export const withAliases = (
  passages: readonly Passage[],
  aliases: ReadonlyMap<string, string>,
): Passage[] => {
  const begun = new Set<string>();
  return passages.map((passage) => {
    const { page, anchor } = passage;
    const words = aliases.get(`${page}#${anchor}`) ?? (begun.has(page) ? undefined : aliases.get(page));
    begun.add(page);
    return words ? { ...passage, aliases: words } : passage;
  });
};
