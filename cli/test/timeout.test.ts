import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeResults } from '../../client/src/results/results.ts';
import { commands } from '../src/commands.ts';
import { dokima } from '../src/dokima.ts';
import { exit } from '../src/errors.ts';

/** A service, or Ollama, that takes every request and answers none. */
const silent = createServer(() => {});
let directory: string;
let url: string;

beforeAll(async () => {
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  directory = await mkdtemp(join(tmpdir(), 'dokima-timeout-'));
  await writeFile(join(directory, 'answers.csv'), 'inputs.q,outputs.a\n1,2\n');
  await writeFile(join(directory, 'endless.mjs'), 'setInterval(() => {}, 1000);\n');
  await writeFile(join(directory, 'scores.jsonl'), '{"recordId":"1","score":{"binaryScore":true}}\n');
  const answer = {
    group: 'G',
    case: 'c',
    trial: 1,
    inputs: {},
    expected: {},
    outputs: {},
    scores: { Right: true },
  };
  const rest = { reasons: {}, metrics: [], cost_usd: null, error: null };
  writeResults(join(directory, 'results.jsonl'), { id: 's', tags: [] }, [{ ...answer, ...rest }]);
  const one = join(directory, 'evals', 'one');
  await mkdir(one, { recursive: true });
  await writeFile(join(one, 'prompt.md'), 'Wait.');
  await writeFile(join(one, 'check.sh'), 'exit 0\n');
});
afterAll(async () => {
  silent.closeAllConnections();
  silent.close();
  await rm(directory, { recursive: true, force: true });
});

/** A line of each command that has --timeout. Without it, none of them would end. */
const lines: Record<string, string[]> = {
  'audit verify': [],
  compare: ['1', '2'],
  drift: ['1'],
  eval: ['endless.mjs'],
  export: ['a.zip', '-p', '1'],
  gate: ['1', '-b', '2', '--policy', 'pull-request', '-p', '1'],
  import: ['answers.csv', '-p', '1'],
  'judge battery': ['1'],
  'judge try': ['1'],
  lift: ['--agent', 'sleep 60', '--with', 'env=A=b', '--trials', '1'],
  plan: ['1', '-p', '1'],
  push: ['results.jsonl', '-p', '1'],
  records: ['1', 'r.csv'],
  rescore: ['1'],
  run: ['-p', '1', '-t', '1', '-m', '1', '--command', 'cat'],
  'schedule run': ['1', '--wait'],
  score: ['1', '--file', 'scores.jsonl'],
  simulate: ['-p', '1', '--again', '1', '--system-version', '1', '-m', '1', '--yes'],
  succession: ['1'],
  summary: ['1'],
  try: ['answers.csv', '--judge', 'ollama/gemma3'],
  watch: ['1'],
};

it('is an option of every command that waits, and of no other', () => {
  const waiting = commands.filter(({ waits, options = {} }) => waits !== undefined || 'timeout' in options);
  expect(waiting.map(({ name }) => name).sort()).toEqual(Object.keys(lines).sort());
});

const runLine = async (name: string, words: string[]) => {
  let said = '';
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      said += chunk;
      done();
    },
  });
  const access = { DOKIMA_URL: url, DOKIMA_API_KEY: 'ak_x', OLLAMA_HOST: url };
  const code = await dokima([...name.split(' '), ...words, '--timeout', '1'], {
    stdin: Object.assign(Readable.from(['']), { isTTY: false }),
    stdout: sink,
    stderr: sink,
    environment: { PATH: process.env.PATH, HOME: directory, ...access },
    directory,
    signal: new AbortController().signal,
  });
  return { name, code, said };
};

it('ends each of them with 3 when it is over, and says what is left', async () => {
  const ended = await Promise.all(Object.entries(lines).map(([name, words]) => runLine(name, words)));
  // watch says what it had read of the run by then, or that it had read nothing.
  const sentence = (name: string) =>
    name === 'watch' ? /within the --timeout/ : /within --timeout\.\n {2}\S.+\.\n/;
  expect(ended).toEqual(
    ended.map(({ name }) => ({ name, code: exit.incomplete, said: expect.stringMatching(sentence(name)) })),
  );
});
