import { type Api, inBatches, pages } from './api.ts';
import { finalAnswer, isRight, mentionsMoney, type Problem, type System, systems } from './problems.ts';

type Created = { id: string };
type Run = Created & { metricVersionIds: string[] };
type Testcase = Created & { jsonData: { question: string } };
type Listed = { scores: { score: { binaryScore: boolean } }[] };

/** What listing a run's records gives: how many there are and how many are right. */
export type Result = { system: System; records: number; correct: number };

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

const uploadScores = async (api: Api, run: Run, system: System, problems: Problem[], recordIds: string[]) => {
  const scores = problems.map((problem, i) => {
    const given = finalAnswer(problem[system].solution);
    const reasoning = `Answered ${given ?? 'nothing'}, expected ${finalAnswer(problem.ground_truth)}.`;
    const score = { binaryScore: isRight(problem, system), reasoning };
    return { recordId: recordIds[i], metricConfigId: run.metricVersionIds[0], score };
  });
  for (const items of inBatches(scores, 1000))
    await api('POST', `/runs/${run.id}/scores/bulk-upsert`, { items });
};

const tagMoney = async (api: Api, problems: Problem[], recordIds: string[]) => {
  const tagged = recordIds.filter((_, i) => mentionsMoney(problems[i]!));
  for (const ids of inBatches(tagged, 32)) {
    await Promise.all(ids.map((id) => api('POST', `/records/${id}/tags`, { text: 'money' })));
  }
};

const countCorrect = async (api: Api, run: Run, system: System): Promise<Result> => {
  let records = 0;
  let correct = 0;
  for await (const { scores } of pages<Listed>(api, `/runs/${run.id}/records`)) {
    records++;
    if (scores[0]?.score.binaryScore) correct++;
  }
  return { system, records, correct };
};

/** Evaluates the four systems on the problems, from an empty project to what listing gives. `report` hears each step. */
export const evaluate = async (
  api: Api,
  problems: Problem[],
  report: (step: string) => void,
): Promise<Result[]> => {
  const project = await api<Created>('POST', '/projects', {
    name: 'GSM8K',
    description: 'Four systems, one testset.',
  });
  const metric = await api<Created>('POST', `/projects/${project.id}/metrics`, {
    name: 'Final answer',
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines: 'Right when the final answer is that of the reference, commas aside.',
  });
  const testcaseIds = await createTestset(api, project.id, problems);
  report(`project ${project.id}: ${testcaseIds.length} testcases`);

  const results: Result[] = [];
  for (const system of systems) {
    const made = await api<{ productionVersion: Created }>('POST', `/projects/${project.id}/systems`, {
      name: system,
      config: { model: system },
    });
    const run = await api<Run>('POST', `/projects/${project.id}/runs`, {
      metricIds: [metric.id],
      systemVersionId: made.productionVersion.id,
    });
    const recordIds = await createRecords(api, run.id, system, problems, testcaseIds);
    await uploadScores(api, run, system, problems, recordIds);
    await tagMoney(api, problems, recordIds);
    report(`${system}: run ${run.id}, ${recordIds.length} records scored and tagged`);
    results.push(await countCorrect(api, run, system));
  }
  return results;
};
