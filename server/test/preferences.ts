import { createTestcases, createTestset } from './fixtures.ts';
import type { Client } from './harness.ts';
import { createRunOf } from './scored-runs.ts';

/** Creates runs on the testcases of one testset; each row of `answers` has the outputs of a run. Returns their ids. */
export const comparableRuns = async (
  api: Client,
  projectId: string,
  answers: string[][],
): Promise<string[]> => {
  const testset = await createTestset(api, projectId);
  const testcases = await createTestcases(api, testset.id, answers[0]!.length);
  const ids: string[] = [];
  for (const row of answers) {
    const records = row.map((answer, i) => ({
      testcaseId: testcases[i].id,
      inputs: { question: `q${i}` },
      outputs: { answer },
      scores: {},
    }));
    const { run } = await createRunOf(api, projectId, [], records, { testsetId: testset.id });
    ids.push(run.id);
  }
  return ids;
};
