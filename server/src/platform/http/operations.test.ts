import { beforeAll, describe, expect, it } from 'vitest';
import { type Organization, startApp, type TestApp } from '../../../test/harness.ts';

let test: TestApp;
let organization: Organization;
beforeAll(async () => {
  test = await startApp();
  organization = await test.organization();
});

describe('/metrics', () => {
  const lines = async () => {
    const { body } = await test.app.inject('/metrics');
    return body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  };
  const count = async (series: string) =>
    Number(
      (await lines())
        .find((line) => line.startsWith(series))
        ?.split(' ')
        .at(-1) ?? 0,
    );

  it('counts every answer by method, route and class of status, and its duration by status', async () => {
    const route = 'method="GET",route="/api/v2/projects/:projectId"';
    const read = () =>
      Promise.all([
        count(`dokima_http_route_requests_total{${route},status="4xx"}`),
        count('dokima_http_request_duration_seconds_count{status="404",kind="answer"}'),
      ]);
    const [requests, durations] = await read();
    await organization.api('GET', '/projects/1234567890');
    await organization.api('GET', '/projects/abc');
    expect(await read()).toEqual([requests! + 2, durations! + 2]);
    expect(await count(`dokima_http_route_seconds_total{${route}}`)).toBeGreaterThan(0);
  });

  it('has fewer than 2,500 series when every route has answered with every class of status', async () => {
    const { paths } = (await test.app.inject('/openapi.json')).json();
    const fill = (path: string) => path.replace(/\{[^}]+\}/g, '1');
    const hidden = ['/scim/v2/Users', '/scim/v2/Groups', '/otel/v1/traces', '/guide/', '/nothing', '/'];
    for (const [path, operations] of Object.entries<object>(paths))
      for (const method of Object.keys(operations))
        await test.app.inject({ method: method.toUpperCase() as 'GET', url: fill(path) });
    for (const url of hidden)
      for (const method of ['GET', 'HEAD', 'POST', 'PURGE'])
        await test.app.inject({ method: method as 'GET', url });
    const all = await lines();
    const routes = new Set(
      all.flatMap((line) => /^dokima_http_route_seconds_total(.*) /.exec(line)?.[1] ?? []),
    );
    expect(routes.size).toBeGreaterThan(215);
    // Each route with the classes 2xx to 5xx, and the histogram with each status that it tells apart, as a stream and as an answer.
    const others = all.filter((line) => !line.startsWith('dokima_http_'));
    expect(others.length + 5 * routes.size + 17 * 2 * 14).toBeLessThan(2_500);
    expect(all.length).toBeLessThan(1_100);
  });
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
