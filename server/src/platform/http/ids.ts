import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { notFound } from '../errors.ts';

/** A record's key: its run and its number within the run. Its id on the wire is `<run>-<n>`. */
export type RecordKey = { runId: bigint; n: number };
/** A testcase's key: its testset and its number within it. Its id on the wire is `<testset>-<n>`. */
export type TestcaseKey = { testsetId: bigint; n: number };

const maxBigint = 2n ** 63n - 1n;
const maxInteger = 2 ** 31 - 1;
const numeric = /^[1-9]\d{0,18}$/;
const composite = /^([1-9]\d{0,18})-([1-9]\d{0,9})$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns a new UUID v7. It sorts by its time. */
export const newUuid = (): string => v7();

const parseNumeric = (id: string): bigint | undefined => {
  if (!numeric.test(id)) return undefined;
  const value = BigInt(id);
  return value <= maxBigint ? value : undefined;
};

const parseComposite = (id: string): { parent: bigint; n: number } | undefined => {
  const match = composite.exec(id);
  const parent = match && parseNumeric(match[1] as string);
  const n = Number(match?.[2]);
  return parent && n <= maxInteger ? { parent, n } : undefined;
};

/** Returns a new UUID v7 with the time of another, so it sorts at the same place. All but its last 40 bits are time and counter. */
export const newIdLike = (id: string): string =>
  `${id.slice(0, -10).toLowerCase()}${randomBytes(5).toString('hex')}`;

/** Parses a numeric id. Throws 404 when it is ill-formed, as for an unknown one. */
export const numericId = (resource: string, id: string): bigint => {
  const value = parseNumeric(id);
  if (value === undefined) throw notFound(resource, id);
  return value;
};

/** Parses the number of a resource within its parent. Throws 404 if it is not a number. */
export const numberWithin = (resource: string, id: string): number => {
  const value = parseNumeric(id);
  if (value === undefined || value > maxInteger) throw notFound(resource, id);
  return Number(value);
};

export const isUuid = (id: string): boolean => uuid.test(id);

/** Returns the id as a lower-case UUID. Throws 404 when it is ill-formed. */
export const uuidId = (resource: string, id: string): string => {
  if (!isUuid(id)) throw notFound(resource, id);
  return id.toLowerCase();
};

/** Returns a record's id on the wire. */
export const recordIdOf = ({ runId, n }: RecordKey): string => `${runId}-${n}`;

/** Parses the id of a record, `<run>-<n>`. Throws 404 when it is ill-formed. */
export const recordKey = (id: string): RecordKey => {
  const parts = parseComposite(id);
  if (!parts) throw notFound('record', id);
  return { runId: parts.parent, n: parts.n };
};

/** Parses the id of a testcase, `<testset>-<n>`; undefined when it is ill-formed. */
export const parseTestcaseKey = (id: string): TestcaseKey | undefined => {
  const parts = parseComposite(id);
  return parts && { testsetId: parts.parent, n: parts.n };
};

/** Parses the id of a testcase. Throws 404 when it is ill-formed. */
export const testcaseKey = (id: string): TestcaseKey => {
  const key = parseTestcaseKey(id);
  if (!key) throw notFound('testcase', id);
  return key;
};
