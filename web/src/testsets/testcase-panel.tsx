import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '../api.ts';
import { useMay } from '../session/who.ts';
import type { Json, Testcase, Testset } from '../types.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Input, TextArea } from '../ui/field.tsx';
import { useDraft } from '../ui/kept.ts';
import { useKeys } from '../ui/keys.ts';
import { ErrorNote } from '../ui/states.tsx';
import { issueOf, textOf, withField } from './field-text.ts';
import { testcasesQuery } from './queries.ts';

type Read = { jsonData: Json; issues: Record<string, string> };

const readFields = (before: Json, texts: Record<string, string>): Read => {
  const read: Read = { jsonData: { ...before }, issues: {} };
  for (const [field, text] of Object.entries(texts)) {
    try {
      read.jsonData = withField(read.jsonData, field, text);
    } catch (error) {
      read.issues[field] = (error as Error).message;
    }
  }
  return read;
};

const fieldsOf = ({ fieldMapping: { inputs, expected, metadata } }: Testset, jsonData: Json): string[] => [
  ...new Set([...inputs, ...expected, ...metadata, ...Object.keys(jsonData)]),
];

type TestcasePanelProps = {
  testset: Testset;
  /** Undefined for a new one. */
  testcase: Testcase | undefined;
  onClose: () => void;
};

/** Edits a testcase, field by field. What breaks the schema is stored and said. */
export const TestcasePanel = ({ testset, testcase, onClose }: TestcasePanelProps) => {
  const before = testcase?.jsonData ?? {};
  // Going on to another testcase, or away, loses nothing: each has its draft.
  const [draft, setDraft] = useDraft<Record<string, string>>(
    `testcase ${testcase?.id ?? `new ${testset.id}`}`,
  );
  const texts = draft ?? {};
  const [more, setMore] = useState<string[]>([]);
  const [newField, setNewField] = useState('');
  const may = useMay();
  const queries = useQueryClient();
  const { jsonData, issues } = readFields(before, texts);
  const save = useMutation({
    mutationFn: () =>
      testcase
        ? api.put(`/testcases/${testcase.id}`, { jsonData })
        : api.post(`/testsets/${testset.id}/testcases`, { items: [{ jsonData }] }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [testcasesQuery(testset.id).queryKey[0]] });
      setDraft(undefined);
      if (!testcase) onClose();
    },
  });
  const isReady = Object.keys(texts).length > 0 && Object.keys(issues).length === 0 && !save.isPending;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isReady) save.mutate();
  };
  useKeys('A testcase', { 'mod+enter': ['Save', () => submit()], Escape: ['Close', onClose] });
  const wrong = (field: string) => issues[field] ?? (testcase && issueOf(testcase, field));
  const addField = () => {
    if (newField.trim()) setMore([...more, newField.trim()]);
    setNewField('');
  };
  const elsewhere = testcase?.validationErrors?.filter(({ path }) => path === '') ?? [];
  return (
    <aside
      aria-label={testcase ? `Testcase ${testcase.id}` : 'New testcase'}
      className="flex w-[40%] max-w-2xl min-w-80 flex-col border-t border-l max-md:fixed max-md:inset-0 max-md:z-30 max-md:w-auto max-md:max-w-none max-md:bg-surface"
    >
      <header className="flex h-11 shrink-0 items-center gap-1 px-4">
        <h2 className="flex-1 font-mono font-semibold">{testcase?.id ?? 'New testcase'}</h2>
        <IconButton label="Close (Esc)" onClick={onClose}>
          <X size={14} />
        </IconButton>
      </header>
      <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto px-4 pb-4">
        {elsewhere.map(({ message }) => (
          <p key={message} role="alert" className="text-fail">
            {message}
          </p>
        ))}
        {[...new Set([...fieldsOf(testset, before), ...Object.keys(texts), ...more])].map((field) => {
          const text = texts[field] ?? textOf(before[field]);
          return (
            <TextArea
              key={field}
              label={field}
              rows={Math.min(12, Math.max(2, Math.ceil(text.length / 60)))}
              readOnly={!may.write}
              dir="auto"
              error={wrong(field) || undefined}
              value={text}
              onChange={(event) => setDraft({ ...texts, [field]: event.target.value })}
            />
          );
        })}
        {save.error && <ErrorNote error={save.error} />}
        {may.write && (
          <div className="flex flex-wrap items-center justify-end gap-2">
            <div className="min-w-32 flex-1">
              <Input
                label="Name of another field"
                hideLabel
                placeholder="Name of another field"
                value={newField}
                onChange={(event) => setNewField(event.target.value)}
              />
            </div>
            <Button disabled={!newField.trim()} onClick={addField}>
              Add the field
            </Button>
            {draft && <Button onClick={() => setDraft(undefined)}>Discard</Button>}
            <Button type="submit" look="primary" disabled={!isReady}>
              Save
            </Button>
          </div>
        )}
      </form>
    </aside>
  );
};
