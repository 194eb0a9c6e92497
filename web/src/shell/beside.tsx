import { Link, useMatches } from '@tanstack/react-router';
import { familyOf } from './sections.ts';

type Beside = ReturnType<typeof familyOf>;

const Links = ({ projectId, pages }: { projectId: string; pages: Beside }) =>
  pages.length > 0 && (
    <nav aria-label="Beside this page" className="flex shrink-0 items-baseline gap-3 px-1.5 print:hidden">
      {pages.map(({ label, link }) => (
        <Link key={label} {...link(projectId)} className="text-soft hover:text-ink hover:underline">
          {label}
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
    before: <Links projectId={projectId} pages={family.slice(0, own)} />,
    after: <Links projectId={projectId} pages={family.slice(own + 1)} />,
  };
};
