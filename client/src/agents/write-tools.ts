import { scoreSpan } from '../score-span.ts';
import { askConsent, consentProperties, consentResult, judgeCost } from './consent.ts';
import {
  dollars,
  optionalNumber,
  optionalText,
  scoreWritten,
  type Tool,
  ToolError,
  text,
  texts,
} from './tool.ts';

const runId = { type: 'string', description: 'Id of the run.' } as const;

const addToTestset: Tool = {
  name: 'add_to_testset',
  title: 'Add a trace or record to a testset',
  description:
    'Makes a testcase of a record, which may be a trace: its inputs, and its outputs as the expected output. Read the record first: its answer is not always right.',
  properties: {
    recordId: { type: 'string', description: 'Id of the record.' },
    testsetId: { type: 'string', description: 'Id of the testset.' },
  },
  required: ['recordId', 'testsetId'],
  reads: false,
  result: { testcaseId: { type: 'string', description: 'Id of the testcase.' } },
  answer: async ({ client }, args) => {
    const [recordId, testsetId] = [text(args, 'recordId'), text(args, 'testsetId')];
    const { id, validationErrors = [] } = await client.createTestcaseFromRecord(recordId, { testsetId });
    const problems = validationErrors.map(
      ({ path, message }) => ` It does not fit the schema of the testset: ${path} ${message}.`,
    );
    return {
      text: `Record ${recordId} is now testcase ${id} of testset ${testsetId}.${problems.join('')}`,
      data: { testcaseId: id },
    };
  },
};

const scoreOneSpan: Tool = {
  name: 'score_span',
  title: 'Score a span',
  description:
    'Stores a score of a span by a metric that scores spans and that people or clients score. Its search must choose the span. The score of the record is computed again.',
  properties: {
    recordId: { type: 'string', description: 'Id of the record.' },
    spanId: { type: 'string', description: 'Id of the span, 16 hexadecimal digits.' },
    metricId: { type: 'string', description: 'Id of the metric.' },
    value: { type: 'string', description: 'true, false, or a number, as the metric has it.' },
    reasoning: { type: 'string', description: 'Why.' },
  },
  required: ['recordId', 'spanId', 'metricId', 'value'],
  reads: false,
  answer: async ({ client }, args) => {
    const [recordId, spanId, metricId] = [
      text(args, 'recordId'),
      text(args, 'spanId'),
      text(args, 'metricId'),
    ];
    const reasoning = optionalText(args, 'reasoning');
    const value = text(args, 'value');
    const madeBy = 'model' as const;
    const asked = {
      recordId,
      spanId,
      metricId,
      value,
      madeBy,
      ...(reasoning !== undefined && { reasoning }),
    };
    const { passed, score } = await scoreSpan(client, asked).catch((error: unknown) => {
      throw error instanceof RangeError ? new ToolError(error.message) : error;
    });
    return `Span ${spanId} of record ${recordId} has the score ${JSON.stringify(score)}${passed === null ? '' : passed ? ', which passes' : ', which fails'}.`;
  },
};

const scoreRecord: Tool = {
  name: 'score_record',
  title: 'Score a record',
  description:
    'Stores a score of a record by a metric that people or clients score. It replaces the score that is there. A metric of people is for people: its scores check the judges, so give none in their place.',
  properties: {
    recordId: { type: 'string', description: 'Id of the record.' },
    metricId: { type: 'string', description: 'Id of the metric.' },
    value: {
      type: 'string',
      description: 'true, false, a number, or a label of a category, as the metric has it.',
    },
    reasoning: { type: 'string', description: 'Why.' },
  },
  required: ['recordId', 'metricId', 'value'],
  reads: false,
  result: { passed: { type: 'boolean', description: 'Whether the score passes.' } },
  answer: async ({ client }, args) => {
    const [recordId, metricId] = [text(args, 'recordId'), text(args, 'metricId')];
    const [record, metric] = await Promise.all([client.getRecord(recordId), client.getMetric(metricId)]);
    const state = record.scoreStates.find((each) => each.metricId === metricId);
    if (!state) throw new ToolError(`Metric ${metricId} does not score record ${recordId}.`);
    const score = scoreWritten(metric, text(args, 'value'), optionalText(args, 'reasoning'));
    // An agent is a model: as a label, its score must not calibrate the judges that it may have read.
    const items = [{ recordId, metricConfigId: state.metricConfigId, score, madeBy: 'model' as const }];
    await client.upsertScores(record.runId, { items });
    const { scoreStates } = await client.getRecord(recordId);
    const passed = scoreStates.some((each) => each.metricId === metricId && each.passed === true);
    return {
      text: `Record ${recordId} has the score ${JSON.stringify(score)}, which ${passed ? 'passes' : 'fails'}.`,
      data: { passed },
    };
  },
};

const annotateRecord: Tool = {
  name: 'annotate_record',
  title: 'Annotate a record',
  description: 'Adds thumbs up or down with a comment to a record, or to a span of it.',
  properties: {
    recordId: { type: 'string', description: 'Id of the record.' },
    rating: { type: 'string', enum: ['up', 'down'], description: 'Thumbs up or down.' },
    comment: { type: 'string', description: 'What people should know.' },
    spanId: { type: 'string', description: 'Id of the span, 16 hexadecimal digits.' },
  },
  required: ['recordId', 'rating'],
  reads: false,
  result: { annotationId: { type: 'string', description: 'Id of the annotation.' } },
  answer: async ({ client }, args) => {
    const [recordId, rating] = [text(args, 'recordId'), text(args, 'rating')];
    if (rating !== 'up' && rating !== 'down') throw new ToolError('rating must be up or down.');
    const [comment, spanId] = [optionalText(args, 'comment') ?? '', optionalText(args, 'spanId')];
    const body = {
      rating: rating === 'up',
      comment,
      madeBy: 'model' as const,
      ...(spanId !== undefined && { spanId }),
    };
    const { id } = await client.createAnnotation(recordId, body);
    return { text: `Record ${recordId} has annotation ${id}.`, data: { annotationId: id } };
  },
};

const startRun: Tool = {
  name: 'start_run',
  title: 'Start a run',
  description:
    'Lets the service call a system version with each testcase of a testset and score the answers. The first call starts nothing: it answers with the cost and the text of `confirm`. Ask the person who pays, then call again with that text.',
  properties: {
    projectId: { type: 'string', description: 'Id of the project.' },
    testsetId: { type: 'string', description: 'Id of the testset.' },
    systemVersionId: { type: 'string', description: 'Id of the system version, from list_project.' },
    metricIds: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Ids of the metrics.' },
    split: { type: 'string', description: 'Split of the testset. Default: all testcases.' },
    snapshot: {
      type: 'integer',
      minimum: 1,
      description: 'Number of an older snapshot of the testset. Default: the testset as it is.',
    },
    trials: { type: 'integer', minimum: 1, maximum: 100, description: 'Trials of each testcase. Default 1.' },
    name: { type: 'string', description: 'Name of the run.' },
    ...consentProperties,
  },
  required: ['projectId', 'testsetId', 'systemVersionId', 'metricIds'],
  reads: false,
  result: { ...consentResult, runId },
  answer: async ({ client }, args) => {
    const projectId = text(args, 'projectId');
    const [testsetId, systemVersionId] = [text(args, 'testsetId'), text(args, 'systemVersionId')];
    const metricIds = texts(args, 'metricIds');
    const trials = optionalNumber(args, 'trials') ?? 1;
    const [split, snapshot] = [optionalText(args, 'split'), optionalNumber(args, 'snapshot')];
    const part = { ...(split && { split }), ...(snapshot !== undefined && { snapshot }) };
    const asked = { metricIds, testsetId, ...part, trials };
    const { numRecords, budget, cost } = await judgeCost(client, projectId, asked, args);
    const consent = askConsent(
      args,
      `${numRecords} calls of ${systemVersionId}, judges for ${cost}, at most ${dollars(budget)}`,
      `Nothing is started yet. The run makes ${numRecords} calls of the system, which its provider bills, and its judges cost ${cost}; they stop at ${dollars(budget)}.`,
    );
    if (consent) return consent;
    const name = optionalText(args, 'name');
    const run = await client.createRun(projectId, {
      testsetId,
      ...part,
      systemVersionId,
      metricIds,
      trials,
      execute: true,
      ...(name && { name }),
      judgeBudgetUsd: budget,
    });
    const said = `Run ${run.id} is started. run_progress says how far it is; compare_runs may be asked while it grows.`;
    return { text: said, data: { runId: run.id } };
  },
};

export const writeTools: readonly Tool[] = [
  addToTestset,
  scoreRecord,
  scoreOneSpan,
  annotateRecord,
  startRun,
];
