import { glob, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../server/test/fixtures.ts';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { blocksOf } from '../../server/test/newcomer/blocks.ts';
import { seedDemo } from '../../server/test/seed-demo.ts';
import { readContents, twinOf } from '../build-guide.ts';
import { passagesOf } from '../build-passages.ts';
import { placeOf } from '../src/shell/help-places.ts';
import { follow, named, sectionOf } from './follow.ts';
import { modelOfTutorial } from './no-code.ts';
import { openSite, type Site, type Visitor } from './site.ts';

const docs = new URL('../../docs/', import.meta.url);
const sections = await readContents();
const pages = sections.flatMap((section) => section.pages.map(({ path }) => path));
const texts = new Map(
  await Promise.all(
    pages.map(async (path) => [path, await readFile(new URL(`${path}.md`, docs), 'utf8')] as const),
  ),
);
const anchors = new Map(
  [...texts].map(([path, text]) => [path, passagesOf(path, text).map(({ anchor }) => anchor)]),
);
const anchorsOf = (path: string): string[] => anchors.get(path)!;

describe('the contents', () => {
  it('name every page of docs once', async () => {
    const files: string[] = [];
    for await (const file of glob('**/*.md', { cwd: docs })) files.push(file.replace(/\.md$/, ''));
    const expected = files.filter((file) => file !== 'README' && !file.startsWith('decisions/'));
    expect(pages.toSorted()).toEqual(expected.toSorted());
  });

  it('have a heading for each link with an anchor', () => {
    const broken: string[] = [];
    for (const [path, text] of texts) {
      for (const [, target, anchor] of text.matchAll(/\]\((?!https?:)([^)#]*\.md)?#([^)]+)\)/g)) {
        const page = target
          ? new URL(target, `file:///${path}`).pathname.slice(1).replace(/\.md$/, '')
          : path;
        if (texts.has(page) && !anchorsOf(page).includes(anchor!))
          broken.push(`${path}: ${target ?? ''}#${anchor}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('have the page that each route names as its help', async () => {
    const source = await readFile(new URL('../src/routes.tsx', import.meta.url), 'utf8');
    const routes = [...source.matchAll(/path: '(\/[^']*)'/g)].map(([, path]) => path!);
    expect(routes).toContain('/gate');
    for (const route of routes.flatMap((path) => [path, `/projects/$projectId${path}`])) {
      const [page = '', anchor] = placeOf(route).split('#');
      expect(pages, route).toContain(page);
      if (anchor) expect(anchorsOf(page), route).toContain(anchor);
    }
  });
});

describe('in a browser', () => {
  let site: Site;
  let visitor: Visitor;

  let models: ModelServer;

  beforeAll(async () => {
    models = await openOpenAiServer();
    models.answer(({ messages }) => ({ reply: /France|Japan/.test(messages[0]!) ? 'Paris' : 'Lima' }));
    site = await openSite({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
    await seedDemo(site.app.db, site.organization);
    const provider = { name: 'ours', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
    await ok(site.api('POST', '/providers', provider), 201);
    visitor = await site.visitor();
  });
  afterAll(() => Promise.all([site.close(), models.close()]));

  it('without a sign-in, a search leads to the part that has the words', async () => {
    const { page, complaints } = visitor;
    await page.goto('/guide');
    await page.getByRole('heading', { name: 'Where to begin', level: 1 }).waitFor();
    await page.getByRole('searchbox', { name: 'Search the guide' }).fill('what is a metric?');
    await page
      .getByRole('region', { name: 'Results' })
      .getByRole('link', { name: /^Metric Concepts/ })
      .click();
    await page.waitForURL('**/guide/concepts#metric');
    await expect.poll(() => page.locator('#metric').boundingBox()).toMatchObject({ y: expect.any(Number) });
    expect((await page.locator('#metric').boundingBox())!.y).toBeLessThan(100);
    expect(complaints).toEqual([]);
  });

  it('a link between pages stays in the guide, and each page says what comes before and after it', async () => {
    const { page } = visitor;
    await page.goto('/guide/concepts');
    await page.getByRole('article').getByRole('link', { name: 'reviews' }).first().click();
    await page.waitForURL('**/guide/reviews');
    await page.getByRole('navigation', { name: 'Neighbours' }).getByRole('link').first().click();
    await page.waitForURL(`**/guide/${pages[pages.indexOf('reviews') - 1]}`);
  });

  it('the help of a page opens its place in the guide', async () => {
    const { page } = await site.member('admin');
    await page.goto('/settings/providers');
    const help = page.getByRole('link', { name: 'Help for this page' });
    expect(await help.getAttribute('href')).toBe(`/guide/${placeOf('/settings/providers')}`);
  });

  it('each page has a twin in Markdown, and llms.txt lists them', async () => {
    const read = async (path: string) => {
      const answer = await fetch(`${site.url}${path}`);
      const { status, headers } = answer;
      return { status, type: headers.get('content-type'), text: await answer.text() };
    };
    const list = await read('/llms.txt');
    const links = new Set<string>();
    for (const path of pages) {
      expect(list.text).toContain(`(/guide/${path}.md)`);
      const twin = await read(`/guide/${path}.md`);
      expect(twin.type).toMatch(/^text\/markdown/);
      const known = new Set(pages);
      expect(twin.text).toBe(twinOf(path, texts.get(path)!, known));
      // Each link of a twin leads to something.
      for (const [, target] of twin.text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s#]+)/g)) {
        const url = new URL(target!, `${site.url}/guide/${path}.md`);
        if (url.origin === site.url) links.add(url.pathname);
      }
    }
    const resources = [...list.text.matchAll(/\((\/guide\/api\/[\w-]+\.md)\)/g)].map(([, link]) => link!);
    expect(resources.length).toBeGreaterThan(20);
    for (const link of [...links, ...resources, '/skill.md', '/llms-full.txt'])
      expect([link, (await read(link)).status]).toEqual([link, 200]);
    const reference = (await Promise.all(resources.map(read))).map(({ text }) => text).join('\n');
    const numOperations = Object.values(JSON.parse((await read('/openapi.json')).text).paths).flatMap(
      (methods) => Object.keys(methods as object),
    ).length;
    expect(reference.match(/^## \w+$/gm)).toHaveLength(numOperations);
    expect(reference).toContain('`POST /api/v2/projects/{projectId}/metrics` · Python `create_metric`');
    // A program that asks for the page as a browser does, but takes no HTML in particular.
    expect(await read('/guide')).toEqual(list);
    expect((await read('/guide/coming-from/atif?a=b')).text).toContain(
      texts.get('coming-from/atif')!.slice(0, 200),
    );
    expect((await read('/guide/no-such-page')).status).toBe(404);
  });

  it('a page that does not exist is said', async () => {
    const { page } = visitor;
    await page.goto('/guide/no-such-page');
    await page.getByText('The guide has no such page.').waitFor();
  });

  describe('a reader who does what a page says', () => {
    let reader: Visitor;
    beforeAll(async () => {
      reader = await site.member('admin');
      await reader.page.goto('/projects');
    });
    const textOf = (path: string, heading: string) => sectionOf(texts.get(path)!, heading);
    /** The menu keeps the project of before until the other one is open. */
    const openDemo = async (press: () => Promise<void>) => {
      await press();
      await reader.page.getByRole('heading', { name: 'Demo: refund mails', level: 1 }).waitFor();
    };
    const tickBoth = async () => {
      const { page } = reader;
      await page.getByRole('checkbox', { name: 'Choose run 1' }).check();
      await page.getByRole('checkbox', { name: 'Choose run 2' }).check();
    };

    it('sees in the demo what the first tutorial says', async () => {
      const { page } = reader;
      await follow(page, textOf('tutorial-first-result', '1. Look at the demo'), {
        'Compare 2 runs': async (press) => {
          await tickBoth();
          await press();
        },
        '14 changed': async () => {
          const line = page.getByRole('row', { name: /^Amount / });
          await line.getByText('Better', { exact: true }).waitFor();
          // The verdict in words, and what it rests on, is the row below.
          const below = line.locator('xpath=following-sibling::tr[1]');
          await below.getByRole('button', { name: '14 changed' }).click();
        },
      });
      await page.getByRole('button', { name: 'Worse 2', pressed: true }).waitFor();
      const cards = (change: string) => page.getByRole('button', { name: new RegExp(`^${change} 1-`) });
      await expect.poll(() => cards('▲ better').count()).toBe(0);
      await expect.poll(() => cards('▼ worse').count()).toBe(2);
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      const first = cards('▼ worse').first();
      await expect.poll(() => first.getAttribute('aria-expanded')).toBe('true');
      expect(await page.getByRole('cell', { name: 'Better', exact: true }).count()).toBe(3);
      await page.getByText('1 metric not compared', { exact: true }).click();
      await page
        .getByRole('listitem')
        .filter({ hasText: /^Would you send it\?: ./ })
        .waitFor();
    });

    it('gets the own result of the first tutorial without code', async () => {
      const { page } = reader;
      const section = textOf('tutorial-first-result', '2. Your own result, without code');
      const [, steps = ''] = section.split(/^(?=1\. |```csv)/m);
      const [csv] = blocksOf('', section);
      const codes = [...steps.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
      await follow(page, steps, {
        'All projects': async (press) => {
          await page.getByRole('button', { name: /^Project: Demo/ }).click();
          await press();
        },
        'Create project': async (press) => {
          await page.getByLabel('Name', { exact: true }).fill(codes[0]!);
          await press();
          await page.getByRole('heading', { name: codes[0]!, level: 1 }).waitFor();
        },
        'A prompt': async (press) => {
          await press();
          await page.getByRole('textbox', { name: 'Paste here' }).fill(csv!.text);
          expect(await page.getByLabel('Use of answer').inputValue()).toBe('expected');
        },
        Model: () => page.getByLabel('Model', { exact: true }).fill('ours/any'),
        Prompt: () => page.getByRole('textbox', { name: 'Prompt' }).fill(codes[1]!),
      });
      await page.getByRole('region', { name: 'Result' }).getByText('66.7 %').waitFor();
      await page.getByRole('link', { name: 'Read the 1 failure' }).waitFor();
    });

    it('goes from a prompt to a decision without code', async () => {
      const page = reader.page;
      const path = 'tutorial-no-code';
      const codesOf = (section: string) => [...section.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
      const fill = (label: string, text: string) => () =>
        page.getByLabel(label, { exact: true }).last().fill(text);
      models.answer(modelOfTutorial);
      await ok(site.api('PATCH', '/organization', { judgeModelName: 'ours/any' }));

      const first = textOf(path, '1. Two versions of a prompt');
      const [name, message, added, mail, prompt, short, , next] = codesOf(first);
      const dialog = page.getByRole('dialog', { name: 'Save version' });
      const saves = [
        async () => {
          await dialog.getByLabel('Name of the prompt').fill(prompt!);
          await dialog.getByLabel('Name of the version').fill(short!);
        },
        async () => {
          await dialog.getByLabel('Prompt', { exact: true }).selectOption(prompt!);
          await dialog.getByLabel('Name of the version').fill(next!);
        },
      ];
      await page.goto('/projects/1');
      await follow(page, first, {
        'All projects': async (press) => {
          await page.getByRole('button', { name: /^Project: / }).click();
          await press();
        },
        'Create project': async (press) => {
          await page.getByLabel('Name', { exact: true }).fill(name!);
          await press();
          await page.getByRole('heading', { name: name!, level: 1 }).waitFor();
        },
        'Model of A': fill('Model of A', 'ours/any'),
        'Message 1': fill('Message 1', message!),
        'Copy variant A': async (press) => {
          await press();
          const b = page.getByRole('region', { name: 'Variant B' });
          await b.getByLabel('Message 1', { exact: true }).fill(`${message} ${added}`);
        },
        'inputs.mail': fill('inputs.mail', mail!),
        'Ask 2 variants about 1 example': async (press) => {
          await page.getByText(/^One example shows no difference/).waitFor();
          await press();
          await page.getByText('by tomorrow evening').waitFor();
        },
        'Save version': async () => {
          const isFirst = saves.length === 2;
          const card = page.getByRole('region', { name: `Variant ${isFirst ? 'A' : 'B'}` });
          await card.getByRole('button', { name: 'Save version' }).click();
          await saves.shift()!();
          await dialog.getByRole('button', { name: 'Save version' }).click();
          await card.getByRole('button', { name: 'Saved' }).waitFor();
        },
      });

      const second = textOf(path, '2. Thirty testcases');
      await follow(page, second, {
        'Import 5 testcases': async (press) => {
          await page.getByRole('textbox', { name: 'Paste here' }).fill(blocksOf('', second)[0]!.text);
          await press();
          await page.waitForURL(/testsets\/\d+$/);
        },
        'Write with a model': async (press) => {
          await press();
          await page.getByLabel('What they should be about').fill(codesOf(second)[0]!);
        },
        Number: fill('Number', '25'),
        Discard: () => page.getByRole('button', { name: 'Discard', exact: true }).first().waitFor(),
      });
      await page.getByRole('heading', { name: '25 testcases added' }).waitFor();
      const testsetId = /testsets\/(\d+)/.exec(page.url())![1];
      const all = await ok(site.api('GET', `/testsets/${testsetId}/testcases?limit=100`));
      expect(all.data).toHaveLength(30);

      const third = textOf(path, '3. A judge');
      const [metric, guidelines] = codesOf(third);
      await follow(page, third, {
        'New metric': async (press) => {
          await press();
          await page.getByLabel('Name', { exact: true }).fill(metric!);
        },
        Guidelines: fill('Guidelines', guidelines!),
        'Create metric': async (press) => {
          await press();
          await page.waitForURL(/metrics\/\d+$/);
        },
      });

      await follow(page, textOf(path, '4. Run both versions'), {
        Examples: async () => {
          await page.getByLabel('Examples').selectOption('Pasted testcases');
          await page.getByRole('checkbox', { name: metric! }).check();
        },
      });
      await page.waitForURL(/\/compare\?runs=/);
      await page.getByText('Better', { exact: true }).first().waitFor();
      const runIds = new URL(page.url()).searchParams.get('runs')!.split(',');
      const line = page.getByRole('row', { name: new RegExp(`^${metric} `) });
      await line.getByText('Better', { exact: true }).waitFor();

      await follow(page, textOf(path, '5. Can the judge be trusted?'), {
        'Draw 40 records of runs 4 and 3 and label them': async () => {
          await page.getByRole('heading', { name: 'Unusable: not validated yet' }).waitFor();
          const [before, after] = runIds;
          const name = `Draw 40 records of runs ${after} and ${before} and label them`;
          await page.getByRole('button', { name }).click();
          for (let left = 40; left > 0; left--) {
            const record = page.getByRole('article');
            const label = (await record.getAttribute('aria-label'))!;
            await page.keyboard.press((await record.innerText()).includes('by tomorrow') ? 'p' : 'f');
            await page.keyboard.press('Enter');
            await page.getByRole('article', { name: label, exact: true }).waitFor({ state: 'detached' });
          }
        },
        Sensitivity: () =>
          page
            .getByRole('row', { name: /^Sensitivity/ })
            .first()
            .waitFor(),
        Specificity: () =>
          page
            .getByRole('row', { name: /^Specificity/ })
            .first()
            .waitFor(),
      });
      await page.getByRole('list', { name: 'Disagreements' }).getByRole('listitem').first().waitFor();

      await follow(page, textOf(path, '6. Decide'), {
        'Compare 2 runs': async (press) => {
          for (const id of runIds) await page.getByRole('checkbox', { name: `Choose run ${id}` }).check();
          await press();
        },
        corrected: () =>
          page
            .getByRole('link', { name: /^corrected/ })
            .first()
            .waitFor(),
      });
      await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor();

      await follow(page, textOf(path, '7. Promote'), {
        [next!]: () => page.getByRole('button', { name: new RegExp(`^${next} `) }).click(),
        'Promote to production': async (press) => {
          await page.getByText(`get ${next} instead of ${short}`).waitFor();
          await press();
        },
      });
      await page.getByRole('button', { name: `${next} production latest` }).waitFor();
    });

    it('reviews as an annotator, whose menu has nothing else', async () => {
      const { page, complaints } = await site.member('annotator');
      await page.goto('/projects');
      const waiting = (n: number) => page.getByText(`${n} records waiting`).waitFor();
      await follow(page, textOf('reviewing', 'Your first review'), {
        Queue: async (press) => {
          await press();
          await waiting(80);
        },
        Guidelines: () => page.getByText('Guidelines').waitFor(),
        'Reason (optional)': () => page.getByLabel('Reason (optional)').fill('It does not say sorry.'),
        'Submit & next': async (press) => {
          await press();
          await waiting(79);
        },
      });
      await follow(page, textOf('reviewing', 'When you are not sure'), {
        Undo: async (press) => {
          await press();
          await waiting(80);
          await page.getByRole('button', { name: 'Fail', pressed: true }).waitFor();
          expect(await page.getByLabel('Reason (optional)').inputValue()).toBe('It does not say sorry.');
        },
      });
      await page.getByRole('article', { name: 'Record 1-2' }).waitFor();
      expect(complaints).toEqual([]);
    });

    it('finds on each page what the tour says', async () => {
      const { page, complaints } = reader;
      const tour = (heading: string, instead?: Parameters<typeof follow>[2]) =>
        follow(page, textOf('tutorial-pages', heading), instead);
      const shown = (words: string) => () => named(page, words).waitFor();
      await page.goto('/projects');
      await tour('Before you begin', {
        'Demo: refund mails': openDemo,
        '?': () => page.getByRole('link', { name: 'Help for this page' }).waitFor(),
      });
      await tour('Home');
      await page.getByRole('heading', { name: 'Your review queue' }).waitFor();
      await tour('Runs', {
        'Compare 2 runs': async () => {
          await tickBoth();
          await named(page, 'Compare 2 runs').waitFor();
        },
      });
      await page.getByRole('link', { name: /^Run 2 / }).click();
      await tour('A run', { Failures: shown('Failures'), 'Run again': shown('Run again') });
      await tour('Compare', {
        'Compare 2 runs': async (press) => {
          await tickBoth();
          await press();
        },
      });
      await tour('A record', { 'Add to testset': shown('Add to testset') });
      await page.getByRole('region', { name: 'Outputs' }).waitFor();
      await page.getByRole('button', { name: 'Thumbs up' }).waitFor();
      await tour('Review');
      for (const key of ['Pass p', 'Fail f', 'Submit & next Enter'])
        await page.getByRole('button', { name: key }).waitFor();
      await tour('Testsets', { Import: shown('Import') });
      await tour('A new metric', { 'Try the judge': shown('Try the judge') });
      await tour('And the rest');
      expect(complaints).toEqual([]);
    });
  });
});
