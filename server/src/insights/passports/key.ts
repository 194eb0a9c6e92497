import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { keyIdOf, signedBytes } from '../../../../client/src/passport/passport.ts';

/** An Ed25519 private key in DER (RFC 8410) is this prefix and its 32 bytes. */
const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key that signs passports and decisions, derived from a key of the service. */
export type PassportKey = {
  keyId: string;
  publicKeyPem: string;
  /** Signs a payload. */
  sign: (payload: object) => string;
  /** Signs bytes of another format, whose beginning tells it from a passport. */
  signBytes: (bytes: Buffer) => string;
};

/** Makes the signing key of `seed`, which has 32 bytes. The same secret makes the same key. */
export const passportKey = (seed: KeyObject): PassportKey => {
  const key = createPrivateKey({
    key: Buffer.concat([prefix, seed.export()]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKeyPem = createPublicKey(key).export({ type: 'spki', format: 'pem' }) as string;
  return {
    keyId: keyIdOf(publicKeyPem),
    publicKeyPem,
    sign: (payload) => sign(null, signedBytes(payload), key).toString('base64'),
    signBytes: (bytes) => sign(null, bytes, key).toString('base64'),
  };
};
