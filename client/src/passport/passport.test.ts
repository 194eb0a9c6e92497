import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { canonicalJson, keyIdOf, passportFormat, signedBytes, verifyPassport } from './passport.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }) as string;

const issue = (fields: object = {}) => {
  const payload = {
    format: passportFormat,
    version: 1,
    issuedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-03-01T00:00:00.000Z',
    expiryReason: 'a passport holds for 59 days',
    metricHash: 'a',
    ...fields,
  };
  const value = sign(null, signedBytes(payload), privateKey).toString('base64');
  return { payload, signature: { algorithm: 'Ed25519', keyId: keyIdOf(publicKeyPem), value } };
};

it('a passport holds from its issue to its expiry, and says why it ended', () => {
  const at = (now: string, fields?: object) =>
    verifyPassport(issue(fields), { publicKeyPem, now: new Date(now) });
  expect(at('2026-01-01T00:00:00Z').state).toBe('valid');
  expect(at('2026-02-28T23:59:59Z').state).toBe('valid');
  expect(at('2026-03-01T00:00:00Z')).toEqual({
    state: 'expired',
    sentence: 'The passport expired at 2026-03-01T00:00:00.000Z: a passport holds for 59 days.',
  });
  expect(at('2025-12-31T00:00:00Z').state).toBe('not yet valid');
  expect(at('2026-02-01T00:00:00Z', { expiresAt: 'never' }).state).toBe('expired');
});

it('the signed text is that of RFC 8785: sorted members, the numbers of ECMAScript', () => {
  expect(canonicalJson({ b: [1e21, 0.1, -0], a: { d: null, c: 'é\n' }, e: undefined })).toBe(
    '{"a":{"c":"é\\n","d":null},"b":[1e+21,0.1,0]}',
  );
});
