import { useQuery } from '@tanstack/react-query';
import { Link, useMatches } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../api.ts';
import { accessQuery, useMay } from '../resources/session/me.ts';
import { groups, useSections } from './sections.ts';

/** A line of the navigation. */
export const navItem =
  'flex h-7 shrink-0 items-center gap-2 rounded-md px-2 text-soft hover:bg-hover hover:text-ink data-[open=true]:bg-selected data-[open=true]:font-medium data-[open=true]:text-ink';

type SectionOf = ReturnType<typeof useSections>[number];

/** Whether the route `here` is a page of a section, or below one. */
const isOpen = (section: SectionOf, here: string): boolean =>
  (section.below !== undefined && here.startsWith(section.below)) ||
  [section, ...(section.parts ?? [])].some(({ link }) => {
    const { to } = link('');
    return section.exact ? here === `${to}/` : here === to || here.startsWith(`${to}/`);
  });

const SectionLink = ({
  projectId,
  section,
  here,
}: {
  projectId: string;
  section: SectionOf;
  here: string;
}) => {
  const { label, icon: Icon, link } = section;
  const open = isOpen(section, here);
  return (
    <Link
      {...link(projectId)}
      activeOptions={{ exact: section.exact ?? false, includeSearch: false }}
      className={navItem}
      data-open={open}
      aria-current={open ? 'page' : undefined}
    >
      <Icon size={14} aria-hidden />
      {label}
      {section.counts && <ToReview projectId={projectId} className="ml-auto" />}
    </Link>
  );
};

/** At most this many records are counted in the navigation. */
const mostCounted = 99;
const refreshMs = 60_000;

/** The number of records that wait for the member. What another page has read of it is newer than what came with the access. */
const ToReview = ({ projectId, className }: { projectId: string; className: string }) => {
  const { data: access } = useQuery({ ...accessQuery(projectId), refetchInterval: refreshMs });
  const { data: progress } = useQuery({ ...apiQuery('getReviewProgress', projectId), enabled: false });
  const count = progress?.forYou.numRecords ?? access?.numToReview ?? 0;
  if (count === 0) return null;
  const text = count > mostCounted ? `${mostCounted}+` : String(count);
  return (
    <span
      className={`rounded-full bg-selected px-1.5 text-sm text-accent ${className}`}
      title="Records that wait for you"
    >
      {text}
      <span className="sr-only"> to review</span>
    </span>
  );
};

/** The parts of the project: its home, what people do in it by groups, and what belongs to it as a whole. */
export const ProjectLinks = ({ projectId }: { projectId: string }) => {
  const sections = useSections();
  const { read } = useMay();
  const uses = useQuery(accessQuery(projectId)).data?.uses;
  const [areAllShown, setAllShown] = useState(false);
  const here = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '/' });
  const linkOf = (section: (typeof sections)[number]) => (
    <SectionLink key={section.label} projectId={projectId} section={section} here={here} />
  );
  const [first, ...others] = sections.filter(({ group }) => group === undefined);
  const used = groups.filter(
    (group) =>
      // People who only review have this group alone.
      !('use' in group) ||
      !read ||
      areAllShown ||
      uses?.includes(group.use) ||
      sections.some((section) => section.group === group.name && isOpen(section, here)),
  );
  return (
    <>
      {first && linkOf(first)}
      {used.map(({ name }) => {
        const parts = sections.filter((section) => section.group === name);
        return (
          parts.length > 0 && (
            <fieldset key={name} className="mt-2 flex shrink-0 flex-col gap-0.5">
              <legend className="px-2 pb-0.5 text-sm font-medium text-soft">{name}</legend>
              {parts.map(linkOf)}
            </fieldset>
          )
        );
      })}
      {uses && used.length < groups.length && (
        <button
          type="button"
          className={`${navItem} mt-2`}
          title="Review by people, traces and monitors"
          onClick={() => setAllShown(true)}
        >
          <Ellipsis size={14} aria-hidden /> All parts
        </button>
      )}
      <div className="min-h-2 flex-1" />
      {others.map(linkOf)}
    </>
  );
};

const footItem =
  'flex min-h-11 min-w-0 flex-1 flex-col items-center justify-center rounded-md text-sm text-soft data-[status=active]:text-accent';

/** On a phone a row of links at the bottom leads to the most used parts; the palette leads to the others. */
export const BottomBar = ({ projectId, onMore }: { projectId: string | undefined; onMore: () => void }) => {
  const sections = useSections();
  return (
    projectId && (
      <nav
        aria-label="Main"
        className="flex shrink-0 justify-around border-t bg-surface py-1 md:hidden print:hidden"
      >
        {sections
          .filter(({ atFoot }) => atFoot)
          .map(({ label, icon: Icon, link, exact, counts }) => (
            <Link
              key={label}
              {...link(projectId)}
              activeOptions={{ exact: exact ?? false, includeSearch: false }}
              className={footItem}
            >
              <span className="flex items-center gap-1">
                <Icon size={16} aria-hidden />
                {counts && <ToReview projectId={projectId} className="" />}
              </span>
              {label}
            </Link>
          ))}
        <button type="button" onClick={onMore} className={footItem}>
          <Ellipsis size={16} aria-hidden />
          More
        </button>
      </nav>
    )
  );
};
