import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindAccount, type Candidate, type Reach } from '../../server/src/accounts/sign-ins/queries.ts';
import {
  beginSession,
  createLink,
  firstSignIn,
  hashToken,
} from '../../server/src/accounts/sign-ins/sign-in.ts';
import { system } from '../../server/src/platform/db/database.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestset,
  ok,
} from '../../server/test/fixtures.ts';
import { enter } from '../../server/test/sign-in.ts';
import { openSite, password, type Site } from './site.ts';

let site: Site;
beforeAll(async () => {
  // People sign in by an address that someone of another organization may have.
  site = await openSite({});
});
afterAll(() => site.close());

describe('the first start', () => {
  it('its link makes the first admin, who lands where the next step is', async () => {
    const { page, complaints } = await site.visitor();
    await page.goto(`/welcome#${await firstSignIn(site.app.db)}`);
    await page.getByRole('heading', { name: 'Welcome to Dokima' }).waitFor();
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByLabel('E-mail').fill('grace@example.org');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create my account' }).click();
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('First project');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('Or send the first record from code').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('signing in', () => {
  it('leads to the page that was asked for, and signing out closes it again', async () => {
    const { page } = await site.visitor();
    await page.goto('/settings/members');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('E-mail').fill('grace@example.org');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'e-mail address or the password is wrong' }).waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    await page.getByRole('button', { name: 'You: Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/projects');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('never leads to another site', async () => {
    const { page } = await site.visitor();
    await page.goto('/sign-in?next=//example.org');
    await page.getByLabel('E-mail').fill('grace@example.org');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(new URL(page.url()).origin).toBe(site.url);
  });
});

describe('members', () => {
  it('an admin invites someone by link from the keyboard alone, who chooses a password and reads, but is offered no change', async () => {
    await createProject(site.api);
    const { page } = await site.member('admin');
    await page.goto('/settings/members');
    await page.getByRole('button', { name: 'Invite' }).press('Enter');
    // The focus is where the writing begins, not at Close.
    await page.getByRole('dialog', { name: 'Invite a member' }).locator('input:focus').waitFor();
    for (const written of ['Vi Ewer', 'vi@example.org', 'Viewer']) {
      await page.keyboard.type(written);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A link for Vi Ewer' }).waitFor();
    const copy = page.getByRole('dialog').getByRole('button', { name: 'Copy the link' });
    await page.waitForFunction((button) => button === document.activeElement, await copy.elementHandle());
    const link = await page.getByRole('dialog').getByText('/welcome#').textContent();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Vi Ewer.*has not joined yet/ }).waitFor();

    const { page: theirs } = await site.visitor();
    await theirs.goto(link!);
    await theirs.getByLabel('Password').fill(password);
    await theirs.getByRole('button', { name: 'Choose password and sign in' }).click();
    await theirs.getByRole('heading', { name: 'Projects' }).waitFor();
    await theirs.getByRole('link', { name: 'Project', exact: false }).first().waitFor();
    expect(await theirs.getByRole('button', { name: 'New project' }).count()).toBe(0);
  });
});

describe('members that others add, change and remove', () => {
  it('are in the list without a reload', async () => {
    const { page } = await site.member('admin');
    await page.goto('/settings/members');
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    const body = { name: 'Ada Elsewhere', email: 'ada.elsewhere@example.org', role: 'viewer' };
    const { id } = await ok(site.api('POST', '/members', body), 201);
    const row = page.getByRole('row', { name: /Ada Elsewhere/ });
    const role = row.getByRole('combobox', { name: 'Role of Ada Elsewhere' });
    await row.waitFor();
    await ok(site.api('PATCH', `/members/${id}`, { role: 'member' }));
    await expect.poll(() => role.inputValue()).toBe('member');
    await ok(site.api('DELETE', `/members/${id}`));
    await row.waitFor({ state: 'detached' });
  });

  it('are offered on the pages of a project, and whose role changes may do at once what it allows', async () => {
    const { id: projectId } = await createProject(site.api);
    const run = await createRun(site.api, projectId, []);
    const record = await createRecord(site.api, run.id);
    const { page } = await site.member('viewer');
    await page.goto(`/projects/${projectId}/records/${record.id}`);
    await page.getByRole('article', { name: `Record ${record.id}` }).waitFor();
    const assign = page.getByRole('button', { name: 'Assign', exact: true });
    expect(await assign.count()).toBe(0);
    const me = await (await page.context().request.get('/api/v2/me')).json();
    await ok(site.api('PATCH', `/members/${me.user.id}`, { role: 'member' }));
    await assign.click();
    const picker = page.getByRole('dialog');
    await picker.getByLabel('Name or e-mail').waitFor();
    const body = { name: 'Bob Elsewhere', email: 'bob.elsewhere@example.org', role: 'viewer' };
    await ok(site.api('POST', '/members', body), 201);
    await picker.getByText('Bob Elsewhere').waitFor();
  });
});

describe('an invitation', () => {
  it('that got no link is retried with the same input, adds no member twice, and the next form is empty', async () => {
    const { page } = await site.member('admin');
    await page.goto('/settings/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a member' });
    await dialog.getByLabel('Name').fill('Re Tried');
    await dialog.getByLabel('E-mail').fill('re@example.org');
    await page.route('**/sign-in-links', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
    await page.unroute('**/sign-in-links');
    await dialog.getByLabel('Role').selectOption('viewer');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = page.getByRole('dialog', { name: 'A link for Re Tried' });
    await link.getByText('/welcome#').waitFor();
    await page.keyboard.press('Escape');
    const { data } = await ok(site.api('GET', '/members'));
    const theirs = data.filter(({ email }: { email: string }) => email === 're@example.org');
    expect(theirs).toMatchObject([{ name: 'Re Tried', role: 'viewer' }]);
    await page.getByRole('button', { name: 'Invite' }).click();
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe('');
  });
});

describe('API keys', () => {
  it('a new key is shown once and works; a revoked one ends', async () => {
    const { page } = await site.member('member');
    await page.goto('/settings/keys');
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('CI');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByRole('dialog').getByText(/^ak_/).textContent();
    const withKey = site.organization.as(key!.trim());
    expect((await withKey('GET', '/me')).body.key.name).toBe('CI');
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.getByText(key!.trim()).count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke CI' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    expect((await withKey('GET', '/me')).status).toBe(401);
  });
});

describe('the shell', () => {
  it('/ goes to the search and Escape leaves it, but not while it ends a word that is being composed', async () => {
    const { page } = await site.member('member');
    const project = await createProject(site.api);
    await page.goto(`/projects/${project.id}/records`);
    const search = page.locator('main search input');
    await search.waitFor();
    await page.keyboard.press('/');
    const focused = page.locator('main search input:focus');
    await focused.waitFor();
    await search.evaluate((it) =>
      it.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true })),
    );
    expect(await focused.count()).toBe(1);
    await page.keyboard.press('Escape');
    await focused.waitFor({ state: 'detached' });
  });

  it('⌘K goes anywhere, to a testset too, ? lists the keys, and the theme stays chosen', async () => {
    const { page } = await site.member('member');
    await page.goto('/projects');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('members');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    const project = await createProject(site.api);
    await createTestset(site.api, project.id, { name: 'Hand-picked' });
    await page.goto(`/projects/${project.id}/runs`);
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Hand-picked' }).waitFor();
    await page.keyboard.type('hand-picked');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Hand-picked' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.type('dark theme');
    await page.keyboard.press('Enter');
    await page.waitForFunction("document.documentElement.dataset.theme === 'dark'");
    await page.reload();
    await page.waitForFunction("document.documentElement.dataset.theme === 'dark'");
  });

  it('⌘K finds runs by their name and records by their id, and leads to the guide with all else', async () => {
    const project = await createProject(site.api);
    const run = await createRun(site.api, project.id, [], { name: 'Shorter replies' });
    const record = await createRecord(site.api, run.id);
    // Its name has the letters of the record's id in their order, as a fuzzy search finds it.
    await ok(
      site.api('POST', `/projects/${project.id}/systems`, { name: [...record.id].join(' '), config: {} }),
      201,
    );
    const { page } = await site.member('viewer');
    await page.goto(`/projects/${project.id}/runs`);
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    const open = async (text: string) => {
      // The one of before is still there while it closes.
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').locator('input:focus').fill(text);
    };
    await open('shorter');
    await page.getByRole('option', { name: 'Shorter replies' }).click();
    await page.getByRole('heading', { name: 'Shorter replies' }).waitFor();
    await open(record.id);
    await page.getByRole('option', { name: `Record ${record.id}` }).waitFor();
    expect(await page.getByText('No page or action has this name.').isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/records/${record.id}`);
    await page.getByRole('article', { name: `Record ${record.id}` }).waitFor();
    await open('restore a backup');
    await page.getByText('No page or action has this name.').waitFor();
    await page.getByRole('option', { name: 'Search the guide: restore a backup' }).click();
    await page
      .getByRole('link', { name: /backup/i })
      .first()
      .waitFor();
  });

  it('the navigation shows review and production from their first use on, and the pages beside a page', async () => {
    const project = await createProject(site.api);
    const { page } = await site.member('member');
    const nav = page.getByRole('navigation', { name: 'Main' });
    const shown = async (label: string) => (await nav.getByRole('link', { name: label }).count()) > 0;
    await page.goto(`/projects/${project.id}/runs`);
    await nav.getByRole('link', { name: 'Metrics' }).waitFor();
    expect([await shown('Queue'), await shown('Traces')]).toEqual([false, false]);
    // The stream of changes tells the open page.
    await createMetric(site.api, project.id, { evalType: 'human', outputType: 'boolean' });
    await nav.getByRole('link', { name: 'Queue' }).waitFor();
    expect(await shown('Traces')).toBe(false);
    await nav.getByRole('button', { name: 'All parts' }).click();
    await nav.getByRole('link', { name: 'Traces' }).click();
    await page
      .getByRole('navigation', { name: 'After this page' })
      .getByRole('link', { name: 'Sessions' })
      .click();
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
    expect(await nav.locator('[aria-current]').allTextContents()).toEqual(['Traces']);
    await page.getByRole('navigation', { name: 'Before this page' }).getByRole('link').waitFor();
  });

  it('an unknown page and an unknown project say so, in the words of the API', async () => {
    const { page } = await site.member('member');
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.goto('/projects/999999999');
    await page
      .getByRole('alert')
      .filter({ hasText: "There is no project with the id '999999999'" })
      .waitFor();
  });
});

describe('a person in two organizations', () => {
  it('chooses one when signing in, and switches to the other in the menu', async () => {
    const email = 'two@example.org';
    for (const [name, organization] of [
      ['First company', await site.app.organization()],
      ['Second company', await site.app.organization()],
    ] as const) {
      await site.app.db.transaction(
        organization,
        (tx) => tx`update organization set name = ${name} where id = ${organization.organizationId}`,
      );
      const { id } = await ok(
        organization.api('POST', '/members', { name: 'Two', email, role: 'member' }),
        201,
      );
      await enter(site.app.db, { organizationId: organization.organizationId, memberId: id }, password);
    }
    const { page, complaints } = await site.visitor();
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Second company' }).click();
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await page.getByRole('button', { name: 'You: Two' }).click();
    await page.getByText('Second company').waitFor();
    // Both organizations show the same heading, so only the load of the page tells that it changed.
    const loaded = page.waitForEvent('load');
    await page.getByRole('menuitem', { name: 'First company' }).click();
    await loaded;
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await page.getByRole('button', { name: 'You: Two' }).click();
    await page.getByText('two@example.org · member · First company').waitFor();
    expect(complaints).toEqual([]);
  });

  it('with single sign-on joins one whose admins added them on the account page, after a question', async () => {
    const [team, inviting] = [await site.app.organization(), await site.app.organization()];
    const people = await Promise.all(
      [team, inviting].map((organization) =>
        ok(
          organization.api('POST', '/members', {
            name: 'Asked',
            email: 'asked@example.org',
            role: 'member',
          }),
          201,
        ),
      ),
    );
    const [own, invited] = [team, inviting].map(({ organizationId }, i) => ({
      organizationId,
      memberId: people[i].id,
    })) as [Candidate, Candidate];
    const { token } = await site.app.db.transaction(system, async (tx) => {
      await bindAccount(tx, [own.memberId], 'https://provider.example asked');
      await tx`update organization set name = 'Inviting company' where id = ${inviting.organizationId}`;
      const reach = { proven: [own], invited: [invited] } satisfies Reach;
      return beginSession(tx, { hours: 1, idleMinutes: 0 }, reach);
    });
    const { page, context, complaints } = await site.visitor();
    await context.addCookies([{ name: 'dokima_session', value: token, url: site.url }]);
    await page.goto('/projects');
    await page.getByRole('button', { name: 'You: Asked' }).click();
    await page.getByRole('menuitem', { name: 'Invitation of Inviting company' }).click();
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Join Inviting company' }).click();
    await loaded;
    await page.getByRole('button', { name: 'You: Asked' }).click();
    await page.getByText('asked@example.org · member · Inviting company').waitFor();

    const question = await site.app.db.transaction(system, (tx) =>
      createLink(tx, own, { subject: 'https://provider.example asked' }),
    );
    await page.goto(`/welcome#${question.token}`);
    await page.getByText('This browser is signed in as asked@example.org in Inviting company').waitFor();
    await page.getByRole('button', { name: 'Enter as asked@example.org' }).click();
    await page.getByRole('button', { name: 'You: Asked' }).click();
    await page.getByText('asked@example.org · member · Test').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a session that ends', () => {
  it('leaves nothing on the screen', async () => {
    const project = await ok(site.api('POST', '/projects', { name: 'Secret plans', description: '' }), 201);
    const { page, context } = await site.member('member');
    await page.goto(`/projects/${project.id}/settings`);
    await page.getByText('Secret plans').first().waitFor();
    const [cookie] = await context.cookies();
    await site.app.db.transaction(
      system,
      (tx) =>
        tx`update sign_in set signed_in_at = now() - interval '31 days' where hash = ${hashToken(cookie!.value)}`,
    );
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('Secret plans').count()).toBe(0);
  });
});

it('a form that is sent after the session has ended leads to the sign-in, and back', async () => {
  const { id } = await createProject(site.api);
  const { page, context } = await site.member('member');
  await page.goto(`/projects/${id}/metrics/new`);
  await page.getByLabel('Name').fill('Kept as a draft');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Create metric' }).click();
  await page.waitForURL(/sign-in\?next=.*metrics/);
});

describe('an annotator', () => {
  it('has the review queue and no other page, until a project gives a role', async () => {
    const project = await createProject(site.api);
    const metric = await createMetric(site.api, project.id, { evalType: 'human', outputType: 'boolean' });
    const run = await createRun(site.api, project.id, [metric.id]);
    const record = await createRecord(site.api, run.id);
    const { page, complaints } = await site.member('annotator');
    await page.goto(`/projects/${project.id}`);
    await page.getByRole('heading', { name: 'Review' }).waitFor();
    const nav = page.getByRole('navigation', { name: 'Main' });
    await nav.getByRole('link', { name: 'Queue' }).waitFor();
    for (const name of ['Records', 'Runs', 'Metrics', 'Members'])
      expect(await nav.getByRole('link', { name, exact: true }).count()).toBe(0);
    await page.getByRole('status').filter({ hasText: '1 record waiting' }).waitFor();
    const { user } = await (await page.context().request.get('/api/v2/me')).json();
    // The page of a record asks for nothing that annotators may not read.
    await page.goto(`/projects/${project.id}/records/${record.id}`);
    await page.getByRole('region', { name: 'Inputs' }).waitFor();
    // No link leads to a page that would refuse them.
    await page.getByText(`Run ${run.id}`).waitFor();
    expect(await page.getByRole('link', { name: `Run ${run.id}` }).count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Queue', exact: true }).first().waitFor();
    // The list of projects says what waits in each.
    await page.goto('/projects');
    const waits = page.getByRole('link', { name: '1 record waits for you' });
    await waits.click();
    await page.getByRole('heading', { name: 'Review' }).waitFor();
    await page.goto(`/projects/${project.id}/records`);
    await page.getByRole('heading', { name: 'Not for your role' }).first().waitFor();
    expect(complaints).toEqual([]);

    const admin = (await site.member('admin')).page;
    await admin.goto(`/projects/${project.id}/access`);
    await admin.getByRole('button', { name: 'Give a role' }).click();
    await admin
      .getByLabel('Member')
      .selectOption({ label: `${user.name} (${user.email})` })
      .catch(async () => {
        await admin.getByLabel('Member').click();
        await admin.getByRole('option', { name: `${user.name} (${user.email})` }).click();
      });
    await admin.getByRole('dialog').getByRole('button', { name: 'Give role' }).click();
    await admin.getByRole('cell', { name: user.name, exact: true }).waitFor();
    await admin.getByRole('button', { name: 'Restrict the project' }).click();
    await admin.getByText('Restricted: only the people below').waitFor();
    await nav.getByRole('link', { name: 'Records', exact: true }).waitFor();
  });
});
