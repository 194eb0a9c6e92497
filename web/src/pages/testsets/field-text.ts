import { parseAsWritten } from '../../../../client/src/written-number.ts';
import { criteriaProblem } from '../../resources/metrics/criteria-form.ts';
import type { JsonObject, Testcase, Testset } from '../../types.ts';

/** The text in which a value is edited: strings as they are, everything else as JSON. */
export const textOf = (value: unknown): string => {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
};

/** The value of an edited text, of the same kind as the value before. Throws when the text is not valid JSON. */
const valueOfText = (before: unknown, text: string): unknown =>
  before === undefined || typeof before === 'string' ? text : parseAsWritten(text);

/** Whether a form edits this field: the criteria that a testcase brings for a metric. */
export const isCriteria = ({ expected }: Testset['fieldMapping'], field: string): boolean =>
  field === 'criteria' && expected.includes(field);

/** The data of a testcase with its criteria edited, whose text is always JSON. An empty list takes the field away. Throws for criteria that have no share. */
export const withCriteria = (data: JsonObject, text: string): JsonObject => {
  const value = parseAsWritten(text === '' ? '[]' : text);
  const problem = criteriaProblem(value);
  if (problem) throw new Error(problem);
  const { criteria: _, ...rest } = data;
  return Array.isArray(value) && value.length === 0 ? rest : { ...data, criteria: value };
};

/** The data of a testcase with one field edited. An empty text does not create a field. */
export const withField = (data: JsonObject, field: string, text: string): JsonObject =>
  text === '' && data[field] === undefined ? data : { ...data, [field]: valueOfText(data[field], text) };

/** The validation errors of one field. */
export const issueOf = ({ validationErrors }: Pick<Testcase, 'validationErrors'>, field: string): string =>
  (validationErrors ?? [])
    .filter(({ path }) => path === `/${field}` || path.startsWith(`/${field}/`))
    .map(({ message }) => message)
    .join('; ');
