import { scoreSpan } from '../score-span.ts';
import { dollars, optionalNumber, optionalText, type Tool, ToolError, text, texts } from './tool.ts';

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
  answer: async ({ client }, args) => {
    const [recordId, testsetId] = [text(args, 'recordId'), text(args, 'testsetId')];
    const { id, validationErrors = [] } = await client.createTestcaseFromRecord(recordId, { testsetId });
    const problems = validationErrors.map(
      ({ path, message }) => ` It does not fit the schema of the testset: ${path} ${message}.`,
    );
    return `Record ${recordId} is now testcase ${id} of testset ${testsetId}.${problems.join('')}`;
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
    const asked = {
      recordId,
      spanId,
      metricId,
      value: text(args, 'value'),
      ...(reasoning !== undefined && { reasoning }),
    };
    const { passed, score } = await scoreSpan(client, asked).catch((error: unknown) => {
      throw error instanceof RangeError ? new ToolError(error.message) : error;
    });
    return `Span ${spanId} of record ${recordId} has the score ${JSON.stringify(score)}${passed === null ? '' : passed ? ', which passes' : ', which fails'}.`;
  },
};

/** The budget of the judges as a multiple of the estimate, so that an estimate that is somewhat low stops no run. */
const budgetFactor = 2;

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
    trials: { type: 'integer', minimum: 1, maximum: 100, description: 'Trials of each testcase. Default 1.' },
    name: { type: 'string', description: 'Name of the run.' },
    judgeBudgetUsd: {
      type: 'number',
      minimum: 0,
      description: `The judges stop at this many US dollars. Default: ${budgetFactor} times the estimate.`,
    },
    confirm: { type: 'string', description: 'Text that the first call answered with.' },
  },
  required: ['projectId', 'testsetId', 'systemVersionId', 'metricIds'],
  reads: false,
  answer: async ({ client }, args) => {
    const projectId = text(args, 'projectId');
    const [testsetId, systemVersionId] = [text(args, 'testsetId'), text(args, 'systemVersionId')];
    const metricIds = texts(args, 'metricIds');
    const trials = optionalNumber(args, 'trials') ?? 1;
    const { numRecords, costUsd } = await client.estimateRun(projectId, { metricIds, testsetId, trials });
    const given = optionalNumber(args, 'judgeBudgetUsd');
    if (costUsd === null && given === undefined)
      throw new ToolError(
        'The cost of the judges is unknown, because a model has no price. Give judgeBudgetUsd: the judges stop there.',
      );
    const budget = given ?? budgetFactor * costUsd!;
    const cost = costUsd === null ? 'an unknown cost' : `about ${dollars(costUsd)}`;
    // The text repeats what the person confirms, so that they see it in the second call.
    const confirm = `${numRecords} calls of ${systemVersionId}, judges for ${cost}, at most ${dollars(budget)}`;
    const said = optionalText(args, 'confirm');
    if (said !== confirm)
      return [
        ...(said ? ['`confirm` does not match the present cost of the run.'] : []),
        `Nothing is started yet. The run makes ${numRecords} calls of the system, which its provider bills, and its judges cost ${cost}; they stop at ${dollars(budget)}.`,
        `To start it, call again with the same arguments and confirm ${JSON.stringify(confirm)}.`,
      ].join('\n');
    const name = optionalText(args, 'name');
    const run = await client.createRun(projectId, {
      testsetId,
      systemVersionId,
      metricIds,
      trials,
      execute: true,
      ...(name && { name }),
      judgeBudgetUsd: budget,
    });
    return `Run ${run.id} is started. run_progress says how far it is; compare_runs may be asked while it grows.`;
  },
};

export const writeTools: readonly Tool[] = [addToTestset, scoreOneSpan, startRun];
