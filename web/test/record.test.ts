// Longer than 400 lines: one record page, opened once.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WrittenNumber } from '../../client/src/written-number.ts';
import { createMetric, createProject, createRecord, createRun, ok } from '../../server/test/fixtures.ts';
import { photograph } from './screens/look.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;

beforeAll(async () => {
  site = await openSite({ DOKIMA_WORKERS: '1' });
  visitor = await site.member('member');
  projectId = (await createProject(site.api)).id;
});
afterAll(() => site.close());

const go = async (recordId: string, who = visitor) => {
  const { page } = who;
  await page.goto(`/projects/${projectId}/records/${recordId}`);
  await page.getByRole('article', { name: `Record ${recordId}` }).waitFor();
  return page;
};
const newRecord = async (metricIds: string[] = [], fields: Record<string, unknown> = {}) => {
  const run = await createRun(site.api, projectId, metricIds);
  const { id } = await createRecord(site.api, run.id, fields);
  return { id: id as string, configIds: run.metricVersionIds as string[] };
};
/** Waits until what the page has asked for by now is answered. */
const answered = (page: Visitor['page'], id: string) =>
  page.evaluate(async (path) => {
    for (let i = 0; i < 3; i++) await fetch(path);
  }, `/api/v2/records/${id}/annotations`);
/** Waits until the service holds what the page has sent. */
const eventually = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 20_000 });
const annotations = async (id: string) => (await ok(site.api('GET', `/records/${id}/annotations`))).data;
const threads = async (id: string) => (await ok(site.api('GET', `/records/${id}/threads`))).data;
const stateOf = async (id: string) => (await ok(site.api('GET', `/records/${id}`))).scoreStates[0];

describe('a field', () => {
  it('shows each number digit by digit, in objects, lists and JSON within a text', async () => {
    const [long, price, huge] = ['9054686819491029395', '1.10', '1E400'].map(
      (text) => new WrittenNumber(text),
    );
    const outputs = {
      data: { long, price, list: [huge, long] },
      price,
      text: '{"within":[9054686819491029395,1.10]}',
    };
    const page = await go((await newRecord([], { outputs })).id);
    const shown = await page.getByRole('region', { name: 'Outputs' }).innerText();
    expect(shown.match(/9054686819491029395/g)).toHaveLength(3);
    expect(shown.match(/1\.10/g)).toHaveLength(3);
    expect(shown).toContain('1E400');
    expect(shown).not.toContain('source');
  });

  it('is shown as what it is, and as it was last looked at', async () => {
    const fields = {
      inputs: {
        chat: [
          { role: 'user', content: '**Where?**' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ function: { name: 'lookup', arguments: '{}' } }],
          },
        ],
      },
      expected: { answer: 'Paris', data: { a: 1, b: 2 } },
      outputs: { answer: 'Lyon', data: { a: 1, b: 3 }, text: '{"within": ["a text"]}' },
    };
    const first = await newRecord([], fields);
    const second = await newRecord([], fields);
    const page = await go(first.id);
    const inputs = page.getByRole('region', { name: 'Inputs' });
    await inputs.getByText('lookup({})').waitFor();
    await inputs.getByRole('strong').filter({ hasText: 'Where?' }).waitFor();
    expect(await inputs.textContent()).not.toContain('null');
    const outputs = page.getByRole('region', { name: 'Outputs' });
    await outputs.getByText('within [1]').waitFor();
    const data = outputs.getByRole('group', { name: 'Show data as' });
    await data.getByRole('button', { name: 'Diff' }).click();
    await outputs.getByRole('deletion').filter({ hasText: '2' }).waitFor();
    await outputs.getByRole('insertion').filter({ hasText: '3' }).waitFor();
    await go(second.id);
    await outputs.getByRole('insertion').filter({ hasText: '3' }).waitFor();
    await data.getByRole('button', { name: 'JSON' }).click();
  });

  it('of 10,000 characters stands folded, and is copied whole', async () => {
    const answer = `${'A long answer. '.repeat(700)}the end`;
    const { id } = await newRecord([], { outputs: { answer } });
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await go(id);
    const outputs = page.getByRole('region', { name: 'Outputs' });
    const height = async () => (await outputs.boundingBox())!.height;
    expect(await height()).toBeLessThan(500);
    await outputs.getByRole('button', { name: 'Copy answer' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(answer);
    await outputs.getByRole('button', { name: 'Show all 10,507 characters' }).click();
    await expect.poll(height).toBeGreaterThan(800);
  });
});

describe('a score', () => {
  it('is shown with prompt, reply, model, tokens, cost, votes and time, beside the record', async () => {
    const metric = await createMetric(site.api, projectId, {
      name: 'Judged',
      evalType: 'ai',
      outputType: 'boolean',
      evalModelName: 'fake/judge',
      promptTemplate: 'Is {{ outputs.answer }} right?',
    });
    await ok(site.api('PATCH', `/metrics/${metric.id}/settings`, { judgeRepeats: 3 }));
    const { id } = await newRecord([metric.id], { outputs: { answer: 'an answer <b>in bold</b>' } });
    await eventually(async () => (await stateOf(id)).state).toBe('scored');
    const page = await go(id);
    await page.getByRole('button', { name: 'How Judged was scored' }).waitFor();
    await page.keyboard.press('i');
    const panel = page.getByRole('dialog', { name: /Judged/ });
    await panel
      .getByRole('region', { name: 'Prompt as sent' })
      .getByText(/<b>in bold<\/b>/)
      .waitFor();
    await panel.getByRole('region', { name: 'Raw reply' }).waitFor();
    await panel.getByText('fake/judge').first().waitFor();
    await panel.getByText('Vote 3:').waitFor();
    for (const fact of ['Tokens', 'Cost', 'Latency', 'Requests to the model'])
      await panel.getByText(fact, { exact: true }).waitFor();
    expect(await panel.textContent()).not.toMatch(/NaN|undefined|null/);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  it('that failed is retried, and the page shows what the new one replaced', async () => {
    const guidelines = 'function score(inputs) { throw new Error("The heuristic fell over."); }';
    const metric = await createMetric(site.api, projectId, {
      name: 'Falls',
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines,
    });
    const { id } = await newRecord([metric.id]);
    await eventually(async () => (await stateOf(id)).state).toBe('failed');
    const page = await go(id);
    await page.getByRole('button', { name: 'How Falls was scored' }).click();
    const panel = page.getByRole('dialog', { name: /Falls/ });
    await panel
      .getByText(/The heuristic fell over/)
      .first()
      .waitFor();
    await panel.getByRole('button', { name: 'Retry' }).click();
    await panel.getByRole('region', { name: 'Replaced verdicts (1)' }).waitFor();
    await panel.getByRole('button', { name: 'Retry' }).waitFor();
  });

  it('of people is set with a key and shown at once; refused, it is taken back in the service’s words', async () => {
    const metric = await createMetric(site.api, projectId, {
      name: 'Tone',
      evalType: 'human',
      outputType: 'int',
    });
    const { id, configIds } = await newRecord([metric.id]);
    const page = await go(id);
    const refused = Promise.withResolvers<void>();
    await page.route(`**/scores/${configIds[0]}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await refused.promise;
      return route.fulfill({ status: 409, json: { code: 'CONFLICT', message: 'Not now.', details: {} } });
    });
    await page.getByRole('group', { name: 'Score of Tone' }).waitFor();
    await page.keyboard.press('3');
    await page.getByRole('button', { name: '3', pressed: true }).waitFor();
    await page.getByLabel('fails').waitFor();
    // An event about someone else's change does not revert it.
    const changed = page.waitForEvent('console', (line) => line.text() === `changed ${id}`);
    await page.evaluate(
      ([path, id]) =>
        new Promise<void>((resolve) => {
          const source = new EventSource(path!);
          source.addEventListener('ready', () => resolve());
          source.addEventListener('changed', ({ data }) => {
            // A change of the run itself, seen at the same time, stands for all of its records.
            const { runs } = JSON.parse(data) as { runs: { runId: string; recordIds: string[] | null }[] };
            const isOurs = runs.some(
              (run) => run.recordIds?.includes(id!) ?? id!.startsWith(`${run.runId}-`),
            );
            if (isOurs) console.info(`changed ${id}`);
          });
        }),
      [`/api/v2/events?projectId=${projectId}`, id],
    );
    await ok(site.api('POST', `/records/${id}/tags`, { text: 'by another' }), 201);
    await changed;
    await answered(page, id);
    expect(await page.getByRole('button', { name: '3', pressed: true }).isVisible()).toBe(true);
    refused.resolve();
    await page.getByText('Not now.').first().waitFor();
    await page.getByRole('button', { name: '3', pressed: false }).waitFor();
    await page.getByText('by another').first().waitFor();
    await page.unroute(`**/scores/${configIds[0]}`);
    await page.keyboard.press('5');
    await eventually(async () => (await stateOf(id)).score).toEqual({ intScore: 5 });
  });
});

it('a thumb stays as it was pressed last, though the one before is read again while it is stored', async () => {
  const { id } = await newRecord();
  const page = await go(id);
  const stored = Promise.withResolvers<void>();
  await page.route('**/annotations/*', async (route) => {
    await stored.promise;
    return route.continue();
  });
  const changing = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('button', { name: 'Thumbs up' }).waitFor();
  await page.keyboard.press('+');
  await page.keyboard.press('-');
  await changing;
  await answered(page, id);
  expect(await page.getByRole('button', { name: 'Thumbs down', pressed: true }).isVisible()).toBe(true);
  stored.resolve();
  await eventually(async () =>
    (await annotations(id)).map(({ rating }: { rating: boolean }) => rating),
  ).toEqual([false]);
  await page.unroute('**/annotations/*');
});

it('a comment without a thumb is not stored until a thumb is pressed, and is never thumbs up by itself', async () => {
  const { id } = await newRecord();
  const page = await go(id);
  const field = page.getByRole('textbox', { name: 'Comment' });
  await field.fill('This reply is awful');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('alert').filter({ hasText: 'Choose thumbs up or thumbs down' }).waitFor();
  expect(await field.inputValue()).toBe('This reply is awful');
  expect(await annotations(id)).toEqual([]);
  // One pair of thumbs.
  expect(await page.getByRole('button', { name: /^Thumbs / }).count()).toBe(2);
  expect(await page.getByRole('radio').count()).toBe(0);
  await page.getByRole('button', { name: 'Thumbs down' }).click();
  await page.getByRole('listitem').filter({ hasText: 'This reply is awful' }).waitFor();
  await eventually(() => annotations(id)).toMatchObject([{ rating: false, comment: 'This reply is awful' }]);
});

it('a thumb and then a comment make one annotation, though the thumb is still being stored', async () => {
  const { id } = await newRecord();
  const page = await go(id);
  const stored = Promise.withResolvers<void>();
  await page.route('**/annotations', async (route) => {
    if (route.request().method() === 'POST') await stored.promise;
    return route.continue();
  });
  await page.getByRole('button', { name: 'Thumbs down' }).click();
  await page.getByRole('textbox', { name: 'Comment' }).fill('Too long');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('listitem').filter({ hasText: 'Too long' }).waitFor();
  stored.resolve();
  await eventually(() => annotations(id)).toMatchObject([{ rating: false, comment: 'Too long' }]);
  expect(await page.getByRole('listitem').filter({ hasText: 'Too long' }).count()).toBe(1);
  await page.unroute('**/annotations');
});

it('a thumb is stored, and nothing is offered to copy, where a browser keeps what it only has with TLS', async () => {
  const { id } = await newRecord([], { outputs: { answer: 'Paris' } });
  const plain = await site.member('member');
  await plain.context.addInitScript(() => {
    delete (Crypto.prototype as Partial<Crypto>).randomUUID;
    delete (Navigator.prototype as { clipboard?: unknown }).clipboard;
  });
  const page = await go(id, plain);
  await page.getByRole('button', { name: 'Thumbs up' }).click();
  await eventually(async () => (await annotations(id)).length).toBe(1);
  expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
  expect(plain.complaints).toEqual([]);
  await plain.context.close();
});

describe('comments', () => {
  const comment = async (id: string, text: string) =>
    ok(site.api('POST', `/records/${id}/annotations`, { rating: false, comment: text }), 201);

  it('are answered, settled and opened again; answers are changed by their author', async () => {
    const { id } = await newRecord();
    const { id: annotationId } = await comment(id, 'Is this right?');
    const page = await go(id);
    await page.getByRole('button', { name: 'Reply' }).click();
    await page.getByRole('textbox', { name: 'Reply' }).fill('It is.');
    await page.keyboard.press('Control+Enter');
    const replies = page.getByRole('list', { name: 'Replies' });
    await replies.getByText('It is.').waitFor();
    await eventually(async () => (await threads(id))[0]?.replies[0]?.comment).toBe('It is.');
    await replies.getByRole('button', { name: 'Edit this reply' }).click();
    await page.getByRole('textbox', { name: 'Change the reply' }).fill('It is not.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await replies.getByText('It is not.').waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText(/Resolved by Person .*: Is this right\?/).waitFor();
    await eventually(async () => (await threads(id))[0]).toMatchObject({
      annotationId,
      resolvedAt: expect.any(String),
      replies: [{ comment: 'It is not.' }],
    });
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
    // Another person's annotation has no button that the service would refuse.
    expect(await page.getByRole('button', { name: 'Delete this annotation' }).count()).toBe(0);
  });

  it('show the replies of others without a reload', async () => {
    const { id } = await newRecord();
    const { id: annotationId } = await comment(id, 'Is this right?');
    const page = await go(id);
    await page.getByText('Is this right?').waitFor();
    const path = `/records/${id}/annotations/${annotationId}`;
    await ok(site.api('POST', `${path}/replies`, { comment: 'Not quite.' }), 201);
    await page.getByRole('list', { name: 'Replies' }).getByText('Not quite.').waitFor();
    await ok(site.api('PUT', `${path}/resolution`, { resolved: true }));
    await page.getByText(/^Resolved by .*: Is this right\?/).waitFor();
  });

  it('that are deleted come back with Undo as they were, and are gone otherwise', async () => {
    const { id } = await newRecord();
    const page = await go(id);
    await page.getByRole('textbox', { name: 'Comment' }).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('mine');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.press('+');
    await eventually(() => annotations(id)).toMatchObject([{ comment: 'mine' }]);
    const [before] = await annotations(id);
    await page.getByRole('button', { name: 'Delete this annotation' }).click();
    await page.getByText('mine').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('mine').waitFor();
    expect(await annotations(id)).toEqual([before]);
    await page.getByRole('button', { name: 'Delete this annotation' }).click();
    await page.getByText('mine').waitFor({ state: 'detached' });
    // Leaving the page has the same effect as waiting.
    await page.goto('about:blank');
    await eventually(() => annotations(id)).toEqual([]);
  });

  it('a draft outlives a reload and a refusal', async () => {
    const { id } = await newRecord();
    const page = await go(id);
    const field = page.getByRole('textbox', { name: 'Comment' });
    await field.fill('half a thought');
    await page.reload();
    expect(await field.inputValue()).toBe('half a thought');
    await page.route('**/annotations', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, json: { code: 'CONFLICT', message: 'Not today.', details: {} } })
        : route.continue(),
    );
    const thumb = page.getByRole('button', { name: 'Thumbs up' });
    await field.press('Control+Enter');
    await thumb.click();
    await page.getByText('Not today.').first().waitFor();
    await expect.poll(() => field.inputValue()).toBe('half a thought');
    await page.unroute('**/annotations');
    expect(await annotations(id)).toEqual([]);
    await field.press('Control+Enter');
    await thumb.click();
    await eventually(async () => (await annotations(id)).length).toBe(1);
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe('');
  });

  it('a tag that was taken off comes back with Undo', async () => {
    const { id } = await newRecord();
    await ok(site.api('POST', `/records/${id}/tags`, { text: 'edge' }), 201);
    const page = await go(id);
    await page.getByRole('button', { name: 'Remove the tag edge' }).click();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByRole('button', { name: 'Remove the tag edge' }).waitFor();
    await eventually(async () => (await ok(site.api('GET', `/records/${id}`))).tags).toEqual(['edge']);
  });
});

describe('attachments', () => {
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const upload = async (sessionId: string, filename: string, contentType: string, bytes: Buffer) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = { sessionId, filePath: filename, filename, contentType, sizeBytes: bytes.length, sha256 };
    const { id, uploadUrl } = await ok(site.api('POST', '/attachments', file), 201);
    const { pathname, search } = new URL(uploadUrl);
    const answer = await fetch(`${site.url}${pathname}${search}`, {
      method: 'PUT',
      body: new Uint8Array(bytes),
    });
    expect(answer.status).toBe(200);
    return id as string;
  };

  it('and data URIs that a judge saw are shown and played beside its verdict', async () => {
    const metric = await createMetric(site.api, projectId, {
      name: 'Seen',
      evalType: 'ai',
      outputType: 'boolean',
      evalModelName: 'fake/judge',
      promptTemplate: '{{ outputs.image }} {{ outputs.sound }} {{ outputs.drawing }}',
    });
    const attachmentId = await upload(
      'seen',
      'drawing.png',
      'image/png',
      Buffer.from(`${pixel}AA`, 'base64'),
    );
    // A tenth of a second of silence.
    const wav = Buffer.alloc(44 + 1_600);
    wav.write('RIFF', 0);
    wav.writeUInt32LE(36 + 1_600, 4);
    wav.write('WAVEfmt ', 8);
    wav.writeUInt32LE(16, 16);
    wav.writeUInt16LE(1, 20);
    wav.writeUInt16LE(1, 22);
    wav.writeUInt32LE(8_000, 24);
    wav.writeUInt32LE(16_000, 28);
    wav.writeUInt16LE(2, 32);
    wav.writeUInt16LE(16, 34);
    wav.write('data', 36);
    wav.writeUInt32LE(1_600, 40);
    const { id } = await newRecord([metric.id], {
      sessionId: 'seen',
      outputs: {
        image: `data:image/png;base64,${pixel}`,
        sound: `Listen: data:audio/wav;base64,${wav.toString('base64')}`,
        drawing: `attachment:${attachmentId}`,
      },
    });
    await eventually(async () => (await stateOf(id)).state).toBe('scored');
    const page = await go(id);
    await page.getByRole('button', { name: 'How Seen was scored' }).click();
    const files = page.getByRole('list', { name: 'Files that the judge saw' });
    for (const name of ['File 1', 'File 3'])
      await expect
        .poll(() =>
          files.getByRole('img', { name }).evaluate((image: HTMLImageElement) => image.naturalWidth),
        )
        .toBe(1);
    const sound = files.locator('audio');
    await expect.poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.duration)).toBe(0.1);
    await photograph(page, 'light', 'judged-files');
    await page.keyboard.press('Escape');
  });

  it('are shown as what they are, and none runs a script', async () => {
    const who = await site.member('member');
    await who.page.addInitScript('window.pwned = () => { window.wasPwned = true; }');
    const script = '<script>parent.pwned?.(); window.pwned?.()</script>';
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="pwned()">${script}</svg>`;
    await upload('files', 'pixel.png', 'image/png', Buffer.from(pixel, 'base64'));
    await upload('files', 'drawn.svg', 'image/svg+xml', Buffer.from(svg));
    await upload('files', 'page.html', 'text/html', Buffer.from(script));
    await upload('files', 'notes.md', 'text/markdown', Buffer.from(`# Title\n\n**bold** ${script}`));
    await upload('files', 'call.wav', 'audio/wav', Buffer.from('no sound'));
    await upload('files', 'paper.pdf', 'application/pdf', Buffer.from(script));
    await upload('files', 'what.bin', 'application/octet-stream', Buffer.from(script));
    const { id } = await newRecord([], { sessionId: 'files' });
    const page = await go(id, who);
    const dialog = page.getByRole('dialog');
    const open = async (name: string) => {
      await page.getByRole('button', { name: new RegExp(name) }).click();
      await dialog.getByRole('heading', { name }).waitFor();
    };
    const close = async () => {
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    for (const name of ['pixel.png', 'drawn.svg']) {
      await open(name);
      const image = dialog.getByRole('img', { name });
      await expect
        .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
        .toBeGreaterThan(0);
      await close();
    }
    await open('page.html');
    await dialog.getByText(script).waitFor();
    await close();
    await open('notes.md');
    await dialog.getByRole('heading', { name: 'Title' }).waitFor();
    await close();
    await open('call.wav');
    await dialog.getByText('This browser can’t show the file.').waitFor();
    await close();
    await open('what.bin');
    await dialog.getByText('This kind of file has no preview.').waitFor();
    await close();
    // Headless Chromium has no viewer of PDFs; one that had would get a frame of the signed link.
    await open('paper.pdf');
    await dialog.getByText('This browser can’t show a PDF.').waitFor();
    await page.evaluate("Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => true })");
    await close();
    await open('paper.pdf');
    const src = await dialog.locator('iframe[title="paper.pdf"]').getAttribute('src');
    expect(src).toMatch(/^\/api\/v2\/attachments\/[^/]+\/content\?.*&inline=true$/);
    expect(await page.evaluate('window.wasPwned')).toBeUndefined();
  });
});

it('no page has complained', () => {
  // A refusal that a test brought about is logged by the browser itself.
  expect(visitor.complaints.filter((text) => !/status of 409/.test(text))).toEqual([]);
});
