/** The file of a decision: an in-toto statement that the service signed, as canonical JSON. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Check, Outcome } from '../gate/check.ts';
import { canonicalJson, keyIdOf } from '../passport/passport.ts';

export const statementType = 'https://in-toto.io/Statement/v1';
export const predicateType = 'urn:dokima:ship-decision:v1';
export const payloadType = 'application/vnd.in-toto+json';

/** States of a score that has no value. */
export type ScoreState = 'pending' | 'unscored' | 'failed';

/** A record's score by one configuration: a value, or the state why there is none. */
export type FileScore = {
  n: number;
  value?: number;
  state?: ScoreState;
  /** The judge's own value where people gave another. */
  own?: number | null;
  /** The verdicts of a judge that votes. */
  votes?: unknown[];
};

export type FileMetric = {
  metricId: string;
  metricName: string;
  configId: string;
  evalType: string;
  outputType: string;
  passingThreshold: number | null;
  /** JSON text of the labels of a category. */
  labels: string | null;
  pinned: boolean;
  scores: FileScore[];
  /** Chances of records that were drawn with unequal ones; null without such a draw. */
  draw: { n: number; stratum: number | null; chance: number; drawn: boolean }[] | null;
  [more: string]: unknown;
};

export type FileRecord = {
  n: number;
  /** `<testset>-<number>`; null for a record without a testcase. */
  testcase: string | null;
  revision: number | null;
  /** SHA-256 of the testcase, as in the snapshot. */
  testcaseHash: string | null;
  /** Which answer of its testcase it is, from 1. */
  trial: number;
  group: string | null;
  /** Equal numbers are equal inputs. */
  sameInputs: string | null;
  inputsHash: string;
  expectedHash: string;
  outputsHash: string;
  [texts: string]: unknown;
};

export type FileRun = {
  runId: string;
  createdAt: string;
  systemVersionId: string | null;
  snapshot: { number: number; hash: string } | null;
  groupedBy: { testsetId: string; field: string }[];
  nearDuplicates: unknown;
  records: FileRecord[];
  metrics: FileMetric[];
};

export type FileNumbers = {
  outcome: Outcome;
  exitCode: number;
  level: number;
  tests: number;
  checks: Check[];
  notes: string[];
  rates: Record<string, unknown>[];
  comparisons: Record<string, unknown>[];
};

export type DecisionDocument = {
  question: string;
  owner: string;
  projectId: string;
  testset: { id: string; name: string; numTestcases: number; snapshot: number; hash: string };
  baseline: { runId: string; systemVersionId: string | null; createdAt: string } | null;
  metrics: { id: string; name: string; configId: string; hash: string; evalModelName: string | null }[];
  rules: unknown;
  minTestcases: number;
  power: number;
  level: number;
  registeredAt: string;
  registeredBy: string | null;
};

export type FileJudge = {
  metricId: string;
  metricName: string;
  /** The passport of the judge on the day of the decision; null where it has none. */
  passport: {
    payload: Record<string, unknown>;
    signature: { algorithm: string; keyId: string; value: string };
  } | null;
  reason: string | null;
};

export type Predicate = {
  format: string;
  version: number;
  decision: { id: string; document: DecisionDocument };
  registration: { entryId: string; at: string; place: string | null; hash: string | null };
  decidedAt: string;
  run: {
    runId: string;
    createdAt: string;
    /** The run that was named in place of those of the rules; null where the rules name them. */
    baselineAsked: string | null;
    baselines: { name: string; id?: string; anchor: boolean; pooled?: string[] }[];
  };
  rules: unknown;
  level: number;
  /** The configurations by which the run was scored, with the hashes that a registration has. */
  metrics: DecisionDocument['metrics'];
  deviations: { kind: string; sentence: string }[];
  waivers: { reason: string; waivedBy: string | null; waivedAt: string }[];
  numLooks: number;
  looks: unknown[];
  judges: FileJudge[];
  data: { snapshot: string[]; runs: FileRun[] };
  questions: { ask: string; args: unknown[]; job: unknown }[];
  facts: { ask: string; args: unknown[]; answer: unknown }[];
  numbers: FileNumbers;
};

export type Statement = {
  _type: string;
  subject: { name: string; digest: Record<string, string> }[];
  predicateType: string;
  predicate: Predicate;
};
export type DecisionFile = {
  statement: Statement;
  publicKeyPem: string;
  signatures: { keyid: string; sig: string }[];
};

export const fileFormat = 'dokima-decision-file';
export const fileVersion = 1;

/** The bytes that are signed: those of DSSE v1, so that any tool that checks in-toto envelopes can check them. */
export const statementBytes = (statement: unknown): Buffer => {
  const payload = Buffer.from(canonicalJson(statement));
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
};

/** The text of a file: one line. The same decision makes the same bytes. */
export const fileText = (file: unknown): string => `${canonicalJson(file)}\n`;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export type Opened =
  | { state: 'whole'; file: DecisionFile; keyId: string; isKnownKey: boolean }
  | { state: 'tampered' | 'incomplete'; sentence: string };

const isText = (value: unknown): value is string => typeof value === 'string';

const hasParts = (file: unknown): file is DecisionFile => {
  const { statement, publicKeyPem, signatures } = (file ?? {}) as Partial<DecisionFile>;
  return (
    typeof statement === 'object' && statement !== null && isText(publicKeyPem) && Array.isArray(signatures)
  );
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const idOfKey = (pem: string): string | undefined => {
  try {
    return keyIdOf(pem);
  } catch {
    return undefined;
  }
};

/** Whether a key is written as the service writes it: other texts can be the same key. */
const isPlainKey = (pem: string): boolean =>
  createPublicKey(pem).export({ type: 'spki', format: 'pem' }) === pem;

/** Whether base64 is written as the service writes it: other texts can have the same bytes. */
const signatureOf = (sig: unknown): Buffer | undefined => {
  if (!isText(sig)) return undefined;
  const bytes = Buffer.from(sig, 'base64');
  return bytes.toString('base64') === sig ? bytes : undefined;
};

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/**
 * Opens the bytes of a file: checks that they are those that the service wrote, and who signed them. With a key, only that one counts; else
 * the one that the file names.
 */
export const openDecisionFile = (bytes: Uint8Array, publicKeyPem?: string): Opened => {
  const tampered = (sentence: string): Opened => ({ state: 'tampered', sentence });
  const text = decode(bytes);
  const file = text === undefined ? undefined : parse(text);
  if (file === undefined)
    return tampered('The file cannot be read as JSON: it was cut or changed after it was written.');
  if (!hasParts(file))
    return tampered('This is not the file of a decision: it has no statement with a signature and a key.');
  if (fileText(file) !== text)
    return tampered(
      'The file is not byte for byte what the service writes: it was changed after it was written.',
    );
  const ownKey = idOfKey(file.publicKeyPem);
  if (ownKey === undefined || !isPlainKey(file.publicKeyPem))
    return tampered('The public key in the file cannot be read: it was changed.');
  const keyId = publicKeyPem === undefined ? ownKey : idOfKey(publicKeyPem);
  if (keyId === undefined) return { state: 'incomplete', sentence: 'The given public key cannot be read.' };
  if (keyId !== ownKey)
    return tampered(`The file was signed with key ${ownKey}; the given key is ${keyId}: it may be forged.`);
  const [signature, ...others] = file.signatures;
  const sig = signatureOf(signature?.sig);
  const isSigned =
    sig !== undefined &&
    others.length === 0 &&
    signature!.keyid === keyId &&
    Object.keys(signature!).length === 2 &&
    Object.keys(file).length === 3 &&
    verify(null, statementBytes(file.statement), createPublicKey(publicKeyPem ?? file.publicKeyPem), sig);
  if (!isSigned)
    return tampered('The signature does not fit: the file was changed after it was signed, or forged.');
  const { _type, predicateType: type, predicate } = file.statement;
  if (_type !== statementType || type !== predicateType || predicate?.format !== fileFormat)
    return tampered('The statement is not about a decision.');
  if (predicate.version !== fileVersion)
    return {
      state: 'incomplete',
      sentence: `The file has version ${predicate.version}; this program reads version ${fileVersion}.`,
    };
  return { state: 'whole', file, keyId, isKnownKey: publicKeyPem !== undefined };
};
