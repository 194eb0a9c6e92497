import type { CreateMetricBody, Metric } from '../../types.ts';
import {
  type CriteriaForm,
  criteriaBodyOf,
  criteriaFormOf,
  mayHaveCriteria,
  noCriteria,
} from './criteria-form.ts';
import { type LabelsForm, labelsBodyOf, labelsFormOf, newLabels } from './labels-form.ts';

/** Labels of the ways to score. */
export const evalTypes = {
  ai: 'AI judge',
  heuristic: 'Code',
  human: 'People',
} as const;

/** Labels of the kinds of score. */
export const outputTypes = {
  boolean: 'Pass or fail',
  int: '1 to 5',
  float: '0 to 1',
  category: 'Labels',
} as const;

/** The fields of the editor. `bodyOf` leaves out those that the chosen variant does not have. */
export type MetricForm = {
  name: string;
  description: string;
  evalType: Metric['evalType'];
  outputType: Metric['outputType'];
  guidelines: string;
  promptTemplate: string;
  evalModelName: string;
  temperature: string;
  passingThreshold: string;
  /** Which spans of a record it scores; empty if it scores records. */
  spans: string;
  /** Missing in drafts of earlier versions. */
  criteria?: CriteriaForm;
  /** Missing in drafts of earlier versions. */
  labels?: LabelsForm;
};

export const emptyForm: MetricForm = {
  name: '',
  description: '',
  evalType: 'ai',
  outputType: 'boolean',
  guidelines: '',
  promptTemplate: `{{ guidelines }}

Input:
{{ allInputs }}

Expected:
{{ allExpected }}

Output to judge:
{{ allOutputs }}`,
  evalModelName: '',
  temperature: '0',
  passingThreshold: '',
  spans: '',
  criteria: noCriteria,
  labels: newLabels,
};

const defaultThreshold = { boolean: '', int: '4', float: '0.9', category: '' };
/** The default threshold of a kind of score. */
export const thresholdOf = (outputType: MetricForm['outputType']): string => defaultThreshold[outputType];

export const formOf = (metric: Omit<Metric, 'id'>): MetricForm => ({
  name: metric.name,
  description: metric.description ?? '',
  evalType: metric.evalType,
  outputType: metric.outputType,
  guidelines: metric.guidelines,
  promptTemplate: metric.promptTemplate ?? emptyForm.promptTemplate,
  evalModelName: metric.evalModelName ?? '',
  temperature: String(metric.temperature ?? 0),
  passingThreshold: metric.passingThreshold === undefined ? '' : String(metric.passingThreshold),
  spans: metric.spans ?? '',
  criteria: criteriaFormOf(metric.criteria),
  labels: labelsFormOf(metric.labels),
});

/** The request body of the form: the fields of the chosen variant, and no other. */
export const bodyOf = (form: MetricForm): CreateMetricBody =>
  ({
    name: form.name,
    description: form.description || null,
    evalType: form.evalType,
    outputType: form.outputType,
    guidelines: form.guidelines,
    ...(form.evalType === 'ai' && {
      promptTemplate: form.promptTemplate,
      temperature: Number(form.temperature),
      ...(form.evalModelName && { evalModelName: form.evalModelName }),
    }),
    ...(thresholdOf(form.outputType) !== '' &&
      form.passingThreshold && { passingThreshold: Number(form.passingThreshold) }),
    ...(form.outputType === 'category'
      ? { labels: labelsBodyOf(form.labels ?? newLabels) }
      : { spans: form.spans.trim() || null }),
    ...(mayHaveCriteria(form) && form.criteria && { criteria: criteriaBodyOf(form.criteria) }),
    // TypeScript does not narrow a union of variants by two fields at once.
  }) as CreateMetricBody;
