import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';

/** What the page belongs to, such as the name of a project: part of the title of its tab. */
export const TitleContext = createContext('');

/** A link to the help of the page, at the right of its title. */
export const HelpContext = createContext<ReactNode>(null);

/** Names the tab, its bookmarks and its place in the history: the most special part first. */
export const titleTab = (...parts: readonly (string | undefined)[]): void => {
  // A project's home has the name of the project as its heading.
  const named = [...new Set(parts.filter(Boolean))];
  document.title = [...named, 'Dokima'].join(' · ');
};

/** Links to the pages beside this one, before and after its title. */
export const BesideContext = createContext<{ before: ReactNode; after: ReactNode }>({
  before: null,
  after: null,
});

type PageProps = {
  /** Where the page is, above its title. */
  crumbs?: ReactNode;
  title: ReactNode;
  /** What can be done here, at the right of the title. */
  actions?: ReactNode;
  /** Filters and other controls, on their own line. */
  toolbar?: ReactNode;
  /** Content that scrolls by itself, as tables do, takes the whole height. */
  fill?: boolean;
  children: ReactNode;
};

/** Every page: crumbs, title, actions, toolbar, content, in this order. */
export const Page = ({ crumbs, title, actions, toolbar, fill, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const trail = useRef<HTMLSpanElement>(null);
  const scope = useContext(TitleContext);
  const help = useContext(HelpContext);
  const { before, after } = useContext(BesideContext);
  // The heading may have markup; its text is the name.
  useEffect(() => {
    const crumbs = [...(trail.current?.childNodes ?? [])].filter(
      (node) => !(node instanceof Element && node.ariaHidden === 'true'),
    );
    titleTab(
      ...[heading.current, ...crumbs.toReversed()].map((node) => node?.textContent ?? undefined),
      scope,
    );
  });
  return (
    <div className="flex h-full min-h-0 flex-col print:block">
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-2">
        <div className="flex min-w-0 flex-1 items-baseline gap-x-1.5 max-md:min-w-44 max-md:flex-wrap">
          {crumbs && (
            <nav
              aria-label="Breadcrumb"
              className="flex min-w-0 max-w-[40%] shrink-0 items-baseline gap-1.5 text-soft whitespace-nowrap max-md:max-w-full"
            >
              <span ref={trail} className="flex min-w-0 items-baseline gap-1.5 [&>a]:truncate">
                {crumbs}
              </span>
              <span aria-hidden>/</span>
            </nav>
          )}
          {before}
          <h1
            ref={heading}
            tabIndex={-1}
            className={`truncate text-lg font-semibold outline-none ${crumbs ? 'min-w-24' : ''}`}
          >
            {title}
          </h1>
          {after}
        </div>
        {actions && (
          // On a phone the help is beside the title, and not alone on a line below many buttons.
          <div className="flex flex-wrap items-center gap-2 max-md:order-1 print:hidden">{actions}</div>
        )}
        {help}
      </header>
      {toolbar && <div className="flex shrink-0 flex-wrap items-center gap-2 px-4 pt-1">{toolbar}</div>}
      <div
        className={
          fill
            ? 'flex min-h-0 flex-1 flex-col pt-3'
            : // What is hidden from sight is placed absolutely: it must scroll with the page, and not make the document taller.
              'relative min-h-0 flex-1 overflow-auto px-4 pt-3 pb-12 print:overflow-visible'
        }
      >
        {children}
      </div>
    </div>
  );
};

/** Moves the focus to the page's title when the element that had it has disappeared. */
export const focusTitle = (): void => document.querySelector('h1')?.focus();

/** A part of a page with a heading. */
export const Section = ({
  id,
  title,
  actions,
  children,
}: {
  /** Makes the section the target of links. */
  id?: string;
  title: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) => {
  const element = useRef<HTMLElement>(null);
  // The router has looked for the target before the page had its data, and did not find it.
  useEffect(() => {
    if (id && window.location.hash === `#${id}`) element.current?.scrollIntoView();
  }, [id]);
  return (
    <section ref={element} id={id} className="mb-6">
      <header className="mb-2 flex min-h-7 items-center gap-2 max-md:flex-wrap">
        <h2 className="flex-1 font-semibold max-md:min-w-40">{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
};
