import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { apiPages, issuesOf } from '../../api.ts';
import { evalTypes, type MetricForm, outputTypes, thresholdOf } from '../../resources/metrics/kinds.ts';
import { ModelInput } from '../../resources/providers/model-input.tsx';
import type { CodeLanguage } from '../../ui/code-editor.tsx';
import { Input, optionsOf, Select, TextArea } from '../../ui/field.tsx';
import { FieldPicker } from './field-picker.tsx';
import { fieldCounts } from './read-fields.ts';
import { isSmallModel, smallModelHint } from './small-models.ts';

const CodeEditor = lazy(() => import('../../ui/code-editor.tsx'));

/** The fields of the newest records of the project. */
const useFields = (projectId: string) => {
  const { data } = useInfiniteQuery(apiPages('listProjectRecords', projectId));
  const records = data?.pages[0]?.data ?? [];
  return { counts: fieldCounts(records), records: records.length };
};

/** The names that a template can use. */
const variablesOf = (counts: ReadonlyMap<string, number>): string[] => [
  ...[...counts.keys()].filter((path) => /^\w+\.\w+$/.test(path)),
  ...['guidelines', 'allInputs', 'allOutputs', 'allExpected'],
];

/** Whether a model of embeddings compares two texts, in place of a judge that reads a prompt. */
const comparesTexts = ({ promptTemplate }: MetricForm): boolean =>
  /^\s*\{\{-?\s*similarity\([^{}]*\)\s*-?\}\}\s*$/.test(promptTemplate);

const languageOf = ({ evalType, guidelines }: MetricForm): CodeLanguage => {
  if (evalType !== 'heuristic') return 'text';
  return /^\s*(def|import|from)\s/m.test(guidelines) ? 'python' : 'typescript';
};

const guidelinesHint = {
  ai: 'How to score. The prompt includes it as {{ guidelines }}.',
  human: 'Instructions for the people who score. Markdown.',
  heuristic:
    'Code: function score(inputs, outputs, expected) in TypeScript, or def score(inputs, outputs, expected) in Python, returns the score, or { score, reasoning }. Without code, a client must send the scores.',
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
  const fields = useFields(projectId);
  const set = (changes: Partial<MetricForm>) => onChange({ ...form, ...changes });
  const issue = issuesOf(error);
  return (
    <fieldset disabled={readOnly} className="flex flex-col gap-4">
      <div className="grid gap-4 md:grid-cols-2">
        <Input
          label="Name"
          required
          error={issue('/name')}
          value={form.name}
          onChange={(name) => set({ name })}
        />
        <Input
          label="Description"
          value={form.description}
          onChange={(description) => set({ description })}
        />
        <Select
          label="Scored by"
          options={optionsOf(evalTypes)}
          value={form.evalType}
          onChange={(evalType) => set({ evalType })}
        />
        <Select
          label="Score type"
          options={optionsOf(outputTypes)}
          value={form.outputType}
          onChange={(outputType) => set({ outputType, passingThreshold: thresholdOf(outputType) })}
        />
        {form.outputType !== 'boolean' && (
          <Input
            label="Passing threshold"
            type="number"
            step={form.outputType === 'int' ? 1 : 'any'}
            min={form.outputType === 'int' ? 1 : 0}
            max={form.outputType === 'int' ? 5 : 1}
            error={issue('/passingThreshold')}
            value={form.passingThreshold}
            onChange={(passingThreshold) => set({ passingThreshold })}
          />
        )}
        {form.evalType === 'ai' && (
          <>
            <ModelInput
              {...(comparesTexts(form)
                ? {
                    kind: 'embeddings',
                    label: 'Model of embeddings',
                    required: true,
                    placeholder: 'openai/text-embedding-3-small',
                  }
                : {
                    label: 'Judge model',
                    placeholder: 'The default judge model',
                    hint: isSmallModel(form.evalModelName) ? smallModelHint : undefined,
                  })}
              error={issue('/evalModelName')}
              value={form.evalModelName}
              onChange={(evalModelName) => set({ evalModelName })}
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
              onChange={(temperature) => set({ temperature })}
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
          onChange={(guidelines) => set({ guidelines })}
        />
      )}
      {form.evalType === 'ai' && (
        <EditorField
          label="Prompt"
          hint="Jinja. After {{ the editor suggests the fields of your records."
          error={issue('/promptTemplate')}
          language="jinja"
          variables={variablesOf(fields.counts)}
          readOnly={readOnly}
          value={form.promptTemplate}
          onChange={(promptTemplate) => set({ promptTemplate })}
        />
      )}
      {form.evalType !== 'human' && (
        <FieldPicker
          {...fields}
          logic={form.evalType === 'ai' ? form.promptTemplate : form.guidelines}
          readOnly={readOnly}
          onChange={(logic) =>
            set(form.evalType === 'ai' ? { promptTemplate: logic } : { guidelines: logic })
          }
        />
      )}
    </fieldset>
  );
};
