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

  it('refuses what is no address, and says how one looks', () => {
    const wrong = {
      DOKIMA_PUBLIC_URL: [
        'dokima.example.com',
        'https://',
        'https://host:port',
        'https://a/b',
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
