import { withField } from '../../../../client/src/read-fields.ts';
import { formOf, type MetricForm } from '../../resources/metrics/kinds.ts';
import type { Case } from '../../resources/proposals/propose.ts';
import type { Metric, MetricTemplate } from '../../types.ts';

/** What a metric needs of a record, in words; empty for one that reads whatever is there. */
export const needsOf = ({ reads }: MetricTemplate): string => reads.join(', ');

/** Whether a model of embeddings compares two texts, in place of a judge that reads a prompt. */
export const comparesTexts = ({ promptTemplate }: Pick<MetricForm, 'promptTemplate'>): boolean =>
  /^\s*\{\{-?\s*similarity\([^{}]*\)\s*-?\}\}\s*$/.test(promptTemplate);

/** What a score of one record costs. */
export const costOf = (form: MetricForm): string => {
  if (form.evalType === 'heuristic') return 'Nothing, takes milliseconds';
  if (form.evalType === 'human') return 'The time of a person';
  return comparesTexts(form) ? 'Two embeddings' : 'One question to the judge model';
};

/** Names of fields that say no more than what they are: another field of the same part can stand in their place. */
const anyName = new Set(['answer', 'question', 'text']);

/** The field of the case that a metric reads in the place of a path; undefined if there is none. */
const fieldFor = (path: string, { fields }: Case): string | undefined => {
  const [part = '', name = ''] = path.split(/\.(.*)/s);
  const own = fields[part as keyof Case['fields']] ?? [];
  if (name === '') return own.length > 0 ? path : undefined;
  if (own.includes(name)) return path;
  // Any of several inputs could be the question.
  const canStand = anyName.has(name) && (part === 'inputs' ? own.length === 1 : own.length > 0);
  return canStand ? `${part}.${own[0]}` : undefined;
};

/** A ready metric with the fields of the reader's records in it, and whether they have all that it reads. */
export type Ready = { template: MetricTemplate; form: MetricForm; isFit: boolean };

export const readyOf = (template: MetricTemplate, given: Case | undefined): Ready => {
  const { metric, reads } = template;
  const form = formOf({ guidelines: '', description: null, ...metric } as Omit<Metric, 'id'>);
  if (!given) return { template, form, isFit: false };
  const found = reads.map((path) => [path, fieldFor(path, given)] as const);
  const rename = (logic: string): string =>
    found.reduce((text, [path, own]) => (own && own !== path ? withField(text, path, own) : text), logic);
  return {
    template,
    form: { ...form, guidelines: rename(form.guidelines), promptTemplate: rename(form.promptTemplate) },
    isFit: found.every(([, own]) => own !== undefined),
  };
};
