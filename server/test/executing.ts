import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Asked, openEndpoint, type Reply } from './endpoint.ts';
import { createProject, ok } from './fixtures.ts';
import { type Client, type Organization, startApp, type TestApp } from './harness.ts';
import { type ModelServer, openOpenAiServer } from './model-server.ts';

/**
 * A service that executes runs, with a model and an endpoint that the test answers for. Each test has an organization and a project
 * of its own: a circuit that one test opens holds for its organization.
 */
export const executing = () => {
  const world = {} as {
    app: TestApp;
    own: Organization;
    projectId: string;
    model: ModelServer;
    endpoint: Awaited<ReturnType<typeof openEndpoint>>;
    /** What the endpoint answers. */
    answer: (asked: Asked) => Reply | Promise<Reply>;
  };
  let systems = 0;

  beforeAll(async () => {
    world.model = await openOpenAiServer();
    world.endpoint = await openEndpoint((asked) => world.answer(asked));
    world.app = await startApp({
      DOKIMA_WORKERS: '1',
      DOKIMA_ALLOW_PRIVATE_ADDRESSES: 'true',
      OPENAI_API_KEY: 'sk-of-the-operator',
      OPENAI_BASE_URL: world.model.url,
    });
  });
  beforeEach(async () => {
    world.own = await world.app.organization();
    world.projectId = (await createProject(world.own.api)).id;
  });
  afterEach(() => {
    world.endpoint.received.length = 0;
    world.model.received.length = 0;
  });
  afterAll(async () => {
    await world.app.close();
    await world.endpoint.close();
    await world.model.close();
  });

  const api: Client = (...asked) => world.own.api(...asked);
  /** Creates a system with this configuration and returns the id of its version. */
  const versionOf = async (config: unknown): Promise<string> => {
    const body = { name: `System ${++systems}`, config };
    return (await ok(api('POST', `/projects/${world.projectId}/systems`, body), 201)).productionVersion.id;
  };
  /** Returns the newest 100 records of a run, in the order of their testcases. */
  const records = async (runId: string) => {
    const { data } = await ok(api('GET', `/runs/${runId}/records?limit=100`));
    return data.sort((a: { testcaseId: string }, b: { testcaseId: string }) =>
      a.testcaseId < b.testcaseId ? -1 : 1,
    );
  };
  /** The executions of a run by their testcases: the run has drawn the order in which it makes them. */
  const executions = async (runId: string, query = '') => {
    const { data } = await ok(api('GET', `/runs/${runId}/executions?limit=100${query}`));
    const placeOf = ({ testcaseId, trial }: { testcaseId: string; trial: number }) =>
      1e6 * trial + Number(testcaseId.split('-')[1]);
    return data.toSorted(
      (a: Parameters<typeof placeOf>[0], b: Parameters<typeof placeOf>[0]) => placeOf(a) - placeOf(b),
    );
  };
  return Object.assign(world, { api, versionOf, records, executions });
};
