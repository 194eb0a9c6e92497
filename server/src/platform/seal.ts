import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts `text` with AES-256-GCM, bound to `context`: it opens only with the same one. The result is the random IV, the
 * ciphertext and the authentication tag, one after the other (NIST SP 800-38D).
 */
export const seal = (key: KeyObject, context: string, text: string): Buffer => {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
};

/** Opens what `seal` made. Throws if the key, the context or a byte of it differs. */
export const unseal = (key: KeyObject, context: string, sealed: Buffer): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-tagBytes));
  const text = [decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()];
  return Buffer.concat(text).toString('utf8');
};
