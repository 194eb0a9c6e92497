import { createContext, type KeyboardEvent, useContext, useEffect, useState } from 'react';
import type { Testcase } from '../../types.ts';
import { cellText } from '../../ui/csv.ts';
import { issueOf, textOf, withField } from './field-text.ts';
import type { KeptEdit } from './kept-edits.ts';

/** The cell of the table that is being edited, and its handlers. */
export type CellEditing = {
  cell: { id: string; field: string } | undefined;
  onEdit: (id: string, field: string) => void;
  /** `by`: the direction of the field to edit next; 0 for none. */
  onLeave: (by: -1 | 0 | 1) => void;
  onSave: (testcase: Testcase, field: string, text: string) => void;
  /** Edits that the service has not stored yet. */
  kept: readonly KeptEdit[];
};
export const CellEditingContext = createContext<CellEditing | undefined>(undefined);

/** A field of a testcase in the table. A double click edits it in place: Enter saves, Tab saves and moves on, Escape cancels. */
export const EditableCell = ({ testcase, field }: { testcase: Testcase; field: string }) => {
  const editing = useContext(CellEditingContext);
  const issue = issueOf(testcase, field);
  const kept = editing?.kept.find(
    (each) => each.id === testcase.id && each.field === field && each.problem === undefined,
  );
  if (editing?.cell?.id === testcase.id && editing.cell.field === field)
    return <CellField testcase={testcase} field={field} editing={editing} first={kept?.text} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard edits with e, which the table listens to
    <div
      className={`line-clamp-(--lines) min-h-5 break-words whitespace-pre-wrap ${kept ? 'text-warn italic' : issue ? 'text-fail underline decoration-dotted' : ''}`}
      dir="auto"
      {...(kept ? { title: 'Not saved yet' } : issue && { title: `${field} ${issue}` })}
      onDoubleClick={() => editing?.onEdit(testcase.id, field)}
    >
      {(kept?.text ?? cellText(testcase.jsonData[field])).slice(0, 600)}
    </div>
  );
};

type CellFieldProps = {
  testcase: Testcase;
  field: string;
  editing: CellEditing;
  /** The text to begin with, if it is not the stored one. */
  first: string | undefined;
};

const CellField = ({ testcase, field, editing, first }: CellFieldProps) => {
  const stored = first ?? textOf(testcase.jsonData[field]);
  const [text, setText] = useState(stored);
  const [problem, setProblem] = useState<string>();
  const isChanged = text !== stored;
  // The browser asks before a reload takes a text that nothing has stored yet.
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
  /** False when the text is not a valid value; the cell then stays open. */
  const save = (): boolean => {
    if (!isChanged) return true;
    try {
      // Throws if the text is not a value of this field.
      withField(testcase.jsonData, field, text);
      editing.onSave(testcase, field, text);
      return true;
    } catch (error) {
      setProblem((error as Error).message);
      return false;
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') editing.onLeave(0);
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (save()) editing.onLeave(0);
    } else if (event.key === 'Tab') {
      event.preventDefault();
      if (save()) editing.onLeave(event.shiftKey ? -1 : 1);
    }
  };
  return (
    <textarea
      // biome-ignore lint/a11y/noAutofocus: someone has just asked to edit this cell
      autoFocus
      aria-label={`${field} of ${testcase.id}`}
      aria-invalid={problem !== undefined}
      title={problem ?? 'Enter saves, Tab saves and moves on, Escape cancels'}
      rows={1}
      dir="auto"
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        setProblem(undefined);
      }}
      onClick={(event) => event.stopPropagation()}
      onFocus={(event) => event.target.select()}
      onBlur={() => save() && editing.onLeave(0)}
      onKeyDown={onKeyDown}
      className="-mx-1 -my-1 h-7 w-[calc(100%+8px)] resize-none rounded-sm border border-edge bg-surface px-1 py-0.5 aria-invalid:border-fail"
    />
  );
};
