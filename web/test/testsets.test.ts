import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestset, ok } from '../../server/test/fixtures.ts';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { newTraceId, post, requestOf } from '../../server/test/otlp.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
import { choose, openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;
let models: ModelServer;

beforeAll(async () => {
  models = await openOpenAiServer();
  site = await openSite({ DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true', DOKIMA_JUDGE_MODEL: 'local/writer' });
  const provider = { name: 'local', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
  await ok(site.api('POST', '/providers', provider), 201);
  visitor = await site.member('member');
  projectId = (await createProject(site.api)).id;
});
afterAll(() => Promise.all([site.close(), models.close()]));

const jsonSchema = {
  type: 'object',
  properties: { question: { type: 'string', maxLength: 20 }, level: { type: 'integer' } },
  required: ['question'],
};
const newTestset = async (items: object[]) => {
  const fieldMapping = { inputs: ['question'], expected: ['answer'], metadata: ['level'] };
  const testset = await createTestset(site.api, projectId, { jsonSchema, fieldMapping });
  const body = { items: items.map((jsonData) => ({ jsonData })) };
  await ok(site.api('POST', `/testsets/${testset.id}/testcases`, body), 201);
  await visitor.page.goto(`/projects/${projectId}/testsets/${testset.id}`);
  await visitor.page.getByRole('row').nth(1).waitFor();
  return testset.id as string;
};
const testcase = (id: string) => ok(site.api('GET', `/testcases/${id}`));
const eventually = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 20_000 });

describe('testcases in their table', () => {
  it('are edited in place, cell by cell, and what the schema has against them stands there', async () => {
    const id = await newTestset([{ question: 'Where?', answer: 'Paris', level: 1 }]);
    const { page } = visitor;
    await page.getByRole('gridcell', { name: 'Paris' }).dblclick();
    await page.getByRole('textbox', { name: `answer of ${id}-1` }).fill('Lyon');
    // The browser asks before a reload in the middle of it, and the user can cancel.
    const asked = page.waitForEvent('dialog');
    await page.evaluate('void setTimeout(() => location.reload())');
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await page.keyboard.press('Tab');
    const level = page.getByRole('textbox', { name: `level of ${id}-1` });
    await level.fill('no number');
    await page.keyboard.press('Enter');
    expect(await level.getAttribute('aria-invalid')).toBe('true');
    await level.fill('1.5');
    await page.keyboard.press('Enter');
    await eventually(async () => (await testcase(`${id}-1`)).jsonData).toEqual({
      question: 'Where?',
      answer: 'Lyon',
      level: 1.5,
    });
    await page.getByTitle(/^level must be integer/).waitFor();
    await page.getByText('1 testcase with schema errors').waitFor();
  });

  it('a double click edits a cell where a single one would have opened the testcase over it', async () => {
    const id = await newTestset([{ question: 'Where?', answer: 'Paris', level: 1 }]);
    const { page } = visitor;
    // As one, or a slow machine would make two single clicks of it.
    await page
      .getByRole('gridcell', { name: '1', exact: true })
      .locator('div')
      .evaluate((cell) => {
        for (const type of ['click', 'click', 'dblclick'])
          cell.dispatchEvent(new MouseEvent(type, { bubbles: true }));
      });
    await page.getByRole('textbox', { name: `level of ${id}-1` }).fill('2');
    await page.keyboard.press('Enter');
    await eventually(async () => (await testcase(`${id}-1`)).jsonData.level).toBe(2);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.getByRole('gridcell', { name: '2', exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
  });

  it('a number that was not edited stays as it was written, in the table, beside it, and after', async () => {
    const written = (text: string) => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
    const answer = { price: written('1.10'), sold: written('1e3'), big: written('9007199254740993') };
    const id = await newTestset([{ question: 'How much?', answer, level: written('1.0') }]);
    const { page } = visitor;
    const text = async () => (await site.api('GET', `/testcases/${id}-1`)).text;
    await page.getByRole('gridcell', { name: 'How much?' }).dblclick();
    await page.getByRole('textbox', { name: `question of ${id}-1` }).fill('And now?');
    await page.keyboard.press('Enter');
    await eventually(text).toContain('And now?');
    expect(await text()).toContain('"answer":{"price":1.10,"sold":1e3,"big":9007199254740993},"level":1.0}');
    await page.getByRole('gridcell', { name: 'And now?' }).click();
    await page.getByRole('complementary').getByRole('textbox', { name: 'answer' }).fill('{"price": 2.50}');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(text).toContain('"answer":{"price":2.50},"level":1.0}');
    await page.getByRole('gridcell', { name: '{"price":2.50}' }).waitFor();
  });

  it('an edit that is refused is taken back, in the service’s words, and its text given back', async () => {
    const id = await newTestset([{ question: 'Where?', answer: 'Paris' }]);
    const { page } = visitor;
    await page.route('**/testcases/*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 409, json: { code: 'CONFLICT', message: 'Not now.', details: {} } })
        : route.continue(),
    );
    await page.getByRole('gridcell', { name: 'Paris' }).dblclick();
    await page.getByRole('textbox', { name: `answer of ${id}-1` }).fill('Lyon');
    await page.keyboard.press('Enter');
    await page.getByText('Not now.').first().waitFor();
    await page.getByRole('gridcell', { name: 'Paris' }).waitFor();
    const unsaved = page.getByRole('region', { name: 'Edits that are not saved' });
    await unsaved.getByText('Lyon').waitFor();
    await page.unroute('**/testcases/*');
    expect((await testcase(`${id}-1`)).jsonData.answer).toBe('Paris');
    await unsaved.getByRole('button', { name: 'Discard' }).click();
    await unsaved.waitFor({ state: 'detached' });
  });

  it('what is being written of one outlives a look at another, and a reload', async () => {
    await newTestset([{ question: 'First' }, { question: 'Second' }]);
    const { page } = visitor;
    await page.getByRole('row', { name: /First/ }).click();
    const question = page.getByRole('textbox', { name: 'question' });
    await question.fill('Half done');
    await page.getByRole('row', { name: /Second/ }).click();
    await expect.poll(() => question.inputValue()).toBe('Second');
    await page.reload();
    await page.getByRole('row', { name: /First/ }).click();
    await expect.poll(() => question.inputValue()).toBe('Half done');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await question.inputValue()).toBe('First');
  });
});

describe('the schema', () => {
  const open = async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Fields and schema' }).click();
    return page.getByRole('dialog');
  };

  it('is a table of fields, which keeps what it doesn’t show', async () => {
    const id = await newTestset([{ question: 'Where?' }]);
    const dialog = await open();
    await dialog.getByLabel('Type of level').selectOption('number');
    await dialog.getByLabel('level is required').check();
    await dialog.getByLabel('Use of question').selectOption('metadata');
    await dialog.getByLabel('New field').fill('topic');
    await dialog.getByRole('button', { name: 'Add field' }).click();
    await dialog.getByRole('button', { name: 'Remove answer' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await ok(site.api('GET', `/testsets/${id}`))).toMatchObject({
      jsonSchema: {
        properties: {
          question: { type: 'string', maxLength: 20 },
          level: { type: 'number' },
          topic: { type: 'string' },
        },
        required: ['question', 'level'],
      },
      fieldMapping: { inputs: ['topic'], expected: [], metadata: ['level', 'question'] },
    });
  });

  it('is JSON as well: what does not parse or is not a schema is said, and not saved', async () => {
    const id = await newTestset([{ question: 'Where?' }]);
    const { page } = visitor;
    const dialog = await open();
    await dialog.getByRole('button', { name: 'JSON Schema' }).click();
    await dialog.getByRole('textbox', { name: 'JSON Schema' }).click();
    const write = async (text: string) => {
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
    };
    await write('{ "type": ');
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await write('{ "type": "nonsense" }');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    expect((await ok(site.api('GET', `/testsets/${id}`))).jsonSchema).toEqual(jsonSchema);
  });
});

describe('an import', () => {
  const drop = async (name: string, buffer: Buffer) => {
    const { page } = visitor;
    const id = await newTestset([{ question: 'Where?' }]);
    await page.getByRole('button', { name: 'Import' }).click();
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
    return id;
  };

  it('of a file that is not UTF-8 asks for its encoding, and shows what it is about', async () => {
    const id = await drop(
      'excel.csv',
      Buffer.from('question;answer\r\nÇa va?;très bien \x96 5 \x80\r\n', 'latin1'),
    );
    const { page } = visitor;
    await page.getByText('This file is not UTF-8.').waitFor();
    const choice = page.getByLabel('Encoding of the file');
    // The search of a long list is loaded on demand.
    await expect.poll(() => choice.inputValue()).toBe('Windows-1252 (Western Europe, the Americas)');
    const texts = page.getByRole('list', { name: 'Texts with special letters' });
    expect(await texts.textContent()).toBe('Ça va?très bien – 5 €');
    await choose(choice, 'Windows-1251');
    await texts.getByText('Зa va?').waitFor();
    await choose(choice, 'Windows-1252');
    await texts.getByText('Ça va?').waitFor();
    await page.getByRole('button', { name: 'Import 1 testcase' }).click();
    await eventually(async () => (await testcase(`${id}-2`)).jsonData).toEqual({
      question: 'Ça va?',
      answer: 'très bien – 5 €',
    });
  });

  it('of UTF-16, as Excel saves Unicode text, needs no question', async () => {
    await drop('unicode.txt', Buffer.from('\ufeffquestion\tanswer\r\nÇa va?\toui\r\n', 'utf16le'));
    const { page } = visitor;
    await page.getByRole('cell', { name: 'Ça va?' }).waitFor();
    expect(await page.getByLabel('Encoding of the file').count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it.each([
    ['table.csv', '%PDF-1.7\n%âãÏÓ', 'table.csv is a PDF.', 'Save the table as CSV'],
    ['rows.csv', '\x89PNG\r\n\x1a\n\0\0', 'rows.csv is a PNG image.', 'Save the table as CSV'],
    ['data.csv', 'PK\x03\x04\x14\0\0\0\0\0a.csv', 'data.csv is a ZIP archive.', 'Extract it'],
    [
      'notes.csv',
      'PK\x03\x04\x14\0\0\0\0\0word/document.xml',
      'notes.csv is a Word document.',
      'spreadsheet',
    ],
    [
      'old.csv',
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
      'old.csv is a file of old Microsoft Office',
      'save it as XLSX',
    ],
    ['what.csv', 'a,b\n1,\0\x01\x02', 'what.csv is not text.', 'Save the table as CSV'],
  ])('refuses %s by its content, and says what to do', async (name, content, what, then) => {
    await drop(name, Buffer.from(content, 'latin1'));
    const { page } = visitor;
    const alert = page.getByRole('dialog').getByRole('alert');
    await alert.getByText(what).waitFor();
    expect(await alert.textContent()).toContain(then);
    await page.keyboard.press('Escape');
  });

  it('of pasted cells says by the line of the sheet what is wrong, and imports the rest', async () => {
    const id = await newTestset([{ question: 'Where?' }]);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Import' }).click();
    await page
      .getByLabel('Paste here')
      .fill(`id\tquestion\tlevel\n\tWho?\t2\n\tWhen?\tsoon\n${id}-1\tWhere to?\t3\n`);
    await page.getByLabel('Type of level').selectOption('number');
    await page.getByRole('button', { name: 'Import 3 testcases' }).click();
    await page.getByText('Line 3: level is not a number').waitFor();
    const { data } = await ok(site.api('GET', `/testsets/${id}/testcases`));
    expect(data.map(({ jsonData }: { jsonData: object }) => jsonData)).toEqual([
      { question: 'Where to?', level: 3 },
      { question: 'Who?', level: 2 },
    ]);
  });

  it.each([
    ['a table', 'question,price\nHow much?,1.10\n'],
    ['JSON lines', '{"question":"How much?","price":1.10}\n'],
  ])('takes numbers of %s as they are written', async (_what, pasted) => {
    const id = await newTestset([{ question: 'Where?' }]);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('Paste here').fill(pasted);
    expect(await page.getByLabel('Type of price').inputValue()).toBe('number');
    await page.getByRole('button', { name: 'Import 1 testcase' }).click();
    await eventually(async () => (await site.api('GET', `/testsets/${id}/testcases`)).text).toContain(
      '{"question":"How much?","price":1.10}',
    );
  });

  it.each(['CSV', 'JSONL'])(
    'of a testset exported as %s comes back equal, into itself and as a new one',
    async (format) => {
      const odd = [
        { question: '- item', answer: '=1+1', level: 1 },
        { question: "'=1+1", answer: '', level: null },
        { question: '4', answer: { a: [1, '2', null] }, level: '"quoted"' },
        { question: ' @ "x",\n', answer: false },
      ];
      const id = await newTestset(odd);
      const { page } = visitor;
      await page.getByRole('button', { name: 'Export' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: format, exact: true }).click(),
      ]);
      const saved = {
        name: `back.${format.toLowerCase()}`,
        mimeType: 'text/csv',
        buffer: await readFile(await file.path()),
      };
      const dataOf = async (testsetId: string) =>
        (await ok(site.api('GET', `/testsets/${testsetId}/testcases`))).data.map(
          ({ jsonData }: { jsonData: object }) => jsonData,
        );
      const before = await testcase(`${id}-3`);
      await page.getByRole('button', { name: 'Import' }).click();
      await page.locator('input[type=file]').setInputFiles(saved);
      await page.getByRole('button', { name: 'Import 4 testcases' }).click();
      await eventually(() => page.getByRole('dialog').count()).toBe(0);
      expect(await dataOf(id)).toEqual(odd);
      expect((await testcase(`${id}-3`)).revision).toBe(before.revision);

      await page.goto(`/projects/${projectId}/testsets`);
      await page.getByRole('button', { name: 'Import' }).click();
      await page.locator('input[type=file]').setInputFiles(saved);
      await page.getByRole('button', { name: 'Import 4 testcases' }).click();
      await page.waitForURL(/testsets\/\d+$/);
      const copy = page.url().split('/').at(-1)!;
      expect(copy).not.toBe(id);
      expect(await dataOf(copy)).toEqual(odd);
      expect((await ok(site.api('GET', `/testsets/${copy}`))).fieldMapping).toEqual({
        inputs: ['question'],
        expected: ['answer'],
        metadata: ['level'],
      });
    },
  );

  it('takes no word for true or false that is neither', async () => {
    const id = await newTestset([{ question: 'Where?' }]);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('Paste here').fill('question,easy\nWho?,TRUE\nWhen?,yes\n');
    await page.getByLabel('Type of easy').selectOption('boolean');
    await page.getByRole('button', { name: 'Import 2 testcases' }).click();
    await page.getByText('Line 3: easy is neither true nor false').waitFor();
    const { data } = await ok(site.api('GET', `/testsets/${id}/testcases`));
    expect(data.at(-1).jsonData).toEqual({ question: 'Who?', easy: true });
  });
});

it('no page has complained', () => {
  expect(visitor.complaints.filter((text) => !/status of (400|409)/.test(text))).toEqual([]);
});

describe('testcases that a model writes', () => {
  it('count once someone accepts them, marked as generated; a near-duplicate is not accepted with the others', async () => {
    const id = await newTestset([{ question: 'When does it come to Oslo?', answer: 'Tomorrow' }]);
    const written = [
      { question: 'May I return it?', answer: 'Yes' },
      { question: 'Is it blue?', answer: 'Yes' },
      { question: 'When does it come to Oslo then?', answer: 'Tomorrow' },
    ];
    models.answer(() => ({ reply: { testcases: written.map((each) => JSON.stringify(each)) } }));
    const { page } = visitor;
    await page.getByRole('link', { name: 'Write with a model' }).click();
    await page.getByLabel('What they should be about').fill('Returns');
    await page.getByRole('button', { name: 'Write 10 drafts' }).click();
    await page.getByText(/^\d+ % like/).waitFor();
    expect((await ok(site.api('GET', `/testsets/${id}/testcases`))).data).toHaveLength(1);
    const second = page.getByRole('region', { name: 'Draft 2' });
    await second.getByLabel('question').fill('Is it green?');
    await page.reload();
    // The testcase is stored, but the answer is lost: accepting again must not add it twice.
    const creation = /\/testsets\/\d+\/testcases$/;
    await page.route(creation, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await second.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('button', { name: 'Finish accepting (1)' }).waitFor();
    await page.unroute(creation);
    await page.reload();
    expect(await second.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
    expect((await ok(site.api('GET', `/testsets/${id}/testcases`))).data).toHaveLength(2);
    await page.getByRole('button', { name: 'Finish accepting (1)' }).click();
    await page.getByRole('region', { name: 'Draft 3' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Accept all without near-duplicates (1)' }).click();
    await page.getByRole('region', { name: 'Draft 2' }).waitFor({ state: 'detached' });
    const { data } = await ok(site.api('GET', `/testsets/${id}/testcases`));
    expect(data.map(({ jsonData }: { jsonData: object }) => jsonData)).toEqual([
      { question: 'When does it come to Oslo?', answer: 'Tomorrow' },
      { question: 'Is it green?', answer: 'Yes', origin: 'generated' },
      { question: 'May I return it?', answer: 'Yes', origin: 'generated' },
    ]);
    const { fieldMapping } = await ok(site.api('GET', `/testsets/${id}`));
    expect(fieldMapping.metadata).toEqual(['level', 'origin']);
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByRole('heading', { name: '2 testcases added' }).waitFor();
    await page.getByRole('link', { name: 'Open the testset' }).waitFor();
  });
});

describe('the examination of a testset', () => {
  it('shows each finding with its evidence and one action: a twin is deleted, any other testcase is opened', async () => {
    const long =
      'Which of the many red lamps in the long aisle did the customer return on a day in May, and why?';
    const id = await newTestset([
      { question: long, answer: 'a' },
      { question: long, answer: 'b' },
      { question: 'Another one?', answer: 'c' },
    ]);
    const metric = await createMetric(site.api, projectId, { evalType: 'human', outputType: 'boolean' });
    const answers = [1, 2, 3].map((n) => ({ testcaseId: `${id}-${n}`, scores: { [metric.id]: n < 3 } }));
    for (let version = 0; version < 4; version++)
      await createRunOf(site.api, projectId, [metric], answers, { testsetId: id });
    const { page } = visitor;
    const splitNow = async () => {
      const { split, tags } = await ok(site.api('GET', `/testcases/${id}-3`));
      return [split, tags];
    };
    await ok(site.api('PATCH', `/testsets/${id}/testcases`, { ids: [`${id}-3`], split: 'dev' }));
    await page.getByRole('link', { name: 'Examine' }).click();
    await page.getByRole('row').filter({ hasText: 'Failed all 4 trials of 4 versions' }).waitFor();
    await page.getByText('0 looks at 0 versions on this testset this year.').waitFor();
    await page.getByText('dev (1)', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: `Set aside ${id}-3` })
      .first()
      .click();
    await page
      .getByRole('button', { name: `Put back ${id}-3` })
      .first()
      .waitFor();
    expect(await splitNow()).toEqual(['aside', ['aside from dev']]);
    await page.getByRole('button', { name: 'Undo' }).click();
    const setAside = page.getByRole('button', { name: `Set aside ${id}-3` }).first();
    await setAside.waitFor();
    expect(await splitNow()).toEqual(['dev', undefined]);
    // Long after Undo is gone, the former split comes back too.
    await setAside.click();
    await page
      .getByRole('button', { name: `Put back ${id}-3` })
      .first()
      .click();
    await setAside.waitFor();
    expect(await splitNow()).toEqual(['dev', undefined]);
    const twin = page.getByRole('row').filter({ hasText: `another key: “b” and “a”. ${id}-1` });
    await twin.getByRole('button', { name: `Delete ${id}-2` }).click();
    const sure = page.getByRole('button', { name: 'Delete testcase' });
    await sure.click();
    // Rows behind the dialog have no role.
    await sure.waitFor({ state: 'detached' });
    await twin.waitFor({ state: 'detached' });
    expect((await site.api('GET', `/testcases/${id}-2`)).status).toBe(404);
    await page.getByRole('button', { name: `Open ${id}-3` }).click();
    await page.getByRole('complementary', { name: `Testcase ${id}-3` }).waitFor();
  });
});

describe('the wear of a testset', () => {
  it('counts looks, says what a ledger has left, and lists each with its verdict and who asked', async () => {
    const id = await newTestset([{ question: 'Which lamp?', answer: 'a' }]);
    const metric = await createMetric(site.api, projectId, {
      name: 'Right lamp',
      evalType: 'human',
      outputType: 'boolean',
    });
    const answer = (passes: boolean) => [{ testcaseId: `${id}-1`, scores: { [metric.id]: passes } }];
    const runs: string[] = [];
    for (const passes of [true, false])
      runs.push(
        (await createRunOf(site.api, projectId, [metric], answer(passes), { testsetId: id })).run
          .id as string,
      );
    await ok(site.api('GET', `/runs/${runs[0]}/summary`));
    await ok(site.api('GET', `/runs/compare?runs=${runs}`));
    const { page } = visitor;
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Wear' }).click();
    await page.getByText('2, at 2 versions').waitFor();
    await page.getByText('tested at 0.37 %').waitFor();
    await page.getByText('All looks of a period share 5 %: look 3 gets 0.37 %').waitFor();
    const look = page.getByRole('row').filter({ hasText: 'Right lamp: cannot tell' });
    await look.filter({ hasText: 'A comparison' }).waitFor();
    expect(await look.getByRole('link').allTextContents()).toEqual([`Run ${runs[1]}`, `Run ${runs[0]}`]);
    await look.getByRole('link', { name: `Run ${runs[0]}` }).click();
    await page.getByText('2 looks at 2 versions on this testset this year.').waitFor();
    await page.getByRole('link', { name: 'Wear', exact: true }).click();
    await page.getByRole('heading', { name: 'Looks' }).waitFor();
  });

  it('draws fresh testcases from the traffic after a preview, takes a draw back, and shows the optimism', async () => {
    const id = await newTestset([{ question: 'Which lamp?', answer: 'a' }]);
    const metric = await createMetric(site.api, projectId, {
      name: 'Fresh lamp',
      evalType: 'human',
      outputType: 'boolean',
    });
    await ok(
      site.api('POST', `/testsets/${id}/fresh-testcases/bulk-create`, {
        items: [{ jsonData: { question: 'q', answer: 'a' } }],
      }),
      201,
    );
    const records = [true, false].map((passes, i) => ({
      testcaseId: `${id}-${i + 1}`,
      scores: { [metric.id]: passes },
    }));
    await createRunOf(site.api, projectId, [metric], records, { testsetId: id, fresh: 1 });
    const attributes = { 'input.value': '{"question":"Drawn?","answer":"b"}', 'output.value': 'b' };
    const spans = [{ traceId: newTraceId(), n: 1, ms: Date.now(), attributes }];
    await post(site.app, site.organization.key, requestOf(spans, { 'dokima.project_id': projectId }));
    const { page } = visitor;
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Wear' }).click();
    await page.getByText('100.0 points').waitFor();
    await page.getByText('0 fresh testcases wait for a run, 1 were taken.').waitFor();
    await page.getByRole('button', { name: 'Draw 60 fresh testcases' }).click();
    await page.getByText('"Drawn?"').waitFor();
    await page.getByRole('button', { name: /^Draw \d+ testcases?$/ }).click();
    await page.getByText(/^Drew \d+ fresh testcases?\.$/).waitFor();
    await page.getByText(/^[1-9]\d* fresh testcases? waits? for a run/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('0 fresh testcases wait for a run').waitFor();
  });
});
