import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTerminal, prepare, type Terminal } from './terminal.ts';

let terminal: Terminal;

beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

const outputsOf = async (runId: string): Promise<unknown[]> => {
  const outputs: unknown[] = [];
  for await (const record of terminal.client.listRecords(runId)) outputs.push(record.outputs);
  return outputs;
};

const prepared = async (count: number) => {
  const { project, metric, testset } = await prepare(terminal.client, count);
  return { project, metric, words: ['run', '-p', project.id, '-t', testset.id, '-m', metric.id, '--json'] };
};

const double = `let text = ''; process.stdin.on('data', (d) => (text += d)).on('end', () => {
  console.log(JSON.stringify({ a: JSON.parse(text).q * 2 }));
});`;

describe('run', () => {
  it('calls a command with the inputs and stores what it prints', async () => {
    await terminal.write('double.cjs', double);
    const { words } = await prepared(3);
    const said = await terminal.dokima([...words, '--command', 'node double.cjs', '-c', '1']);
    expect([said.code, said.err]).toEqual([
      0,
      expect.stringMatching(/^.*: the smallest difference .* is unknown: no earlier run .*\nRun \d+\n$/),
    ]);
    expect(await outputsOf(said.json().run.id)).toEqual([{ a: 0 }, { a: 2 }, { a: 4 }]);
  });

  it('goes on after an answer that cannot be stored, names its testcase, and repeats it on --resume', async () => {
    const answers = (
      large: string,
    ) => `let text = ''; process.stdin.on('data', (d) => (text += d)).on('end', () => {
      const { q } = JSON.parse(text);
      console.log(q === 0 ? '{"a":0}' : q === 1 ? ${large} : '{"a":'.repeat(300) + '1' + '}'.repeat(300));
    });`;
    await terminal.write('large.cjs', answers(`JSON.stringify({ a: 'x'.repeat(16_000_000) })`));
    const { words } = await prepared(3);
    const command = ['--command', 'node large.cjs', '-c', '1'];
    const said = await terminal.dokima([...words, ...command]);
    const { run, missing } = said.json();
    expect([said.code, run.numRecords]).toEqual([3, 1]);
    expect(missing.map(({ error }: { error: string }) => error)).toEqual([
      expect.stringMatching(/^The answer was not stored: The body is larger than \d+ bytes/),
      expect.stringMatching(/^The answer was not stored: .*deep/),
    ]);
    expect(said.err).toContain(missing[0].testcaseId);
    await terminal.write('large.cjs', answers(`'{"a":1}'`));
    const later = await terminal.dokima([...words, ...command, '--resume', run.id]);
    expect([later.code, later.json().run.numRecords]).toEqual([3, 2]);
  });

  it.each([
    ['4', '{"output":"4"}'],
    ['12345678901234567890', '{"output":"12345678901234567890"}'],
    ['true', '{"output":"true"}'],
    ['{"n":12345678901234567890,"price":1.10}', '{"n":12345678901234567890,"price":1.10}'],
    ['[1.10,9007199254740993]', '{"output":[1.10,9007199254740993]}'],
  ])('stores what a command prints digit by digit, and a text as a text: %s', async (printed, stored) => {
    const { words } = await prepared(1);
    const said = await terminal.dokima([...words, '--command', `echo '${printed}'`]);
    const path = `/api/v2/runs/${said.json().run.id}/records`;
    expect(await terminal.client.send({ method: 'GET', path })).toContain(stored);
  });

  it('sends a command the inputs digit by digit', async () => {
    const { words } = await prepared(0);
    const rawBody = '{"items":[{"jsonData":{"q":9007199254740993,"r":1.10,"a":1E2}}]}';
    await terminal.client.send({ method: 'POST', path: `/api/v2/testsets/${words[4]}/testcases`, rawBody });
    const said = await terminal.dokima([...words, '--command', 'cat']);
    const text = await terminal.client.send({
      method: 'GET',
      path: `/api/v2/runs/${said.json().run.id}/records`,
    });
    expect(text.match(/\{"q":9007199254740993\}/g)).toHaveLength(2);
    expect(text).toContain('{"a":1E2}');
  });

  it('takes the metrics of a group by its name or id, each metric once', async () => {
    const { project, testset, metric } = await prepare(terminal.client, 1);
    const create = async (name: string) => {
      const body = { name, evalType: 'human', outputType: 'boolean' } as const;
      return (await terminal.client.createMetric(project.id, body)).id;
    };
    const ids = [await create('A'), await create('B')];
    const group = await terminal.client.createMetricGroup(project.id, { name: 'Release', metricIds: ids });
    await terminal.client.createMetricGroup(project.id, { name: 'Twice', metricIds: [] });
    await terminal.client.createMetricGroup(project.id, { name: 'Twice', metricIds: ids });
    const words = ['run', '-p', project.id, '-t', testset.id, '--command', 'cat', '--json'];
    const metricsOf = async (...more: string[]) =>
      (await terminal.dokima([...words, ...more])).json().run.metricIds;
    expect(await metricsOf('--metric-group', 'Release')).toEqual(ids);
    expect(await metricsOf('--metric-group', group.id, '-m', metric.id, '-m', ids[1]!)).toEqual([
      metric.id,
      ids[1],
      ids[0],
    ]);
    const refused = async (name: string) => (await terminal.dokima([...words, '--metric-group', name])).err;
    expect(await refused('Twice')).toContain("2 metric groups have the name 'Twice'.");
    expect(await refused('None')).toContain(`Project ${project.id} has no metric group 'None'.`);
    expect(await refused('None')).toContain("It has 'Twice', 'Twice', 'Release'.");
  });

  it('says first how small a difference it can detect, based on earlier runs', async () => {
    const { project, words, metric } = await prepared(20);
    const line = [...words, '--command', 'cat', '-c', '8'];
    const { run } = (await terminal.dokima(line)).json();
    let n = 0;
    for await (const { id } of terminal.client.listRecords(run.id))
      await terminal.client.upsertScore(id, run.metricVersionIds[0], {
        score: { binaryScore: n++ % 2 === 0 },
      });
    const again = await terminal.dokima(line);
    const plan = await terminal.client.planRun(project.id, {
      metricId: metric.id,
      testsetId: run.testsetId,
      measure: 'pass',
    });
    const points = (100 * plan.minimumDetectable!).toFixed(1);
    expect(points).toMatch(/^[1-9]\d*\.\d$/);
    expect(again.err).toContain(
      `${metric.name}: this run can detect differences of ${points} points or more (n = 20, power 80 %, based on run ${run.id}).`,
    );
    const resumed = await terminal.dokima([...line, '--resume', again.json().run.id]);
    expect(resumed.err).not.toContain('differences');
  });

  it('says if the testset is too small to detect any difference', async () => {
    const { words, metric } = await prepared(2);
    const line = [...words, '--command', 'cat'];
    const { run } = (await terminal.dokima(line)).json();
    let n = 0;
    for await (const { id } of terminal.client.listRecords(run.id))
      await terminal.client.upsertScore(id, run.metricVersionIds[0], { score: { binaryScore: n++ === 0 } });
    const { err } = await terminal.dokima(line);
    expect(err).toContain(`${metric.name}: the testset is too small to detect any difference (n = 2, `);
  });

  it('stores text that is not JSON under output', async () => {
    const { words } = await prepared(1);
    const said = await terminal.dokima([...words, '--command', 'echo Paris, I think']);
    expect(await outputsOf(said.json().run.id)).toEqual([{ output: 'Paris, I think' }]);
  });

  it('calls an endpoint, and repeats a failed call', async () => {
    let requests = 0;
    const server = createServer(async (request, response) => {
      const body = await text(request);
      if (requests++ === 0) response.writeHead(500).end('not yet');
      else response.end(JSON.stringify({ a: JSON.parse(body).q * 2 }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { words } = await prepared(2);
    const said = await terminal.dokima([...words, '--endpoint', `http://127.0.0.1:${port}/`, '-c', '1']);
    server.close();
    expect([said.code, requests]).toEqual([0, 3]);
    expect(await outputsOf(said.json().run.id)).toEqual([{ a: 0 }, { a: 2 }]);
  });

  it('calls a TypeScript module once for each trial', async () => {
    await terminal.write('bot.ts', 'export default async ({ q }: { q: number }) => ({ a: q * 2 });');
    const { words } = await prepared(2);
    const said = await terminal.dokima([...words, '--module', 'bot.ts', '--trials', '2', '-c', '1']);
    expect(await outputsOf(said.json().run.id)).toEqual([{ a: 0 }, { a: 0 }, { a: 2 }, { a: 2 }]);
  });

  it('ends with 3 if a testcase got no answer, names it, and asks only that one when resumed', async () => {
    await terminal.write(
      'moody.mjs',
      `import { existsSync } from 'node:fs';
       export default async ({ q }) => {
         if (q === 1 && !existsSync('${terminal.directory}/well')) throw new Error('in a bad mood');
         return { q };
       };`,
    );
    const { words } = await prepared(3);
    const line = [...words, '--module', 'moody.mjs', '--retries', '0'];
    const said = await terminal.dokima(line);
    expect(said.code).toBe(3);
    const { run, missing } = said.json();
    expect(run.numRecords).toBe(2);
    expect(missing).toMatchObject([{ trial: 1, error: 'in a bad mood' }]);
    await terminal.write('well', '');
    const resumed = await terminal.dokima([...line, '--resume', run.id]);
    expect([resumed.code, resumed.json().run.numRecords]).toEqual([0, 3]);
    expect((await outputsOf(run.id)).toSorted()).toHaveLength(3);
  });

  it('says why an endpoint does not answer, and which module does not exist', async () => {
    const { words } = await prepared(1);
    const endpoint = await terminal.dokima([...words, '--endpoint', 'http://127.0.0.1:9/', '--retries', '0']);
    expect([endpoint.code, endpoint.err]).toEqual([
      3,
      expect.stringMatching(/http:\/\/127\.0\.0\.1:9\/ does not answer: .*(ECONNREFUSED|bad port)/),
    ]);
    const module = await terminal.dokima([...words, '--module', 'nothere.ts']);
    expect([module.code, module.err]).toEqual([4, expect.stringMatching(/There is no file \S+nothere\.ts/)]);
    expect(module.err).not.toContain('external.ts');
  });

  it('watch follows a run with more records than testcases', async () => {
    const { words, metric } = await prepared(2);
    const said = await terminal.dokima([...words, '--command', 'cat', '--trials', '3']);
    const { run } = said.json();
    for await (const { id } of terminal.client.listRecords(run.id))
      await terminal.client.upsertScore(id, run.metricVersionIds[0], { score: { binaryScore: true } });
    expect(run.metricIds).toEqual([metric.id]);
    const watched = await terminal.dokima(['watch', run.id]);
    expect([watched.code, watched.out]).toEqual([0, `Run ${run.id}: 6 records, 6 scores, completed.\n`]);
  });

  it('refuses --resume with a run of another testset, and --continue without an unfinished run', async () => {
    const { words } = await prepared(1);
    const other = await prepared(1);
    const { run } = (await terminal.dokima([...other.words, '--command', 'echo 1'])).json();
    const resumed = await terminal.dokima([...words, '--command', 'echo 1', '--resume', run.id]);
    expect([resumed.code, resumed.err]).toEqual([4, expect.stringContaining('not to testset')]);
    const continued = await terminal.dokima([...words, '--command', 'echo 1', '--continue']);
    expect(continued.err).toContain('has no unfinished run');
  });

  it('continues after kill -9: no record is lost, none is stored twice', async () => {
    await terminal.write(
      'slow.cjs',
      `const { appendFileSync, existsSync, readFileSync } = require('node:fs');
       let text = ''; process.stdin.on('data', (d) => (text += d)).on('end', () => {
         appendFileSync('asked', text + '\\n');
         // The seventh call and later ones wait for the kill, so that it comes in the middle.
         const isLate = readFileSync('asked', 'utf8').trim().split('\\n').length > 6;
         const answer = () => (isLate && !existsSync('killed') ? setTimeout(answer, 20) : console.log(text));
         answer();
       });`,
    );
    const { words } = await prepared(12);
    const line = [...words, '--command', 'node slow.cjs', '-c', '2'];
    const program = new URL('../bin/dokima.js', import.meta.url).pathname;
    const { environment, directory } = terminal;
    const child = spawn(process.execPath, [program, ...line], { env: environment, cwd: directory });
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    await expect.poll(() => err).toMatch(/Run \d+\n/);
    const runId = /Run (\d+)/.exec(err)![1]!;
    await expect.poll(async () => (await terminal.client.getRun(runId)).numRecords).toBeGreaterThanOrEqual(4);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    await terminal.write('killed', '');
    const before = (await terminal.client.getRun(runId)).numRecords;
    expect(before).toBeLessThan(12);

    const said = await terminal.dokima([...line, '--continue']);
    expect(said.json().run).toMatchObject({ id: runId, numRecords: 12 });
    const questions = (await outputsOf(runId)).map((outputs) => (outputs as { q: number }).q);
    expect(questions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, q) => q));
    // Only calls that were running at the kill are repeated.
    const asked = (await terminal.read('asked')).trim().split('\n').length;
    expect(asked).toBeLessThanOrEqual(12 + 2);
    expect((await terminal.dokima([...line, '--continue'])).err).toContain('has no unfinished run');
  });

  it('ends with 4 and the sentence of an error that a module left to no one', async () => {
    await terminal.write(
      'careless.mjs',
      `export default ({ q }) => {
        void Promise.reject(new Error('the log of question ' + q + ' is full'));
        return { a: q };
      };`,
    );
    const { words } = await prepared(1);
    const program = new URL('../bin/dokima.js', import.meta.url).pathname;
    const { environment, directory } = terminal;
    const child = spawn(process.execPath, [program, ...words, '--module', 'careless.mjs'], {
      env: environment,
      cwd: directory,
    });
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((resolve) => child.once('exit', resolve)),
    ]);
    expect([code, err]).toEqual([4, expect.stringContaining('dokima: the log of question 0 is full\n')]);
    expect(err).not.toContain('careless.mjs:');
    expect(JSON.parse(out).run).toMatchObject({ numRecords: 1 });
  });

  it('ends with 130 at Ctrl-C and says how to continue', async () => {
    const { words } = await prepared(2);
    const stop = new AbortController();
    const ended = terminal.dokima([...words, '--command', 'touch begun; sleep 30'], {
      signal: stop.signal,
    });
    await expect.poll(() => terminal.read('begun').catch(() => undefined), { timeout: 20_000 }).toBe('');
    stop.abort(new Error('Interrupted.'));
    const { code, err } = await ended;
    expect([code, err]).toEqual([
      130,
      expect.stringMatching(/To continue it, run the same command with --resume \d+/),
    ]);
  });
});

describe('score', () => {
  const runOf = async (count: number) => {
    const { words, metric } = await prepared(count);
    const { run } = (await terminal.dokima([...words, '--command', 'node double.cjs', '-c', '1'])).json();
    return { run, metric };
  };

  it('calls a judge for each record without a score, and stores its scores', async () => {
    const { run } = await runOf(3);
    const record = (await terminal.client.listRecords(run.id)).data[0]!;
    await terminal.client.upsertScore(record.id, run.metricVersionIds[0], { score: { binaryScore: false } });
    await terminal.write(
      'judge.mjs',
      "export default ({ expected, outputs }) => ({ score: outputs.a === expected.a, reasoning: 'Compared.' });",
    );
    const said = await terminal.dokima(['score', run.id, '--module', 'judge.mjs', '--json']);
    expect([said.code, said.json().scored]).toEqual([0, 2]);
    const scores = (await terminal.client.listRecords(run.id)).data.flatMap(({ scores }) => scores);
    expect(scores.map(({ score }) => score)).toEqual([
      { binaryScore: false },
      { binaryScore: true, reasoning: 'Compared.' },
      { binaryScore: true, reasoning: 'Compared.' },
    ]);
    expect((await terminal.dokima(['watch', run.id])).out).toContain('3 scores, completed.');
  });

  it('ends with 3 if the judge fails or gives an invalid score, and stores no score for a failure', async () => {
    const { run } = await runOf(2);
    await terminal.write(
      'odd.mjs',
      "export default ({ inputs }) => { if (inputs.q === 0) throw new Error('no judgement'); return 'perhaps'; };",
    );
    const said = await terminal.dokima(['score', run.id, '--module', 'odd.mjs', '--json', '--retries', '0']);
    expect(said.code).toBe(3);
    expect(said.json()).toMatchObject({ scored: 1, failed: [{ error: 'no judgement' }], misfits: [{}] });
    expect((await terminal.client.listRecords(run.id)).data[0]!.scores).toEqual([]);
  });

  it('uploads a file of scores', async () => {
    const { run, metric } = await runOf(2);
    const { data } = await terminal.client.listRecords(run.id);
    const lines = data.map(({ id }, i) =>
      JSON.stringify({ recordId: id, metricId: metric.id, score: i === 1 }),
    );
    await terminal.write('scores.jsonl', `${lines.join('\n')}\n`);
    const said = await terminal.dokima(['score', run.id, '--file', 'scores.jsonl']);
    expect([said.code, said.out]).toEqual([0, '2 scores stored, 0 invalid.\n']);
    await terminal.write('scores.jsonl', `${lines[0]}\nnonsense\n`);
    const bad = await terminal.dokima(['score', run.id, '--file', 'scores.jsonl']);
    expect([bad.code, bad.err]).toEqual([4, expect.stringContaining('scores.jsonl, line 2 is not JSON.')]);
  });

  it('keeps the digits of a score, from a judge and from a file', async () => {
    const { run, metric } = await runOf(1);
    const { data } = await terminal.client.listRecords(run.id);
    const path = `/api/v2/records/${data[0]!.id}`;
    const stored = () => terminal.client.send({ method: 'GET', path });
    const score = (order: string) => `{"score":true,"order":${order},"cost":1.10}`;
    await terminal.write('judge.sh', `cat > /dev/null; echo '${score('9007199254740993')}'`);
    expect((await terminal.dokima(['score', run.id, '--command', 'sh judge.sh'])).code).toBe(0);
    expect(await stored()).toContain('"order":9007199254740993,"cost":1.10');
    const line = `{"recordId":"${data[0]!.id}","metricId":"${metric.id}","score":${score('12345678901234567890')}}`;
    await terminal.write('scores.jsonl', line);
    expect((await terminal.dokima(['score', run.id, '--file', 'scores.jsonl'])).code).toBe(0);
    expect(await stored()).toContain('"order":12345678901234567890,"cost":1.10');
  });

  it('says that a run has no metrics', async () => {
    const { id: projectId } = await terminal.client.createProject({ name: 'Bare', description: '' });
    const { id } = await terminal.client.createRun(projectId, { metricIds: [] });
    for (const command of ['score', 'rescore']) {
      const { code, err } = await terminal.dokima([command, id]);
      expect([code, err]).toEqual([4, expect.stringContaining(`Run ${id} has no metrics.`)]);
    }
  });
});
