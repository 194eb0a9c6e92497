import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { GuideSection } from '../../../build-guide.ts';
import { passagesOf } from '../../../build-passages.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Input } from '../../ui/field.tsx';
import { titleTab } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { contentsQuery, guidePageQuery, searchQuery } from './guide.ts';
import { GuideMarkdown } from './guide-markdown.tsx';
import { excerptOf } from './search-guide.ts';

const Contents = ({ sections, page }: { sections: readonly GuideSection[]; page: string }) => (
  <nav aria-label="Contents" className="flex flex-col gap-3">
    {sections.map(({ title, pages }) => (
      // The reference has a page for each resource: it is open where it is read.
      <details
        key={title}
        open={!pages.every(({ path }) => path.startsWith('api/')) || pages.some(({ path }) => path === page)}
      >
        <summary className="px-2 text-sm font-semibold">{title}</summary>
        <ul>
          {pages.map(({ path, title: name }) => (
            <li key={path}>
              <Link
                {...paths.guide(path)}
                activeOptions={{ includeHash: false }}
                className="block rounded-md px-2 py-0.5 text-soft hover:bg-hover hover:text-ink data-[status=active]:bg-selected data-[status=active]:text-ink"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    ))}
  </nav>
);

const Results = ({ query, onChoose }: { query: string; onChoose: () => void }) => (
  <Loaded query={useQuery(searchQuery)} lines={6}>
    {(search) => {
      const found = search(query);
      return (
        <section aria-label="Results">
          <p role="status" className="px-2 text-sm text-soft">
            {found.length === 0 ? 'No part of the guide has any of these words.' : 'Best matches first.'}
          </p>
          <ul>
            {found.map((passage) => (
              <li key={`${passage.page}#${passage.anchor}`}>
                <Link
                  {...paths.guide(passage.page)}
                  hash={passage.anchor}
                  onClick={onChoose}
                  className="block rounded-md px-2 py-1 hover:bg-hover"
                >
                  <span className="font-medium">{passage.heading}</span>{' '}
                  {passage.title !== passage.heading && (
                    <span className="text-sm text-soft">{passage.title}</span>
                  )}
                  <span className="line-clamp-2 text-sm text-soft">{excerptOf(passage, query)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      );
    }}
  </Loaded>
);

/** The parts of a page, for a window that has room beside the text. */
const Outline = ({ page, text }: { page: string; text: string }) => {
  const parts = useMemo(() => passagesOf(page, text).slice(1), [page, text]);
  if (parts.length < 3) return null;
  return (
    <nav
      aria-label="On this page"
      className="sticky top-0 hidden max-h-[calc(100vh-3rem)] w-56 shrink-0 overflow-auto text-sm xl:block print:hidden"
    >
      <h2 className="font-semibold">On this page</h2>
      <ul>
        {parts.map(({ anchor, heading }) => (
          <li key={anchor}>
            <Link
              {...paths.guide(page)}
              hash={anchor}
              className="block truncate py-0.5 text-soft hover:text-ink"
            >
              {heading}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** The page before and the page after, in the order of the contents. */
const Neighbours = ({ sections, page }: { sections: readonly GuideSection[]; page: string }) => {
  const pages = sections.flatMap((section) => section.pages);
  const at = pages.findIndex(({ path }) => path === page);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  return (
    <nav aria-label="Neighbours" className="mt-8 flex max-w-3xl justify-between gap-4 border-t pt-3">
      {before ? <TextLink {...paths.guide(before.path)}>← {before.title}</TextLink> : <span />}
      {after && <TextLink {...paths.guide(after.path)}>{after.title} →</TextLink>}
    </nav>
  );
};

/** The guide: contents and search beside a page. It needs no sign-in. */
export const GuidePage = () => {
  const { _splat: path = '' } = useParams({ strict: false });
  const contents = useQuery(contentsQuery);
  const text = useQuery(guidePageQuery(path));
  const { q = '' } = useSearch({ strict: false }) as { q?: string };
  const [search, setSearch] = useState(q);
  const sections = contents.data ?? [];
  const known = useMemo(
    () => new Set(contents.data?.flatMap(({ pages }) => pages.map(({ path }) => path))),
    [contents.data],
  );
  const title = sections.flatMap(({ pages }) => pages).find((each) => each.path === path)?.title;
  useEffect(() => titleTab(title, 'Guide'), [title]);
  const main = useRef<HTMLElement>(null);
  const hash = useRouterState({ select: ({ location }) => location.hash });
  // The text arrives after the router has scrolled.
  useEffect(() => {
    if (text.data === undefined || known.size === 0) return;
    const target = hash ? document.getElementById(hash) : null;
    if (target) target.scrollIntoView();
    else main.current?.scrollTo(0, 0);
  }, [text.data, hash, known.size]);
  return (
    <div className="flex h-full max-md:flex-col">
      <aside className="flex w-64 shrink-0 flex-col gap-3 overflow-auto border-r p-3 max-md:max-h-56 max-md:w-full max-md:border-r-0 max-md:border-b print:hidden">
        <TextLink to="/" className="px-2">
          Dokima
        </TextLink>
        <Input
          label="Search the guide"
          type="search"
          value={search}
          onChange={setSearch}
          placeholder="Search the guide"
          hideLabel
        />
        {search.trim() ? (
          <Results query={search} onChoose={() => setSearch('')} />
        ) : (
          <Contents sections={sections} page={path} />
        )}
      </aside>
      <main ref={main} className="min-h-0 min-w-0 flex-1 overflow-auto bg-surface px-6 py-6">
        <Loaded query={text} lines={12}>
          {(markdown) => (
            <div className="flex gap-8">
              <GuideMarkdown text={markdown} page={path} known={known} />
              <Outline page={path} text={markdown} />
            </div>
          )}
        </Loaded>
        <Neighbours sections={sections} page={path} />
      </main>
    </div>
  );
};
