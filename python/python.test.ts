import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../server/test/fixtures.ts';
import { type Client, startApp, type TestApp } from '../server/test/harness.ts';

/** DOKIMA_TEST_PYTHON names a Python with the packages. Default: python3. */
const python = process.env.DOKIMA_TEST_PYTHON ?? 'python3';
const source = fileURLToPath(new URL('src', import.meta.url));

const has = (...packages: string[]): boolean => {
  try {
    execFileSync(python, ['-c', `import sys, ${packages}; assert sys.version_info >= (3, 11)`], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
};

const blockOf = async (path: string, mark: string): Promise<string> => {
  const page = await readFile(new URL(path, import.meta.url), 'utf8');
  return new RegExp(`<!-- ${mark}: a test runs these lines -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(
    page,
  )![1]!;
};

describe.skipIf(!has('httpx'))('the Python client (skipped without Python 3.11 and httpx)', () => {
  let app: TestApp;
  let api: Client;
  let environment: NodeJS.ProcessEnv;

  const run = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(python, args, { env: environment })).stdout;

  beforeAll(async () => {
    app = await startApp();
    const { key, ...organization } = await app.organization();
    api = organization.api;
    environment = { ...process.env, PYTHONPATH: source, DOKIMA_URL: await app.url(), DOKIMA_API_KEY: key };
  });
  afterAll(() => app.close());

  it('runs the lines of its README', async () => {
    const lines = (await run('-c', await blockOf('README.md', 'python'))).trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^cannot tell: /),
      'NOT_FOUND · Look the id up in its list with the same key.',
    ]);
  });

  it('runs the lines of docs/python.md with asyncio', async () => {
    expect(await run('-c', await blockOf('../docs/python.md', 'asyncio'))).toBe(
      'True\nVALIDATION_ERROR /metricIds\n',
    );
  });

  it.skipIf(!has('scorecard_ai'))('works beside the client of the hosted service', async () => {
    expect(await run('-c', await blockOf('../docs/python.md', 'both clients'))).toBe('Both clients\n');
  });

  it.skipIf(!has('opentelemetry.exporter.otlp.proto.http'))(
    'traces of docs/python.md become one record with its input and output',
    async () => {
      const project = await ok(api('POST', '/projects', { name: 'Traced', description: '' }), 201);
      environment.DOKIMA_PROJECT = project.id;
      await run('-c', await blockOf('../docs/python.md', 'traces'));
      const { data } = await ok(api('GET', `/projects/${project.id}/records`));
      expect(data).toMatchObject([
        { inputs: { question: 'What is the capital of Peru?' }, outputs: { output: 'Lima' } },
      ]);
      const spans = await ok(api('GET', `/projects/${project.id}/spans`));
      expect(spans.data.map(({ name }: { name: string }) => name).sort()).toEqual(['answer', 'look_up']);
    },
  );

  it('repeats what failed for the moment with the same key, and says at the end that nothing answers', async () => {
    const keys: unknown[] = [];
    const server = createServer((request, response) => {
      keys.push(request.headers['idempotency-key']);
      const status = keys.length === 1 ? 503 : 201;
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
      response.end('{"id": "7"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lines = (retries: number) => `
from dokima import Dokima, NoAnswer
try:
    print(Dokima("${url}", retries=${retries}).create_project(name="a", description="")["id"])
except NoAnswer as error:
    print(error.code, error.fix)
`;
    expect(await run('-c', lines(4))).toBe('7\n');
    expect([keys.length, new Set(keys).size, keys[0]]).toEqual([2, 1, expect.stringMatching(/^\w{32}$/)]);
    server.close();
    await once(server, 'close');
    expect(await run('-c', lines(0))).toBe('NO_ANSWER Check the address, and that the service runs.\n');
  });
});

describe.skipIf(!has('mypy', 'httpx'))('types (skipped without mypy)', () => {
  it('the package passes mypy in its strict mode', async () => {
    const { stdout } = await promisify(execFile)(python, ['-m', 'mypy', '--strict', `${source}/dokima`]);
    expect(stdout).toContain('Success');
  });
});
