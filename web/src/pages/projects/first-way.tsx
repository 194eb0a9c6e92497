import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';

/** The way to a first result: one page that asks for all of it. */
export const FirstWay = ({ projectId }: { projectId: string }) => (
  <div className="flex max-w-3xl flex-col items-start gap-2 rounded-md border p-4">
    <p>
      Evaluate answers that you have, a prompt or an endpoint: one page, from your table to a verdict. Without
      a table, it has sample data.
    </p>
    <Link {...paths.first(projectId)} className={buttonClass('primary')}>
      Get a first result
    </Link>
  </div>
);
