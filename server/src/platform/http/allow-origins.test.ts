import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';
import { isOrigin } from './allow-origins.ts';

const site = 'https://app.example.com';
let app: TestApp;
let own: Organization;

beforeAll(async () => {
  app = await startApp({ DOKIMA_ALLOWED_ORIGINS: `${site}, http://localhost:5173` });
  own = await app.organization();
});
afterAll(() => app.close());

const preflight = (url: string, origin: string, service = app) =>
  service.app.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

describe('DOKIMA_ALLOWED_ORIGINS', () => {
  it.each(['/otel/v1/traces', '/v1/traces', '/api/v2/projects', '/api/v2/projects/1/runs?limit=1'])(
    'answers the preflight of its sites at %s',
    async (url) => {
      const { statusCode, headers, body } = await preflight(url, site);
      expect([statusCode, body]).toEqual([204, '']);
      expect(headers).toMatchObject({
        'access-control-allow-origin': site,
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': expect.stringMatching(/^authorization, content-type,/),
        vary: 'Origin',
      });
      expect(headers['access-control-allow-headers']).not.toContain('x-requested-with');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );

  it('shows answers and errors to its sites', async () => {
    const authorization = `Bearer ${own.key}`;
    const [fine, refused] = await Promise.all(
      [authorization, 'Bearer ak_no'].map((key) =>
        app.app.inject({ url: '/api/v2/projects', headers: { origin: site, authorization: key } }),
      ),
    );
    expect([fine!.statusCode, refused!.statusCode]).toEqual([200, 401]);
    for (const { headers } of [fine!, refused!])
      expect(headers).toMatchObject({
        'access-control-allow-origin': site,
        'access-control-expose-headers': expect.stringContaining('retry-after'),
      });
  });

  it('answers no other site, and nothing but the API and traces', async () => {
    for (const [url, origin] of [
      ['/api/v2/projects', 'https://evil.example.com'],
      ['/api/v2/projects', `${site}.evil.example`],
      ['/api/v2/projects', 'null'],
      ['/healthz', site],
      ['/scim/v2/Users', site],
    ] as const) {
      const { statusCode, headers } = await preflight(url, origin);
      expect(statusCode).toBe(405);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('is off by default, and * is every site', async () => {
    const [closed, open] = await Promise.all([startApp(), startApp({ DOKIMA_ALLOWED_ORIGINS: '*' })]);
    expect((await preflight('/otel/v1/traces', site, closed)).statusCode).toBe(405);
    expect((await preflight('/otel/v1/traces', site, open)).headers).toMatchObject({
      'access-control-allow-origin': site,
    });
    await Promise.all([closed.close(), open.close()]);
  });

  it.each(['https://a.example/', 'https://a.example/x', 'a.example', 'ftp://a.example', 'null'])(
    'takes no %s',
    (text) => expect(isOrigin(text)).toBe(false),
  );
});
