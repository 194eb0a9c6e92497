import { parseAsWritten } from '../../../../client/src/written-number.ts';
import type { JsonObject, Testcase } from '../../types.ts';

/** The text in which a value is edited: strings as they are, everything else as JSON. */
export const textOf = (value: unknown): string => {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
};

/** The value of an edited text, of the same kind as the value before. Throws when the text is not valid JSON. */
const valueOfText = (before: unknown, text: string): unknown =>
  before === undefined || typeof before === 'string' ? text : parseAsWritten(text);

/** The data of a testcase with one field edited. An empty text does not create a field. */
export const withField = (data: JsonObject, field: string, text: string): JsonObject =>
  text === '' && data[field] === undefined ? data : { ...data, [field]: valueOfText(data[field], text) };

/** The validation errors of one field. */
export const issueOf = ({ validationErrors }: Pick<Testcase, 'validationErrors'>, field: string): string =>
  (validationErrors ?? [])
    .filter(({ path }) => path === `/${field}` || path.startsWith(`/${field}/`))
    .map(({ message }) => message)
    .join('; ');
