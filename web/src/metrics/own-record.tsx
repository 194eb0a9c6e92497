import { lazy, Suspense } from 'react';
import type { Json } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { exactText, parseAsWritten } from '../ui/exact-json.ts';
import { useDraft } from '../ui/kept.ts';

const CodeEditor = lazy(() => import('../ui/code-editor.tsx'));

const parts = ['inputs', 'expected', 'outputs'] as const;

/** What a metric is tried on. */
export type RecordParts = Record<(typeof parts)[number], Json>;

const nothing: RecordParts = { inputs: {}, expected: {}, outputs: {} };

const textOf = (record: RecordParts): string => {
  const own = Object.fromEntries(parts.map((part) => [part, record[part]]));
  return exactText(own, 2);
};

/**
 * The parts of a record that a text holds, as JSON text, or what is wrong with it. A whole record, as the API or an export
 * gives it, may be pasted: its other fields are left out.
 */
export const readOwnRecord = (text: string): { record: string } | { error: string } => {
  let value: unknown;
  try {
    value = parseAsWritten(text);
  } catch (error) {
    return { error: (error as Error).message };
  }
  const given = Object.entries(Object(value)).filter(([name]) => parts.some((part) => part === name));
  return given.length > 0
    ? { record: exactText(Object.fromEntries(given)) }
    : { error: 'Write one object with inputs, expected and outputs.' };
};

/** The text of a record of one's own: a copy of `from`, or empty, until somebody writes. */
export const useOwnRecord = (projectId: string, from: RecordParts | undefined) => {
  const [draft, setDraft] = useDraft<string>(`preview record ${projectId}`);
  return { text: draft ?? textOf(from ?? nothing), isWritten: draft !== undefined, setDraft };
};

type OwnRecordProps = ReturnType<typeof useOwnRecord> & { error: string | undefined };

/** Where it is written. */
export const OwnRecord = ({ text, isWritten, setDraft, error }: OwnRecordProps) => (
  <div className="flex flex-col gap-1">
    <Suspense fallback={<div className="skeleton h-32" />}>
      <CodeEditor
        label="Record as JSON"
        language="json"
        value={text}
        onChange={(next) => next !== text && setDraft(next)}
      />
    </Suspense>
    <div className="flex items-start gap-2">
      <p className="flex-1 text-sm text-soft">
        Write it, or paste one: inputs, expected and outputs. It is kept in this browser only.
      </p>
      {isWritten && (
        <Button look="quiet" onClick={() => setDraft(undefined)}>
          Reset the record
        </Button>
      )}
    </div>
    {error && (
      <p role="alert" className="text-sm break-words text-fail">
        {error}
      </p>
    )}
  </div>
);
