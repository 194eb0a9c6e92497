import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ApiError } from '../api.ts';
import { recordsQuery } from '../records/queries.ts';
import type { CodeLanguage } from '../ui/code-editor.tsx';
import { Input, Select, TextArea } from '../ui/field.tsx';
import { evalTypes, type MetricForm, outputTypes, thresholdOf } from './kinds.ts';

const CodeEditor = lazy(() => import('../ui/code-editor.tsx'));

const optionsOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** What a template may name, learned from the newest records of the project. */
const useVariables = (projectId: string): string[] => {
  const { data } = useInfiniteQuery(recordsQuery(projectId, {}));
  const records = data?.pages[0]?.data ?? [];
  const fields = (['inputs', 'outputs', 'expected'] as const).flatMap((group) =>
    [...new Set(records.flatMap((record) => Object.keys(record[group])))]
      .filter((field) => /^\w+$/.test(field))
      .map((field) => `${group}.${field}`),
  );
  return [...fields, 'guidelines', 'allInputs', 'allOutputs', 'allExpected'];
};

const languageOf = ({ evalType, guidelines }: MetricForm): CodeLanguage => {
  if (evalType !== 'heuristic') return 'text';
  return /^\s*(def|import|from)\s/m.test(guidelines) ? 'python' : 'typescript';
};

const guidelinesHint = {
  ai: 'How to score; the prompt takes it in as {{ guidelines }}.',
  human: 'What people go by when they score. Markdown.',
  heuristic:
    'Code: function score(inputs, outputs, expected) in TypeScript, or def score(inputs, outputs, expected) in Python, returns the score, or { score, reasoning }. Prose or nothing: scores come from outside.',
};

type EditorFieldProps = {
  label: string;
  hint: string;
  error: string | undefined;
  value: string;
  language: CodeLanguage;
  variables?: readonly string[];
  readOnly: boolean;
  onChange: (value: string) => void;
};

const EditorField = ({ label, hint, error, ...editor }: EditorFieldProps) => (
  <div className="flex flex-col gap-1">
    <div className="text-sm font-medium">{label}</div>
    <Suspense fallback={<div className="skeleton h-32" />}>
      <CodeEditor label={label} {...editor} />
    </Suspense>
    <p className="text-sm text-soft">{hint}</p>
    {error && (
      <p role="alert" className="text-sm text-fail">
        {error}
      </p>
    )}
  </div>
);

type MetricFieldsProps = {
  projectId: string;
  form: MetricForm;
  readOnly: boolean;
  error: Error | null;
  onChange: (form: MetricForm) => void;
};

/** The fields of the chosen variant. */
export const MetricFields = ({ projectId, form, readOnly, error, onChange }: MetricFieldsProps) => {
  const variables = useVariables(projectId);
  const set = (changes: Partial<MetricForm>) => onChange({ ...form, ...changes });
  const issue = (path: string) => (error instanceof ApiError ? error.issueOf(path) : undefined);
  return (
    <fieldset disabled={readOnly} className="flex flex-col gap-4">
      <div className="grid gap-4 md:grid-cols-2">
        <Input
          label="Name"
          required
          error={issue('/name')}
          value={form.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <Input
          label="Description"
          value={form.description}
          onChange={(event) => set({ description: event.target.value })}
        />
        <Select
          label="Scored by"
          options={optionsOf(evalTypes)}
          value={form.evalType}
          onChange={(event) => set({ evalType: event.target.value as MetricForm['evalType'] })}
        />
        <Select
          label="Kind of score"
          options={optionsOf(outputTypes)}
          value={form.outputType}
          onChange={(event) => {
            const outputType = event.target.value as MetricForm['outputType'];
            set({ outputType, passingThreshold: thresholdOf(outputType) });
          }}
        />
        {form.outputType !== 'boolean' && (
          <Input
            label="Passes from"
            type="number"
            step={form.outputType === 'int' ? 1 : 'any'}
            min={form.outputType === 'int' ? 1 : 0}
            max={form.outputType === 'int' ? 5 : 1}
            error={issue('/passingThreshold')}
            value={form.passingThreshold}
            onChange={(event) => set({ passingThreshold: event.target.value })}
          />
        )}
        {form.evalType === 'ai' && (
          <>
            <Input
              label="Model that judges"
              placeholder="The server’s default"
              error={issue('/evalModelName')}
              value={form.evalModelName}
              onChange={(event) => set({ evalModelName: event.target.value })}
            />
            <Input
              label="Temperature"
              type="number"
              min={0}
              max={2}
              step="any"
              required
              error={issue('/temperature')}
              value={form.temperature}
              onChange={(event) => set({ temperature: event.target.value })}
            />
          </>
        )}
      </div>
      {form.evalType === 'heuristic' ? (
        <EditorField
          label="Logic"
          hint={guidelinesHint.heuristic}
          error={issue('/guidelines')}
          language={languageOf(form)}
          readOnly={readOnly}
          value={form.guidelines}
          onChange={(guidelines) => set({ guidelines })}
        />
      ) : (
        <TextArea
          label="Guidelines"
          rows={6}
          hint={guidelinesHint[form.evalType]}
          error={issue('/guidelines')}
          value={form.guidelines}
          onChange={(event) => set({ guidelines: event.target.value })}
        />
      )}
      {form.evalType === 'ai' && (
        <EditorField
          label="Prompt"
          hint="Jinja. Write {{ and the fields of your records are offered."
          error={issue('/promptTemplate')}
          language="jinja"
          variables={variables}
          readOnly={readOnly}
          value={form.promptTemplate}
          onChange={(promptTemplate) => set({ promptTemplate })}
        />
      )}
    </fieldset>
  );
};
