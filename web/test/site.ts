import { setTimeout } from 'node:timers/promises';
import chromium from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
  chromium as playwright,
} from 'playwright-core';
import { beginSession } from '../../server/src/accounts/sign-ins/sign-in.ts';
import { system } from '../../server/src/platform/db/database.ts';
import { builtPages } from '../../server/src/platform/pages/routes.ts';
import { ok } from '../../server/test/fixtures.ts';
import { type Client, type Organization, startApp, type TestApp } from '../../server/test/harness.ts';

// Chromium as a test needs it: no sandbox of its own inside a container, no optimizing compiler for pages that live a second, and
// everything else as people have it. The package's own arguments switch web security off, which would prove nothing.
const args = ['--no-sandbox', '--disable-gpu', '--headless=shell', '--js-flags=--no-opt'];

export const password = 'correct horse battery';

/**
 * WEB_TEST_LATENCY_MS delays each call of the API by up to as many milliseconds, in an order that repeats: tests that look at
 * what the service has while a page only shows what it will have fail then, and not once a week in CI.
 */
const latencyMs = Number(process.env.WEB_TEST_LATENCY_MS ?? 0);
const slowDown = async (context: BrowserContext): Promise<void> => {
  let seed = 1;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  await context.route('**/api/v2/**', async (route) => {
    await setTimeout(latencyMs * next());
    await route.fallback().catch(() => {});
  });
};

/** The real service with its pages and an empty organization, and a real browser. */
export type Site = {
  url: string;
  app: TestApp;
  organization: Organization;
  /** Calls the API as the admin, to arrange what a test looks at. */
  api: Client;
  /** A browser without cookies; what its pages log as errors is collected in `complaints`. */
  visitor: (options?: { viewport?: { width: number; height: number } }) => Promise<Visitor>;
  /** Signed in as a new member of that role. */
  member: (role: 'admin' | 'member' | 'annotator' | 'viewer') => Promise<Visitor>;
  close: () => Promise<void>;
};

export type Visitor = { page: Page; context: BrowserContext; complaints: string[] };

let browser: Promise<Browser> | undefined;
/** The browser of all test files of this process; it ends with it. Their contexts keep them apart. */
const openBrowser = async (): Promise<Browser> =>
  playwright.launch({ executablePath: await chromium.executablePath(), args });

const startWithPages = async (config: Record<string, string>): Promise<TestApp> => {
  const pages = await builtPages();
  if (!pages) throw new Error('The pages are not built; vite’s output above says why.');
  return startApp(config, { pages });
};

let shared: Promise<TestApp> | undefined;
/** The service that the test files of this process share, each in its own organization; it ends with the process. */
const startShared = async (): Promise<TestApp> => {
  shared ??= startWithPages({});
  return { ...(await shared), close: async () => {} };
};

/**
 * `config`: settings of the service, as in the environment. With them (`{}` will do) it is one of its own with a database of
 * its own, as a test needs it that scores, or that signs in by an e-mail address.
 */
export const openSite = async (config?: Record<string, string>): Promise<Site> => {
  browser ??= openBrowser();
  const [opened, app] = await Promise.all([browser, config ? startWithPages(config) : startShared()]);
  const url = await app.url();
  const organization = await app.organization();
  const contexts: BrowserContext[] = [];

  const visitor: Site['visitor'] = async (options = {}) => {
    const context = await opened.newContext({
      baseURL: url,
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    });
    contexts.push(context);
    if (latencyMs > 0) await slowDown(context);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on(
      'console',
      (message) =>
        message.type() === 'error' && complaints.push(`${message.text()} ${message.location().url}`),
    );
    return { page, context, complaints };
  };

  let count = 0;
  const member: Site['member'] = async (role) => {
    count += 1;
    const body = { name: `Person ${count}`, email: `person${count}@example.org`, role };
    const { id } = await ok(organization.api('POST', '/members', body), 201);
    const person = await visitor();
    // Without a password, whose hash takes a quarter of a second: how people sign in has its own tests.
    const { organizationId } = organization;
    const { token } = await app.db.transaction(system, (tx) =>
      beginSession(tx, { hours: 1, idleMinutes: 0 }, { proven: [{ organizationId, memberId: id }] }),
    );
    await person.context.addCookies([
      { name: 'dokima_session', value: token, url, httpOnly: true, sameSite: 'Lax' },
    ]);
    return person;
  };

  return {
    url,
    app,
    organization,
    api: organization.api,
    visitor,
    member,
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
      await app.close();
    },
  };
};

/** Chooses an option of a select that is searched, as long ones are, by what it is called. */
export const choose = async (field: Locator, label: string): Promise<void> => {
  const input = field.and(field.page().locator('input'));
  await input.fill(label);
  await input.press('Enter');
};
