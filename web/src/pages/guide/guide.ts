import { queryOptions } from '@tanstack/react-query';
import type { GuideSection } from '../../../build-guide.ts';
import type { Passage } from '../../../build-passages.ts';
import { base } from '../../base.ts';
import { type GuideSearch, openSearch } from './search-guide.ts';

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
export const searchQuery = queryOptions({
  queryKey: ['guide', 'search'],
  queryFn: async (): Promise<GuideSearch> => openSearch(JSON.parse(await file('passages.json')) as Passage[]),
  // A function cannot be compared with the one of before.
  structuralSharing: false,
  ...forever,
});
export const guidePageQuery = (path: string) =>
  queryOptions({ queryKey: ['guide', path], queryFn: () => file(`${path}.md`), ...forever });
