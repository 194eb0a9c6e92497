import { type Fields, metricsFor, withOwnFields } from '../../../../client/src/proposals.ts';
import type { Table } from '../../../../client/src/tables/table.ts';
import type { JsonObject, Metric, MetricTemplate, Testcase, Testset } from '../../types.ts';
import { formOf, type MetricForm } from '../metrics/kinds.ts';
import { type ColumnMapping, mapRow, type Role, withoutAnswers } from '../testsets/mapping.ts';

/** What metrics can read: the names of the fields of each part, and a first testcase with the answer to it. */
export type Case = {
  fields: Fields;
  first: { inputs: JsonObject; expected: JsonObject; outputs: JsonObject };
};

const pick = (fields: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));

/** Returns the first row of a table as a case; undefined if it can't be one. A system that is still to be asked writes its `answer`. */
export const caseOf = (
  { rows, isText }: Table,
  mapping: readonly ColumnMapping[],
  isAnswered: boolean,
): Case | undefined => {
  const names = (role: Role) => mapping.filter((each) => each.role === role).map(({ field }) => field);
  const fields = { inputs: names('inputs'), expected: names('expected') };
  try {
    const { jsonData, outputs } = mapRow(rows[0]!, 0, isAnswered ? mapping : withoutAnswers(mapping), isText);
    return {
      fields: { ...fields, outputs: isAnswered ? names('outputs') : ['answer'] },
      first: { inputs: pick(jsonData, fields.inputs), expected: pick(jsonData, fields.expected), outputs },
    };
  } catch {
    // The columns say which of their values does not fit; there is nothing to try before it is mended.
    return undefined;
  }
};

/** Returns the first testcase of a testset as a case. */
export const caseOfTestset = (
  { fieldMapping: { inputs, expected } }: Pick<Testset, 'fieldMapping'>,
  { jsonData }: Pick<Testcase, 'jsonData'>,
): Case => ({
  fields: { inputs, expected, outputs: ['answer'] },
  first: { inputs: pick(jsonData, inputs), expected: pick(jsonData, expected), outputs: {} },
});

/** The metric of a template with the fields that the reader's records have. */
const withFields = (template: MetricTemplate, { fields }: Case): MetricForm => {
  const form = formOf({ guidelines: '', description: null, ...template.metric } as Omit<Metric, 'id'>);
  const rename = (logic: string): string => withOwnFields(logic, template, fields);
  return { ...form, guidelines: rename(form.guidelines), promptTemplate: rename(form.promptTemplate) };
};

export type Proposal = { id: string; form: MetricForm };

/** Returns three metrics that fit the case, with its fields in them. */
export const propose = (templates: readonly MetricTemplate[], given: Case): Proposal[] =>
  metricsFor(given.fields, given.first.expected).flatMap((id) => {
    const template = templates.find((each) => each.id === id);
    return template ? [{ id, form: withFields(template, given) }] : [];
  });
