import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type Client, createClient } from '../../client/src/main.ts';
import { type Organization, startApp, type TestApp } from '../../server/test/harness.ts';
import { forPrograms } from '../../server/test/programs.ts';
import { dokima } from '../src/dokima.ts';

/** Output of a command. */
export type Said = {
  code: number;
  out: string;
  err: string;
  /** Parses stdout as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  json: () => any;
};

export type Terminal = {
  app: TestApp;
  url: string;
  key: string;
  /** Creates another member of the same organization. */
  person: Organization['person'];
  /** A client of the same organization. */
  client: Client;
  /** The directory in which the commands run; empty at first. */
  directory: string;
  environment: NodeJS.ProcessEnv;
  /** Runs a command line. */
  dokima: (
    words: string[],
    more?: { stdin?: string; isTTY?: boolean; signal?: AbortSignal; onErr?: (text: string) => void },
  ) => Promise<Said>;
  write: (name: string, text: string) => Promise<void>;
  read: (name: string) => Promise<string>;
  close: () => Promise<void>;
};

const sink = (heard: (text: string) => void = () => {}) => {
  let text = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      heard(String(chunk));
      done();
    },
  });
  return { stream, text: () => text };
};

/**
 * Opens a directory to run commands in, with the key of a new organization. Uses the service that test files share, or starts one
 * with these settings.
 */
export const openTerminal = async (settings?: NodeJS.ProcessEnv): Promise<Terminal> => {
  const app = await startApp(settings);
  const { key, person } = await app.organization();
  const url = await app.url();
  const directory = await mkdtemp(join(tmpdir(), 'dokima-cli-'));
  const environment = { ...forPrograms(), HOME: directory, DOKIMA_URL: url, DOKIMA_API_KEY: key };
  return {
    app,
    url,
    key,
    person,
    client: createClient({ baseUrl: url, apiKey: key }),
    directory,
    environment,
    dokima: async (
      words,
      { stdin = '', isTTY = false, signal = new AbortController().signal, onErr } = {},
    ) => {
      const [out, err] = [sink(), sink(onErr)];
      const code = await dokima(words, {
        stdin: Object.assign(Readable.from([stdin]), { isTTY }),
        stdout: out.stream,
        stderr: err.stream,
        environment,
        directory,
        signal,
      });
      return { code, out: out.text(), err: err.text(), json: () => JSON.parse(out.text()) };
    },
    write: (name, text) => writeFile(join(directory, name), text),
    read: (name) => readFile(resolve(directory, name), 'utf8'),
    close: async () => {
      await app.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** Creates a project with a boolean metric that clients score, and a testset of `count` questions. */
export const prepare = async (client: Client, count: number) => {
  const project = await client.createProject({ name: 'Project', description: '' });
  const metric = await client.createMetric(project.id, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const testset = await client.createTestset(project.id, {
    name: 'Doubles',
    description: 'Twice a number.',
    jsonSchema: { type: 'object' },
    fieldMapping: { inputs: ['q'], expected: ['a'], metadata: [] },
  });
  const items = Array.from({ length: count }, (_, q) => ({ jsonData: { q, a: q * 2 } }));
  const testcases = await client.createAllTestcases(testset.id, items);
  return { project, metric, testset, testcases };
};
