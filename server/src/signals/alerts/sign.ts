import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** Returns a new signing key: whsec_ and 24 random bytes in Base64, as Standard Webhooks has them. */
export const newSigningSecret = (): string => `${prefix}${randomBytes(24).toString('base64')}`;

/**
 * Returns the headers that sign a body by HMAC-SHA256 over id, time and body
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
export const signedHeaders = (
  secret: string,
  id: string,
  body: string,
  atMs: number,
): Record<string, string> => {
  const time = String(Math.floor(atMs / 1000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
};
