import type { Fragment, Sql } from '../platform/db/database.ts';
import { invalid } from '../platform/errors.ts';

/**
 * Whether a lower-case character is that of another one too: the Kelvin sign becomes k, and İ becomes i. Addresses are compared in lower
 * case, so that such a character would make one person's address another's (Unicode Technical Standard 39).
 */
const isAmbiguous = (character: string): boolean => {
  const lower = character.toLowerCase();
  return lower !== character && lower.toUpperCase() !== character;
};

/** Whether the text is an e-mail address that no folding makes another person's: of letters that stay the same under NFKC. */
export const isEmailAddress = (text: string): boolean =>
  /^[^@\s\0]+@[^@\s\0]+$/.test(text) &&
  text.isWellFormed() &&
  text.normalize('NFKC') === text.normalize('NFC') &&
  ![...text].some(isAmbiguous);

/** Throws 400 for the field of the body at `path` unless it is such an address. */
export const requireEmailAddress = (path: string, text: string): void => {
  if (!isEmailAddress(text)) throw invalid(path, 'must be an address without letters that look like others');
};

/**
 * Whether two addresses or user names are those of one person: equal in any case. A letter that folds into another one in only one
 * direction, as the Kelvin sign into k, differs in the other direction.
 */
export const isSameAddress = (sql: Sql, column: Fragment, other: Fragment): Fragment =>
  sql`(lower(${column}) = lower(${other}) and upper(${column}) = upper(${other}))`;
