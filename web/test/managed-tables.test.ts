import { glob, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createTestcases,
  createTestset,
  ok,
} from '../../server/test/fixtures.ts';
import { openSite, type Site, type Visitor } from './site.ts';

// Pages that manage a resource are alike: they list, create, change and delete its rows by the one ManagedTable.

type Managed = {
  source: string;
  path: string;
  noun: string;
  /** Creates a row. */
  create: (api: Site['api'], projectId: string) => Promise<{ id: string }>;
  /** The path of the list, of the API. */
  list: string;
  /** Null where people do not create rows. */
  createLabel?: string | null;
  verb?: string;
  fixed?: boolean;
  /** What shows the rows, if they are folded. */
  unfold?: string;
};

const post = async (api: Site['api'], path: string, body: object) => await ok(api('POST', path, body), 201);
const humanMetric = { evalType: 'human', outputType: 'boolean' };

const managed: Managed[] = [
  {
    source: 'pages/checks/alerts.tsx',
    noun: 'alert',
    path: '/projects/$id/checks',
    list: '/projects/$id/alerts',
    create: (api, id) =>
      post(api, `/projects/${id}/alerts`, {
        name: 'mine',
        kind: 'webhook',
        url: 'https://example.org/hook',
        events: ['gate.failed'],
      }),
  },
  {
    source: 'pages/checks/schedules.tsx',
    noun: 'schedule',
    path: '/projects/$id/checks',
    list: '/projects/$id/schedules',
    create: async (api, id) => {
      const [testset, metric, system] = [
        await createTestset(api, id),
        await createMetric(api, id, humanMetric),
        await post(api, `/projects/${id}/systems`, {
          name: 'Bot',
          config: { endpoint: 'https://example.org' },
        }),
      ];
      await createTestcases(api, testset.id, 1);
      return post(api, `/projects/${id}/schedules`, {
        name: 'mine',
        cron: '0 2 * * *',
        timeZone: 'UTC',
        task: { kind: 'run', testsetId: testset.id, systemId: system.id, metricIds: [metric.id] },
      });
    },
  },
  {
    source: 'pages/checks/monitors.tsx',
    noun: 'monitor',
    path: '/projects/$id/checks',
    list: '/projects/$id/monitors',
    create: async (api, id) => {
      const metric = await createMetric(api, id, humanMetric);
      return post(api, `/projects/${id}/monitors`, { name: 'mine', metricIds: [metric.id], samplingRate: 1 });
    },
  },
  {
    source: 'resources/metrics/groups.tsx',
    noun: 'group',
    path: '/projects/$id/metrics',
    list: '/projects/$id/metric-groups',
    unfold: 'Groups of metrics',
    create: async (api, id) => {
      const metric = await createMetric(api, id, humanMetric);
      return post(api, `/projects/${id}/metric-groups`, { name: 'mine', metricIds: [metric.id] });
    },
  },
  {
    source: 'pages/providers/providers-page.tsx',
    noun: 'provider',
    path: '/settings/providers',
    list: '/providers',
    create: (api) => post(api, '/providers', { name: 'mine', kind: 'openai', apiKey: 'sk-test' }),
  },
  {
    source: 'pages/keys/keys-page.tsx',
    noun: 'key',
    verb: 'Revoke',
    fixed: true,
    path: '/settings/keys',
    list: '/keys',
    create: (api) => post(api, '/keys', { name: 'mine' }),
  },
  {
    source: 'pages/members/members-page.tsx',
    noun: 'member',
    verb: 'Remove',
    fixed: true,
    path: '/settings/members',
    list: '/members',
    createLabel: 'Invite',
    create: (api) => post(api, '/members', { name: 'mine', email: 'mine@example.org', role: 'viewer' }),
  },
  {
    source: 'pages/audit/orphans-page.tsx',
    noun: 'file',
    fixed: true,
    path: '/settings/files',
    list: '/attachments/orphans',
    createLabel: null,
    create: (api) =>
      post(api, '/attachments', {
        filename: 'mine',
        sessionId: 'never stored',
        filePath: 'f',
        sha256: '0'.repeat(64),
        sizeBytes: 1,
        contentType: 'text/plain',
      }),
  },
  {
    source: 'pages/members/directory.tsx',
    noun: 'token',
    verb: 'Revoke',
    fixed: true,
    path: '/settings/members',
    list: '/scim-tokens',
    create: (api) => post(api, '/scim-tokens', { name: 'mine' }),
  },
  {
    source: 'pages/projects/access-page.tsx',
    noun: 'role',
    verb: 'Remove',
    fixed: true,
    path: '/projects/$id/access',
    list: '/projects/$id/access',
    createLabel: 'Give a role',
    create: async (api, id) => {
      const body = { name: 'mine', email: 'mine.too@example.org', role: 'viewer' };
      const member = await post(api, '/members', body);
      await ok(api('PUT', `/projects/${id}/members/${member.id}`, { role: 'member' }));
      return member;
    },
  },
];

const source = new URL('../src/', import.meta.url);

let site: Site;
let admin: Visitor;
let viewer: Visitor;
beforeAll(async () => {
  site = await openSite();
  [admin, viewer] = [await site.member('admin'), await site.member('viewer')];
});
afterAll(() => site.close());

describe.each(managed)('$noun', ({ source: file, path, list, noun, create, verb = 'Delete', ...rest }) => {
  it('is created and changed in a dialog, and deleted after a question; a viewer is offered none of it', async () => {
    const { fixed, unfold, createLabel = `New ${noun}` } = rest;
    const project = await createProject(site.api);
    const { id } = await create(site.api, project.id);
    const exists = async () => {
      const { data, members } = await ok(site.api('GET', list.replace('$id', project.id)));
      const ids = data?.map((each: { id: string }) => each.id);
      return (ids ?? members.map(({ userId }: { userId: string }) => userId)).includes(id);
    };
    const { page, complaints } = admin;
    await page.goto(path.replace('$id', project.id));
    const row = page.getByRole('row', { name: /mine/ });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const dialog = page.getByRole('dialog');
    if (unfold) await page.getByText(unfold).click();
    await row.waitFor();

    await viewer.page.goto(path.replace('$id', project.id));
    await viewer.page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => viewer.page.locator('.skeleton').count()).toBe(0);
    const offers = new RegExp(`^(${createLabel ?? verb}|Pause|Change|${verb}) ?`);
    expect(await viewer.page.getByRole('button', { name: offers }).count()).toBe(0);

    if (createLabel !== null) {
      await button(createLabel).click();
      // One frame for what is new: a field has the focus, then come the one button that sends, and Cancel.
      const form = dialog.locator('form');
      await form.locator(':is(input, select, textarea):focus').waitFor();
      const [send, cancel] = (await form.getByRole('button').all()).slice(-2);
      expect(await cancel!.textContent()).toBe('Cancel');
      expect(await send!.getAttribute('type')).toBe('submit');
      await cancel!.click();
      await dialog.waitFor({ state: 'hidden' });
    }

    expect(await button('Change mine').count()).toBe(fixed ? 0 : 1);
    if (!fixed) {
      await button('Change mine').click();
      const change = page.getByRole('dialog', { name: 'Change mine' });
      await change.getByRole('button', { name: 'Save' }).waitFor();
      await page.keyboard.press('Escape');
      await change.waitFor({ state: 'hidden' });
      await button('Change mine').click();
      await change.locator('form :focus').press('Control+Enter');
      await change.waitFor({ state: 'hidden' });
    }

    await button(`${verb} mine`).click();
    const question = page.getByRole('dialog', { name: `${verb} mine?` });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await exists()).toBe(true);
    await button(`${verb} mine`).click();
    await question.getByRole('button', { name: `${verb} ${noun}` }).click();
    // While the dialog is open, no role behind it is found.
    await question.waitFor({ state: 'hidden' });
    await row.waitFor({ state: 'detached' });
    expect(await exists()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('has the one table', async () => {
    expect(await readFile(new URL(file, source), 'utf8')).toContain('<ManagedTable');
  });
});

it('no page deletes rows of a table that is not a managed table', async () => {
  const own: string[] = [];
  for await (const file of glob('{pages,resources}/**/*.tsx', { cwd: source.pathname })) {
    const text = await readFile(new URL(file, source), 'utf8');
    if (/ui\/table\.tsx/.test(text) && /\bConfirm\b|\bTrash2\b/.test(text)) own.push(file);
  }
  // They delete the study itself, beside a table of its ranking, and a twin among findings. Snapshots are restored after a question.
  expect(own.sort()).toEqual([
    'pages/preferences/study-page.tsx',
    'pages/testsets/examination-page.tsx',
    'pages/testsets/history-page.tsx',
  ]);
});
