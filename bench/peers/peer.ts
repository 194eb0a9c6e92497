import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { valueOfScore } from '../../client/src/score-value.ts';
import { metrics, recordParts, scoreText } from '../dataset.ts';
import { familyMemory, familySeconds } from '../processor.ts';

/** A record as every product gets it: the numbers and reasons of its five scores stand beside it. */
export type Item = { id: number; inputs: object; expected: object; outputs: object; scores: ItemScore[] };
export type ItemScore = { name: string; value: number; reason: string };

/** A product that is running, empty. */
export type Peer = {
  /** Prepares a place for records, such as a run, and returns how to write to it and read it. */
  open: () => Promise<Place>;
  seconds: () => Promise<number>;
  memory: () => Promise<number>;
  stop: () => Promise<void>;
};

export type Place = {
  /** Writes records in as few requests as the product allows; resolves when each is stored and readable. */
  send: (items: Item[]) => Promise<unknown>;
  /** Writes one record with its scores. Undefined: the product has no way that is not `send`. */
  sendOne?: (item: Item) => Promise<unknown>;
  read: () => Promise<Item[]>;
};

/** The number of a score as Dokima has it: true is 1. */
export const numberOf = (score: Record<string, unknown>): number => Number(valueOfScore(score));

export const itemsOf = (count: number): Item[] =>
  Array.from({ length: count }, (_, id) => {
    const { inputs, expected, outputs } = recordParts(id);
    return {
      id,
      // The number makes each record different, so that a lost one cannot hide behind its twin.
      inputs: { ...JSON.parse(inputs), id },
      expected: JSON.parse(expected),
      outputs: JSON.parse(outputs),
      scores: metrics.map((_, m) => {
        const score = JSON.parse(scoreText(id, m));
        return { name: `metric ${m}`, value: numberOf(score), reason: score.reasoning };
      }),
    };
  });

/** Throws unless a product has exactly the records that it was sent, with every score and reason. */
export const requireSame = (name: string, sent: Item[], stored: Item[]): void => {
  if (stored.length !== sent.length)
    throw new Error(`${name} has ${stored.length} of ${sent.length} records.`);
  const byId = new Map(stored.map((item) => [item.id, item]));
  for (const item of sent) {
    const found = byId.get(item.id);
    const scores = found?.scores.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    if (!isDeepStrictEqual({ ...found, scores }, item))
      throw new Error(
        `${name} changed record ${item.id}: ${JSON.stringify(found)} for ${JSON.stringify(item)}`,
      );
  }
};

/** A JSON request; throws for any answer but a 2xx. */
export const ask = async (
  url: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
  headers = {},
) => {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text.slice(0, 400)}`);
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

export type Program = Pick<Peer, 'seconds' | 'memory' | 'stop'>;

/** Starts a program and waits until `ready` answers. */
export const startProgram = async (
  command: string,
  args: string[],
  env: Record<string, string>,
  cwd: string,
  ready: string,
): Promise<Program> => {
  const child: ChildProcess = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'ignore' });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const deadline = Date.now() + 180_000;
  while (
    !(await fetch(ready).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${command} did not start.`);
    await delay(200);
  }
  return {
    seconds: async () => (await familySeconds(child.pid!)) ?? Number.NaN,
    memory: async () => (await familyMemory(child.pid!)) ?? Number.NaN,
    stop: async () => {
      process.off('exit', kill);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await Promise.race([ended, delay(10_000).then(kill)]);
    },
  };
};

/** Runs `work` for each item, `atOnce` at a time. */
export const inTurn = async <T>(
  items: T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < items.length) await work(items[next++]!);
    }),
  );
};

export const chunks = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
