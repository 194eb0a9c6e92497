import { lazy, Suspense } from 'react';
import { parseAsWritten } from '../../../../client/src/written-number.ts';
import type { JsonObject } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { useDraft } from '../../ui/local-storage.ts';

const CodeEditor = lazy(() => import('../../ui/code-editor.tsx'));

const parts = ['inputs', 'expected', 'outputs'] as const;

export type RecordParts = Record<(typeof parts)[number], JsonObject>;

const nothing: RecordParts = { inputs: {}, expected: {}, outputs: {} };

const textOf = (record: RecordParts): string => {
  const own = Object.fromEntries(parts.map((part) => [part, record[part]]));
  return JSON.stringify(own, null, 2);
};

/** Reads the parts of a record from a text, as JSON text, or returns what is wrong with it. Ignores all other fields of a record. */
export const readOwnRecord = (text: string): { record: string } | { error: string } => {
  let value: unknown;
  try {
    value = parseAsWritten(text);
  } catch (error) {
    return { error: (error as Error).message };
  }
  const given = Object.entries(Object(value)).filter(([name]) => parts.some((part) => part === name));
  return given.length > 0
    ? { record: JSON.stringify(Object.fromEntries(given)) }
    : { error: 'Write one object with inputs, expected and outputs.' };
};

/** The text of the user's own record: a copy of `from`, or empty, until the user edits it. */
export const useOwnRecord = (projectId: string, from: RecordParts | undefined) => {
  const [draft, setDraft] = useDraft<string>(`preview record ${projectId}`);
  return { text: draft ?? textOf(from ?? nothing), isWritten: draft !== undefined, setDraft };
};

type OwnRecordProps = ReturnType<typeof useOwnRecord> & { error: string | undefined };

/** The editor of the user's own record. */
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
        Write or paste a record with inputs, expected and outputs. It stays in this browser.
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
