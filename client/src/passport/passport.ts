import { createHash, createPublicKey, verify } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

export { canonicalJson };

/** What a passport says. `dokima judge verify` prints it; docs/judges.md describes each field. */
export type PassportPayload = {
  format: string;
  version: number;
  metricId: string;
  metricName: string;
  metricConfigId: string;
  metricHash: string;
  grade: string;
  sentence: string;
  battery: { verdict: string; sentence: string } | null;
  issuedAt: string;
  expiresAt: string;
  expiryReason: string;
  [field: string]: unknown;
};
export type Passport = {
  payload: PassportPayload;
  signature: { algorithm: string; keyId: string; value: string };
};

export const passportFormat = 'dokima-judge-passport';
export const passportVersion = 1;

/** The bytes that are signed. They begin with the format, so that no other signature of the key is one of a passport. */
export const signedBytes = (payload: unknown): Buffer =>
  Buffer.from(`${passportFormat}\n${canonicalJson(payload)}`);

/** Fingerprint of a public key: the SHA-256 of its DER form in hexadecimal, as `openssl pkey -pubin -outform DER | sha256sum` prints it. */
export const fingerprintOf = (publicKeyPem: string): string => {
  const der = createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex');
};

/** Name of a public key: the first 16 hexadecimal digits of its fingerprint. */
export const keyIdOf = (publicKeyPem: string): string => fingerprintOf(publicKeyPem).slice(0, 16);

/** What is wrong with a passport; `valid` if nothing is. */
export type PassportState =
  | 'valid'
  | 'not a passport'
  | 'wrong version'
  | 'wrong key'
  | 'tampered'
  | 'not yet valid'
  | 'expired'
  | 'wrong judge'
  | 'replayed';

export type Expected = {
  publicKeyPem: string;
  now: Date;
  /** Hash of the configuration that the judge should have. */
  metricHash?: string | undefined;
  /** A passport that was issued before is an old one that was kept. */
  issuedAfter?: Date | undefined;
};

const isPassport = (document: unknown): document is Passport => {
  const { payload, signature } = (document ?? {}) as Partial<Passport>;
  return (
    typeof payload === 'object' &&
    payload?.format === passportFormat &&
    typeof payload.issuedAt === 'string' &&
    typeof payload.expiresAt === 'string' &&
    typeof signature?.value === 'string' &&
    typeof signature.keyId === 'string'
  );
};

/** Clocks differ by minutes at most. */
const clockMs = 5 * 60_000;

/** Checks a passport without a service: who signed it, whether it was changed, and whether it still holds. */
export const verifyPassport = (
  document: unknown,
  { publicKeyPem, now, metricHash, issuedAfter }: Expected,
): { state: PassportState; sentence: string } => {
  const found = (state: PassportState, sentence: string) => ({ state, sentence });
  if (!isPassport(document))
    return found('not a passport', 'This is not a passport of a judge: it has no payload with a signature.');
  const { payload, signature } = document;
  const { version, issuedAt, expiresAt } = payload;
  if (version !== passportVersion || signature.algorithm !== 'Ed25519')
    return found(
      'wrong version',
      `The passport has version ${version} (${signature.algorithm}); this program reads version ${passportVersion} (Ed25519).`,
    );
  const keyId = keyIdOf(publicKeyPem);
  if (signature.keyId !== keyId)
    return found(
      'wrong key',
      `The passport was signed with key ${signature.keyId}; the given key is ${keyId}.`,
    );
  const signed = verify(
    null,
    signedBytes(payload),
    createPublicKey(publicKeyPem),
    Buffer.from(signature.value, 'base64'),
  );
  if (!signed)
    return found(
      'tampered',
      'The signature does not fit: the passport was changed after it was signed, or forged.',
    );
  if (Date.parse(issuedAt) > now.getTime() + clockMs)
    return found(
      'not yet valid',
      `The passport was issued at ${issuedAt}, which is in the future of this machine.`,
    );
  if (!(Date.parse(expiresAt) > now.getTime()))
    return found('expired', `The passport expired at ${expiresAt}: ${payload.expiryReason}.`);
  if (metricHash !== undefined && payload.metricHash !== metricHash)
    return found(
      'wrong judge',
      `The passport is about another configuration: its hash is ${payload.metricHash}, not ${metricHash}.`,
    );
  if (issuedAfter !== undefined && Date.parse(issuedAt) < issuedAfter.getTime())
    return found(
      'replayed',
      `The passport was issued at ${issuedAt}, before ${issuedAfter.toISOString()}: ask for a new one.`,
    );
  return found('valid', `The passport is valid until ${expiresAt}.`);
};
