import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, ok } from '../../server/test/fixtures.ts';
import { type Client, startApp, type TestApp } from '../../server/test/harness.ts';
import { openOpenAiServer } from '../../server/test/model-server.ts';

/** DOKIMA_TEST_PYTHON names a Python with the package. Default: python3. */
const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';

const hasClient = (): boolean => {
  try {
    execFileSync(python, ['-c', 'import scorecard_ai'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(!hasClient())(
  'the public Python client (skipped if `python3 -c "import scorecard_ai"` fails)',
  () => {
    let app: TestApp;
    let environment: NodeJS.ProcessEnv;

    const run = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)(python, args, { env: environment })).stdout;

    beforeAll(async () => {
      app = await startApp();
      const { key } = await app.organization();
      const url = await app.url();
      environment = { ...process.env, SCORECARD_BASE_URL: `${url}/api/v2`, SCORECARD_API_KEY: key };
    });
    afterAll(() => app.close());

    it('calls every method that it has for this API, and every answer fits its types', async () => {
      const output = await run(fileURLToPath(new URL('every_method.py', import.meta.url)));
      expect(output).toMatch(/Every method of scorecard-ai .* in .* s\n$/);
    });

    it('what a newcomer tries first: two AI metrics, a correction, a second run, a comparison', async () => {
      const models = await openOpenAiServer();
      models.answer(({ messages: [prompt = ''] }) => {
        const greets = /Message: <[^>]+>Hello/.test(prompt);
        if (prompt.includes('How polite')) return { reply: { reasoning: '.', intScore: greets ? 5 : 3 } };
        const named = prompt.includes('must address no one') ? !greets : greets;
        return { reply: { reasoning: '.', binaryScore: named } };
      });
      const judging = await startApp({ DOKIMA_WORKERS: '1', DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true' });
      const { api, key } = await judging.organization();
      const provider = { name: 'ours', kind: 'openai-compatible', baseUrl: models.url, apiKey: 'k' };
      await ok(api('POST', '/providers', provider), 201);
      const { stdout } = await promisify(execFile)(
        python,
        [fileURLToPath(new URL('quickstart.py', import.meta.url))],
        {
          env: {
            ...process.env,
            SCORECARD_BASE_URL: `${await judging.url()}/api/v2`,
            SCORECARD_API_KEY: key,
            JUDGE_MODEL: 'ours/judge',
          },
        },
      );
      const { statuses, before, after, comparison } = JSON.parse(stdout);
      const prompts = models.received.map(({ messages: [prompt = ''] }) =>
        prompt.replace(/<\/?untrusted-\w+>/g, ''),
      );
      await Promise.all([judging.close(), models.close()]);

      expect(statuses).toEqual(['completed', 'completed']);
      const valuesOf = (scores: Record<string, unknown>[][], field: string, metric: number) =>
        scores[metric]!.map((score) => score[field]);
      expect(valuesOf(before, 'intScore', 0)).toEqual([3, 3]);
      expect(valuesOf(before, 'binaryScore', 1)).toEqual([false, true]);
      expect(valuesOf(after, 'intScore', 0)).toEqual([5, 5]);
      expect(valuesOf(after, 'binaryScore', 1)).toEqual([true, false]);
      expect(new Set(valuesOf(before, 'by', 0))).toEqual(new Set(['background-job']));
      // The member's correction is an example for the other testcase of the second run, after the guidelines.
      const taught = prompts.filter((prompt) => prompt.includes('Score: 2\nReasoning: It has no greeting.'));
      expect(taught).toHaveLength(1);
      expect(taught[0]).toMatch(/A greeting counts as polite\.\n\nExamples that people scored:/);
      expect(comparison.runs).toHaveLength(2);
      const [{ metrics }] = comparison.pairs;
      expect(metrics.map((metric: { metricName: string }) => metric.metricName).sort()).toEqual([
        'Recipient',
        'Tone',
      ]);
    });

    describe('compared with a document', () => {
      const script = fileURLToPath(new URL('compare_with_openapi.py', import.meta.url));
      const read = async (path: string) =>
        JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8'));

      it.each(['openapi.json', 'server/test/contract/openapi.json'])(
        'it has no method and no field that differs from %s',
        async (path) => {
          const document = fileURLToPath(new URL(`../../${path}`, import.meta.url));
          expect(await run(script, document)).toMatch(
            /: 48 methods, 48 operations, .* 0 unknown differences/,
          );
        },
      );

      it('each kind of difference is found, and the exit status is 1', async () => {
        const document = await read('openapi.json');
        const { schemas } = document.components;
        delete schemas.Score.properties.userId;
        schemas.Testset.required = schemas.Testset.required.filter((name: string) => name !== 'jsonSchema');
        schemas.Run.properties.numRecords.type = ['number', 'null'];
        delete document.paths['/api/v2/metric-groups/{metricGroupId}'].get;
        const body = document.paths['/api/v2/projects'].post.requestBody.content['application/json'].schema;
        body.properties.owner = { type: 'string' };
        body.required.push('owner');
        const directory = await mkdtemp(join(tmpdir(), 'dokima-contract-'));
        const changed = join(directory, 'openapi.json');
        await writeFile(changed, JSON.stringify(document));
        const failed = await run(script, changed).catch((error) => error);
        await rm(directory, { recursive: true });
        expect(failed.code).toBe(1);
        for (const difference of [
          'scores.upsert answer.userId: missing in the document',
          'testsets.get answer.jsonSchema: required by the client, optional in the document',
          "runs.get answer.numRecords: null is answered, ['number'] expected",
          'metric_groups.get: the document has no GET /metric-groups/SAMPLE-metric_group_id',
          'projects.create body.owner: unknown to the client, required by the document',
        ]) {
          expect(failed.stdout.split('\n')).toContain(difference);
        }
      });
    });
  },
);

describe('the client of this repository', () => {
  it('runs the lines of docs/clients.md, and the run is completed', async () => {
    const app = await startApp();
    const { key } = await app.organization();
    const url = await app.url();
    const page = await readFile(new URL('../../docs/clients.md', import.meta.url), 'utf8');
    const lines = /<!-- typescript:[^>]*-->\n```ts.*\n([\s\S]*?)```/.exec(page)![1]!;
    const client = new URL('../../client/src/main.ts', import.meta.url).href;
    const directory = await mkdtemp(join(tmpdir(), 'dokima-docs-'));
    const program = join(directory, 'program.ts');
    await writeFile(program, lines.replace("'@dokima/client'", `'${client}'`));
    const environment = { ...process.env, DOKIMA_URL: url, DOKIMA_API_KEY: key };
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env: environment });
    expect(stdout).toBe('NOT_FOUND 404 true\nLook the id up in its list with the same key.\ncompleted\n');
    await app.close();
    await rm(directory, { recursive: true });
  });
});

describe('the public TypeScript client, whose requests a stand-in sends', () => {
  let app: TestApp;
  let api: Client;
  let environment: NodeJS.ProcessEnv;
  let project: { id: string };
  let metric: { id: string };
  let page: string;

  beforeAll(async () => {
    page = await readFile(new URL('../../docs/clients.md', import.meta.url), 'utf8');
    app = await startApp();
    const own = await app.organization();
    api = own.api;
    environment = {
      ...process.env,
      SCORECARD_BASE_URL: `${await app.url()}/api/v2`,
      SCORECARD_API_KEY: own.key,
    };
    project = await createProject(api);
    metric = await createMetric(api, project.id, { evalType: 'heuristic', outputType: 'boolean' });
  });
  afterAll(() => app.close());

  const blockOf = (mark: string): string =>
    new RegExp(`<!-- ${mark}[^>]*-->\\n\`\`\`\\w+.*\\n([\\s\\S]*?)\`\`\``).exec(page)![1]!;

  const run = async (lines: string): Promise<string> => {
    const directory = await mkdtemp(join(tmpdir(), 'dokima-docs-'));
    const program = join(directory, 'program.ts');
    const standIn = new URL('typescript-stand-in.ts', import.meta.url).href;
    await writeFile(
      program,
      lines.replace("'scorecard-ai'", `'${standIn}'`).replace("'ai'", "'data:text/javascript,'"),
    );
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { env: environment });
    await rm(directory, { recursive: true });
    expect(stderr.replaceAll(/.*(ExperimentalWarning|--trace-warnings).*\n/g, '')).toBe('');
    return stdout;
  };

  it('runs the example of docs/clients.md', async () => {
    const lines = blockOf('typescript library');
    expect(await run(lines.replace('http://localhost:3000/api/v2', environment.SCORECARD_BASE_URL!))).toBe(
      "{ city: 'Paris' }\n",
    );
    const { data } = await ok(api('GET', '/projects?limit=100'));
    const made = data.findLast(({ name }: { name: string }) => name === 'Capitals');
    const runs = await ok(api('GET', `/projects/${made.id}/runs`));
    expect(runs.data).toMatchObject([{ numRecords: 1, numExpectedRecords: 1 }]);
  });

  it('wrapAISDK makes the monitor of docs/clients.md, and the request on the page finds it again', async () => {
    Object.assign(environment, { SCORECARD_PROJECT_ID: project.id, METRIC_ID: metric.id });
    await run(blockOf('wrapped SDK'));
    const monitors = async () => (await ok(api('GET', `/projects/${project.id}/monitors`))).data;
    const [made] = await monitors();
    expect(made).toMatchObject({ name: 'my-agent', filter: { service: 'my-agent' } });
    expect(made.metricIds).toEqual([metric.id, expect.any(String)]);
    const [, method, path, body] = /^(\w+) (\S+)\n([\s\S]*)$/.exec(
      blockOf('request').replace('{projectId}', project.id).replace('{metricId}', metric.id),
    )!;
    expect(await ok(api(method as 'PUT', path!, JSON.parse(body!)))).toMatchObject({ id: made.id });
    expect(await monitors()).toEqual([made]);
  });
});
