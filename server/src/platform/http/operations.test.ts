import { beforeAll, describe, expect, it } from 'vitest';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';

let test: TestApp;
let organization: Organization;
beforeAll(async () => {
  test = await startApp();
  organization = await test.organization();
});

it('/metrics counts every answer by method, route and status', async () => {
  const count = async (labels: string): Promise<number> => {
    const { body } = await test.app.inject('/metrics');
    const line = body
      .split('\n')
      .find((text) => text.startsWith(`dokima_http_request_duration_seconds_count{${labels}}`));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  const read = 'method="GET",route="/api/v2/projects/:projectId",status="404"';
  const before = await count(read);
  await organization.api('GET', '/projects/1234567890');
  await organization.api('GET', '/projects/abc');
  expect(await count(read)).toBe(before + 2);
});

describe('/docs', () => {
  const files = async (): Promise<string[]> => {
    const page = await test.app.inject('/docs/');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toMatch('text/html');
    return [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
  };

  it('uses only files of this service, and all of them exist', async () => {
    const paths = await files();
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) {
      expect(path).toMatch(/^\.?\/?(docs\/)?static\//);
      const { statusCode } = await test.app.inject(new URL(path, 'http://localhost/docs/').pathname);
      expect([path, statusCode]).toEqual([path, 200]);
    }
  });

  it('shows the document of /openapi.json', async () => {
    const [shown, document] = await Promise.all([
      test.app.inject('/docs/json'),
      test.app.inject('/openapi.json'),
    ]);
    expect(shown.json()).toEqual(document.json());
    const { post } = document.json().paths['/api/v2/projects'];
    expect(post.requestBody.content['application/json'].example).toMatchObject({ name: expect.any(String) });
    expect(post.responses['201'].content['application/json'].example).toMatchObject({
      id: expect.any(String),
    });
    expect(Object.keys(document.json().paths).length).toBeGreaterThan(100);
  });

  it('runs only its own scripts, and has the headers of every answer', async () => {
    const { headers } = await test.app.inject('/docs/');
    expect(headers['content-security-policy']).toMatch(/script-src 'self';/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  it('404 for an unknown file, in the form of every error', async () => {
    const answer = await test.app.inject('/docs/static/nothing.js');
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'NOT_FOUND']);
  });
});
