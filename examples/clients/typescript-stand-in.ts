import { randomUUID } from 'node:crypto';

/**
 * Sends the requests that version 3.1.0 of the public TypeScript library sends, with its headers, for the part of it that docs/clients.md
 * uses. A stand-in of ours: the npm registry does not have the library, so a test of the page cannot install it.
 */

type Row = Record<string, unknown> & { id: string };
type Page = { data: Row[]; nextCursor: string; hasMore: boolean };
type Options = { baseURL?: string | undefined; apiKey?: string | undefined };
type System = (inputs: Record<string, unknown>, options?: object) => Promise<Record<string, unknown>>;
type RunArguments = { projectId: string; testsetId: string; metricIds: string[]; system: System };

export default class Scorecard {
  readonly #baseUrl: string;
  readonly #apiKey: string;

  constructor({
    baseURL = process.env.SCORECARD_BASE_URL,
    apiKey = process.env.SCORECARD_API_KEY,
  }: Options = {}) {
    this.#baseUrl = baseURL!;
    this.#apiKey = apiKey!;
  }

  readonly projects = { create: (body: object) => this.send<Row>('post', '/projects', body) };
  readonly testsets = {
    create: (projectId: string, body: object) =>
      this.send<Row>('post', `/projects/${projectId}/testsets`, body),
  };
  readonly metrics = {
    create: (projectId: string, body: object) =>
      this.send<Row>('post', `/projects/${projectId}/metrics`, body),
  };
  readonly runs = {
    create: (projectId: string, body: object) => this.send<Row>('post', `/projects/${projectId}/runs`, body),
  };
  readonly testcases = {
    create: (testsetId: string, body: object) => this.send('post', `/testsets/${testsetId}/testcases`, body),
    list: (testsetId: string) => this.#pages(`/testsets/${testsetId}/testcases`),
  };
  readonly records = {
    create: (runId: string, body: object) => this.send<Row>('post', `/runs/${runId}/records`, body),
    list: (runId: string) => this.#pages(`/runs/${runId}/records`),
  };

  async send<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'Scorecard/JS 3.1.0',
        'x-stainless-lang': 'js',
        'x-stainless-package-version': '3.1.0',
        'x-stainless-retry-count': '0',
        'x-stainless-runtime': 'node',
        'x-stainless-runtime-version': process.version,
        authorization: `Bearer ${this.#apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async *#pages(path: string): AsyncGenerator<Row> {
    let query = '';
    for (;;) {
      const { data, nextCursor, hasMore } = await this.send<Page>('get', `${path}${query}`);
      yield* data;
      if (!hasMore || !nextCursor) return;
      query = `?cursor=${encodeURIComponent(nextCursor)}`;
    }
  }
}

/** Calls the system with one testcase after the other. The record of each is sent at once and waited for at the end. */
export const runAndEvaluate = async (
  client: Scorecard,
  { projectId, testsetId, metricIds, system }: RunArguments,
): Promise<{ id: string }> => {
  const { id } = await client.runs.create(projectId, { testsetId, metricIds });
  const sent: Promise<unknown>[] = [];
  for await (const testcase of client.testcases.list(testsetId)) {
    const { inputs, expected } = testcase as unknown as Record<
      'inputs' | 'expected',
      Record<string, unknown>
    >;
    const outputs = await system(inputs);
    const body = { inputs, expected, outputs, otelLinkId: randomUUID(), testcaseId: testcase.id };
    sent.push(client.records.create(id, body));
  }
  await Promise.all(sent);
  return { id };
};

/** Asks for the monitor, as the library does while it wraps the SDK. The spans themselves are the AI SDK's. */
export const wrapAISDK = <T>(
  ai: T,
  { projectId, serviceName, metrics }: { projectId: string; serviceName: string; metrics: string[] },
): T => {
  const body = { description: serviceName, metrics, filter: { serviceName } };
  new Scorecard().send('put', `/projects/${projectId}/monitors`, body).catch((error) => console.error(error));
  return ai;
};
