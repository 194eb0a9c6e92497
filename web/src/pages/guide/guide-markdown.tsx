import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import { base, serviceUrl } from '../../base.ts';
import { paths } from '../../paths.ts';
import { CodeBlock } from '../../ui/copy.tsx';

const textLook = 'text-accent underline';

/** Resolves a link of a page, such as `../judges.md#votes`, to a page of the guide; undefined if it leads to another file. */
const pageOf = (href: string, page: string): { page: string; hash: string } | undefined => {
  const { pathname, hash } = new URL(href, `file:///docs/${page}.md`);
  const path = /^\/docs\/(.+)\.md$/.exec(pathname)?.[1];
  return path ? { page: path, hash: hash.slice(1) } : undefined;
};

const textOf = (node: ReactNode): string => {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (node && typeof node === 'object' && 'props' in node)
    return textOf((node.props as { children?: ReactNode }).children);
  return '';
};

/** A heading with a link to itself, whose address a reader copies. */
const headingOf = (Level: 'h2' | 'h3' | 'h4', page: string) =>
  function Heading({ id = '', children }: { id?: string | undefined; children?: ReactNode }) {
    return (
      <Level id={id} className="group">
        {children}{' '}
        <Link
          {...paths.guide(page)}
          hash={id}
          aria-label={`Link to ${textOf(children)}`}
          className="text-soft no-underline opacity-0 group-hover:opacity-100 focus:opacity-100 print:hidden"
        >
          #
        </Link>
      </Level>
    );
  };

const componentsOf = (page: string, known: ReadonlySet<string>): Components => ({
  a: ({ href = '', children }) => {
    if (/^https?:/.test(href))
      return (
        <a href={href} target="_blank" rel="noreferrer noopener" className={textLook}>
          {children}
        </a>
      );
    const target = href.startsWith('/') ? undefined : pageOf(href, page);
    if (target && known.has(target.page))
      return (
        <Link {...paths.guide(target.page)} hash={target.hash} className={textLook}>
          {children}
        </Link>
      );
    // Addresses of the service stay links. Files of the repository are not here.
    return href.startsWith('/') ? (
      <a href={`${base}${href}`} className={textLook}>
        {children}
      </a>
    ) : (
      <span title={`In the repository: ${href}`}>{children}</span>
    );
  },
  img: ({ src, alt }) => (
    <img
      src={new URL(String(src), `${serviceUrl}/guide/${page}`).href}
      alt={alt ?? ''}
      className="max-w-full rounded-md border bg-white p-2"
    />
  ),
  h2: headingOf('h2', page),
  h3: headingOf('h3', page),
  h4: headingOf('h4', page),
  pre: ({ children }) => <CodeBlock text={textOf(children).replace(/\n$/, '')} label="Copy the lines" />,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div tabIndex={0} className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
});

const look =
  'flex min-w-0 max-w-3xl flex-col gap-3 break-words leading-relaxed [&_code]:rounded-sm [&_code]:bg-sunken [&_code]:px-1 [&_code]:font-mono [&_code]:text-sm [&_h1]:text-focal [&_h1]:font-semibold [&_h2]:mt-6 [&_h2]:text-lg [&_h2]:font-semibold [&_h3]:mt-3 [&_h3]:font-semibold [&_h4]:font-medium [&_li]:ml-4 [&_ol]:list-decimal [&_table]:border-collapse [&_td]:border [&_td]:px-2 [&_td]:py-1 [&_td]:align-top [&_th]:border [&_th]:px-2 [&_th]:py-1 [&_th]:text-left [&_ul]:list-disc';

/** A page of the guide. `known` are the paths of all pages, to which links lead. */
export const GuideMarkdown = ({
  text,
  page,
  known,
}: {
  text: string;
  page: string;
  known: ReadonlySet<string>;
}) => (
  <article className={look}>
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[rehypeSlug]}
      components={componentsOf(page, known)}
    >
      {text.replaceAll(/^<!--[\s\S]*?-->\n/gm, '')}
    </ReactMarkdown>
  </article>
);
