import { CloudOff } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import type { KeptEdit } from './kept-edits.ts';

type UnsentEditsProps = {
  kept: readonly KeptEdit[];
  onSend: (edit: KeptEdit) => void;
  onDiscard: (edit: KeptEdit) => void;
};

const mostListed = 5;

/** The edits that are not stored: those that wait for the connection, and those that the user must decide about. */
export const UnsentEdits = ({ kept, onSend, onDiscard }: UnsentEditsProps) => {
  if (kept.length === 0) return null;
  const refused = kept.filter(({ problem }) => problem !== undefined);
  const waiting = kept.length - refused.length;
  return (
    <section
      aria-label="Edits that are not saved"
      className="mx-4 mb-2 rounded-md border bg-warn-wash px-3 py-1"
    >
      {waiting > 0 && (
        <p role="status" className="flex min-h-7 items-center gap-2">
          <CloudOff size={14} className="shrink-0 text-warn" aria-hidden />
          {countOf(waiting, 'edit')} not saved yet. This browser keeps {waiting === 1 ? 'it' : 'them'} and
          sends {waiting === 1 ? 'it' : 'them'} when the connection is back.
        </p>
      )}
      {refused.length > 0 && (
        <ul>
          {refused.slice(0, mostListed).map((edit) => (
            <li key={`${edit.id} ${edit.field}`} className="flex min-h-8 flex-wrap items-center gap-x-2">
              <span className="min-w-0 flex-1 break-words">
                <strong className="font-medium">
                  {edit.field} of {edit.id}
                </strong>{' '}
                was not saved: {edit.problem} You wrote “
                <bdi className="break-all">
                  {edit.text.length > 200 ? `${edit.text.slice(0, 200)}…` : edit.text}
                </bdi>
                ”.
              </span>
              <Button onClick={() => onSend(edit)}>Save it anyway</Button>
              <Button onClick={() => onDiscard(edit)}>Discard</Button>
            </li>
          ))}
          {refused.length > mostListed && <li>{countOf(refused.length - mostListed, 'more edit')}</li>}
        </ul>
      )}
    </section>
  );
};
