import { Link, useMatches } from '@tanstack/react-router';
import { familyOf } from './sections.ts';

type Beside = ReturnType<typeof familyOf>;

const Links = ({ projectId, label, pages }: { projectId: string; label: string; pages: Beside }) =>
  pages.length > 0 && (
    <nav aria-label={label} className="flex shrink-0 items-baseline gap-3 px-1.5 print:hidden">
      {pages.map((page) => (
        <Link key={page.label} {...page.link(projectId)} className="text-soft hover:text-ink hover:underline">
          {page.label}
        </Link>
      ))}
    </nav>
  );

/** Links to the pages beside the open one, such as the alerts beside the monitors, in their order around its title. */
export const useBeside = (projectId: string | undefined) => {
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '/' });
  const family = familyOf(route);
  const own = family.findIndex(({ link }) => link('').to === route);
  if (projectId === undefined || own < 0) return { before: null, after: null };
  return {
    before: <Links projectId={projectId} label="Before this page" pages={family.slice(0, own)} />,
    after: <Links projectId={projectId} label="After this page" pages={family.slice(own + 1)} />,
  };
};
