import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, keyOf } from '../../api.ts';
import { useMay } from '../../resources/session/me.ts';
import type { JsonObject, Testcase, Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Input, TextArea } from '../../ui/field.tsx';
import { useKeys } from '../../ui/keys.ts';
import { isSame, OutdatedNote, useDraftOf } from '../../ui/outdated.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { isCriteria, issueOf, textOf, withCriteria, withField } from './field-text.ts';
import { OfferCriteria, TestcaseCriteria } from './testcase-criteria.tsx';

type Read = { jsonData: JsonObject; issues: Record<string, string> };

const readFields = ({ fieldMapping }: Testset, before: JsonObject, texts: Record<string, string>): Read => {
  const read: Read = { jsonData: { ...before }, issues: {} };
  for (const [field, text] of Object.entries(texts)) {
    try {
      read.jsonData = isCriteria(fieldMapping, field)
        ? withCriteria(read.jsonData, text)
        : withField(read.jsonData, field, text);
    } catch (error) {
      read.issues[field] = (error as Error).message;
    }
  }
  return read;
};

const fieldsOf = (
  { fieldMapping: { inputs, expected, metadata } }: Testset,
  jsonData: JsonObject,
): string[] => [...new Set([...inputs, ...expected, ...metadata, ...Object.keys(jsonData)])];

type TestcasePanelProps = {
  projectId: string;
  testset: Testset;
  /** Undefined for a new one. */
  testcase: Testcase | undefined;
  onClose: () => void;
};

type SaveProps = TestcasePanelProps & { jsonData: JsonObject; onSaved: () => void };

/** Stores the testcase. A new one closes the panel. */
const useSave = ({ testset, testcase, jsonData, onSaved, onClose }: SaveProps) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<unknown> => {
      if (!testcase) return api.createTestcases(testset.id, { items: [{ jsonData }] });
      const now = await api.getTestcase(testcase.id);
      // The list may not have the newest yet. Then no tag matches, and the service refuses.
      const ifMatch = isSame(now.jsonData, testcase.jsonData) ? etagOf(now) : '""';
      return api.updateTestcase(testcase.id, { jsonData }, { ifMatch });
    },
    onSuccess: async () => {
      // The field would show the old value for a moment if the draft ended before the new one is read.
      await queries.invalidateQueries({ queryKey: keyOf('listTestcases', testset.id) });
      onSaved();
      if (!testcase) onClose();
    },
  });
};

/** Edits a testcase, field by field. Values that break the schema are stored and marked. */
export const TestcasePanel = ({ projectId, testset, testcase, onClose }: TestcasePanelProps) => {
  const before = testcase?.jsonData ?? {};
  // Each testcase has its own draft, which another testcase or page does not lose.
  const [draft, setDraft, outdated] = useDraftOf<Record<string, string>>(
    `testcase ${testcase?.id ?? `new ${testset.id}`}`,
    before,
  );
  const texts = draft ?? {};
  const [more, setMore] = useState<string[]>([]);
  const may = useMay();
  const { jsonData, issues } = readFields(testset, before, texts);
  const save = useSave({
    projectId,
    testset,
    testcase,
    jsonData,
    onSaved: () => setDraft(undefined),
    onClose,
  });
  const isReady =
    Object.keys(texts).length > 0 && Object.keys(issues).length === 0 && !save.isPending && !outdated;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isReady) save.mutate();
  };
  useKeys('A testcase', { 'mod+enter': ['Save', () => submit()], Escape: ['Close', onClose] });
  const wrong = (field: string) => issues[field] ?? (testcase && issueOf(testcase, field));
  const elsewhere = testcase?.validationErrors?.filter(({ path }) => path === '') ?? [];
  return (
    <SidePanel
      label={testcase ? `Testcase ${testcase.id}` : 'New testcase'}
      title={<h2 className="flex-1 font-mono font-semibold">{testcase?.id ?? 'New testcase'}</h2>}
      width="w-[40%] max-w-2xl min-w-80"
      onClose={onClose}
    >
      <form onSubmit={submit} className="relative flex min-h-0 flex-1 flex-col gap-3 overflow-auto px-4 pb-4">
        {elsewhere.map(({ message }) => (
          <p key={message} role="alert" className="text-fail">
            {message}
          </p>
        ))}
        <Fields
          testset={testset}
          before={before}
          texts={texts}
          more={more}
          wrong={wrong}
          onChange={(field, value) => setDraft({ ...texts, [field]: value })}
        />
        {may.write && <OfferCriteria projectId={projectId} testset={testset} />}
        {save.error && <ErrorNote error={save.error} />}
        <OutdatedNote outdated={outdated} />
        {may.write && (
          <div className="flex flex-wrap items-center justify-end gap-2">
            <NewField onAdd={(field) => setMore([...more, field])} />
            {draft && <Button onClick={() => setDraft(undefined)}>Discard</Button>}
            <Button type="submit" look="primary" disabled={!isReady}>
              Save
            </Button>
          </div>
        )}
      </form>
    </SidePanel>
  );
};

type FieldsProps = {
  testset: Testset;
  before: JsonObject;
  texts: Record<string, string>;
  more: readonly string[];
  wrong: (field: string) => string | undefined;
  onChange: (field: string, text: string) => void;
};

/** The fields of a testcase: criteria as a form, all others as texts. */
const Fields = ({ testset, before, texts, more, wrong, onChange }: FieldsProps) => {
  const may = useMay();
  return [...new Set([...fieldsOf(testset, before), ...Object.keys(texts), ...more])].map((field) => {
    const text = texts[field] ?? textOf(before[field]);
    const shared = { text, readOnly: !may.write, error: wrong(field) || undefined };
    if (isCriteria(testset.fieldMapping, field))
      return <TestcaseCriteria key={field} {...shared} onChange={(value) => onChange(field, value)} />;
    return (
      <TextArea
        key={field}
        label={field}
        rows={Math.min(12, Math.max(2, Math.ceil(text.length / 60)))}
        readOnly={shared.readOnly}
        dir="auto"
        error={shared.error}
        value={text}
        onChange={(value) => onChange(field, value)}
      />
    );
  });
};

/** Asks for the name of another field. */
const NewField = ({ onAdd }: { onAdd: (field: string) => void }) => {
  const [name, setName] = useState('');
  const add = () => {
    if (name.trim()) onAdd(name.trim());
    setName('');
  };
  return (
    <>
      <div className="min-w-32 flex-1">
        <Input
          label="Name of a new field"
          hideLabel
          placeholder="Name of a new field"
          value={name}
          onChange={setName}
        />
      </div>
      <Button disabled={!name.trim()} onClick={add}>
        Add field
      </Button>
    </>
  );
};
