import { createMetric, createTestcases, createTestset, ok } from './fixtures.ts';
import type { Client } from './harness.ts';

/** A testset with a code metric, and a system whose versions the service could call, if no worker needed an answer. */
export const createSealable = async (api: Client, projectId: string, numTestcases = 2) => {
  const testset = await createTestset(api, projectId);
  const testcases = await createTestcases(api, testset.id, numTestcases);
  const metric = await createMetric(api, projectId, {
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: 'function score() { return true }',
  });
  let versions = 0;
  const nextVersion = async (): Promise<string> => {
    const config = { endpoint: `https://no-such-host.invalid/${++versions}` };
    const body = { name: `Called with ${testset.id}`, config };
    return (await ok(api('POST', `/projects/${projectId}/systems`, body), 201)).productionVersion.id;
  };
  const sealing = { metricIds: [metric.id as string], baselineVersionId: await nextVersion() };
  return { testset, testcases, sealing, nextVersion };
};

/** The same with all of its testcases sealed. */
export const createSealed = async (api: Client, projectId: string, more: object = {}) => {
  const made = await createSealable(api, projectId);
  const body = { ...made.sealing, ...more };
  const seal = await ok(api('POST', `/testsets/${made.testset.id}/seals`, body), 201);
  return { ...made, sealId: seal.id as string };
};
