import { TriangleAlert } from 'lucide-react';
import { TextLink } from '../../links.tsx';
import type { Todo } from './what-to-do.ts';

/** Columns of the three tables, one below the other; the last has the actions. */
export const checkWidths = [260, undefined, 176, 250, 130];

/** What to do about a check, in a cell of its row. */
export const Todos = ({ todos }: { todos: readonly Todo[] }) =>
  todos.length === 0 ? (
    <span className="text-soft">Nothing</span>
  ) : (
    <ul className="flex flex-col gap-0.5">
      {todos.map(({ text, to, urgent }) => (
        <li key={text} className="flex items-start gap-1.5">
          {urgent && (
            <TriangleAlert size={14} className="mt-0.5 shrink-0 text-warn" aria-label="Needs a look" />
          )}
          {to ? <TextLink {...to}>{text}</TextLink> : <span>{text}</span>}
        </li>
      ))}
    </ul>
  );
