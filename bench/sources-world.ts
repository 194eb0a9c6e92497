/** A project of a running service, as the worlds of `sources.ts` make it: everything goes over HTTP. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { draw } from '../server/src/evaluation/samples/draw.ts';

type Json = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of the service, whose shape the service's tests check.
export type Answer = any;
export type Api = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Returns a function that asks the service. Throws unless the status is 2xx. */
export const apiOf =
  (url: string, apiKey: string): Api =>
  async (method, path, body) => {
    const response = await fetch(`${url}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
    return answer === '' ? null : JSON.parse(answer);
  };

const program = fileURLToPath(new URL('../cli/src/main.ts', import.meta.url));
const outcomes: Record<number, string> = {
  0: 'passes',
  1: 'is WORSE',
  2: 'has not enough data',
  3: 'is INCOMPLETE',
};

export type Gate = (runId: string, metric: string, rules: Json, baseline?: string) => Promise<string>;

/** Returns a function that asks `dokima gate` about one metric: its outcome, and the lines of slices that lost more. */
export const gateOf =
  (url: string, key: string, directory: string): Gate =>
  async (runId, metric, rules, baseline) => {
    const file = join(directory, 'rules.yaml');
    await writeFile(file, JSON.stringify({ unpaired: true, metrics: { [metric]: rules } }));
    const words = ['gate', runId, ...(baseline ? ['--baseline', baseline] : []), '--config', file];
    const env = { ...process.env, DOKIMA_URL: url, DOKIMA_API_KEY: key, HOME: directory };
    const child = spawn(process.execPath, [program, ...words], { env });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [out] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const slice = /lost more than the rest: (\S+ \S+):/.exec(out)?.[1];
    return `gate ${JSON.stringify(rules).replaceAll('"', '')} ${outcomes[(await ended) ?? -1] ?? 'is refused'}${slice ? `, and names ${slice}` : ''}`;
  };

/** A number from 0 up to 1 that depends on the key alone, so that each world is the same each time. */
export const chanceOf = (key: string): number => draw(null, `sources ${key}`);

export type Metric = { id: string; versionId: string };
export type Made = { id: string; recordIds: string[] };

export type World = {
  projectId: string;
  api: Api;
  metric: (name: string, evalType: 'ai' | 'human' | 'heuristic', fields?: Json) => Promise<Metric>;
  /** Adds a testset; returns the ids of its testcases. */
  testset: (jsonData: Json[], metadata?: string[]) => Promise<{ id: string; testcaseIds: string[] }>;
  /** Adds a run with a record for each verdict. */
  run: (
    metric: Metric,
    verdicts: boolean[],
    at?: { id: string; testcaseIds: string[]; inputs?: Json[] },
  ) => Promise<Made>;
  /** Adds a run whose verdicts a model gives, and waits for them. */
  judgedRun: (judge: Metric, verdicts: boolean[]) => Promise<Made>;
  /** Scores records as a person. */
  score: (runId: string, metric: Metric, verdicts: [recordId: string, passed: boolean][]) => Promise<void>;
  /** Draws records for people and scores them; returns their ids. */
  review: (run: Made, people: Metric, sample: Json, truth: (i: number) => boolean) => Promise<string[]>;
};

/** What the model of `judgedRun` reads in an output. */
export const goodAnswer = 'a good answer';

const pollMs = 200;

type Place = { api: Api; projectId: string };

const scoreIn =
  (api: Api): World['score'] =>
  async (runId, metric, verdicts) => {
    const items = verdicts.map(([recordId, binaryScore]) => ({
      recordId,
      metricConfigId: metric.versionId,
      score: { binaryScore },
    }));
    for (let from = 0; from < items.length; from += 1000)
      await api('POST', `/runs/${runId}/scores/bulk-upsert`, { items: items.slice(from, from + 1000) });
  };

const addTestset =
  ({ api, projectId }: Place): World['testset'] =>
  async (jsonData, metadata = []) => {
    const { id } = await api('POST', `/projects/${projectId}/testsets`, {
      name: 'Testset',
      description: '',
      jsonSchema: {},
      fieldMapping: { inputs: ['question'], expected: [], metadata },
    });
    const items = jsonData.map((data) => ({ jsonData: data }));
    const testcaseIds: string[] = [];
    for (let from = 0; from < items.length; from += 100) {
      const part = items.slice(from, from + 100);
      const { items: made } = await api('POST', `/testsets/${id}/testcases`, { items: part });
      testcaseIds.push(...made.map((testcase: Answer) => testcase.id));
    }
    return { id, testcaseIds };
  };

const addRun =
  ({ api, projectId }: Place): World['run'] =>
  async (metric, verdicts, at) => {
    const { id } = await api('POST', `/projects/${projectId}/runs`, {
      metricIds: [metric.id],
      ...(at && { testsetId: at.id }),
    });
    const items = verdicts.map((_, i) => ({
      ...(at && { testcaseId: at.testcaseIds[i] }),
      inputs: at?.inputs?.[i] ?? { question: `question ${i}` },
      expected: {},
      outputs: {},
    }));
    const { ids } = await api('POST', `/runs/${id}/records/bulk-create`, { items });
    await scoreIn(api)(
      id,
      metric,
      verdicts.map((passed, i) => [ids[i], passed]),
    );
    return { id, recordIds: ids };
  };

const addJudgedRun =
  ({ api, projectId }: Place): World['judgedRun'] =>
  async (judge, verdicts) => {
    const { id } = await api('POST', `/projects/${projectId}/runs`, { metricIds: [judge.id] });
    const items = verdicts.map((passed, i) => ({
      inputs: { question: `question ${i}` },
      expected: {},
      outputs: { answer: `${passed ? goodAnswer : 'a poor answer'} to question ${i}` },
    }));
    const { ids } = await api('POST', `/runs/${id}/records/bulk-create`, { items });
    while ((await api('GET', `/runs/${id}`)).status !== 'completed') await delay(pollMs);
    return { id, recordIds: ids };
  };

const reviewIn =
  (api: Api): World['review'] =>
  async (run, people, sample, truth) => {
    const body = { metricId: people.id, seed: 1, ...sample };
    const { id } = await api('POST', `/runs/${run.id}/review-samples`, body);
    const drawn: string[] = [];
    let cursor = '';
    do {
      const page = await api('GET', `/review-samples/${id}/records?limit=100&cursor=${cursor}`);
      drawn.push(...page.data.map(({ recordId }: { recordId: string }) => recordId));
      cursor = page.nextCursor ?? '';
    } while (cursor !== '');
    const placeOf = new Map(run.recordIds.map((recordId, i) => [recordId, i]));
    await scoreIn(api)(
      run.id,
      people,
      drawn.map((recordId) => [recordId, truth(placeOf.get(recordId)!)]),
    );
    return drawn;
  };

/** Makes an empty project. */
export const createWorld = async (api: Api, name: string): Promise<World> => {
  const { id: projectId } = await api('POST', '/projects', { name, description: '' });
  const place = { api, projectId };
  return {
    projectId,
    api,
    metric: async (metricName, evalType, fields = {}) => {
      const body = { name: metricName, evalType, outputType: 'boolean', ...fields };
      const { id } = await api('POST', `/projects/${projectId}/metrics`, body);
      const { data } = await api('GET', `/metrics/${id}/versions`);
      return { id, versionId: data[0].id };
    },
    testset: addTestset(place),
    run: addRun(place),
    judgedRun: addJudgedRun(place),
    score: scoreIn(api),
    review: reviewIn(api),
  };
};

export const percent = (share: number | null): string =>
  share === null ? 'none' : `${(100 * share).toFixed(1)} %`;
export const rangeOf = (interval: { low: number; high: number } | null): string =>
  interval === null ? 'no interval' : `${percent(interval.low)} to ${percent(interval.high)}`;
export const codesOf = (...of: { caveats: { code: string }[] }[]): string =>
  [...new Set(of.flatMap(({ caveats }) => caveats.map(({ code }) => `\`${code}\``)))].join(', ') || 'none';
