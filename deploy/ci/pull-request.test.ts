import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openTerminal, type Terminal } from '../../cli/test/terminal.ts';
import { openDecisionFile, predicateType } from '../../client/src/decision-file/file.ts';

const file = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');
const page = await file('../../docs/pull-requests.md');
const blockOf = (mark: string): string =>
  new RegExp(`<!-- ${mark}: [^>]*-->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(page)![1]!;

type Stored = { id: number; body: string; user: { login: string; type: string }; author: { id: number } };

/** A stand-in of the APIs of GitHub and GitLab for comments. It holds one list of them and notes each request. */
const openHost = async () => {
  const comments: Stored[] = [];
  const requests: string[] = [];
  const answer = (method: string, url: string, body: { body?: string }): [number, unknown] => {
    const path = new URL(url, 'http://host').pathname;
    requests.push(`${method} ${path}`);
    // GitHub's token of a workflow may not ask who it is; GitLab's may.
    if (path === '/github/user') return [403, {}];
    if (path === '/gitlab/user') return [200, { id: 7 }];
    const query = new URL(url, 'http://host').searchParams;
    const [from, size] = [(Number(query.get('page')) - 1) * 100, Number(query.get('per_page'))];
    if (method === 'GET') return [200, comments.slice(from, from + size)];
    if (method === 'POST') {
      const user = { login: 'github-actions[bot]', type: 'Bot' };
      comments.push({ id: 1000 + comments.length, body: body.body!, user, author: { id: 7 } });
      return [201, comments.at(-1)];
    }
    const found = comments.find(({ id }) => path.endsWith(`/${id}`))!;
    found.body = body.body!;
    return [200, found];
  };
  const server: Server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const isAllowed =
      request.headers.authorization === 'Bearer t' || request.headers['private-token'] === 't';
    const [status, value] = isAllowed
      ? answer(request.method!, request.url!, text ? JSON.parse(text) : {})
      : [401, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, comments, requests, server };
};

let terminal: Terminal;
let host: Awaited<ReturnType<typeof openHost>>;
let variables: Record<string, string>;
const shas: Record<string, string> = {};

const git = async (...args: string[]): Promise<string> => {
  const settings = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main'];
  return (
    await promisify(execFile)('git', [...settings, ...args], { cwd: terminal.directory })
  ).stdout.trim();
};

/** Commits a system that knows the first `known` of 40 testcases. */
const commit = async (name: string, known: number): Promise<void> => {
  const source = `let text = ''; for await (const part of process.stdin) text += part;
const { q } = JSON.parse(text); console.log(JSON.stringify({ a: q < ${known} ? 2 * q : -1 }));`;
  await writeFile(join(terminal.directory, 'bot.mjs'), source);
  await git('add', '.');
  await git('commit', '--quiet', '--allow-empty', '-m', name);
  shas[name] = await git('rev-parse', 'HEAD');
};

/** Runs the script of the Action as the host would start it. */
const evaluate = async (more: Record<string, string>): Promise<{ code: number; said: string }> =>
  promisify(execFile)(fileURLToPath(new URL('evaluate.sh', import.meta.url)), {
    cwd: terminal.directory,
    env: { ...terminal.environment, ...variables, ...more },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );

const github = async (name: string, number?: number) => {
  const event = join(terminal.directory, '.git', 'event.json');
  await writeFile(event, JSON.stringify(number === undefined ? {} : { pull_request: { number } }));
  return evaluate({
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: `${host.url}/github`,
    GITHUB_REPOSITORY: 'o/r',
    GITHUB_EVENT_PATH: event,
    GITHUB_SHA: shas[name]!,
    GITHUB_TOKEN: 't',
  });
};

beforeAll(async () => {
  terminal = await openTerminal({ DOKIMA_WORKERS: '1' });
  host = await openHost();
  const { client } = terminal;
  const project = await client.createProject({ name: 'Doubles', description: '' });
  const metric = await client.createMetric(project.id, {
    name: 'Right city',
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines:
      'function score(inputs, outputs, expected) { return { score: outputs.a === expected.a, reasoning: "compared" }; }',
  });
  const testset = await client.createTestset(project.id, {
    name: 'Doubles',
    description: '',
    jsonSchema: { type: 'object' },
    fieldMapping: { inputs: ['q'], expected: ['a'], metadata: [] },
  });
  await client.createAllTestcases(
    testset.id,
    Array.from({ length: 40 }, (_, q) => ({ jsonData: { q, a: 2 * q } })),
  );
  variables = {
    ...(process.env.PATH && { PATH: process.env.PATH }),
    DOKIMA_PROJECT: project.id,
    DOKIMA_TESTSET: testset.id,
    DOKIMA_METRICS: metric.id,
    DOKIMA_COMMAND: 'node bot.mjs',
  };
  await git('init', '--quiet');
  await writeFile(join(terminal.directory, 'dokima.yaml'), blockOf('rules'));
  await commit('first', 36);
});
afterAll(async () => {
  host.server.close();
  await terminal.close();
});

it('compares a pull request with the run of its merge base, and keeps one comment up to date', async () => {
  // Someone else's comment with the same mark stays as it is, and a long discussion has several pages.
  const stranger = { login: 'stranger', type: 'User' };
  for (let id = 0; id < 120; id++)
    host.comments.push({ id, body: 'Hello', user: stranger, author: { id: 1 } });
  host.comments[5]!.body = `<!-- dokima gate: project ${variables.DOKIMA_PROJECT}, dokima.yaml -->\nfine`;

  const main = await github('first');
  expect([main.code, main.said]).toEqual([
    0,
    expect.stringContaining('There is no pull request to comment on.'),
  ]);
  await git('checkout', '--quiet', '-b', 'worse');
  await commit('worse', 22);
  // main goes on, and its newest run is worse than the branch: only the merge base tells what the branch did.
  await git('checkout', '--quiet', 'main');
  await commit('later', 5);
  await github('later');
  await git('checkout', '--quiet', 'worse');

  const said = await github('worse', 12);
  expect([said.code, said.said]).toEqual([1, expect.stringContaining('The comment is up to date.')]);
  expect(host.comments).toHaveLength(121);
  const { body, id } = host.comments.at(-1)!;
  expect(body).toMatch(/^### ❌ WORSE/m);
  expect(body).toMatch(/\| Right city \| 0\.900 \| 0\.550 \| −0\.350 \| −0\.\d+ … −0\.\d+ \| 40 \| worse/);
  expect(body).toContain('14 testcases worse, 0 better');
  expect(body).toMatch(
    /- \[.+\]\(http:\/\/127\.0\.0\.1:\d+\/projects\/\d+\/records\/\d+-\d+\): 1\.000 → 0\.000/,
  );
  expect(body).toContain('Cost of 40 records: no judge was called.');

  await commit('repaired', 37);
  const repaired = await github('repaired', 12);
  expect([repaired.code, repaired.said]).toEqual([0, expect.any(String)]);
  expect(host.comments).toHaveLength(121);
  expect(host.comments.find((one) => one.id === id)!.body).toMatch(/^### ✅ pass/m);
  expect(host.comments[5]!.body).toMatch(/fine$/);
});

it('GitLab: one note on the merge request; without a right to write, the verdict still counts', async () => {
  host.comments.length = 0;
  const gitlab = {
    GITLAB_CI: 'true',
    CI_API_V4_URL: `${host.url}/gitlab`,
    CI_PROJECT_ID: '3',
    CI_MERGE_REQUEST_IID: '9',
    CI_COMMIT_SHA: shas.repaired!,
  };
  const first = await evaluate({ ...gitlab, GITLAB_TOKEN: 't' });
  expect([first.code, first.said]).toEqual([0, expect.stringContaining('The comment is up to date.')]);
  // A run that exists is only decided on.
  const DOKIMA_RUN = /^Run (\d+)$/m.exec(first.said)![1]!;
  expect((await evaluate({ ...gitlab, DOKIMA_RUN, GITLAB_TOKEN: 't' })).code).toBe(0);
  expect(host.comments).toHaveLength(1);
  expect(host.requests.slice(-1)).toEqual(['PUT /gitlab/projects/3/merge_requests/9/notes/1000']);
  const refused = await evaluate({ ...gitlab, DOKIMA_RUN, GITLAB_TOKEN: 'wrong' });
  expect([refused.code, refused.said]).toEqual([0, expect.stringContaining('could not be written')]);
});

it('a registered decision becomes a file, with the predicate that the host attests', async () => {
  const { client } = terminal;
  const [last] = (await client.listRuns(variables.DOKIMA_PROJECT!)).data;
  const words = `--owner Ada --testset ${variables.DOKIMA_TESTSET} --metric ${variables.DOKIMA_METRICS} --testcases 40`;
  const project = ['--project', variables.DOKIMA_PROJECT!, '--json'];
  const made = await terminal.dokima([
    'decision',
    'register',
    '--question',
    'q',
    ...words.split(' '),
    ...project,
  ]);
  const output = join(terminal.directory, 'output');
  const said = await evaluate({
    DOKIMA_RUN: last!.id,
    DOKIMA_DECISION: made.json().id,
    GITHUB_OUTPUT: output,
    CI_COMMIT_SHA: shas.repaired!,
  });
  expect([said.code, said.said]).toEqual([0, expect.stringContaining('Anyone can check it')]);
  const paths = Object.fromEntries(
    (await readFile(output, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  const opened = openDecisionFile(await readFile(paths['decision-file']!));
  const predicate = JSON.parse(await readFile(paths['predicate-file']!, 'utf8'));
  expect(opened).toMatchObject({
    state: 'whole',
    file: {
      statement: { predicate, subject: [{ name: 'commit', digest: { gitCommit: shas.repaired } }] },
    },
  });

  // What the host signs: a statement of in-toto about the file, from the inputs of the Action's last step.
  const { runs } = parse(await file('action.yml'));
  const { uses, with: given } = runs.steps.at(-1);
  expect(uses).toMatch(/^actions\/attest@/);
  const input = (name: string): string =>
    given[name].replace(
      /\$\{\{ steps\.evaluate\.outputs\.([\w-]+) \}\}/,
      (_: string, of: string) => paths[of],
    );
  const subject = await readFile(input('subject-path'));
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      {
        name: basename(input('subject-path')),
        digest: { sha256: createHash('sha256').update(subject).digest('hex') },
      },
    ],
    predicateType: input('predicate-type'),
    predicate: JSON.parse(await readFile(input('predicate-path'), 'utf8')),
  };
  // A reader of the attestation finds the file by its digest, and in it the same statement about the decision.
  expect(opened.state === 'whole' && opened.file.statement).toMatchObject({
    _type: statement._type,
    predicateType: statement.predicateType,
    predicate: statement.predicate,
  });
  expect(statement.subject).toEqual([
    { name: 'dokima-decision.json', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  ]);
});

it('the Action gives the script every input, and the page and the job name what exists', async () => {
  const { inputs, runs } = parse(await file('action.yml'));
  const { env } = runs.steps.find(({ id }: { id?: string }) => id === 'evaluate');
  const attest = runs.steps.at(-1);
  expect(attest.with['predicate-type']).toBe(predicateType);
  const given = [...Object.values(env), attest.if].flatMap(
    (value) => /inputs\.([\w-]+)/.exec(value as string)?.[1] ?? [],
  );
  expect(given.toSorted()).toEqual(Object.keys(inputs).toSorted());
  const script = await file('evaluate.sh');
  const read = new Set(['DOKIMA_URL', 'DOKIMA_API_KEY', 'DOKIMA_PROJECT', 'GITHUB_TOKEN']);
  for (const [name] of script.matchAll(/DOKIMA_\w+/g)) read.add(name);
  expect(Object.keys(env).toSorted()).toEqual([...read].toSorted());
  const workflow = parse(blockOf('workflow'));
  for (const name of Object.keys(workflow.jobs.dokima.steps[1].with)) expect(inputs).toHaveProperty(name);
  expect(parse(await file('gitlab.yml')).dokima.script.at(-1)).toMatch(/deploy\/ci\/evaluate\.sh$/);
});
