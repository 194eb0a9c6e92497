import type { Json, Testcase } from '../types.ts';
import { exactText, parseAsWritten } from '../ui/exact-json.ts';

/** A value as it is edited: strings as they are, everything else as JSON. */
export const textOf = (value: unknown): string => {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : exactText(value, 2);
};

/** The value that an edited text stands for, of the kind that stood there before. Throws on text that is no JSON. */
const valueOfText = (before: unknown, text: string): unknown =>
  before === undefined || typeof before === 'string' ? text : parseAsWritten(text);

/** The data of a testcase with one field edited. A field that is not there stays away while it is empty. */
export const withField = (data: Json, field: string, text: string): Json =>
  text === '' && data[field] === undefined ? data : { ...data, [field]: valueOfText(data[field], text) };

/** What the schema has against one field. */
export const issueOf = ({ validationErrors }: Pick<Testcase, 'validationErrors'>, field: string): string =>
  (validationErrors ?? [])
    .filter(({ path }) => path === `/${field}` || path.startsWith(`/${field}/`))
    .map(({ message }) => message)
    .join('; ');
