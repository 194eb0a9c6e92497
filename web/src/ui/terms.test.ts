import { readFile } from 'node:fs/promises';
import GithubSlugger from 'github-slugger';
import { expect, it } from 'vitest';
import { terms } from './terms.ts';

it('each term has one line and leads to a heading of the guide', async () => {
  const wrong = await Promise.all(
    Object.entries(terms).map(async ([name, { meaning, place }]) => {
      const [page, anchor] = place.split('#');
      const text = await readFile(new URL(`../../../docs/${page}.md`, import.meta.url), 'utf8');
      const slugger = new GithubSlugger();
      const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugger.slug(heading!));
      const leads = !anchor || headings.includes(anchor);
      return leads && meaning.length <= 120 ? undefined : `${name}: ${place}, ${meaning.length} characters`;
    }),
  );
  expect(wrong.filter(Boolean)).toEqual([]);
});
