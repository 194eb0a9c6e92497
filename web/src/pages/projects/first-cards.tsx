import { Link, type LinkProps } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';

type Card = { title: string; text: string; action: string; to: LinkProps };

const cardsOf = (projectId: string): Card[] => [
  {
    title: 'Get your first result',
    text: 'Evaluate answers that you have, a prompt or an endpoint: one page, from your table to a verdict. Without a table, it has sample data.',
    action: 'Get a first result',
    to: paths.first(projectId),
  },
  {
    title: 'Watch what runs already',
    text: 'Send the traces of your app by OpenTelemetry. They become records with conversations, tool calls and cost.',
    action: 'Send traces',
    to: paths.guide('tracing'),
  },
  {
    title: 'Bring testcases',
    text: 'Import a CSV, XLSX, JSON or Parquet file as a testset, to run every version on the same questions.',
    action: 'Open the testsets',
    to: paths.testsets(projectId),
  },
];

/** What to begin with in an empty project. */
export const FirstCards = ({ projectId }: { projectId: string }) => (
  <ul className="mb-8 grid gap-3 md:grid-cols-3">
    {cardsOf(projectId).map(({ title, text, action, to }, i) => (
      <li key={title} className="flex flex-col items-start gap-2 rounded-md border p-4">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-soft">{text}</p>
        <Link {...to} className={`mt-auto ${buttonClass(i === 0 ? 'primary' : 'plain')}`}>
          {action}
        </Link>
      </li>
    ))}
  </ul>
);
