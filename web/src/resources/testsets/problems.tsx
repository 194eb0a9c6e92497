import type { Problem } from './import-rows.ts';

const shown = 50;

/** What is wrong with lines of a table. */
export const Problems = ({ title, problems }: { title: string; problems: readonly Problem[] }) =>
  problems.length > 0 && (
    <div role="alert" className="rounded-md border border-warn/40 bg-warn-wash p-3 text-warn">
      <p className="font-medium">
        {title} ({problems.length})
      </p>
      <ul className="max-h-40 overflow-auto">
        {problems.slice(0, shown).map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            Line {line}: {message}
          </li>
        ))}
        {problems.length > shown && <li>…and {problems.length - shown} more</li>}
      </ul>
    </div>
  );
