import { isEmailAddress } from '../email-address.ts';
import { invalidValue } from './scim-error.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** A member as the directory knows them. */
export type ScimUser = {
  userName: string;
  externalId: string | null;
  displayName: string;
  givenName: string;
  familyName: string;
  email: string;
  active: boolean;
};

type Values = Record<string, unknown>;
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a flag. Entra ID sends "True" and "False" as texts. */
const readFlag = (value: unknown): boolean => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw invalidValue('active must be true or false.');
};

/** Reads a text of at most 320 characters. Throws 400. */
export const readText = (attribute: string, value: unknown): string => {
  if (typeof value !== 'string' || value.length > 320 || value.includes('\0') || !value.isWellFormed())
    throw invalidValue(`${attribute} must be a text of at most 320 characters.`);
  return value;
};

/** Returns the address of a list of e-mails: the primary one, else that of work, else the first. */
const addressOf = (emails: unknown): string | undefined => {
  const list = (Array.isArray(emails) ? emails : [emails]).filter(isObject);
  const chosen =
    list.find(
      ({ primary }) => primary === true || /^true$/i.test(typeof primary === 'string' ? primary : ''),
    ) ??
    list.find(({ type }) => type === 'work') ??
    list[0];
  return chosen?.value === undefined ? undefined : readText('emails.value', chosen.value);
};

/**
 * Sets one attribute, by its path in lower case and without the schema's URN. Attributes that the service does not use (telephone numbers,
 * departments) are accepted and dropped: directories send all their attributes.
 */
export const setAttribute = (user: ScimUser, path: string, value: unknown): void => {
  switch (path) {
    case 'username':
      user.userName = readText('userName', value);
      break;
    case 'externalid':
      user.externalId = value === null || value === '' ? null : readText('externalId', value);
      break;
    case 'displayname':
    case 'name.formatted':
      if (value) user.displayName = readText('displayName', value);
      break;
    case 'name.givenname':
      user.givenName = readText('name.givenName', value ?? '');
      break;
    case 'name.familyname':
      user.familyName = readText('name.familyName', value ?? '');
      break;
    case 'active':
      user.active = readFlag(value);
      break;
    case 'emails':
      user.email = addressOf(value) ?? user.email;
      break;
    case 'name':
      if (isObject(value)) setAttributes(user, value, 'name.');
      break;
    default:
      if (/^emails\[.*\]\.value$/.test(path)) user.email = readText('emails.value', value);
      else if (/^emails\[.*\]$/.test(path)) user.email = addressOf(value) ?? user.email;
  }
};

/** Sets the attributes of an object without a path: `{"active": false}`, or `{"name.givenName": "Ada"}` as Entra ID sends it. */
export const setAttributes = (user: ScimUser, values: Values, prefix = ''): void => {
  // The formatted name comes first, so that displayName wins over it.
  const entries = Object.entries(values).sort(([a], [b]) => Number(b === 'name') - Number(a === 'name'));
  for (const [name, value] of entries) setAttribute(user, pathOf(prefix + name), value);
};

/** A path in lower case, without the URN of the User schema. */
export const pathOf = (path: string): string =>
  path.toLowerCase().replace(`${userSchema.toLowerCase()}:`, '');

/** Completes and checks a user. Throws 400. */
export const completed = (user: ScimUser): ScimUser => {
  if (user.userName === '') throw invalidValue('userName is required.');
  const email = user.email || user.userName;
  if (!isEmailAddress(email))
    throw invalidValue('The user needs an e-mail address: in emails, or as the userName.');
  const name = user.displayName || `${user.givenName} ${user.familyName}`.trim() || user.userName;
  return { ...user, email, displayName: name.slice(0, 200) };
};

/** Reads the body of a creation or of a replacement. Throws 400. */
export const readUser = (body: unknown): ScimUser => {
  if (!isObject(body)) throw invalidValue('Send a user as JSON object.');
  const user: ScimUser = {
    userName: '',
    externalId: null,
    displayName: '',
    givenName: '',
    familyName: '',
    email: '',
    active: true,
  };
  setAttributes(user, body);
  return completed(user);
};
