import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, openOpenAiServer } from '../../server/test/model-server.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let models: ModelServer;
beforeAll(async () => {
  models = await openOpenAiServer();
  terminal = await openTerminal();
  terminal.environment.TMPDIR = terminal.directory;
  terminal.environment.OLLAMA_HOST = models.url.replace(/\/v1$/, '');
  const rows = ['Peru,Lima,Lima', 'France,Paris,Lyon', 'Ghana,Accra,Accra', 'Japan,Tokyo,Tokyo'];
  await terminal.write('answers.csv', `country,expected,reply\n${rows.join('\n')}\n`);
});
afterAll(() => Promise.all([terminal.close(), models.close()]));

/** Runs the command where address and key lead nowhere. */
const tryFile = (more: string[], options: Parameters<Terminal['dokima']>[1] = {}) => {
  Object.assign(terminal.environment, { DOKIMA_URL: 'http://127.0.0.1:9', DOKIMA_API_KEY: 'none' });
  const columns = ['--inputs', 'country', '--outputs', 'reply'];
  return terminal.dokima(['try', 'answers.csv', ...columns, ...more], options);
};

it('try starts a service, lets the model judge each answer, and prints the table and the links until Ctrl-C', async () => {
  models.answer(({ messages }) => ({
    reply: { reasoning: 'Compared.', binaryScore: !/Lyon/.test(messages.join()) },
  }));
  const stop = new AbortController();
  const said = await tryFile(['--judge', 'ollama/gemma3'], {
    isTTY: true,
    signal: stop.signal,
    onErr: (text) => {
      if (text.includes('Ctrl-C ends the service')) stop.abort();
    },
  });
  expect(said.err).toMatch(
    /Sign in first: http\S+\/welcome#\S+\nEvery answer: {2}http\S+\/projects\/\d+\/runs\/1\n/,
  );
  expect([said.code, said.out]).toEqual([
    0,
    expect.stringMatching(/Correctness +75.00 % +30.06 % … 95.44 % +4 /),
  ]);
  // The prompt names the fields of the file.
  const prompt = models.received[0]!.messages.join();
  for (const word of ['Peru', 'Lima']) expect(prompt).toContain(word);
  expect(models.received.map(({ body }) => body.model)).toEqual(Array(4).fill('gemma3'));
  expect((await readdir(terminal.directory)).filter((name) => name.startsWith('dokima-files'))).toEqual([]);
});

it('try compares short answers by code if no judge is named', async () => {
  const said = await tryFile([]);
  expect([said.code, said.out]).toEqual([
    0,
    expect.stringMatching(/Normalized match +75.00 % +30.06 % … 95.44 % +4 /),
  ]);
});

it('try says that a ready metric needs a judge', async () => {
  const asked = await tryFile(['--metric', 'correctness']);
  expect([asked.code, asked.err]).toEqual([4, expect.stringContaining('Name it: --judge ollama/gemma3')]);
});

it('try says which key or address it needs, before it starts anything', async () => {
  for (const [judge, words] of [
    ['gemma3', '--judge must be PROVIDER/MODEL'],
    ['openai/gpt-6', 'Set OPENAI_API_KEY.'],
    ['vllm/x', '--base-url http://localhost:8000/v1'],
  ] as const) {
    const said = await tryFile(['--judge', judge]);
    expect([said.code, said.err]).toEqual([4, expect.stringContaining(words)]);
  }
});

it('try says how to start Ollama, and how to get a model that it lacks', async () => {
  // The answer of Ollama 0.12 to GET /api/tags.
  const list = {
    models: [
      {
        name: 'llama3.2:latest',
        model: 'llama3.2:latest',
        modified_at: '2026-05-04T17:37:44.706015396-07:00',
        size: 2019393189,
        digest: 'a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72',
        details: { format: 'gguf', family: 'llama', parameter_size: '3.2B', quantization_level: 'Q4_K_M' },
      },
    ],
  };
  const asked: string[] = [];
  const ollama = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
  });
  await new Promise<void>((done) => ollama.listen(0, '127.0.0.1', done));
  const { OLLAMA_HOST } = terminal.environment;
  terminal.environment.OLLAMA_HOST = `127.0.0.1:${(ollama.address() as AddressInfo).port}/`;
  const missing = await tryFile(['--judge', 'ollama/gemma3']);
  await new Promise((done) => ollama.close(done));
  expect([missing.code, missing.err]).toEqual([
    4,
    'dokima: Ollama has no model gemma3. It has llama3.2:latest.\n  Get it: ollama pull gemma3\n',
  ]);
  expect(asked).toEqual(['/api/tags']);
  terminal.environment.OLLAMA_HOST = '127.0.0.1:9';
  expect((await tryFile(['--judge', 'ollama/gemma3'])).err).toContain('Start it: ollama serve.');
  terminal.environment.OLLAMA_HOST = OLLAMA_HOST;
});
