import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const store = { DOKIMA_S3_BUCKET: 'b', DOKIMA_S3_ACCESS_KEY_ID: 'a', DOKIMA_S3_SECRET_ACCESS_KEY: 's' };

describe('readConfig', () => {
  it('takes addresses as people write them', () => {
    const addresses = {
      DOKIMA_PUBLIC_URL: 'http://[::1]:3000',
      OPENAI_BASE_URL: 'http://localhost:11434/v1/',
      DOKIMA_S3_ENDPOINT: 'http://minio:9000/',
    };
    expect(readConfig({ ...addresses, ...store })).toMatchObject(addresses);
  });

  it('takes all that a store of attachments needs, or nothing', () => {
    const all = { ...store, DOKIMA_S3_ENDPOINT: 'https://s3.example.com' };
    expect(readConfig(all)).toMatchObject(all);
    for (const [name, value] of Object.entries(all)) {
      const missing = Object.keys(all).filter((other) => other !== name);
      for (const other of missing)
        expect(() => readConfig({ [name]: value })).toThrow(`  ${other} must be set, because ${name} is`);
    }
  });

  it('refuses what is not an address, and says how one looks', () => {
    const wrong = {
      DOKIMA_PUBLIC_URL: [
        'dokima.example.com',
        'https://',
        'https://host:port',
        'https://a/b/',
        'https://a/',
        'https://a?b',
      ],
      OPENAI_BASE_URL: ['foo', 'https://', 'http://host:port/v1', 'ftp://host', 'https://host/v1?key=1'],
      DOKIMA_S3_ENDPOINT: ['minio:9000', 'https://', 'http://host:port'],
    };
    for (const [name, texts] of Object.entries(wrong))
      for (const text of texts)
        expect(
          () => readConfig({ DOKIMA_S3_ENDPOINT: 'https://s3.example.com', ...store, [name]: text }),
          `${name}=${text}`,
        ).toThrow(
          new RegExp(
            `^Settings that can't be used:\\n  ${name} must be a URL like https://\\S+.*\\nSee docs`,
          ),
        );
  });
});

it('names what is missing for single sign-on, and refuses roles and issuers that it cannot use', () => {
  const some = { DOKIMA_OIDC_ISSUER: 'https://login.example.com', DOKIMA_OIDC_CLIENT_ID: 'dokima' };
  expect(() => readConfig(some)).toThrow(
    'DOKIMA_OIDC_CLIENT_SECRET must be set, because DOKIMA_OIDC_ISSUER is\n  DOKIMA_PUBLIC_URL must be set',
  );
  expect(() => readConfig({ DOKIMA_OIDC_REQUIRED: 'true' })).toThrow('DOKIMA_OIDC_ISSUER must be set');
  expect(() => readConfig({ DOKIMA_GROUP_ROLES: 'ml:owner' })).toThrow('DOKIMA_GROUP_ROLES must be groups');
  expect(() => readConfig({ DOKIMA_GROUP_ROLES: 'a:b:admin, c d:viewer' })).not.toThrow();
  for (const issuer of ['http://login.example.com', 'http://localhost.evil.example/', 'https://a?b'])
    expect(() => readConfig({ DOKIMA_OIDC_ISSUER: issuer })).toThrow('DOKIMA_OIDC_ISSUER must be');
});

it('a setting that no version of this program has stops the start; those of others do not', () => {
  expect(() => readConfig({ DOKIMA_PUBLIC_URI: 'x', DOKIMA_WORKER: '1' })).toThrow(
    '  DOKIMA_PUBLIC_URI is not a setting of this version\n  DOKIMA_WORKER is not a setting of this version',
  );
  const others = {
    DOKIMA_API_KEY: 'k',
    DOKIMA_PORT: 'tcp://10.0.0.1:80',
    DOKIMA_SERVICE_HOST: '10.0.0.1',
    HOME: '/',
  };
  expect(() => readConfig({ ...others, DOKIMA_PORT_80_TCP_ADDR: '10.0.0.1' })).not.toThrow();
});
