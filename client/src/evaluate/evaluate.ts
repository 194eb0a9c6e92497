import { existsSync } from 'node:fs';
import type { RunComparison } from '../generated.ts';
import { rootOf } from '../http.ts';
import { type Labels, problemOfLabels } from '../labels.ts';
import { type Client, createClient } from '../main.ts';
import { canonical } from '../results/canonical.ts';
import { awaitScores, findBaseline } from '../results/decide-better.ts';
import { readResults } from '../results/read-results.ts';
import { type Result, startSession } from '../results/results.ts';
import { type Target, type Uploaded, upload } from '../results/upload.ts';
import { valueOfScore } from '../score-value.ts';
import type { Environment, JsonObject } from '../types.ts';
import {
  type Asked,
  ask,
  asObject,
  casesOf,
  type DataRow,
  type Scorer,
  type System,
  sourceOf,
  type ToDo,
} from './answers.ts';
import { Evaluation, keyOf } from './evaluation.ts';
import { fileOf, folderOf, type Journal, openJournal } from './files.ts';
import { type Access, ownService } from './own-service.ts';

export type { DataRow, Scored, Scorer, System } from './answers.ts';
export { type EvaluatedMetric, Evaluation, NotBetter } from './evaluation.ts';

type OneScore = Scorer | string | Record<string, Scorer>;

export type EvaluateOptions = {
  /** Rows. `expected` is the expected answer, all other fields are inputs. */
  data: Iterable<DataRow>;
  /** The system under test: a function of the inputs of a row. */
  system: System;
  /** Functions, whose names are those of their metrics; names of the project's metrics; ids of ready metrics; functions by name. */
  scores: OneScore | readonly OneScore[];
  /** For functions that return labels: which labels there are, which of them pass, and whether they go from worst to best. */
  labels?: Record<string, Omit<Labels, 'ordered'> & { ordered?: boolean }>;
  /** Number of calls for each row. Default 1. */
  trials?: number;
  /** What to compare with: a mark, the id of a run, `merge-base:BRANCH`, `previous`, or a file of results. */
  than?: string;
  /** Marks the run, so that a later `than` finds it. */
  mark?: string;
  /** Id or name. Default: DOKIMA_PROJECT, else the project with the name of the evaluation, which is created. */
  project?: string;
  /** Default: a client for DOKIMA_URL and DOKIMA_API_KEY. `url` is then the address of its service. */
  client?: { client: Client; url: string };
  /** Whether nothing leaves this machine. Default: without DOKIMA_API_KEY. */
  offline?: boolean;
  /** Number of calls at the same time. Default 8. */
  concurrency?: number;
  /** Repetitions of a call that fails. Default 2. */
  retries?: number;
  /** A name of the system's version. Answers of an earlier evaluation with the same name are reused. */
  cache?: string;
  /** The file of results. Default: a new one in `dokima-results`. */
  file?: string;
  tags?: string[];
  /** Confidence level. Default 0.95. */
  level?: number;
  /** Longest time to wait for scores of the service, in milliseconds. Default 600,000. */
  timeoutMs?: number;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
};

/** Returns the functions by the names of their metrics, and the names of metrics that the service scores. */
const named = (scores: EvaluateOptions['scores']) => {
  const scorers = new Map<string, Scorer>();
  const metrics: string[] = [];
  for (const one of (Array.isArray(scores) ? scores : [scores]) as readonly OneScore[]) {
    if (typeof one === 'string') metrics.push(one);
    else if (typeof one === 'object')
      for (const [name, scorer] of Object.entries(one)) scorers.set(name, scorer);
    else if (one.name) scorers.set(one.name, one);
    else
      throw new TypeError(
        "A metric needs a name: give a function that has one, or { 'Right city': (record) => … }.",
      );
  }
  if (scorers.size + metrics.length === 0) throw new TypeError('scores names no metric.');
  return { scorers, metrics };
};

/** Returns the labels of functions. Throws for labels that no metric can have, or of another function. */
const labelled = (given: NonNullable<EvaluateOptions['labels']>, scorers: ReadonlyMap<string, Scorer>) =>
  Object.fromEntries(
    Object.entries(given).map(([name, { items, passing, ordered = false }]) => {
      if (!scorers.has(name)) throw new TypeError(`labels names '${name}', which is no function of scores.`);
      const found = problemOfLabels({ items, passing, ordered });
      if (found) throw new RangeError(`labels of '${name}': ${found.path.slice(1)} ${found.problem}.`);
      return [name, { items, passing, ordered }];
    }),
  );

type Place = { access: Promise<Access> | Access | undefined; client?: Client | undefined; isOwn: boolean };

/** Returns the service, or what is about to become one, and whether it is our own. */
const placeOf = ({ client, offline }: EvaluateOptions, env: Environment): Place => {
  if (client) return { access: { url: client.url, apiKey: '' }, client: client.client, isOwn: false };
  const { DOKIMA_URL, DOKIMA_API_KEY } = env;
  if (offline !== true && (DOKIMA_API_KEY || offline === false))
    return {
      access: { url: DOKIMA_URL || 'http://localhost:3000', apiKey: DOKIMA_API_KEY ?? '' },
      isOwn: false,
    };
  return { access: ownService(env, process.cwd()), isOwn: true };
};

const projectOf = async (client: Client, name: string, wanted = name): Promise<string> => {
  if (/^\d+$/.test(wanted)) return wanted;
  for await (const project of client.listProjects()) if (project.name === wanted) return project.id;
  return (await client.createProject({ name: wanted, description: 'Made by evaluate().' })).id;
};

const baselineOf = async (
  target: Target,
  run: Uploaded,
  than: string,
  { folder, path, isOwn }: { folder: string; path: string; isOwn: boolean },
): Promise<string | undefined> => {
  const file = isOwn || existsSync(than) ? fileOf(than, folder, path) : undefined;
  if (file !== undefined) {
    const { session, results } = readResults(file);
    const same = results.filter(({ group }) => group === run.group);
    const chosen = (same.length > 0 ? same : results).map((one) => ({ ...one, group: run.group }));
    return (await upload(target, session, chosen))[0]?.runId;
  }
  if (isOwn) return undefined;
  if (than !== 'previous') return findBaseline(target, run, than);
  for await (const { id } of target.client.listRuns(target.projectId, { testsetId: run.testsetId }))
    if (BigInt(id) < BigInt(run.runId)) return id;
  return undefined;
};

/** Reads the scores that the service gave, for the rows. */
const givenScores = async (
  { client, projectId }: Target,
  run: Uploaded,
): Promise<Map<string, JsonObject>> => {
  const given = new Map<string, JsonObject>();
  if (run.awaited.length === 0) return given;
  const { metrics } = await client.summarizeRun(run.runId);
  const names = new Map(
    metrics
      .filter(({ metricId }) => run.awaited.includes(metricId))
      .map((one) => [one.metricConfigId, one.metricName]),
  );
  for await (const { otelLinkId, scores } of client.listProjectRecords(projectId, { runId: run.runId })) {
    const values: JsonObject = Object.fromEntries([...names.values()].map((name) => [name, null]));
    for (const { metricConfigId, score } of scores) {
      const name = names.get(metricConfigId);
      if (name !== undefined) values[name] = valueOfScore(score) ?? null;
    }
    given.set((otelLinkId ?? '').split('/').slice(1).join('/'), values);
  }
  return given;
};

/** Counts on a terminal, or calls the caller's function. */
const counter = (name: string, total: number, onProgress: EvaluateOptions['onProgress']) => {
  let done = 0;
  const { isTTY } = process.stderr;
  return {
    step: (more = 1): void => {
      done += more;
      if (onProgress) onProgress(done, total);
      else if (isTTY) process.stderr.write(`\r${name} ${done}/${total}`);
    },
    end: (): void => {
      if (isTTY && !onProgress) process.stderr.write('\r\u001b[2K');
    },
  };
};

const answersOf = async (
  asked: Asked,
  { data, trials = 1, onProgress }: EvaluateOptions & { data: readonly DataRow[] },
  { done, known, add, end }: Journal,
  note: (text: string) => void,
): Promise<Result[]> => {
  const there = new Map(done.map((result) => [keyOf(result), result]));
  const wanted: ToDo[] = casesOf(data).flatMap((one) =>
    Array.from({ length: trials }, (_, i) => ({ one, trial: i + 1, known: known.get(`${one.id}/${i + 1}`) })),
  );
  const keys = wanted.map(({ one, trial }) => `${one.id}/${trial}`);
  const todo = wanted.filter((_, i) => !there.has(keys[i]!));
  const reused = todo.filter((one) => one.known).length;
  if (reused > 0) note(`${reused} answers are reused.`);
  const count = counter(asked.name, wanted.length, onProgress);
  count.step(wanted.length - todo.length);
  const keep = (result: Result): void => {
    add(result);
    there.set(keyOf(result), result);
    count.step();
  };
  try {
    await ask(asked, todo, keep);
  } finally {
    count.end();
  }
  end();
  return keys.map((key) => there.get(key)!);
};

/**
 * Calls a system with each row of data, scores its answers, and returns each metric with its interval, and a verdict.
 *
 * Without a key (DOKIMA_API_KEY) nothing leaves this machine: the numbers come from a service that the command `dokima` starts for this
 * program, and the file can be sent with `dokima push`.
 */
export const evaluate = async (name: string, options: EvaluateOptions): Promise<Evaluation> => {
  const { system, tags = [], mark, cache, file, than, level = 0.95, timeoutMs = 600_000, project } = options;
  const { concurrency = 8, retries = 2, trials = 1, signal } = options;
  if (![concurrency, trials].every((count) => Number.isInteger(count) && count >= 1) || retries < 0)
    throw new RangeError('trials and concurrency must be whole numbers from 1, and retries at least 0.');
  // Once: a generator gives its rows only once.
  const data = [...options.data];
  const expected = new Map(casesOf(data).map((one) => [one.id, canonical(asObject(one.expected))]));
  const { scorers, metrics } = named(options.scores);
  const labels = labelled(options.labels ?? {}, scorers);
  const env = process.env;
  const { access, client: given, isOwn } = placeOf(options, env);
  const started = startSession(env, 'evaluate');
  const session = { ...started, tags: [...started.tags, ...tags], marks: mark === undefined ? [] : [mark] };
  const source = sourceOf([system]);
  const about = {
    name,
    system: cache ?? source,
    scores: sourceOf(
      [...scorers].flat().concat(metrics, Object.keys(labels).length > 0 ? canonical(labels) : []),
    ),
    cached: cache !== undefined,
    source,
  };
  const isWanted = (one: Result) => one.trial <= trials && expected.get(one.case) === canonical(one.expected);
  const note = (text: string): void => void process.stderr.write(`dokima: ${text}\n`);
  const folder = folderOf(name);
  const journal = openJournal(folder, file, session, about, isWanted, note);
  const asked = { name, system, scorers, metrics, labels, retries, concurrency, signal };
  const results = await answersOf(asked, { ...options, data }, journal, note);
  if (results.every(({ error }) => error !== null))
    throw new Error(`The system gave no answer. The first error: ${results[0]!.error}`);
  const whole = { name, results, file: journal.path, than };
  const at = await access;
  if (!at) return new Evaluation({ ...whole, given: new Map(), numbers: undefined, comparison: undefined });
  const url = rootOf(at.url);
  const client = given ?? createClient({ baseUrl: url, apiKey: at.apiKey, looksAs: 'evaluate' });
  const projectId = await projectOf(
    client,
    name,
    isOwn ? undefined : project || env.DOKIMA_PROJECT || undefined,
  );
  const target = { client, url, projectId };
  const [run] = (await upload(target, journal.session, results)) as [Uploaded];
  await awaitScores(target, run, timeoutMs);
  const summary = await client.summarizeRun(run.runId, { level });
  let comparison: RunComparison | undefined;
  const before = than && (await baselineOf(target, run, than, { folder, path: journal.path, isOwn }));
  if (before) comparison = await client.compareRuns({ runs: [before, run.runId], level });
  const link = before ? `${url}/projects/${projectId}/compare?runs=${before},${run.runId}` : run.url;
  return new Evaluation({
    ...whole,
    given: await givenScores(target, run),
    numbers: { runId: run.runId, url: isOwn ? undefined : link, summary },
    comparison,
  });
};
