import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { apiPages, issuesOf } from '../../api.ts';
import { type FieldOf, fieldsIn } from '../../fields.ts';
import { mayHaveCriteria, noCriteria } from '../../resources/metrics/criteria-form.ts';
import { evalTypes, type MetricForm, outputTypes, thresholdOf } from '../../resources/metrics/kinds.ts';
import { newLabels } from '../../resources/metrics/labels-form.ts';
import { fieldCounts } from '../../resources/metrics/read-fields.ts';
import { ModelInput } from '../../resources/providers/model-input.tsx';
import type { CodeLanguage } from '../../ui/code-editor.tsx';
import { Input, optionsOf, Select, TextArea } from '../../ui/field.tsx';
import { CriteriaEditor } from './criteria-editor.tsx';
import { FieldPicker } from './field-picker.tsx';
import { LabelsEditor } from './labels-editor.tsx';
import { isSmallModel, smallModelHint } from './small-models.ts';
import { comparesTexts } from './template-facts.ts';

const CodeEditor = lazy(() => import('../../ui/code-editor.tsx'));

/** The fields of the newest records of the project. */
const useRecordFields = (projectId: string) => {
  const { data } = useInfiniteQuery(apiPages('listProjectRecords', projectId));
  const records = data?.pages[0]?.data ?? [];
  return { counts: fieldCounts(records), records: records.length };
};

/** The names that a template can use. */
const variablesOf = (counts: ReadonlyMap<string, number>): string[] => [
  ...[...counts.keys()].filter((path) => /^\w+\.\w+$/.test(path)),
  'guidelines',
  'allInputs',
  'allOutputs',
  'allExpected',
  'span',
];

const languageOf = ({ evalType, guidelines }: MetricForm): CodeLanguage => {
  if (evalType !== 'heuristic') return 'text';
  return /^\s*(def|import|from)\s/m.test(guidelines) ? 'python' : 'typescript';
};

const guidelinesHint = {
  ai: 'Your rubric. The prompt inserts it as {{ guidelines }}.',
  human: 'Instructions for the people who score. Markdown.',
  heuristic:
    'Code: function score(inputs, outputs, expected) in TypeScript, or def score(inputs, outputs, expected) in Python, returns the score, or { score, reasoning }. Without code, a client must send the scores.',
};

const spansHint =
  'A search such as kind:tool name:refund: the metric scores each span that it chooses, as {{ span.inputs }} and {{ span.outputs }}, and a record gets the lowest of its scores.';

/** What the service says about criteria or labels, or about the first of them that it refuses. */
const firstIssueOf = (error: Error | null, at: string, lists: readonly string[]): string | undefined =>
  [at, ...lists.flatMap((list) => [at + list, ...Array.from({ length: 100 }, (_, i) => `${at}${list}/${i}`)])]
    .map(issuesOf(error))
    .find((message) => message !== undefined);

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
  const field = fieldsIn(form, (change) => onChange(change(form)), error);
  return (
    <fieldset disabled={readOnly} className="flex flex-col gap-4">
      <div className="grid gap-4 md:grid-cols-2">
        <Input label="Name" required {...field('name')} />
        <Input label="Description" {...field('description')} />
        <Select label="Scored by" options={optionsOf(evalTypes)} {...field('evalType')} />
        <Select
          label="Score type"
          options={optionsOf(outputTypes)}
          {...field('outputType')}
          onChange={(outputType) =>
            onChange({ ...form, outputType, passingThreshold: thresholdOf(outputType) })
          }
        />
        {thresholdOf(form.outputType) !== '' && (
          <Input
            label="Pass mark"
            type="number"
            step={form.outputType === 'int' ? 1 : 'any'}
            min={form.outputType === 'int' ? 1 : 0}
            max={form.outputType === 'int' ? 5 : 1}
            {...field('passingThreshold')}
          />
        )}
        {form.evalType === 'ai' && <JudgeFields form={form} field={field} />}
        {form.outputType !== 'category' && (
          <div className="col-span-full">
            <Input
              label="Spans"
              placeholder="Empty: it scores records"
              hint={spansHint}
              {...field('spans')}
            />
          </div>
        )}
      </div>
      {form.outputType === 'category' && (
        <LabelsEditor
          value={form.labels ?? newLabels}
          error={firstIssueOf(error, '/labels', ['/items', '/passing'])}
          onChange={(labels) => onChange({ ...form, labels })}
        />
      )}
      {mayHaveCriteria(form) && form.spans.trim() === '' && (
        <CriteriaEditor
          projectId={projectId}
          guidelines={form.guidelines}
          value={form.criteria ?? noCriteria}
          hasJudge={form.evalType === 'ai'}
          error={firstIssueOf(error, '/criteria', ['/items'])}
          onChange={(criteria) => onChange({ ...form, criteria })}
        />
      )}
      <LogicFields projectId={projectId} form={form} field={field} readOnly={readOnly} />
    </fieldset>
  );
};

type JudgeFieldsProps = { form: MetricForm; field: FieldOf<MetricForm> };

/** The model that judges, or that compares two texts. */
const JudgeFields = ({ form, field }: JudgeFieldsProps) => (
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
      {...field('evalModelName')}
    />
    <Input label="Temperature" type="number" min={0} max={2} step="any" required {...field('temperature')} />
  </>
);

type LogicFieldsProps = JudgeFieldsProps & { projectId: string; readOnly: boolean };

/** How the metric scores: guidelines, code or a prompt, and the fields of records that it reads. */
const LogicFields = ({ projectId, form, field, readOnly }: LogicFieldsProps) => {
  const recordFields = useRecordFields(projectId);
  const logic = field(form.evalType === 'ai' ? 'promptTemplate' : 'guidelines');
  return (
    <>
      {form.evalType === 'heuristic' ? (
        <EditorField
          label="Code"
          hint={guidelinesHint.heuristic}
          language={languageOf(form)}
          readOnly={readOnly}
          {...field('guidelines')}
        />
      ) : (
        <TextArea label="Guidelines" rows={6} hint={guidelinesHint[form.evalType]} {...field('guidelines')} />
      )}
      {form.evalType === 'ai' && (
        <EditorField
          label="Prompt"
          hint="Jinja. After {{ the editor suggests the fields of your records."
          language="jinja"
          variables={variablesOf(recordFields.counts)}
          readOnly={readOnly}
          {...field('promptTemplate')}
        />
      )}
      {form.evalType === 'ai' && form.promptTemplate.trim() !== '' && !/\{[{%]/.test(form.promptTemplate) && (
        <p role="alert" className="text-sm text-warn">
          The prompt reads nothing of a record, so it asks the same question about each one. Write a field as{' '}
          <code className="font-mono">{'{{ outputs.answer }}'}</code>.
        </p>
      )}
      {form.evalType !== 'human' && form.spans === '' && (
        <FieldPicker {...recordFields} logic={logic.value} readOnly={readOnly} onChange={logic.onChange} />
      )}
    </>
  );
};
