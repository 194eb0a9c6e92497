import type { DokimaError } from '../errors.ts';
import type { CreateMetricBody, CreateRecordsBody, Operations, Testcase } from '../generated.ts';
import { askConsent, consentProperties, consentResult, judgeCost } from './consent.ts';
import {
  type Arguments,
  dollars,
  idsResult,
  objects,
  optionalNumber,
  optionalText,
  optionalTexts,
  scoreWritten,
  type Tool,
  ToolError,
  text,
} from './tool.ts';

const id = (of: string) => ({ type: 'string', description: `Id of the ${of}.` }) as const;
const fields = (meaning: string) =>
  ({ type: 'array', items: { type: 'string' }, description: `Names of the fields ${meaning}.` }) as const;

const createProject: Tool = {
  name: 'create_project',
  title: 'Create a project',
  description: 'Creates a project. See list_projects first: there may be one already.',
  properties: {
    name: { type: 'string', description: 'Name of the project.' },
    description: { type: 'string', description: 'What it evaluates.' },
  },
  required: ['name'],
  reads: false,
  result: { projectId: id('project') },
  answer: async ({ client }, args) => {
    const description = optionalText(args, 'description') ?? '';
    const { id: projectId } = await client.createProject({ name: text(args, 'name'), description });
    return { text: `Project ${projectId} is created.`, data: { projectId } };
  },
};

const testcases = {
  type: 'array',
  items: { type: 'object' },
  description: 'Up to 1000 testcases, each an object with the fields of the testset.',
} as const;

/**
 * Stores testcases in the order given, a request for each hundred. If one is refused, those before it are deleted again, so that a
 * repeated call makes none twice. `undo` deletes what was stored.
 */
const storeTestcases = async (
  client: Operations,
  testsetId: string,
  given: Record<string, unknown>[],
  undo: (stored: string[]) => Promise<unknown>,
): Promise<string[]> => {
  const stored: string[] = [];
  try {
    for (let i = 0; i < given.length; i += 100) {
      const items = given.slice(i, i + 100).map((jsonData) => ({ jsonData }));
      stored.push(...(await client.createTestcases(testsetId, { items })).items.map((one) => one.id));
    }
  } catch (error) {
    const { message, details } = error as DokimaError;
    const issues = ((details?.issues ?? []) as { path: string; message: string }[]).map(
      ({ path, message: said }) => {
        const [, index, rest] = /^\/items\/(\d+)(.*)$/.exec(path) ?? [];
        return index === undefined
          ? `${path} ${said}`
          : `Testcase ${stored.length + Number(index) + 1}${rest} ${said}`;
      },
    );
    const why = issues.length > 0 ? issues.join('; ') : message;
    const isUndone = await undo(stored).then(
      () => true,
      () => false,
    );
    if (isUndone)
      throw new ToolError(`${why}. Nothing was stored: correct it and call again with all testcases.`);
    throw new ToolError(
      `${why}. The first ${stored.length} testcases of the call are stored in testset ${testsetId}: add only the others.`,
    );
  }
  return stored;
};

const createTestset: Tool = {
  name: 'create_testset',
  title: 'Create a testset',
  description:
    'Creates a testset and its testcases. `inputs` are the fields that the system gets, `expected` those with the right answer; each other field is metadata.',
  properties: {
    projectId: id('project'),
    name: { type: 'string', description: 'Name of the testset.' },
    inputs: fields('that the system gets'),
    expected: fields('with the right answer'),
    testcases,
  },
  required: ['projectId', 'name', 'inputs'],
  reads: false,
  result: { testsetId: id('testset'), testcaseIds: idsResult('testcases') },
  answer: async ({ client }, args) => {
    const [inputs, expected] = [optionalTexts(args, 'inputs'), optionalTexts(args, 'expected')];
    const given = objects(args, 'testcases');
    const named = new Set([...inputs, ...expected]);
    const metadata = [...new Set(given.flatMap(Object.keys))].filter((field) => !named.has(field));
    const absent = [...named].find((field) => given.length > 0 && !given.some((one) => field in one));
    if (absent !== undefined)
      throw new ToolError(`No testcase has the field ${JSON.stringify(absent)}. Nothing was created.`);
    const { id: testsetId } = await client.createTestset(text(args, 'projectId'), {
      name: text(args, 'name'),
      description: '',
      jsonSchema: {},
      fieldMapping: { inputs, expected, metadata },
    });
    const testcaseIds = await storeTestcases(client, testsetId, given, () => client.deleteTestset(testsetId));
    return {
      text: `Testset ${testsetId} is created, with ${testcaseIds.length} testcases${testcaseIds.length > 0 ? `: ${testcaseIds.join(', ')}` : ''}.`,
      data: { testsetId, testcaseIds },
    };
  },
};

const addTestcases: Tool = {
  name: 'add_testcases',
  title: 'Add testcases',
  description: 'Adds testcases to a testset.',
  properties: { testsetId: id('testset'), testcases },
  required: ['testsetId', 'testcases'],
  reads: false,
  result: { testcaseIds: idsResult('testcases') },
  answer: async ({ client }, args) => {
    const testsetId = text(args, 'testsetId');
    const testcaseIds = await storeTestcases(client, testsetId, objects(args, 'testcases'), async (ids) => {
      for (let i = 0; i < ids.length; i += 100) await client.deleteTestcases({ ids: ids.slice(i, i + 100) });
    });
    return {
      text: `Testset ${testsetId} has ${testcaseIds.length} more testcases: ${testcaseIds.join(', ')}.`,
      data: { testcaseIds },
    };
  },
};

const listReadyMetrics: Tool = {
  name: 'list_ready_metrics',
  title: 'List ready metrics',
  description: 'Lists metrics that are written and tested, each with the fields of a record that it reads.',
  properties: {},
  required: [],
  reads: true,
  answer: async ({ client }) => {
    const { data } = await client.listMetricTemplates();
    return data
      .map(
        ({ id: readyId, reads, metric: { name, evalType, outputType, description } }) =>
          `- ${readyId}: ${name}, ${evalType}, ${outputType}, reads ${reads.join(' ')}. ${description ?? ''}`,
      )
      .join('\n');
  },
};

/** Returns the metric that is asked for: a ready one with what the arguments change, or one of the arguments alone. */
const askedMetric = async (client: Operations, args: Arguments): Promise<CreateMetricBody> => {
  const readyId = optionalText(args, 'readyMetricId');
  const { data } = readyId === undefined ? { data: [] } : await client.listMetricTemplates();
  const ready = data.find((one) => one.id === readyId);
  if (readyId !== undefined && !ready)
    throw new ToolError(`There is no ready metric ${readyId}. list_ready_metrics lists them.`);
  const names = [
    'name',
    'description',
    'evalType',
    'outputType',
    'guidelines',
    'promptTemplate',
    'evalModelName',
  ];
  const given = names.flatMap((name) => {
    const value = optionalText(args, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const passingThreshold = optionalNumber(args, 'passingThreshold');
  const body = {
    ...ready?.metric,
    ...Object.fromEntries(given),
    ...(passingThreshold !== undefined && { passingThreshold }),
    ...(args.labels !== undefined && { labels: args.labels }),
  };
  const missing = ['name', 'evalType', 'outputType'].find((name) => !(name in body));
  if (missing) throw new ToolError(`${missing} is missing, or the id of a ready metric.`);
  // The service checks the rest, and says what to change.
  return body as CreateMetricBody;
};

const createMetric: Tool = {
  name: 'create_metric',
  title: 'Create a metric',
  description:
    'Creates a metric: a ready one by readyMetricId, or your own. It costs nothing until a run has records. Score some records by hand before you trust a judge: judge_trust says how far it agrees with people.',
  properties: {
    projectId: id('project'),
    readyMetricId: {
      type: 'string',
      description: 'Id from list_ready_metrics. What else you give replaces its.',
    },
    name: { type: 'string', description: 'Name of the metric.' },
    description: { type: 'string', description: 'What it measures.' },
    evalType: {
      type: 'string',
      enum: ['heuristic', 'ai', 'human'],
      description: 'heuristic: code, or you send the scores. ai: a model judges. human: people score.',
    },
    outputType: {
      type: 'string',
      enum: ['boolean', 'int', 'float', 'category'],
      description: 'int: 1 to 5. float: 0 to 1. category: one of `labels`.',
    },
    guidelines: {
      type: 'string',
      description:
        'heuristic: JavaScript or Python code, function score(inputs, outputs, expected) that returns the score; without it you send the scores. human: instructions for reviewers.',
    },
    promptTemplate: {
      type: 'string',
      description: 'ai: the prompt, with {{ inputs.x }}, {{ outputs.x }}, {{ expected.x }}.',
    },
    evalModelName: { type: 'string', description: 'ai: the model. Default: that of the organization.' },
    passingThreshold: { type: 'number', description: 'int, float: the lowest score that passes.' },
    labels: {
      type: 'object',
      description:
        'category: { items: ["Wrong", "Partly", "Right"], passing: ["Right"], ordered: true }. With an order, items go from worst to best.',
    },
  },
  required: ['projectId'],
  reads: false,
  result: { metricId: id('metric') },
  answer: async ({ client }, args) => {
    const projectId = text(args, 'projectId');
    const { id: metricId } = await client.createMetric(projectId, await askedMetric(client, args));
    return { text: `Metric ${metricId} is created.`, data: { metricId } };
  },
};

type Item = Omit<CreateRecordsBody['items'][number], 'scores'>;

/** Returns the testcases that answers name. */
const findTestcases = async (
  client: Operations,
  testsetId: string | undefined,
  answers: Record<string, unknown>[],
): Promise<Map<string, Testcase>> => {
  const wanted = new Set(
    answers.flatMap(({ testcaseId }) => (testcaseId === undefined ? [] : String(testcaseId))),
  );
  const found = new Map<string, Testcase>();
  if (wanted.size === 0) return found;
  if (testsetId === undefined) throw new ToolError('testsetId is missing: the testset of the testcases.');
  for await (const testcase of client.listTestcases(testsetId, { limit: 100 })) {
    if (wanted.has(testcase.id)) found.set(testcase.id, testcase);
    if (found.size === wanted.size) break;
  }
  const absent = [...wanted].find((each) => !found.has(each));
  if (absent !== undefined) throw new ToolError(`Testset ${testsetId} has no testcase ${absent}.`);
  return found;
};

const answerFields = new Set(['testcaseId', 'inputs', 'expected', 'outputs', 'scores']);

/** Returns the records of answers, with what their testcases have. Their scores name metrics: a run gives the configurations. */
const recordsOf = async (
  client: Operations,
  answers: Record<string, unknown>[],
  found: Map<string, Testcase>,
): Promise<(Item & { scores: { metricId: string; score: Item['inputs'] }[] })[]> => {
  const scored = new Set(answers.flatMap(({ scores }) => Object.keys(scores ?? {})));
  const metrics = new Map(
    await Promise.all([...scored].map(async (each) => [each, await client.getMetric(each)] as const)),
  );
  return answers.map(({ testcaseId, inputs, expected, outputs, scores }) => {
    const testcase = found.get(String(testcaseId));
    return {
      ...(testcase && { testcaseId: testcase.id }),
      inputs: (inputs ?? testcase?.inputs ?? {}) as Item['inputs'],
      expected: (expected ?? testcase?.expected ?? {}) as Item['inputs'],
      outputs: outputs as Item['inputs'],
      scores: Object.entries(scores ?? {}).map(([metricId, value]) => ({
        metricId,
        score: scoreWritten(metrics.get(metricId)!, String(value)),
      })),
    };
  });
};

/** Refuses what no run could hold, before anything is made. */
const checkAnswers = (answers: Record<string, unknown>[], metricIds: string[]): void => {
  if (answers.length === 0) throw new ToolError('answers must be a list of objects with at least one.');
  for (const [i, answer] of answers.entries()) {
    const unknown = Object.keys(answer).find((field) => !answerFields.has(field));
    if (unknown)
      throw new ToolError(`answers[${i}].${unknown} is unknown. It has: ${[...answerFields].join(', ')}.`);
    if (typeof answer.outputs !== 'object' || answer.outputs === null || Array.isArray(answer.outputs))
      throw new ToolError(`answers[${i}].outputs must be an object, such as { "answer": "Lima" }.`);
    const other = Object.keys(answer.scores ?? {}).find((metricId) => !metricIds.includes(metricId));
    if (other) throw new ToolError(`answers[${i}].scores: metric ${other} is not in metricIds.`);
  }
};

const createRun: Tool = {
  name: 'create_run',
  title: 'Create a run of answers that you have',
  description:
    'Stores answers of a system as the records of a new run, and lets its metrics score them. To let the service call the system, use start_run. Where judges score, the first call stores nothing: it answers with the cost and the text of `confirm`. Ask the person who pays, then call again with that text.',
  properties: {
    projectId: id('project'),
    metricIds: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Ids of the metrics.' },
    testsetId: { type: 'string', description: 'Testset of the testcases that the answers name.' },
    name: { type: 'string', description: 'Name of the run, such as the change that it tests.' },
    answers: {
      type: 'array',
      items: { type: 'object' },
      description:
        'Up to 1000 objects { testcaseId, outputs } or { inputs, expected, outputs }; `scores` has those that you send: { METRIC_ID: true }. Runs are compared on the testcases that they share.',
    },
    ...consentProperties,
  },
  required: ['projectId', 'metricIds', 'answers'],
  reads: false,
  result: { ...consentResult, runId: id('run'), recordIds: idsResult('records') },
  answer: async ({ client }, args) => {
    const [projectId, metricIds] = [text(args, 'projectId'), optionalTexts(args, 'metricIds')];
    const [testsetId, name] = [optionalText(args, 'testsetId'), optionalText(args, 'name')];
    const answers = objects(args, 'answers');
    checkAnswers(answers, metricIds);
    const records = await recordsOf(client, answers, await findTestcases(client, testsetId, answers));
    const numRecords = answers.length;
    const { isFree, budget, cost } = await judgeCost(client, projectId, { metricIds, numRecords }, args);
    const consent = askConsent(
      args,
      `judges of ${numRecords} records for ${cost}, at most ${dollars(budget)}`,
      `Nothing is stored yet. The judges of ${numRecords} records cost: ${cost}; they stop at ${dollars(budget)}.`,
    );
    if (consent && !isFree) return consent;
    const run = await client.createRun(projectId, {
      metricIds,
      ...(testsetId !== undefined && { testsetId }),
      ...(name !== undefined && { name }),
      ...(!isFree && { judgeBudgetUsd: budget }),
    });
    const configs = new Map(run.metricIds.map((metricId, i) => [metricId, run.metricVersionIds[i]!]));
    const items = records.map(({ scores, ...record }) => ({
      ...record,
      scores: scores.map(({ metricId, score }) => ({ metricConfigId: configs.get(metricId)!, score })),
    }));
    const { ids: recordIds } = await client.createRecords(run.id, { items });
    return {
      text: `Run ${run.id} has ${recordIds.length} records. run_progress says how far its scores are.`,
      data: { runId: run.id, recordIds },
    };
  },
};

export const createTools: readonly Tool[] = [
  createProject,
  createTestset,
  addTestcases,
  listReadyMetrics,
  createMetric,
  createRun,
];
