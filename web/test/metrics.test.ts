// Longer than 400 lines: one page, in everything that people do there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestset,
  ok,
} from '../../server/test/fixtures.ts';
import { photograph } from './screens/look.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;
let projectId: string;
let recordId: string;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
  projectId = (await createProject(site.api)).id;
  const run = await createRun(site.api, projectId, []);
  const fields = {
    inputs: { question: 'Where?', nested: { a: 1 } },
    expected: { answer: 'Paris' },
    outputs: { answer: 'Paris, I think' },
  };
  recordId = (await createRecord(site.api, run.id, fields)).id;
});
afterAll(() => site.close());

const judge = (fields: Record<string, unknown> = {}) =>
  createMetric(site.api, projectId, {
    name: 'Right',
    evalType: 'ai',
    outputType: 'int',
    evalModelName: 'fake/judge',
    promptTemplate: 'Is {{ outputs.answer }} right?',
    ...fields,
  });
const go = async (metricId: string) => {
  const { page } = visitor;
  await page.goto(`/projects/${projectId}/metrics/${metricId}`);
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  return page;
};
const type = async (name: string, text: string) => {
  const { page } = visitor;
  await page.getByRole('textbox', { name }).click();
  await page.keyboard.press('Control+a');
  // CodeMirror closes brackets as they are typed; pasting does not.
  await page.keyboard.insertText(text);
};

describe('the editor of a metric', () => {
  it('asks the judge about a record as the form stands: verdict, prompt, tokens and cost, and saves nothing', async () => {
    const metric = await judge();
    const page = await go(metric.id);
    await type('Prompt', 'Is it {{ outputs.answer }} or {{ expected.answer }}?');
    // Until there is a record to try it on, there is nothing to ask about.
    await page.getByRole('button', { name: 'Try the judge' }).and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('Control+Enter');
    const prompt = page.getByRole('region', { name: 'Prompt as sent' });
    await prompt.getByText(/Paris, I think/).waitFor();
    await page.getByRole('region', { name: 'Raw reply' }).waitFor();
    for (const fact of ['Tokens', 'Cost', 'Latency']) await page.getByText(fact, { exact: true }).waitFor();
    expect((await ok(site.api('GET', `/metrics/${metric.id}`))).promptTemplate).toBe(
      'Is {{ outputs.answer }} right?',
    );
    await type('Prompt', 'Something else');
    await page.getByText('The form has changed since this result').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('runs code by itself as it is written, and says what is wrong with it', async () => {
    const metric = await createMetric(site.api, projectId, {
      name: 'Same',
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: 'function score() { return { score: false, reasoning: "not yet" }; }',
    });
    const page = await go(metric.id);
    await page.getByText('not yet', { exact: true }).waitFor();
    await type(
      'Code',
      'function score(inputs, outputs) { return { score: true, reasoning: outputs.answer }; }',
    );
    await page.getByText('Paris, I think', { exact: true }).first().waitFor();
    await page.getByLabel('passes').waitFor();
    await type('Code', 'function score(inputs, { throw }');
    await page.getByRole('alert').first().waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('tries a metric on a record written by hand before there is any, and has it still after a reload', async () => {
    const { page } = visitor;
    const { id } = await createProject(site.api);
    const logic =
      'function score(inputs, outputs, expected) { return { score: outputs.a === expected.a, reasoning: "asked " + inputs.q }; }';
    const metric = await createMetric(site.api, id, {
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: logic,
    });
    await page.goto(`/projects/${id}/metrics/${metric.id}`);
    const written = page.getByRole('textbox', { name: 'Record as JSON' });
    await written.getByText('"expected"').waitFor();
    await type(
      'Record as JSON',
      '{"inputs": {"q": "where"}, "expected": {"a": 1}, "outputs": {"a": 1}, "id": "4-2"}',
    );
    await page.getByText('asked where', { exact: true }).waitFor();
    await page.getByLabel('passes').waitFor();
    await page.reload();
    await written.getByText('"where"').waitFor();
    await type('Record as JSON', '{"inputs": ');
    await page.getByRole('alert').filter({ hasText: /JSON/ }).waitFor();
    await type('Record as JSON', '{"question": 1}');
    await page.getByRole('alert').filter({ hasText: 'inputs, expected and outputs' }).waitFor();
    await page.getByRole('button', { name: 'Reset the record' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('changes a copy of a record by hand, and asks about every digit of it', async () => {
    const page = await go(
      (await judge({ promptTemplate: 'Order {{ inputs.order }}: {{ outputs.answer }}?' })).id,
    );
    await page.getByLabel('Record', { exact: true }).selectOption('Your own record');
    await page.getByRole('textbox', { name: 'Record as JSON' }).getByText('"Paris, I think"').waitFor();
    await type(
      'Record as JSON',
      '{"inputs": {"order": [12345678901234567890, 1.10]}, "outputs": {"answer": "Lyon"}}',
    );
    await page.getByRole('button', { name: 'Try the judge' }).click();
    const prompt = page.getByRole('region', { name: 'Prompt as sent' });
    await prompt.getByText(/12345678901234567890,\s*1\.10\b/).waitFor();
    await prompt.getByText(/Lyon/).waitFor();
    await page.getByRole('button', { name: 'Reset the record' }).click();
    await page.getByLabel('Record', { exact: true }).selectOption(recordId);
  });

  it('copies a record to be written by hand with every digit of its integers, and asks about them', async () => {
    const { page } = visitor;
    const project = await createProject(site.api);
    const run = await createRun(site.api, project.id, []);
    // The first integer that a number can't tell from its neighbour, and one that a number would show as 1.2e19.
    const raw =
      '{"inputs":{"small":9007199254740993,"large":[-12345678901234567890]},"expected":{},"outputs":{"answer":1}}';
    const path = `/runs/${run.id}/records`;
    await ok(site.api('POST', path, undefined, { raw }), 201);
    const metric = await createMetric(site.api, project.id, {
      evalType: 'ai',
      outputType: 'int',
      evalModelName: 'fake/judge',
      promptTemplate: 'Orders {{ inputs.small }} and {{ inputs.large[0] }}?',
    });
    await page.goto(`/projects/${project.id}/metrics/${metric.id}`);
    await page.getByLabel('Record', { exact: true }).selectOption('Your own record');
    const written = page.getByRole('textbox', { name: 'Record as JSON' });
    await written.getByText('9007199254740993').waitFor();
    await written.getByText('-12345678901234567890').waitFor();
    await page.getByRole('button', { name: 'Try the judge' }).click();
    const prompt = page.getByRole('region', { name: 'Prompt as sent' });
    await prompt.getByText(/9007199254740993/).waitFor();
    await prompt.getByText(/-12345678901234567890/).waitFor();
  });

  it('offers the fields of real records between {{ and }}', async () => {
    const page = await go((await judge()).id);
    await page.getByRole('textbox', { name: 'Prompt' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' {{ inp');
    await page.getByRole('listbox').getByRole('option', { name: 'inputs.question' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('offers them too when they come after the braces, and leaves what is being written alone', async () => {
    const { page } = visitor;
    const metric = await judge();
    const { promise: written, resolve: isWritten } = Promise.withResolvers<void>();
    await page.route(`**/projects/${projectId}/records?*`, async (route) => {
      await written;
      await route.continue();
    });
    await go(metric.id);
    const prompt = page.getByRole('textbox', { name: 'Prompt' });
    await prompt.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' {{ inp');
    isWritten();
    await page.getByRole('listbox').getByRole('option', { name: 'inputs.question' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('uts');
    await prompt.getByText(/right\? \{\{ inputs/).waitFor();
    await page.unroute(`**/projects/${projectId}/records?*`);
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('keeps what is not saved over a reload, until it is saved or discarded', async () => {
    const metric = await judge();
    const page = await go(metric.id);
    await page.getByLabel('Name').fill('Half done');
    await page.reload();
    const name = page.getByLabel('Name');
    await name.waitFor();
    expect(await name.inputValue()).toBe('Half done');
    await page.getByText('Unsaved draft, kept in this browser').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await name.inputValue()).toBe('Right');
    await page.reload();
    await name.waitFor();
    expect(await name.inputValue()).toBe('Right');
  });

  it('compares any two of its configurations', async () => {
    const metric = await judge();
    for (const promptTemplate of ['Second {{ allOutputs }}', 'Third {{ allOutputs }}'])
      await ok(
        site.api('PATCH', `/metrics/${metric.id}`, { evalType: 'ai', outputType: 'int', promptTemplate }),
      );
    const page = await go(metric.id);
    const from = page.getByLabel('Compare', { exact: true });
    await from.waitFor();
    await from.selectOption({ index: 3 });
    await page.getByRole('insertion').filter({ hasText: 'Third' }).waitFor();
    await page.getByLabel('with', { exact: true }).selectOption({ index: 1 });
    await page.getByRole('insertion').filter({ hasText: 'Second' }).waitFor();
  });

  it('chooses the human metric that a judge is held against', async () => {
    const metric = await judge();
    const body = {
      name: 'Expert panel',
      evalType: 'human',
      outputType: 'int',
      guidelines: 'Another question.',
    };
    const people = await ok(site.api('POST', `/projects/${projectId}/metrics`, body), 201);
    const page = await go(metric.id);
    await page.getByLabel('Held against').selectOption('Expert panel');
    await page.getByText(`is now compared with Expert panel.`).waitFor();
    expect(await ok(site.api('GET', `/metrics/${metric.id}/settings`))).toMatchObject({
      peopleMetricId: people.id,
    });
  });

  it('sets how often a judge is asked, and how many people', async () => {
    const metric = await judge();
    const page = await go(metric.id);
    await page.getByLabel('Judge samples').selectOption('3');
    await page.getByText('Saved as a new configuration.').waitFor();
    expect(await ok(site.api('GET', `/metrics/${metric.id}/settings`))).toMatchObject({
      judgeRepeats: 3,
      juryModelNames: [],
    });
    // A jury is tried before it is saved.
    await page.getByLabel('Jury').fill('fake/second\nfake/third');
    await page.getByRole('button', { name: 'Try the judge' }).click();
    const said = page.getByRole('list', { name: 'Models of the jury' }).getByRole('listitem');
    await expect.poll(() => said.count()).toBe(3);
    await said.filter({ hasText: /^fake\/third: [1-5]/ }).waitFor();
    await said.first().scrollIntoViewIfNeeded();
    await photograph(page, 'light', 'jury-preview');
    await page.getByRole('button', { name: 'Save the jury' }).click();
    await expect
      .poll(() => ok(site.api('GET', `/metrics/${metric.id}/settings`)))
      .toMatchObject({ juryModelNames: ['fake/second', 'fake/third'] });
    const human = await createMetric(site.api, projectId, { evalType: 'human', outputType: 'boolean' });
    await go(human.id);
    await page.getByLabel('Reviewers per record').selectOption('2');
    await page.getByLabel('Score that counts').selectOption('majority');
    // The rule stands at the field that breaks it.
    await page.getByText(/even number of reviewers/).waitFor();
    await page.getByLabel('Reviewers per record').selectOption('3');
    await expect
      .poll(() => ok(site.api('GET', `/metrics/${human.id}/settings`)))
      .toMatchObject({ numReviewers: 3 });
  });
});

it('no page has complained', () => {
  expect(recordId).toBeTruthy();
  expect(visitor.complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
});

it('metrics and testsets that others create, rename and delete change in the lists without a reload', async () => {
  const { page } = visitor;
  for (const [resource, create, kind] of [
    ['metrics', () => judge({ name: 'Made elsewhere' }), { evalType: 'ai', outputType: 'int' }],
    ['testsets', () => createTestset(site.api, projectId, { name: 'Made elsewhere' }), {}],
  ] as const) {
    await page.goto(`/projects/${projectId}/${resource}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const { id } = await create();
    await page.getByRole('link', { name: 'Made elsewhere' }).waitFor();
    await ok(site.api('PATCH', `/${resource}/${id}`, { ...kind, name: 'Renamed elsewhere' }));
    await page.getByRole('link', { name: 'Renamed elsewhere' }).waitFor();
    await ok(site.api('DELETE', `/${resource}/${id}`));
    await page.getByRole('link', { name: 'Renamed elsewhere' }).waitFor({ state: 'hidden' });
  }
});

it('a run that others start appears in the list of runs without a reload', async () => {
  const { page } = visitor;
  await page.goto(`/projects/${projectId}/runs`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await createRun(site.api, projectId, [], { name: 'Started elsewhere' });
  await page.getByRole('link', { name: 'Started elsewhere' }).waitFor();
});

it('the lists of testsets and metrics show the count, the last result with its run, the trend and the use, and are searched', async () => {
  const project = await createProject(site.api);
  const testset = await createTestset(site.api, project.id, { name: 'Mails' });
  const metric = await createMetric(site.api, project.id, {
    name: 'Polite',
    evalType: 'human',
    outputType: 'boolean',
  });
  const { page } = visitor;
  await page.goto(`/projects/${project.id}/testsets`);
  await page.getByRole('row', { name: /Mails Testcases 0 Last result No run yet/ }).waitFor();
  const scored = async (passes: boolean[]) => {
    const run = await createRun(site.api, project.id, [metric.id], { testsetId: testset.id });
    for (const [i, binaryScore] of passes.entries()) {
      const record = await createRecord(site.api, run.id, { inputs: { q: i } });
      await ok(
        site.api('PUT', `/records/${record.id}/scores/${run.metricVersionIds[0]}`, {
          score: { binaryScore },
        }),
      );
    }
    return run;
  };
  await scored([true, false]);
  const run = await scored([true, true, true, false]);
  await page.goto(`/projects/${project.id}/testsets`);
  await page
    .getByRole('row', { name: new RegExp(`Mails Testcases 0 Last result Polite 75.0 %.*Run ${run.id}`) })
    .waitFor();
  await page.getByRole('link', { name: 'Mails' }).click();
  await page.getByText('75.0 % pass Polite').waitFor();
  await page.goto(`/projects/${project.id}/metrics`);
  const row = page.getByRole('row', { name: new RegExp(`Polite.*75.0 %.*Run ${run.id}.*2 runs`) });
  await row.getByRole('img', { name: 'Polite in the last 2 runs: 50.0 %, 75.0 %' }).waitFor();
  expect(await page.getByRole('searchbox').count()).toBe(0);
  for (const name of ['Short', 'Kind', '<b>bold</b>', 'طويل', 'Right ✅', 'Fast', 'Long'])
    await createMetric(site.api, project.id, { name, evalType: 'human', outputType: 'boolean' });
  const search = page.getByRole('searchbox', { name: 'Find a metric' });
  await search.fill('طويل');
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await search.fill('polite no');
  await page.getByText('No metric has these words').waitFor();
});

describe('metric groups', () => {
  it('are made on the page of metrics, and choose the metrics of a new run', async () => {
    const project = await createProject(site.api);
    for (const name of ['Fast', 'Right', 'Kind'])
      await createMetric(site.api, project.id, { name, evalType: 'human', outputType: 'boolean' });
    const { page } = visitor;
    await page.goto(`/projects/${project.id}/metrics`);
    await page.getByText('Groups of metrics').click();
    await page.getByRole('button', { name: 'New group' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Release');
    await dialog.getByRole('checkbox', { name: 'Right' }).check();
    await dialog.getByRole('checkbox', { name: 'Kind' }).check();
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('row', { name: /Release.*Right, Kind/ }).waitFor();
    await page.goto(`/projects/${project.id}/runs/new`);
    await page.getByText('3 of 3 chosen').waitFor();
    await page.getByRole('button', { name: 'Group' }).click();
    await page.getByRole('menuitem', { name: 'Release' }).click();
    await page.getByText('2 of 3 chosen').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Fast' }).isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Start run' }).click();
    await page.waitForURL(/runs\/\d+$/);
    const { data } = await ok(site.api('GET', `/projects/${project.id}/runs`));
    const groups = (await ok(site.api('GET', `/projects/${project.id}/metric-groups`))).data;
    expect(data[0].metricIds.toSorted()).toEqual(groups[0].metricIds.toSorted());
  });
});

describe('a metric from the library', () => {
  it('has a choice of the fields of real records, and warns of a field that no record has', async () => {
    const project = await createProject(site.api);
    const run = await createRun(site.api, project.id, []);
    const items = ['a', 'b'].map((reply) => ({
      inputs: { q: 1 },
      expected: { answer: 'a' },
      outputs: { reply },
    }));
    await ok(site.api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    const { page } = visitor;
    // Ready, it reads the field that the records have. As it is stored here, it reads one that none has.
    await page.goto(`/projects/${project.id}/metrics/ready`);
    await page.getByRole('button', { name: /^Exact match.*Fits your records/ }).click();
    await page.getByText('Expected "a", got "b".').waitFor();
    const { data: templates } = await ok(site.api('GET', '/metric-templates'));
    const { metric: stored } = templates.find(({ id }: { id: string }) => id === 'exact-match');
    const { id } = await ok(site.api('POST', `/projects/${project.id}/metrics`, stored), 201);
    await page.goto(`/projects/${project.id}/metrics/${id}`);
    const warning = page
      .getByRole('alert')
      .filter({ hasText: 'None of the latest 2 records has outputs.answer.' });
    await warning.waitFor();
    await page.getByText('The record lacks outputs.answer').waitFor();
    await page.getByLabel('expected.answer', { exact: true }).waitFor();
    await page.getByText('2 of 2 records have this field.').waitFor();
    await page.getByLabel('outputs.answer', { exact: true }).selectOption('outputs.reply');
    await warning.waitFor({ state: 'detached' });
    await page.getByText('Expected "a", got "b".').waitFor();
    await page.getByText('Read as code in TypeScript or JavaScript.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Existing runs').waitFor();
    const [metric] = (await ok(site.api('GET', `/projects/${project.id}/metrics`))).data;
    expect(metric.guidelines).toContain('const got = outputs.reply;');
  });

  it('says that prose is not code', async () => {
    const metric = await createMetric(site.api, projectId, {
      name: 'By a client',
      evalType: 'heuristic',
      outputType: 'boolean',
      guidelines: 'A client scores this.',
    });
    const page = await go(metric.id);
    await page.getByText('This is prose, not code').waitFor();
  });
});
