import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createProject, createRecord, createRun, ok } from '../../../test/fixtures.ts';
import { openApp } from '../../../test/opened.ts';

const { own } = await openApp();
let projectId: string;
let recordId: string;

beforeEach(async () => {
  const project = await createProject(own.api);
  projectId = project.id;
  recordId = (await createRecord(own.api, (await createRun(own.api, project.id, [])).id)).id;
});

const tag = (text: string) => own.api('POST', `/records/${recordId}/tags`, { text });
const untag = (text: string) => own.api('DELETE', `/records/${recordId}/tags/${encodeURIComponent(text)}`);
const texts = async () =>
  (await ok(own.api('GET', `/records/${recordId}/tags`))).data.map((one: { text: string }) => one.text);

describe('POST /records/:recordId/tags', () => {
  it('201 says who tagged what', async () => {
    const made = await ok(tag('urgent'), 201);
    expect(made).toMatchObject({ recordId, text: 'urgent', source: 'user', userId: own.memberId });
    expect((await ok(own.api('GET', `/records/${recordId}/tags`))).data).toEqual([made]);
  });

  it('201 for a tag that it carries already is that tag, sent many times at once too', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ok(tag('urgent'), 201)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await texts()).toEqual(['urgent']);
  });

  it('stores none with personal data that the project masks, and finds it again by the same text', async () => {
    const masking = {
      patterns: ['email'],
      custom: [],
      fields: [],
      hashed: false,
      testcases: false,
      comments: false,
    };
    await ok(own.api('PATCH', `/projects/${projectId}/settings`, { masking }));
    expect(await ok(tag('of ada@example.com'), 201)).toMatchObject({ text: 'of [EMAIL]' });
    expect(await texts()).toEqual(['of [EMAIL]']);
    // Later than rules are trusted, so that they are read within the transaction: the embedded engine has one connection.
    vi.useFakeTimers({ toFake: ['performance'], now: performance.timeOrigin + performance.now() });
    onTestFinished(() => void vi.useRealTimers());
    vi.advanceTimersByTime(10_000);
    expect(await ok(untag('of ada@example.com'))).toEqual({ deleted: 1 });
  });

  it('trims it, keeps case and every character, and lists the oldest first', async () => {
    for (const text of ['  b ', 'a', 'B', 'é/ü?&=#%', '\u{1f600} two words', "'; drop table record --"])
      await ok(tag(text), 201);
    expect(await texts()).toEqual([
      'b',
      'a',
      'B',
      'é/ü?&=#%',
      '\u{1f600} two words',
      "'; drop table record --",
    ]);
  });

  it.each([[''], ['   '], ['.'], [' .. '], ['a,b'], [','], ['x'.repeat(257)], ['a\0'], ['\ud800']])(
    '400 for %j',
    async (text) => {
      const { status, body } = await tag(text);
      expect(status).toBe(400);
      expect(body.details.issues[0].path).toBe('/text');
      expect(await texts()).toEqual([]);
    },
  );

  it('takes 256 characters, however many bytes or UTF-16 units they are', async () => {
    for (const character of ['x', 'é', '\u{1f600}']) await ok(tag(character.repeat(256)), 201);
    expect((await tag('\u{1f600}'.repeat(257))).status).toBe(400);
  });
});

describe('DELETE /records/:recordId/tags/:text', () => {
  it.each(['plain', 'é/ü?&=#%', '...', 'a b', '\u{1f600}'])(
    'takes %j away; again is fine and says 0',
    async (text) => {
      await ok(tag(text), 201);
      await ok(tag('stays'), 201);
      expect(await ok(untag(text))).toEqual({ deleted: 1 });
      expect(await texts()).toEqual(['stays']);
      expect(await ok(untag(text))).toEqual({ deleted: 0 });
    },
  );
});
