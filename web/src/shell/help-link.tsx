import { Link, useMatches } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { placeOf } from './help-places.ts';

/** Leads from a page to the part of the guide that explains it, in its own tab, so that nothing typed is lost. */
export const HelpLink = () => {
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '/' });
  return (
    <Link
      {...paths.guide(placeOf(route))}
      target="_blank"
      aria-label="Help for this page"
      title="Help for this page"
      className="grid size-6 shrink-0 place-items-center rounded-md text-soft hover:bg-hover hover:text-ink print:hidden"
    >
      <span aria-hidden className="font-semibold">
        ?
      </span>
    </Link>
  );
};
