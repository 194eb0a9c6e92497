import { Link, useMatches } from '@tanstack/react-router';
import { useContext } from 'react';
import { paths } from '../paths.ts';
import { GuideContext } from '../ui/term.tsx';
import { placeOf } from './help-places.ts';

/** Opens the part of the guide that explains a page, beside it; with a key held, in its own tab. Nothing typed is lost. */
export const HelpLink = () => {
  const openGuide = useContext(GuideContext);
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '/' });
  const place = placeOf(route);
  return (
    <Link
      {...paths.guide(place)}
      target="_blank"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        openGuide(place);
      }}
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
