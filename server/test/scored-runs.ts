import { createRun, ok } from './fixtures.ts';
import type { Client } from './harness.ts';

const valueFields: Record<string, string> = { boolean: 'binaryScore', int: 'intScore', float: 'floatScore' };

type Metric = { id: string; outputType: string };
/** One record: the testcase that it answers and its score of each metric, by the metric's id; null leaves it pending. */
export type ScoredRecord = {
  testcaseId?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  scores: Record<string, boolean | number | null>;
};

/** A run with these records and scores, given through the API as a client gives them. */
export const createRunOf = async (
  api: Client,
  projectId: string,
  metrics: Metric[],
  records: ScoredRecord[],
  fields: Record<string, unknown> = {},
) => {
  const ids = metrics.map(({ id }) => id);
  const run = await createRun(api, projectId, ids, fields);
  const recordIds: string[] = [];
  for (let from = 0; from < records.length; from += 1000) {
    const part = records.slice(from, from + 1000);
    const items = part.map(({ testcaseId, inputs = {}, outputs = {} }) => ({
      testcaseId,
      inputs,
      expected: {},
      outputs,
    }));
    const made = await ok(api('POST', `/runs/${run.id}/records/bulk-create`, { items }), 201);
    recordIds.push(...made.ids);
  }
  const items = records.flatMap(({ scores }, i) =>
    metrics.flatMap(({ id, outputType }, m) => {
      const value = scores[id] ?? null;
      if (value === null) return [];
      const score = { [valueFields[outputType]!]: value };
      return [{ recordId: recordIds[i], metricConfigId: run.metricVersionIds[m], score }];
    }),
  );
  for (let from = 0; from < items.length; from += 1000) {
    await ok(api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items: items.slice(from, from + 1000) }));
  }
  return { run, recordIds, configIds: run.metricVersionIds as string[] };
};
