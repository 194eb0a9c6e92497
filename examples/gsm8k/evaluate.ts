import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Api, inBatches, pages } from './api.ts';
import { finalAnswer, mentionsMoney, type Problem, type System, systems } from './problems.ts';

type Created = { id: string };
type Testcase = Created & { jsonData: { question: string } };
type Listed = { scores: { score: { binaryScore: boolean } }[] };

/** Counts over a run's records: all, correct ones, and those where the metric differs from the authors' label. */
export type Result = {
  system: System;
  runId: string;
  records: number;
  correct: number;
  mismatches: number;
};
export type Evaluation = { projectId: string; results: Result[] };

const createTestset = async (api: Api, projectId: string, problems: Problem[]): Promise<string[]> => {
  const testset = await api<Created>('POST', `/projects/${projectId}/testsets`, {
    name: 'GSM8K test',
    description: 'Grade-school mathematics: 1,319 problems with reference solutions (Cobbe et al. 2021).',
    jsonSchema: {
      type: 'object',
      properties: { question: { type: 'string' }, solution: { type: 'string' }, answer: { type: 'string' } },
      required: ['question', 'solution', 'answer'],
    },
    fieldMapping: { inputs: ['question'], expected: ['solution', 'answer'], metadata: [] },
  });
  const testcases = problems.map(({ question, ground_truth }) => ({
    jsonData: { question, solution: ground_truth, answer: finalAnswer(ground_truth) },
  }));
  const ids: string[] = [];
  for (const items of inBatches(testcases, 100)) {
    const { items: made } = await api<{ items: Testcase[] }>('POST', `/testsets/${testset.id}/testcases`, {
      items,
    });
    ids.push(...made.map((testcase) => testcase.id));
  }
  return ids;
};

const createRecords = async (
  api: Api,
  runId: string,
  system: System,
  problems: Problem[],
  testcaseIds: string[],
): Promise<string[]> => {
  const records = problems.map((problem, i) => ({
    testcaseId: testcaseIds[i],
    inputs: { question: problem.question },
    expected: { solution: problem.ground_truth },
    outputs: { solution: problem[system].solution },
  }));
  const ids: string[] = [];
  for (const items of inBatches(records, 500)) {
    ids.push(...(await api<{ ids: string[] }>('POST', `/runs/${runId}/records/bulk-create`, { items })).ids);
  }
  return ids;
};

/** Waits until the service has scored every record of the run. */
const completed = async (api: Api, runId: string): Promise<void> => {
  while ((await api<{ status: string }>('GET', `/runs/${runId}`)).status !== 'completed') await delay(100);
};

const tagMoney = async (api: Api, problems: Problem[], recordIds: string[]) => {
  const tagged = recordIds.filter((_, i) => mentionsMoney(problems[i]!));
  for (const ids of inBatches(tagged, 32)) {
    await Promise.all(ids.map((id) => api('POST', `/records/${id}/tags`, { text: 'money' })));
  }
};

const readResult = async (api: Api, runId: string, system: System, problems: Problem[]): Promise<Result> => {
  const result = { system, runId, records: 0, correct: 0, mismatches: 0 };
  for await (const { scores } of pages<Listed>(api, `/runs/${runId}/records`)) {
    const isRight = scores[0]?.score.binaryScore;
    if (isRight) result.correct++;
    // Records are listed in the order of their creation, which is the order of the problems.
    if (isRight !== problems[result.records++]![system].is_correct) result.mismatches++;
  }
  return result;
};

/** The languages of the sandbox. The metric exists in both. */
export type Language = 'typescript' | 'python';
const code = {
  typescript: new URL('metrics/final-answer.ts', import.meta.url),
  python: new URL('metrics/final_answer.py', import.meta.url),
};

/**
 * Evaluates the four systems on the problems in a new project and reads the results. The service scores each record with a code
 * metric in its sandbox. Calls `report` after each step.
 */
export const evaluate = async (
  api: Api,
  problems: Problem[],
  report: (step: string) => void,
  language: Language = 'typescript',
): Promise<Evaluation> => {
  const project = await api<Created>('POST', '/projects', {
    name: 'GSM8K',
    description: 'Four systems, one testset.',
  });
  const metric = await api<Created>('POST', `/projects/${project.id}/metrics`, {
    name: 'Final answer',
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: await readFile(code[language], 'utf8'),
  });
  const testcaseIds = await createTestset(api, project.id, problems);
  report(`project ${project.id}: ${testcaseIds.length} testcases`);

  const results: Result[] = [];
  for (const system of systems) {
    const made = await api<{ productionVersion: Created }>('POST', `/projects/${project.id}/systems`, {
      name: system,
      config: { model: system },
    });
    const run = await api<Created>('POST', `/projects/${project.id}/runs`, {
      metricIds: [metric.id],
      systemVersionId: made.productionVersion.id,
    });
    const recordIds = await createRecords(api, run.id, system, problems, testcaseIds);
    await tagMoney(api, problems, recordIds);
    await completed(api, run.id);
    report(`${system}: run ${run.id}, ${recordIds.length} records scored and tagged`);
    results.push(await readResult(api, run.id, system, problems));
  }
  return { projectId: project.id, results };
};
