/**
 * Uses what the client promises, without `process`, `Deno`, `Bun` or `window`. Tests run this program in each runtime.
 * @param {typeof import('../src/main.ts')} client
 * @param {string} baseUrl
 * @param {string} apiKey
 */
export const everywhere = async ({ createClient, DokimaError }, baseUrl, apiKey) => {
  const dokima = createClient({ baseUrl, apiKey });
  const project = await dokima.createProject({ name: 'Doubles', description: '' });
  const metric = await dokima.createMetric(project.id, {
    name: 'Right',
    evalType: 'heuristic',
    outputType: 'boolean',
  });
  const testset = await dokima.createTestset(project.id, {
    name: 'Numbers',
    description: '',
    jsonSchema: { type: 'object' },
    fieldMapping: { inputs: ['q'], expected: ['a'], metadata: [] },
  });
  const items = Array.from({ length: 51 }, (_, q) => ({ jsonData: { q, a: 2 * q } }));
  await dokima.createAllTestcases(testset.id, items);

  let [underWay, most] = [0, 0];
  const { run } = await dokima.runAndEvaluate({
    projectId: project.id,
    testsetId: testset.id,
    metricIds: [metric.id],
    concurrency: 4,
    trials: 2,
    system: async ({ q }) => {
      underWay++;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, 1));
      underWay--;
      return { a: 2 * Number(q) };
    },
  });

  let [records, right] = [0, 0];
  for await (const { outputs, expected } of dokima.listRecords(run.id)) {
    records++;
    if (outputs.a === expected.a) right++;
  }
  const bytes = new TextEncoder().encode('ü');
  const file = await dokima.uploadFile({ sessionId: 's', filePath: 'f', contentType: 'text/plain', bytes });
  const refused = await dokima.getRun('none').catch((error) => error);
  return {
    most,
    records,
    right,
    uploaded: [file.status, file.sizeBytes],
    refused: refused instanceof DokimaError && [
      refused.code,
      refused.status,
      refused.requestId !== undefined,
    ],
  };
};
