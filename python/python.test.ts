import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
  return new RegExp(`<!-- ${mark}: a test runs these lines -->\\n\`\`\`\\w+.*\\n([\\s\\S]*?)\`\`\``).exec(
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

  it.skipIf(!has('jinja2'))(
    'get_prompt serves from its cache, renews in the background and stays when the service is away',
    async () => {
      const { id } = await ok(api('POST', '/projects', { name: 'Prompts', description: '' }), 201);
      const messages = [
        { role: 'system', content: 'Answer in {{ inputs.language | default("English") }}.' },
        { role: 'user', content: '{{ inputs.user.name }} asks: {{ inputs.question }} {{ inputs.items }}' },
      ];
      const system = { name: 'Support / EU', config: { messages, modelName: 'fake/a' } };
      await ok(api('POST', `/projects/${id}/systems`, system), 201);
      environment.DOKIMA_PROJECT = id;
      expect(await run(fileURLToPath(new URL('prompts-program.py', import.meta.url)))).toBe(
        [
          'sync 200, 304, away',
          "[{'role': 'system', 'content': 'Answer in English.'}, {'role': 'user', 'content': 'Ann asks: Where? [1, \"a\"]'}]",
          'MISSING_VARIABLE: The user message of Support / EU, Version 1, needs inputs.user.name. render() was given user.',
          'async 200, 304, away',
          '',
        ].join('\n'),
      );
    },
  );

  it.skipIf(!has('jinja2'))('renders every template of jinja-golden.json as the service does', async () => {
    const golden = fileURLToPath(new URL('../jinja/test/jinja-golden.json', import.meta.url));
    const lines = `
import json
from dokima import _templates
table = json.load(open("${golden}"))
for case in table["cases"]:
    values = {name: _templates._value(part, name) for name, part in table["record"].items()}
    try:
        text = _templates._compiled(case["template"]).render(**values)
    except Exception:
        text = None
    if text != case.get("text"):
        print(case["template"])
`;
    // The service refuses lipsum, whose text differs each time.
    expect(await run('-c', lines)).toBe('{{ lipsum() }}\n');
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

  it('fields of answers are attributes in snake_case, keys of a dict, and None where the answer leaves them out', async () => {
    const program = `
import copy, json, pickle
import httpx
from dokima import Dokima
sent = {"id": "7", "numRecords": 3, "projectId": None, "items": [1], "inputs": {"first_name": "Ann", "lastName": "B"}, "scores": [{"createdAt": "now"}]}
client = Dokima("http://test", "ak", http_client=httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(200, json=sent))))
run = client.get_run("7")
print(run == sent, run["numRecords"], run.num_records, run.project_id, run.scores[0].created_at, run.testcase_id)
print(run.inputs.first_name, run.inputs.last_name, run["items"], json.loads(json.dumps(run)) == sent, type(run.inputs["first_name"]).__name__)
for same in (copy.deepcopy(run), pickle.loads(pickle.dumps(run))): print(same == run, same.num_records)
try: run.num_recods
except AttributeError as error: print(error)
print(hasattr(run, "nothing"), getattr(run, "nothing", "none"))`;
    expect((await run('-c', program)).split('\n')).toEqual([
      'True 3 3 None now None',
      'Ann B [1] True str',
      'True 3',
      'True 3',
      'The answer has no num_recods. It has id, num_records, project_id, items, inputs, scores.',
      'False none',
      '',
    ]);
  });

  it('a list asks for 100 items, or for the number that it is given; 429 at the end is RateLimited', async () => {
    const program = `
import httpx
from dokima import Dokima, RateLimited
asked = []
def answer(request):
    asked.append(request.url.params.get("limit"))
    if request.url.path.endswith("/runs"):
        return httpx.Response(429, json={"code": "RATE_LIMITED", "message": "Too many."})
    return httpx.Response(200, json={"data": [], "hasMore": False, "nextCursor": None})
client = Dokima("http://test", "ak", retries=0, http_client=httpx.Client(transport=httpx.MockTransport(answer)))
list(client.list_projects()); list(client.list_projects(limit=5))
try: list(client.list_runs("1"))
except RateLimited as error: asked.append(error.status)
print(asked)`;
    expect(await run('-c', program)).toBe("['100', '5', '100', 429]\n");
  });

  it('waits an hour for a model and a minute for others, or for its timeout; a paid question is asked once', async () => {
    const program = (timeout: string) => `
import httpx
from dokima import Dokima, NoAnswer
seen = []
def late(request):
    seen.append((request.url.path.rsplit("/", 1)[-1], request.extensions["timeout"]["read"]))
    raise httpx.ReadTimeout("too late", request=request)
client = httpx.Client(transport=httpx.MockTransport(late), timeout=${timeout === 'None' ? '60.0' : timeout})
dokima = Dokima("http://service", "key", retries=1, timeout=${timeout}, http_client=client)
for ask in (lambda: dokima.get_run("1"), lambda: dokima.preview_metric("1", {})):
    try:
        ask()
    except NoAnswer as error:
        pass
print(seen)`;
    expect(await run('-c', program('None'))).toBe("[('1', 60.0), ('1', 60.0), ('preview', 3600.0)]\n");
    expect(await run('-c', program('5'))).toBe("[('1', 5), ('1', 5), ('preview', 5)]\n");
  });

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

describe.skipIf(!has('pytest', 'httpx'))('the pytest plugin (skipped without pytest)', () => {
  let app: TestApp;
  let api: Client;
  let directory: string;
  let environment: NodeJS.ProcessEnv;
  let projectId: string;

  type Said = { code: number; out: string };
  const run = (program: string, args: string[], more: NodeJS.ProcessEnv = {}): Promise<Said> =>
    promisify(execFile)(python, ['-m', ...program.split(' '), ...args], {
      cwd: directory,
      env: { ...environment, ...more },
    }).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      ({ code, stdout, stderr }) => ({ code, out: `${stdout}${stderr}` }),
    );
  const pytest = (args: string[] = [], more: NodeJS.ProcessEnv = {}) =>
    run('pytest', ['-p', 'dokima.testing.plugin', '-p', 'no:cacheprovider', '-q', ...args], more);
  const runs = async () => (await ok(api('GET', `/projects/${projectId}/run-details`))).data;

  beforeAll(async () => {
    app = await startApp();
    const { key, ...organization } = await app.organization();
    api = organization.api;
    directory = await mkdtemp(join(tmpdir(), 'dokima-pytest-'));
    environment = {
      PATH: process.env.PATH,
      PYTHONPATH: source,
      PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
      DOKIMA_URL: await app.url(),
      DOKIMA_API_KEY: key,
      DOKIMA_COMMIT: 'abc123',
    };
  });
  beforeEach(async () => {
    projectId = (await ok(api('POST', '/projects', { name: 'Bot', description: '' }), 201)).id;
    environment.DOKIMA_PROJECT = projectId;
  });
  afterAll(async () => {
    await app.close();
    await rm(directory, { recursive: true });
  });

  /** 40 testcases with two trials; the bot knows the first SHARE of them. */
  const program = `
import os, pytest
KNOWN = int(os.environ.get("KNOWN", "36"))

@pytest.mark.dokima(trials=2)
@pytest.mark.parametrize("number, expected", [(n, n * 2) for n in range(40)])
def test_double(record, number, expected):
    record.outputs = {"answer": expected if number < KNOWN else None}
    record.score("Right", record.outputs["answer"] == expected)

def test_not_worse(run_of):
    run_of(test_double).assert_better(than="main", margin=float(os.environ.get("MARGIN", "0.1")))
`;

  it('runs the lines of docs/testing.md: four testcases with three trials each are one run', async () => {
    await writeFile(join(directory, 'test_bot.py'), await blockOf('../docs/testing.md', 'pytest'));
    const said = await pytest(['test_bot.py']);
    expect([said.code, said.out]).toEqual([0, expect.stringContaining('no earlier run is main')]);
    const [made, ...others] = await runs();
    expect(others).toEqual([]);
    expect(made).toMatchObject({ numRecords: 12, numExpectedRecords: 4, status: 'completed' });
    expect(made.tags).toEqual(expect.arrayContaining(['pytest', 'commit:abc123']));
    const testcases = await ok(api('GET', `/testsets/${made.testsetId}/testcases`));
    expect(testcases.data).toHaveLength(4);
    expect(
      testcases.data.map(({ inputs, expected }: Record<string, unknown>) => [inputs, expected]),
    ).toContainEqual([{ country: 'Peru' }, { expected: 'Lima' }]);
  });

  it('assert_better ends pass, inconclusive with the number of testcases needed, or fail', async () => {
    await writeFile(join(directory, 'test_double.py'), program);
    expect((await pytest(['test_double.py', '--dokima-mark', 'main'])).code).toBe(0);
    const [{ id: baseline, marks }] = await runs();
    expect(marks).toEqual(['main']);

    const same = await pytest(['test_double.py']);
    expect(same.out).toContain(`pass: run ${Number(baseline) + 1} against run ${baseline} (main)`);
    expect([same.code, same.out]).toEqual([0, expect.stringContaining('no judge was called')]);

    const little = await pytest(['test_double.py'], { KNOWN: '35' });
    expect(little.code).toBe(1);
    expect(little.out).toMatch(/Right: -2\.5 points \(95 %: .*, n = 40\); about [\d,]+ more needed/);
    expect(little.out).toContain('80 passed, 1 inconclusive');
    expect((await pytest(['test_double.py', '--dokima-inconclusive=skip'], { KNOWN: '35' })).code).toBe(0);

    // No pair differs yet.
    const ties = await pytest(['test_double.py'], { MARGIN: '0.02' });
    expect(ties.out).toMatch(/Right: \+0\.0 points \(95 %: .*, n = 40\); about [\d,]+ more needed/);

    const worse = await pytest(['test_double.py'], { KNOWN: '10' });
    expect([worse.code, worse.out]).toEqual([1, expect.stringContaining('wanted: not worse by 10 points')]);
  });

  it('works offline with a file, whose upload may be repeated', async () => {
    await writeFile(join(directory, 'test_double.py'), program);
    const offline = await pytest(['test_double.py', '--dokima-file', 'results.jsonl'], {
      DOKIMA_URL: 'http://127.0.0.1:9',
    });
    expect([offline.code, offline.out]).toEqual([0, expect.stringContaining('80 passed, 1 skipped')]);
    expect(await runs()).toEqual([]);
    for (const _ of [1, 2]) {
      const said = await run('dokima.testing.upload', ['results.jsonl']);
      expect([said.code, said.out]).toEqual([0, expect.stringContaining('80 records')]);
    }
    expect(await runs()).toMatchObject([{ numRecords: 80, status: 'completed' }]);
  });

  it('a failed upload loses nothing; an assert is a score, and a broken test has none', async () => {
    await writeFile(
      join(directory, 'test_plain.py'),
      'def test_a(record): assert 1 == 1\ndef test_b(record): assert 1 == 2\ndef test_c(record): raise OSError("down")\n',
    );
    const wrong = await pytest(['test_plain.py'], { DOKIMA_API_KEY: 'ak_wrong' });
    expect(wrong.out).toContain('3 results are in dokima-results.jsonl');
    expect((await pytest(['test_plain.py'])).code).toBe(1);
    const [{ id, numRecords }] = await runs();
    const { metrics } = await ok(api('GET', `/runs/${id}/summary`));
    expect([numRecords, metrics[0]]).toEqual([
      3,
      expect.objectContaining({
        metricName: 'passes',
        passRate: expect.objectContaining({ estimate: 0.5 }),
        states: expect.objectContaining({ scored: 2 }),
      }),
    ]);
  });
});

describe.skipIf(!has('hatchling', 'httpx', 'pip'))('the package (skipped without hatchling)', () => {
  /** Prints what an installation knows of itself, from the files that came with it. */
  const question = `
import importlib.metadata as m, json, dokima
d = m.distribution("dokima")
print(json.dumps({
    "from": dokima.__file__, "client": dokima.Dokima.__name__, "files": sorted(str(f) for f in d.files),
    "licence": d.metadata["License-Expression"], "python": d.metadata["Requires-Python"], "requires": d.requires,
    "readme": d.metadata.get_payload(), "scripts": [e.value for e in d.entry_points],
}))`;

  it.each(['.whl', '.tar.gz'])(
    '%s installs into an empty environment and brings its types',
    async (ending) => {
      const directory = await mkdtemp(join(tmpdir(), 'dokima-package-'));
      const run = async (program: string, ...args: string[]) =>
        (await promisify(execFile)(program, args, { cwd: fileURLToPath(new URL('.', import.meta.url)) }))
          .stdout;
      try {
        const environment = join(directory, 'environment');
        await run(python, '-m', 'venv', '--without-pip', environment);
        await run(python, '-m', 'hatchling', 'build', '-d', directory);
        const made = (await readdir(directory)).find((name) => name.endsWith(ending))!;
        const inside = join(environment, 'bin/python');
        // Nothing is downloaded: what the package needs, and what builds it, is found where this Python has it, after its own.
        const packages = await run(python, '-c', 'import sysconfig; print(sysconfig.get_path("purelib"))');
        const own = (
          await run(inside, '-c', 'import sysconfig; print(sysconfig.get_path("purelib"))')
        ).trim();
        await writeFile(join(own, 'dependencies.pth'), packages);
        const install = [
          'install',
          '-q',
          '--no-index',
          '--no-deps',
          '--no-build-isolation',
          '--ignore-installed',
        ];
        await run(python, '-m', 'pip', '--python', inside, ...install, join(directory, made));
        const said = JSON.parse(await run(inside, '-c', question));
        expect(said).toMatchObject({
          from: join(own, 'dokima/__init__.py'),
          client: 'Dokima',
          licence: 'Apache-2.0',
          python: '>=3.11',
          requires: expect.arrayContaining(['httpx<1,>=0.27']),
          scripts: expect.arrayContaining(['dokima.testing.plugin', 'dokima.testing.upload:main']),
        });
        expect(said.files).toEqual(
          expect.arrayContaining([
            'dokima/py.typed',
            'dokima/_generated.py',
            expect.stringMatching(/licenses\/LICENSE$/),
          ]),
        );
        // A registry shows the page alone, so that a link to another file of this repository leads nowhere.
        expect(said.readme.match(/\]\((?!https:)[^)]*\)/g)).toBeNull();
      } finally {
        await rm(directory, { recursive: true });
      }
    },
  );
});

describe.skipIf(!has('mypy', 'httpx', 'jinja2'))('types (skipped without mypy and Jinja2)', () => {
  const mypy = (...words: string[]) =>
    promisify(execFile)(python, ['-m', 'mypy', '--strict', ...words], {
      env: { ...process.env, MYPYPATH: source },
    }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );

  it('the package passes mypy in its strict mode', async () => {
    expect(await mypy(`${source}/dokima`)).toContain('Success');
  });

  it('a program is checked: attributes of answers, and the keywords of each kind of metric', async () => {
    const judge = 'd.create_metric("1", name="M", output_type="int", prompt_template="…"';
    const stdout = await mypy(
      '-c',
      `from dokima import Dokima
d = Dokima()
late: str = d.get_run("1").id
n: int = d.get_run("1").num_recods
case: int | None = d.list_records("1").first().testcase_id  # type: ignore[union-attr]
${judge}, eval_type="ai")
${judge}, eval_type="heuristic")
d.list_runs("1", limit="many")`,
    );
    const errors = [...stdout.matchAll(/<string>:(\d+): error: (.*)/g)].map(([, line, text]) => [
      Number(line),
      text,
    ]);
    expect(errors).toEqual([
      [4, expect.stringMatching(/"Run" has no attribute "num_recods"; maybe "num_records"/)],
      [5, expect.stringContaining('variable has type "int | None"')],
      [7, expect.stringContaining('No overload variant of "create_metric"')],
      [8, expect.stringMatching(/"limit" .* has incompatible type "str"/)],
    ]);
  });
});
