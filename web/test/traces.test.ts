// Longer than 400 lines: one trace, looked at in each of its pages.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createRecord, createRun, ok } from '../../server/test/fixtures.ts';
import { sendSpans } from '../../server/test/monitors.ts';
import { newTraceId, post, requestOf, spanId, type TestSpan } from '../../server/test/otlp.ts';
import { agentTrace, bigTrace, finalAnswer } from './agent-trace.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;
/** The record of the small agent's trace. */
let recordId: string;
let bigRecordId: string;
const traceId = newTraceId();
const big = 10_000;

const send = async (spans: TestSpan[], service: string) => {
  for (let i = 0; i < spans.length; i += 2_500) {
    const request = requestOf(spans.slice(i, i + 2_500), {
      'dokima.project_id': projectId,
      'service.name': service,
    });
    const { status, body } = await post(site.app, site.organization.key, request);
    expect(`${status} ${body}`).toBe('200 {}');
  }
};
const recordOf = async (trace: string): Promise<string> => {
  const { data } = await ok(site.api('GET', `/projects/${projectId}/spans?traceId=${trace}&limit=1`));
  return data[0].recordId;
};

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
  projectId = (await createProject(site.api)).id;
  const bigId = newTraceId();
  await send(agentTrace(traceId), 'weather');
  await send(bigTrace(bigId, big), 'batch');
  [recordId, bigRecordId] = [await recordOf(traceId), await recordOf(bigId)];
}, 120_000);
afterAll(() => site.close());

const goto = async (path: string): Promise<Page> => {
  await visitor.page.goto(`/projects/${projectId}${path}`);
  return visitor.page;
};
const open = (tab: string, span?: number) =>
  goto(`/records/${recordId}?tab=${tab}${span === undefined ? '' : `&span=${traceId}-${spanId(span)}`}`);
const annotations = async (id = recordId) => (await ok(site.api('GET', `/records/${id}/annotations`))).data;
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

/** Unfolds what came with a span. The browser remembers that it was unfolded. */
const openRaw = async (page: Page): Promise<void> => {
  const raw = page.getByRole('button', { name: /^Raw data/ });
  await raw.waitFor();
  if ((await raw.getAttribute('aria-expanded')) === 'false') await raw.click();
};

/** Selects words of a text, as a mouse would. */
const select = (page: Page, within: string, words: string) =>
  page.locator(within).evaluate((root, wanted) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent!.indexOf(wanted);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      document.getSelection()!.removeAllRanges();
      document.getSelection()!.addRange(range);
      return;
    }
    throw new Error(`nothing says ${wanted}`);
  }, words);

describe('the tabs of a record', () => {
  it('are there when it has spans, keep to its URL, and are left out otherwise', async () => {
    const page = await goto(`/records/${recordId}`);
    const tabs = page.getByRole('navigation', { name: 'Parts of the record' });
    await tabs.getByRole('link', { name: 'Timeline' }).click();
    await page.getByRole('treegrid', { name: 'Timeline' }).waitFor();
    expect(parameter(page, 'tab')).toBe('timeline');
    await tabs.getByRole('link', { name: 'Record' }).click();
    await page.getByRole('region', { name: 'Inputs' }).waitFor();
    expect(parameter(page, 'tab')).toBeNull();

    const run = await createRun(site.api, projectId, []);
    const plain = await createRecord(site.api, run.id);
    const answered = page.waitForResponse(/spans\?limit=1/);
    await goto(`/records/${plain.id}`);
    await answered;
    await page.getByRole('region', { name: 'Inputs' }).waitFor();
    expect(await tabs.count()).toBe(0);
    await goto(`/records/${plain.id}?tab=timeline`);
    await page.getByRole('heading', { name: 'No spans' }).waitFor();
  });
});

describe('the conversation', () => {
  it('has each message once, tools folded with what they answered, and says in words what failed', async () => {
    const page = await open('conversation');
    const said = page.getByRole('region', { name: 'Conversation' });
    await said.getByText('How is the weather in Paris?').waitFor();
    await said.getByRole('heading', { name: 'Weather in Paris' }).waitFor();
    const call = said.getByRole('button', { name: /forecast .*failed/ });
    expect(await call.getAttribute('aria-expanded')).toBe('false');
    expect(await said.getByText('timed out').count()).toBe(0);
    await call.click();
    await said.getByText('The forecast service timed out after 900 ms').waitFor();
    await said.getByText('timeout', { exact: true }).waitFor();
    // The answers of tools stand in their calls, not as separate messages.
    expect(await said.getByRole('article', { name: 'Tool' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Expand all tool calls' }).click();
    await said.getByText('“sunny”').waitFor();
  });

  it('nests a sub-agent where it was called, and folds it', async () => {
    const page = await open('conversation');
    const agent = page.getByRole('button', { name: /Sub-agent almanac 2 messages/ });
    await agent.waitFor();
    await page.getByRole('heading', { name: 'Weather in Paris' }).waitFor();
    const place = async (text: RegExp) =>
      Number(
        await page.getByRole('listitem').filter({ hasText: text }).first().getAttribute('aria-posinset'),
      );
    const called = await place(/ask_almanac/);
    expect([
      await place(/Sub-agent/),
      await place(/What wind does/),
      await place(/Weather in Paris/),
    ]).toEqual([called + 1, called + 2, called + 4]);
    await agent.click();
    await expect.poll(() => page.getByText('What wind does the almanac give for Paris?').count()).toBe(0);
    await page.getByRole('heading', { name: 'Weather in Paris' }).waitFor();
  });

  it('leads from a message to its span', async () => {
    const page = await open('conversation');
    await page.getByRole('article', { name: 'User' }).first().getByRole('link', { name: 'Span' }).click();
    await page.getByRole('complementary', { name: 'Span chat gpt-test' }).waitFor();
    expect(parameter(page, 'span')).toBe(`${traceId}-${spanId(2)}`);
  });
});

describe('the timeline', () => {
  it('shows durations, self time and failures, and is walked with the keyboard', async () => {
    const page = await open('timeline');
    const tree = page.getByRole('treegrid', { name: 'Timeline' });
    await tree.getByRole('row', { name: /invoke_agent weather.*4 s · self 80 ms/ }).waitFor();
    await tree.getByRole('row', { name: /execute_tool forecast failed.*900 ms/ }).waitFor();
    const selected = () => tree.getByRole('row', { selected: true }).innerText();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await selected()).toContain('chat gpt-test');
    await page.getByRole('complementary', { name: 'Span chat gpt-test' }).waitFor();
    expect(parameter(page, 'span')).toBe(`${traceId}-${spanId(2)}`);
    await page.keyboard.press('e');
    await page
      .getByRole('complementary', { name: 'Span execute_tool forecast' })
      .getByText('timed out after')
      .waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('complementary', { name: /^Span/ }).count()).toBe(0);
    expect(parameter(page, 'span')).toBeNull();
  });

  it('folds and unfolds', async () => {
    const page = await open('timeline');
    const rows = page.getByRole('row', { name: /chat gpt-test|execute_tool|invoke_agent/ });
    await expect.poll(() => rows.count()).toBe(10);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('row', { name: /invoke_agent weather \+9/, expanded: false }).waitFor();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => rows.count()).toBe(10);
  });

  it('zooms to a span and back', async () => {
    const page = await open('timeline', 5);
    const ticks = () => page.locator('[data-axis]').innerText();
    await page.getByRole('row', { selected: true }).waitFor();
    const whole = await ticks();
    expect(whole).toMatch(/0 ms/);
    await page.keyboard.press('z');
    await expect.poll(ticks).toMatch(/1\.9\d? s/);
    await page.getByRole('button', { name: 'Show the whole trace (0)' }).click();
    await expect.poll(ticks).toBe(whole);
  });
});

describe('the spans', () => {
  it('one of them shows what came with it: messages, attributes, events, resource, each to search', async () => {
    const page = await open('spans', 10);
    const panel = page.getByRole('complementary', { name: 'Span chat gpt-test' });
    await panel.getByText('1,234 in, 56 out').waitFor();
    await panel.getByRole('button', { name: /^Raw data .*1 event$/ }).waitFor();
    await openRaw(page);
    await panel.getByRole('region', { name: 'Events (1)' }).getByText('gen_ai.first_token').waitFor();
    await panel.getByRole('region', { name: 'Resource' }).getByText('“weather”').waitFor();
    const attributes = panel.getByRole('region', { name: 'Attributes' });
    await attributes.getByText('gen_ai.request.model').waitFor();
    expect(await attributes.getByText('1234').count()).toBe(1);
  });

  it('keep to their panel, however long the name of a tool', async () => {
    const trace = newTraceId();
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look_up_'.repeat(40) };
    await send([{ traceId: trace, n: 1, attributes, status: { code: 2, message: 'no' } }], 'long');
    const page = await goto(`/records/${await recordOf(trace)}?tab=spans&span=${trace}-${spanId(1)}`);
    const head = page.getByRole('button', { name: /^look_up_look_up_/ });
    await head.waitFor();
    expect(await head.evaluate((button) => button.scrollWidth - button.clientWidth)).toBe(0);
    // Left first: an open page is notified of the deletion, and asks for the deleted trace.
    await page.goto('about:blank');
    await ok(site.api('DELETE', `/projects/${projectId}/traces/${trace}`));
  });

  it('show integers digit by digit, however large', async () => {
    const exact = newTraceId();
    const attributes = { big: 9_007_199_254_740_993n, nested: { ns: 1_763_640_000_000_000_001n }, small: 12 };
    await send([{ traceId: exact, n: 1, name: 'exact', attributes }], 'weather');
    const page = await goto(`/records/${await recordOf(exact)}?tab=spans&span=${exact}-${spanId(1)}`);
    const shown = page.getByRole('region', { name: 'Attributes' });
    await shown.getByText('9007199254740993').waitFor();
    await shown.getByText('1763640000000000001').waitFor();
  });

  it('are found by name, with those that they stand below', async () => {
    const page = await open('spans');
    await page.getByRole('textbox', { name: 'Find spans' }).fill('ALMANAC');
    await page.getByText('2 of 10 spans').waitFor();
    expect(await page.getByRole('row', { name: /chat gpt-test/ }).count()).toBe(0);
    await page.getByRole('row', { name: /invoke_agent weather/ }).waitFor();
    await page.getByRole('textbox', { name: 'Find spans' }).fill('');
    await page.getByRole('button', { name: '1 failed' }).click();
    await page.getByText('1 of 10 spans').waitFor();
  });

  it('say what is missing: a parent that has not come', async () => {
    const orphan = newTraceId();
    await send([{ traceId: orphan, n: 2, parent: 1, name: 'orphan' }], 'weather');
    const page = await goto(`/records/${await recordOf(orphan)}?tab=spans`);
    await page.getByRole('row', { name: /orphan parent missing/ }).waitFor();
  });
});

describe('annotations', () => {
  it('of a span are stored with its id, and counted in the tree', async () => {
    const page = await open('spans', 3);
    const panel = page.getByRole('complementary', { name: 'Span execute_tool forecast' });
    await panel.getByRole('textbox', { name: 'Comment' }).fill('It should have waited.');
    await panel.getByRole('button', { name: 'Thumbs down' }).click();
    await panel.getByRole('button', { name: 'Comment', exact: true }).click();
    await panel.getByText('It should have waited.', { exact: true }).first().waitFor();
    await expect
      .poll(async () => (await annotations()).filter((each: { spanId: string }) => each.spanId === spanId(3)))
      .toMatchObject([{ rating: false, comment: 'It should have waited.' }]);
    await page.getByRole('row', { name: /execute_tool forecast failed annotations/ }).waitFor();
    // The span next to it has none of them.
    await open('spans', 4);
    await page.getByRole('textbox', { name: 'Comment' }).waitFor();
    expect(await page.getByText('It should have waited.').count()).toBe(0);
    // The record's own list says where it was said.
    await goto(`/records/${recordId}`);
    await page.getByRole('link', { name: `on span ${spanId(3)}` }).click();
    await page.getByRole('complementary', { name: 'Span execute_tool forecast' }).waitFor();
  });

  it('of a passage in a message are stored with where it stands, and marked in Markdown and in plain text', async () => {
    const page = await open('conversation');
    await page.getByRole('heading', { name: 'Weather in Paris' }).waitFor();
    await select(page, 'section[aria-label=Conversation]', 'sunny');
    await page.getByRole('button', { name: 'Comment (c)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Thumbs up' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Comment' }).fill('Says who?');
    await page.getByRole('dialog').getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('dialog').getByText('Says who?').first().waitFor();
    const start = finalAnswer.indexOf('sunny');
    const passage = { path: '/output/0/content', start, text: 'sunny' };
    await expect
      .poll(async () =>
        (await annotations()).find((each: { comment: string }) => each.comment === 'Says who?'),
      )
      .toMatchObject({ spanId: spanId(10), passage });
    await page.keyboard.press('Escape');

    await page.reload();
    await page.locator('mark', { hasText: /^sunny$/ }).waitFor();
    await page.getByRole('button', { name: '1 on this passage' }).click();
    await page.getByRole('dialog').getByRole('paragraph').getByText('Says who?').waitFor();
    await page.keyboard.press('Escape');
    // The same span elsewhere has the same mark, and lists the passage.
    await open('spans', 10);
    await page
      .locator('mark', { hasText: /^sunny$/ })
      .first()
      .waitFor();
    await page
      .getByRole('list', { name: 'Annotated passages' })
      .getByRole('button', { name: /sunny/ })
      .click();
    await page.getByRole('dialog').getByText('Says who?').waitFor();
  });

  it('of a passage in an attribute and in an output of the record keep to those', async () => {
    const page = await open('spans', 3);
    await openRaw(page);
    const attributes = page.getByRole('region', { name: 'Attributes' });
    await attributes.getByText('gen_ai.tool.call.arguments').waitFor();
    const field = page.getByRole('dialog').getByRole('textbox', { name: 'Comment' });
    const offer = page.getByRole('button', { name: 'Comment (c)' });
    const send = async (words: string) => {
      await field.fill(words);
      await page.keyboard.press('ControlOrMeta+Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Thumbs down' }).click();
      await page.getByRole('dialog').getByText(words).first().waitFor();
      await page.keyboard.press('Escape');
      // It is shown before the service has it, and the next step leaves the page.
      await expect
        .poll(async () => (await annotations()).map(({ comment }: { comment: string }) => comment))
        .toContain(words);
    };
    await select(page, '[aria-label=Attributes]', 'Paris');
    await offer.waitFor();
    await page.keyboard.press('c');
    await send('Which Paris?');
    await goto(`/records/${recordId}`);
    await page.getByRole('region', { name: 'Inputs' }).getByText('How is the weather').first().waitFor();
    // A part that is redrawn while the page still loads drops the selection.
    const choose = async () => {
      await select(page, '[aria-label=Inputs]', 'the weather');
      await offer.click({ timeout: 2_000 }).catch(() => {});
      return field.isVisible();
    };
    await expect.poll(choose, { interval: 500 }).toBe(true);
    await send('When?');
    await page.getByRole('region', { name: 'Inputs' }).locator('mark').waitFor();
    const said = await annotations();
    const on = (words: string) => said.find((each: { comment: string }) => each.comment === words);
    expect(on('Which Paris?')).toMatchObject({
      spanId: spanId(3),
      passage: { path: '/attributes/gen_ai.tool.call.arguments', start: '{"city":"'.length, text: 'Paris' },
    });
    expect(on('When?')).toMatchObject({
      spanId: null,
      passage: { path: '/inputs/input', start: 'How is '.length, text: 'the weather' },
    });
  });

  it('of a passage whose text has moved are found by their words, and listed when these are gone', async () => {
    const on = (passage: object) =>
      ok(
        site.api('POST', `/records/${recordId}/annotations`, {
          rating: true,
          comment: 'x',
          spanId: spanId(9),
          passage,
        }),
        201,
      );
    await on({ path: '/tool/result', start: 400, text: 'from the west' });
    await on({ path: '/tool/result', start: 0, text: 'Strong wind' });
    const page = await open('spans', 9);
    await page
      .locator('mark', { hasText: /^from the west$/ })
      .first()
      .waitFor();
    const list = page.getByRole('list', { name: 'Annotated passages' });
    await list.getByRole('button', { name: /Strong wind/ }).waitFor();
    expect(await page.locator('mark', { hasText: 'Strong wind' }).count()).toBe(0);
  });
});

describe('a trace of 10,000 spans', () => {
  it('draws only the visible rows, reads a span when it is chosen, and reaches the last', async () => {
    const { page } = visitor;
    const read: string[] = [];
    page.on('request', (request) => {
      if (/\/traces\/[0-9a-f]+\/spans\//.test(request.url())) read.push(request.url());
    });
    await goto(`/records/${bigRecordId}?tab=timeline`);
    await page.getByText('10,000 spans · 50 s').waitFor();
    const rows = page.getByRole('row');
    expect(await rows.count()).toBeLessThan(80);
    expect(read).toEqual([]);
    await page.keyboard.press('End');
    await page.getByRole('row', { name: /10000/, selected: true }).waitFor();
    expect(await rows.count()).toBeLessThan(80);
    await page
      .getByRole('complementary', { name: /10000/ })
      .getByRole('button', { name: /^Raw data/ })
      .waitFor();
    expect(read).toHaveLength(1);
    // Who runs past spans reads none but the last.
    for (let i = 0; i < 20; i += 1) await page.keyboard.press('ArrowUp', { delay: 0 });
    await page.getByRole('complementary', { name: /9980/ }).waitFor();
    expect(read.length).toBeLessThan(12);
    await page.getByRole('textbox', { name: 'Find spans' }).fill('step 999');
    await page.getByText('1 of 10,000 spans').waitFor();
  });

  it('is a conversation; only its visible messages are drawn', async () => {
    const page = await goto(`/records/${bigRecordId}?tab=conversation`);
    const said = page.getByRole('region', { name: 'Conversation' });
    await said.getByText('Answer 4', { exact: true }).waitFor();
    expect(await said.getByRole('article').count()).toBeLessThan(60);
    await page.getByText('The conversation is longer than is shown here').waitFor();
  });
});

describe('the page of a trace', () => {
  it('has the spans at the left, the conversation or the chosen span at the right, and keeps the span in its URL', async () => {
    const page = await goto(`/traces?open=${traceId}`);
    await expect.poll(() => new URL(page.url()).pathname).toMatch(new RegExp(`/traces/${traceId}$`));
    const tree = page.getByRole('treegrid', { name: 'Spans' });
    const said = page.getByRole('region', { name: 'Conversation' });
    await said.getByText('How is the weather in Paris?').waitFor();
    await tree.getByRole('row', { name: /execute_tool forecast failed.*900 ms/ }).click();
    const panel = page.getByRole('complementary', { name: 'Span execute_tool forecast' });
    await panel.getByText('timed out after').waitFor();
    expect(parameter(page, 'span')).toBe(spanId(3));
    // What came with the span is folded, until someone opens it; the browser remembers that.
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await panel.getByText('timed out after').waitFor();
    expect(await panel.getByRole('region', { name: 'Attributes' }).count()).toBe(0);
    await openRaw(page);
    await panel.getByRole('region', { name: 'Attributes' }).waitFor();
    await page.keyboard.press('Escape');
    await said.waitFor();
    expect(parameter(page, 'span')).toBeNull();
    await said.getByRole('article', { name: 'User' }).first().getByRole('link', { name: 'Span' }).click();
    await page.getByRole('complementary', { name: 'Span chat gpt-test' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`/traces/${traceId}$`));
  });

  it('is opened from the list by a click, goes to the next of the search by key, and back with the focus on it', async () => {
    const page = await goto('/traces');
    const search = page.getByRole('combobox', { name: 'Search traces' });
    await search.fill('sort:-latency');
    await search.press('Enter');
    const rows = page.getByRole('grid', { name: 'Traces' }).locator('[role=row][id]');
    await rows.filter({ hasText: 'long run' }).click();
    await page.getByRole('heading', { name: 'long run' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Previous trace (k)' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Next trace (j)' }).and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'invoke_agent weather' }).waitFor();
    expect(parameter(page, 'q')).toBe('sort:-latency');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'long run' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'invoke_agent weather' }).waitFor();
    await page.keyboard.press('Escape');
    const row = rows.filter({ hasText: 'invoke_agent weather' }).and(page.locator('[data-focused]'));
    await row.waitFor();
    // The row that had the focus is opened by Enter.
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'invoke_agent weather' }).waitFor();
  });
});

it('each press of j and k on the page of a trace moves one row of its list, however fast', async () => {
  const walked = await createProject(site.api);
  const ids = Array.from({ length: 9 }, () => newTraceId());
  const spans = ids.map((id, i): TestSpan => ({ traceId: id, n: 1, ms: 1_000 - i }));
  await post(site.app, site.organization.key, requestOf(spans, { 'dokima.project_id': walked.id }));
  const { page } = visitor;
  await page.goto(`/projects/${walked.id}/traces/${ids[0]}?q=${encodeURIComponent('sort:-latency')}`);
  await page.getByRole('button', { name: 'Next trace (j)' }).and(page.locator(':enabled')).waitFor();
  const at = () => ids.indexOf(new URL(page.url()).pathname.split('/').at(-1)!);
  let expected = 0;
  // Traces are answered when all keys of a row of presses have come.
  let pressed = Promise.withResolvers<void>();
  await page.route('**/api/v2/projects/*/traces/*', async (route) => {
    await pressed.promise;
    await route.continue();
  });
  for (const keys of ['jjj', 'jkjkj', 'kk', 'jjjkkkjjk']) {
    for (const key of keys) {
      await page.keyboard.press(key, { delay: 30 });
      expected += key === 'j' ? 1 : -1;
    }
    pressed.resolve();
    await expect.poll(at).toBe(expected);
    pressed = Promise.withResolvers();
  }
  pressed.resolve();
  await page.unroute('**/api/v2/projects/*/traces/*');
});

describe('files in messages', () => {
  // A picture of one pixel in 75 kB: bytes after its end are not looked at.
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg';
  const picture = `${pixel}${'A'.repeat(100_002)}`;
  // A tenth of a second of silence: RIFF, one channel, 8,000 samples a second, 8 bits.
  const sound = Buffer.concat([
    Buffer.from(
      '524946464403000057415645666d74201000000001000100401f0000401f0000010008006461746120030000',
      'hex',
    ),
    Buffer.alloc(800, 128),
  ]).toString('base64');
  const outside = 'https://example.org/secret.png';
  const script = Buffer.from('<script>window.wasPwned = true</script>'.repeat(5)).toString('base64');
  const parts = [
    { type: 'text', text: 'What is in these?' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
    { type: 'image_url', image_url: { url: outside } },
    { type: 'blob', modality: 'audio', mime_type: 'audio/wav', content: sound },
    { inlineData: { mimeType: 'text/html', data: script } },
    { type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: script } },
  ];
  const trace = newTraceId();
  beforeAll(async () => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-test',
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: parts }]),
      'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', content: [{ type: 'image', image: picture, mediaType: 'image/png' }] },
      ]),
    };
    await send([{ traceId: trace, n: 1, name: 'see', attributes }], 'pictures');
  });

  it.each([
    ['the conversation of a trace', () => `/traces/${trace}`],
    ['a span', () => `/traces/${trace}?span=${spanId(1)}`],
    ['a record', async () => `/records/${await recordOf(trace)}`],
  ])('are shown in %s, never as base64, and nothing outside is loaded', async (_, path) => {
    const { page } = visitor;
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    // Raw data, which an earlier test has unfolded, is text as it was sent.
    await page.evaluate(() => localStorage.clear());
    await goto(await path());
    await page.getByText('What is in these?').first().waitFor();
    const image = page.getByRole('img', { name: 'Image' }).first();
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1);
    await page.locator('audio').first().waitFor();
    const link = page.getByRole('link', { name: 'Open at example.org' }).first();
    expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
      outside,
      'noopener noreferrer',
    ]);
    // A page and a drawing could run a script: they are given to save, as bytes.
    const saved = page.waitForEvent('download');
    await page
      .locator('figure', { hasText: 'text/html' })
      .first()
      .getByRole('button', { name: 'Save' })
      .click();
    expect((await saved).suggestedFilename()).toBe('file.html');
    expect(await page.locator('img[src*="svg"]').count()).toBe(0);
    const html = await page.content();
    expect(html).not.toContain('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    expect(html.length).toBeLessThan(100_000);
    expect(loaded.filter((url) => url.includes('example.org'))).toEqual([]);
    expect(await page.evaluate('window.wasPwned')).toBeUndefined();
  });

  it('are a word in the list', async () => {
    const page = await goto(`/traces?q=trace:${trace}`);
    await page.getByRole('row', { name: /What is in these\? \[1 file\]/ }).waitFor();
    await page.goto(`/projects/${projectId}/records`);
    await page
      .getByRole('row', { name: /What is in these/ })
      .first()
      .waitFor();
    expect(await page.content()).not.toContain('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
  });
});

describe('the traces page', () => {
  it('has each trace once with what it was asked and took, every span when asked, and leads into the record', async () => {
    const page = await goto('/traces');
    const rows = page
      .getByRole('grid', { name: 'Traces' })
      .getByRole('row', { name: /invoke_agent weather|long run|orphan/ });
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('button', { name: 'Spans', exact: true }).click();
    await page
      .getByRole('row', { name: /chat 9/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Traces', exact: true }).click();
    await page.getByRole('row', { name: /How is the weather.*invoke_agent weather/ }).click();
    await page.getByRole('heading', { name: 'invoke_agent weather' }).waitFor();
    await page.getByRole('button', { name: 'Add to testset' }).waitFor();
    await page.getByRole('link', { name: `Record ${recordId}` }).click();
    await page.getByRole('navigation', { name: 'Parts of the record' }).waitFor();
  });

  it('is searched and sorted in words, and says what it does not understand', async () => {
    const page = await goto('/traces');
    const search = page.getByRole('combobox', { name: 'Search traces' });
    const rows = page.getByRole('grid', { name: 'Traces' }).locator('[role=row][id]');
    await search.fill('error:yes name:~weather');
    await search.press('Enter');
    await expect.poll(() => rows.count()).toBe(1);
    await search.fill('servce:x');
    await search.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Did you mean service:?' }).waitFor();
    await search.fill('');
    await search.press('Enter');
    await page.getByRole('button', { name: 'Latency', exact: true }).click();
    await expect.poll(() => search.inputValue()).toBe('sort:-latency');
    await page
      .getByRole('columnheader', { name: 'Latency' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
  });

  it('has columns to choose and views to save, as records have', async () => {
    const page = await goto('/traces?q=name:~weather');
    const header = (name: string) => page.getByRole('columnheader', { name });
    await header('Service').waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Service' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => header('Service').count()).toBe(0);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Weather only');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Weather only' }).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset columns' }).click();
    await page.keyboard.press('Escape');
    await goto('/traces');
    await header('Service').waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Weather only' }).click();
    await expect.poll(() => header('Service').count()).toBe(0);
    expect(parameter(page, 'q')).toBe('name:~weather');
    // Filters write the words of the search, and groups show their traces.
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const filters = page.getByRole('complementary', { name: 'Filters of traces' });
    await filters.getByRole('button', { name: 'error', exact: true }).click();
    await filters
      .getByRole('button', { name: /^(yes|no) / })
      .first()
      .click();
    await expect.poll(() => parameter(page, 'q')).toMatch(/^name:~weather error:(yes|no)$/);
    await filters.getByRole('button', { name: 'Close (Esc)' }).click();
    await page.getByLabel('Group by').fill('user');
    await page.getByLabel('Group by').press('Enter');
    await page.getByRole('table', { name: 'Groups by user' }).getByRole('row').nth(1).click();
    await expect.poll(() => parameter(page, 'q')).toMatch(/^name:~weather error:(yes|no) -?user:/);
    await page.getByRole('grid', { name: 'Traces' }).waitFor();
    // The records have views of their own.
    await goto('/records');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByText('A view is a search with a name.').waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(() => localStorage.clear());
  });

  it('tags the records of selected traces at once, and takes that back', async () => {
    const page = await goto('/traces');
    const grid = page.getByRole('grid', { name: 'Traces' });
    await grid.getByRole('row', { name: /How is the weather/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    const bar = page.getByRole('toolbar', { name: 'Selected records' });
    await bar.getByText('2 traces (2 records) selected').waitFor();
    await bar.getByRole('button', { name: 'Tag' }).click();
    await page.getByRole('dialog').getByLabel('Tag').fill('looked at');
    await page.keyboard.press('Enter');
    await page.getByText('Tagged 2 records.').waitFor();
    const tagged = async () =>
      (await ok(site.api('GET', `/projects/${projectId}/traces?q=${encodeURIComponent('tag:"looked at"')}`)))
        .data.length;
    expect(await tagged()).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(tagged).toBe(0);
    await bar.getByRole('button', { name: 'Clear the selection' }).click();
    await expect.poll(() => bar.count()).toBe(0);
  });

  it('scores the records of selected traces by people at once, takes that back, and deletes the traces after a question', async () => {
    const [first, second] = [newTraceId(), newTraceId()];
    const other = (await createProject(site.api)).id;
    const metric = await createMetric(site.api, other, { evalType: 'human', outputType: 'boolean' });
    for (const id of [first, second])
      await sendSpans(site.app, site.organization.key, other, [{ traceId: id, n: 1, name: 'agent' }]);
    const { page } = visitor;
    await page.goto(`/projects/${other}/traces`);
    const grid = page.getByRole('grid', { name: 'Traces' });
    await grid.getByRole('row', { name: /agent/ }).nth(1).waitFor();
    await page.getByRole('checkbox', { name: 'Select all, at most 200' }).click();
    const bar = page.getByRole('toolbar', { name: 'Selected records' });
    const give = async (label: string) => {
      await bar.getByRole('button', { name: 'Score', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Score 2 records' });
      await dialog.getByRole('button', { name: label }).click();
      await page.getByText(`Scored ${label} by ${metric.name}: 2 records.`).waitFor();
    };
    const undo = async (label: string) => {
      const message = page.getByText(`Scored ${label} by ${metric.name}: 2 records.`);
      await message.locator('..').getByRole('button', { name: 'Undo' }).click();
    };
    const scores = async () => {
      type Found = { id: string; scoreStates: { state: string; passed: boolean; scoredByUserId: string }[] };
      const { data } = await ok(site.api('GET', `/projects/${other}/records`));
      return (data as Found[]).map(({ id, scoreStates: [one] }) => ({ id, ...one }));
    };
    const [config] = (await ok(site.api('GET', `/metrics/${metric.id}/versions`))).data;
    const scoreElsewhere = (id: string, binaryScore: boolean) =>
      ok(
        site.api('PUT', `/records/${id}/scores/${config.id}`, { score: { binaryScore, reasoning: 'Mine.' } }),
      );
    const [one, two] = (await scores()).map(({ id }) => id);
    // Undone, records have what they had before, from the service and not from this page: one waits, two has another's score.
    await ok(site.api('PUT', `/records/${one}/scores/${config.id}`, {}));
    await scoreElsewhere(two!, false);
    const [, { scoredByUserId: someone }] = (await scores()) as [unknown, { scoredByUserId: string }];
    await give('Pass');
    expect((await scores()).map(({ passed }) => passed)).toEqual([true, true]);
    await undo('Pass');
    await page.getByText(`Took back Pass by ${metric.name}: 2 records.`).waitFor();
    expect(await scores()).toMatchObject([
      { state: 'pending', passed: null },
      { state: 'scored', passed: false, scoredByUserId: someone, score: { reasoning: 'Mine.' } },
    ]);
    // A score that someone gave since stays, and the page says whose record that is.
    await give('Pass');
    await scoreElsewhere(one!, false);
    await undo('Pass');
    const left = `Took back Pass by ${metric.name}: 1 of 2 records; 1 record left, scored again since: ${one}`;
    await page.getByRole('alert').getByText(left).waitFor();
    expect((await scores()).map(({ passed }) => passed)).toEqual([false, false]);
    await give('Fail');
    const found = async (q: string) =>
      (await ok(site.api('GET', `/projects/${other}/traces?q=${encodeURIComponent(q)}`))).data.length;
    const { data } = await ok(site.api('GET', `/projects/${other}/records`));
    expect(data.map((one: { scoreStates: { passed: boolean }[] }) => one.scoreStates[0]?.passed)).toEqual([
      false,
      false,
    ]);
    await bar.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Delete 2 traces?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await found('')).toBe(2);
    await bar.getByRole('button', { name: 'Delete', exact: true }).click();
    await question.getByRole('button', { name: 'Delete 2 traces' }).click();
    await page.getByText('No traces yet').waitFor();
    // People have scored the records: these stay, as the question says.
    expect((await ok(site.api('GET', `/projects/${other}/records`))).data).toHaveLength(2);
    await page.goto(`/projects/${other}/records`);
    await page.getByRole('grid').getByRole('row').nth(2).waitFor();
    await page.getByRole('checkbox', { name: /^Select all/ }).click();
    await bar.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete 2 records' }).click();
    await expect
      .poll(async () => (await ok(site.api('GET', `/projects/${other}/records`))).data.length)
      .toBe(0);
  });

  it('its root becomes a testcase of a new testset, which Undo takes away again', async () => {
    const page = await goto(`/traces/${traceId}`);
    await page.getByRole('button', { name: 'Add to testset' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add 1 trace to a testset' });
    await dialog.getByRole('textbox', { name: 'Name of the testset' }).fill('From a trace');
    await dialog.getByRole('button', { name: 'Add 1 testcase' }).click();
    await page.getByText('Added 1 testcase to From a trace.').waitFor();
    const testsets = async () =>
      (await ok(site.api('GET', `/projects/${projectId}/testsets`))).data.map(
        ({ name }: { name: string }) => name,
      );
    expect(await testsets()).toContain('From a trace');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(testsets).not.toContain('From a trace');
  });

  it('narrows by what a span has, in the URL, and says what it does not understand', async () => {
    const page = await goto('/traces?every=yes');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('textbox', { name: 'Service' }).fill('weather');
    await page.getByRole('textbox', { name: 'At least' }).fill('0.9s');
    await page.getByRole('combobox', { name: 'Result' }).selectOption('Failed');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('n = 1').waitFor();
    await page.getByRole('row', { name: /execute_tool forecast failed/ }).waitFor();
    expect([parameter(page, 'service'), parameter(page, 'min'), parameter(page, 'failed')]).toEqual([
      'weather',
      '0.9s',
      'yes',
    ]);
    await page.getByRole('button', { name: 'Remove Failed' }).click();
    await page.getByText('n = 4').waitFor();
    await goto('/traces?min=soon');
    await page.getByRole('alert').filter({ hasText: '“soon” is not a duration' }).waitFor();
    await goto('/traces?service=unknown');
    await page.getByRole('heading', { name: 'No matching spans' }).waitFor();
    await goto(`/traces?trace=${traceId}`);
    await page.getByText('n = 10').waitFor();
  });

  it('of a project without any says where to send them', async () => {
    const { id } = await createProject(site.api);
    const { page } = visitor;
    await page.goto(`/projects/${id}/traces`);
    await page.getByText(`${site.url}/otel/v1/traces`).waitFor();
  });
});

it('sessions and users are listed with their sums, and a session has its turns in order', async () => {
  const { id } = await createProject(site.api);
  const turn = (n: number, at: number) => ({
    traceId: newTraceId(),
    n: 1,
    name: 'answer',
    at,
    attributes: {
      'session.id': 'visit 1',
      'user.id': 'ada',
      'input.value': `question ${n}`,
      'output.value': `answer ${n}`,
    },
  });
  for (const span of [turn(2, 9_000), turn(1, 1_000)])
    await post(site.app, site.organization.key, requestOf([span], { 'dokima.project_id': id }));
  const { page } = visitor;
  await page.goto(`/projects/${id}/traces`);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('row', { name: /ada 1 2/ }).waitFor();
  await page.getByRole('link', { name: 'ada' }).click();
  await page.getByRole('heading', { name: 'Sessions of ada' }).waitFor();
  await page.getByRole('link', { name: 'visit 1' }).click();
  await page.getByText('2 turns, in their order.').waitFor();
  expect(await page.getByRole('listitem').filter({ hasText: 'Turn' }).allInnerTexts()).toEqual([
    expect.stringMatching(/Turn 1[\s\S]*question 1[\s\S]*answer 1/),
    expect.stringMatching(/Turn 2[\s\S]*question 2[\s\S]*answer 2/),
  ]);
  await page.getByRole('link', { name: 'Trace', exact: true }).first().click();
  // Its spans say nothing as a model or a tool: what its root was asked stands in place of a conversation.
  await page.getByRole('region', { name: 'Input' }).getByText('question 1').waitFor();
  // The next trace is the next turn of the session.
  await page.getByRole('button', { name: 'Next trace (j)' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('region', { name: 'Input' }).getByText('question 2').waitFor();
  // The palette finds all three by their id.
  const [, traceId] = /traces\/([0-9a-f]{32})/.exec(page.url())!;
  for (const [typed, name] of [
    ['visit 1', 'Session visit 1'],
    ['ada', 'User ada'],
    [traceId!, `Trace ${traceId}`],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.insertText(typed);
    await page.getByRole('option', { name, exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.getByRole('region', { name: 'Input' }).getByText('question 2').waitFor();
});

it('no page logged an error', () => {
  // The browser logs the refusal of a search that a test wrote wrongly.
  expect(visitor.complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
});
