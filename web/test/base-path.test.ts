import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstSignIn } from '../../server/src/accounts/sign-ins/sign-in.ts';
import { createProject, createRecord, createRun, ok } from '../../server/test/fixtures.ts';
import { type Identities, startIdentities } from '../../server/test/identity.ts';
import { openSite, password, type Site } from './site.ts';

const prefix = '/dokima';

/** A proxy that passes on only what is below the prefix: with it, or without. */
const openProxy = async (strips: boolean) => {
  const outside: string[] = [];
  let target = 0;
  const server: Server = createServer((incoming, response) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith(`${prefix}/`) && url !== prefix) {
      outside.push(url);
      response.writeHead(404).end();
      return;
    }
    const path = strips ? url.slice(prefix.length) || '/' : url;
    const onward = request({ host: '127.0.0.1', port: target, path, method: method!, headers });
    onward.on('error', () => response.destroy());
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    outside,
    to: (url: string) => {
      target = Number(new URL(url).port);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

describe.each([
  ['with the prefix', false],
  ['without the prefix', true],
])('behind a proxy that passes requests on %s', (_kind, strips) => {
  let proxy: Awaited<ReturnType<typeof openProxy>>;
  let site: Site;
  let identities: Identities;
  beforeAll(async () => {
    proxy = await openProxy(strips);
    identities = await startIdentities(proxy.url);
    site = await openSite({ ...identities.settings, DOKIMA_PUBLIC_URL: proxy.url });
    proxy.to(site.url);
  });
  afterAll(async () => {
    await site.close();
    proxy.close();
    await identities.close();
  });

  it('the pages work: assets, signing in, links, the guide and the stream of changes', async () => {
    const { page, context, complaints } = await site.visitor();
    await page.goto(`${proxy.url}/welcome#${await firstSignIn(site.app.db)}`);
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByLabel('E-mail').fill('grace@example.org');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create my account' }).click();
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    const [cookie] = await context.cookies(proxy.url);
    expect(cookie).toMatchObject({ name: 'dokima_session', path: prefix });

    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('First project');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('Or send the first record from code').click();
    expect(new URL(page.url()).pathname).toMatch(/^\/dokima\/projects\/\d+$/);
    await page.getByText(`${proxy.url}/api/v2`).first().waitFor();
    const home = page.url();

    // Leaves nothing in the browser: all that the page is made of is asked for again, by its own address.
    await context.clearCookies();
    await page.goto(`${proxy.url}/settings/members`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('E-mail').fill('grace@example.org');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/settings/members`);
    await page.goto(`${proxy.url}/guide/install`);
    await page.getByRole('heading', { name: 'Install', exact: true }).waitFor();

    const changes = page.waitForResponse((response) =>
      response.url().startsWith(`${proxy.url}/api/v2/events`),
    );
    await page.goto(home);
    expect((await changes).status()).toBe(200);
    await page.goto(proxy.url);
    await page.waitForURL(`${proxy.url}/projects/*`);
    await page.getByRole('button', { name: 'You: Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/sign-in`);
    expect(proxy.outside).toEqual([]);
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });

  it('people sign in with the provider, and the page of members says how that is set', async () => {
    const email = 'ada@example.org';
    await ok(site.api('POST', '/members', { name: 'Ada', email, role: 'admin' }), 201);
    identities.person = { sub: 'ada', email, email_verified: true, name: 'Ada', groups: [] };
    const { page, complaints } = await site.visitor();
    await page.goto(`${proxy.url}/settings/members`);
    await page.getByRole('link', { name: /^Sign in with/ }).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/settings/members`);
    const facts = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Single sign-on' }) });
    await facts.getByText(identities.issuer).waitFor();
    await facts.getByText(`${proxy.url}/sso/callback`).waitFor();
    await facts.getByText('on, beside the provider').waitFor();
    await facts.getByText('only people who are members already can sign in').waitFor();
    const text = await page.locator('body').innerText();
    expect(text).not.toContain(identities.settings.DOKIMA_OIDC_CLIENT_SECRET);
    expect(complaints.filter((each) => !each.includes('401'))).toEqual([]);
  });

  it('the API, traces, the guide and the description of the API are below the prefix', async () => {
    const headers = { authorization: `Bearer ${site.organization.key}`, 'content-type': 'application/json' };
    const { id } = await createProject(site.api);
    const run = await createRun(site.api, id, []);
    await createRecord(site.api, run.id);
    const records = await fetch(`${proxy.url}/api/v2/runs/${run.id}/records`, { headers });
    expect((await records.json()).data).toHaveLength(1);
    const traces = await fetch(`${proxy.url}/otel/v1/traces`, { method: 'POST', headers, body: '{}' });
    expect(traces.status).toBe(200);
    expect(await (await fetch(`${proxy.url}/guide/install`)).text()).toMatch(/^# Install/);
    const described = await (await fetch(`${proxy.url}/docs`)).text();
    for (const [, src] of described.matchAll(/<script src="([^"]+)"/g))
      expect([src, (await fetch(new URL(src!, `${proxy.url}/docs`))).status]).toEqual([src, 200]);
    expect((await (await fetch(`${proxy.url}/openapi.json`)).json()).servers).toEqual([{ url: prefix }]);
    expect((await ok(site.api('POST', '/scim-tokens', { name: 'Directory' }), 201)).url).toBe(
      `${proxy.url}/scim/v2`,
    );
  });
});
