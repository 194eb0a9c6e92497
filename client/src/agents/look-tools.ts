import { wearLine } from '../wear.ts';
import {
  idsResult,
  looksResult as looks,
  marked,
  moreText,
  named,
  nextCursorOf,
  nextCursorResult,
  optionalNumber,
  optionalText,
  percent,
  type Tool,
  text,
} from './tool.ts';

const listProjects: Tool = {
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the projects that the key can see, with their ids.',
  properties: { cursor: { type: 'string', description: 'Cursor of the previous answer, to read on.' } },
  required: [],
  reads: true,
  result: { projectIds: idsResult('projects'), nextCursor: nextCursorResult },
  answer: async ({ client }, args) => {
    const cursor = optionalText(args, 'cursor');
    const page = await client.listProjects({ limit: 50, ...(cursor && { cursor }) });
    const said = [
      ...(page.data.length > 0 ? [] : ['There is no project.']),
      ...page.data.map(({ id, name }) => `- project ${id}: ${named(name)}`),
      ...moreText(page),
    ].join('\n');
    return { text: said, data: { projectIds: page.data.map(({ id }) => id), ...nextCursorOf(page) } };
  },
};

const listProject: Tool = {
  name: 'list_project',
  title: 'List what a project has',
  description:
    'Lists the metrics, testsets, systems with their production versions, and the newest runs of a project, with their ids. A cursor reads on in the runs.',
  properties: {
    projectId: { type: 'string', description: 'Id of the project.' },
    search: { type: 'string', description: 'Only runs whose title or notes have these words.' },
    cursor: { type: 'string', description: 'Cursor of the previous answer, to read on.' },
  },
  required: ['projectId'],
  reads: true,
  result: {
    metricIds: idsResult('metrics'),
    testsetIds: idsResult('testsets'),
    systemVersionIds: idsResult('production versions'),
    runIds: idsResult('runs'),
    nextCursor: nextCursorResult,
  },
  answer: async ({ client }, args) => {
    const projectId = text(args, 'projectId');
    const [cursor, q] = [optionalText(args, 'cursor'), optionalText(args, 'search')];
    const asked = { limit: 20, ...(cursor && { cursor }), ...(q && { q }) };
    const runs = await client.listRunDetails(projectId, asked);
    const whole = cursor
      ? []
      : await Promise.all([
          client.listMetrics(projectId, { limit: 50 }),
          client.listTestsets(projectId, { limit: 50 }),
          client.listSystems(projectId, { limit: 50 }),
        ]);
    const [metrics, testsets, systems] = whole;
    const rest = (page: { hasMore: boolean } | undefined, what: string): string[] =>
      page?.hasMore ? [`- and more ${what}`] : [];
    const said = [
      ...(metrics?.data ?? []).map(
        (metric) =>
          `- metric ${metric.id}: ${named(metric.name)}, ${metric.evalType}, ${metric.outputType}${'labels' in metric ? ` ${metric.labels.items.map(named).join(', ')}` : ''}`,
      ),
      ...rest(metrics, 'metrics'),
      ...(testsets?.data ?? []).map(({ id, name }) => `- testset ${id}: ${named(name)}`),
      ...rest(testsets, 'testsets'),
      ...(systems?.data ?? []).map(
        ({ name, productionVersion }) =>
          `- system ${named(name)}: production version ${productionVersion.id} ${named(productionVersion.name)}`,
      ),
      ...rest(systems, 'systems'),
      ...runs.data.map(
        ({ id, title, status, numRecords, marks, createdAt, testsetId, snapshot, split }) =>
          `- run ${id}: ${named(title)}, ${numRecords} records, ${status}, ${createdAt}${testsetId ? `, testset ${testsetId}` : ''}${snapshot ? `, snapshot ${snapshot.number}` : ''}${split === null ? '' : `, split ${named(split)}`}${marks.length > 0 ? `, marked ${marks.join(' ')}` : ''}`,
      ),
      ...(runs.data.length > 0 ? [] : ['There is no run.']),
      ...moreText(runs),
    ].join('\n');
    const data = {
      metricIds: metrics?.data.map(({ id }) => id) ?? [],
      testsetIds: testsets?.data.map(({ id }) => id) ?? [],
      systemVersionIds: systems?.data.map(({ productionVersion }) => productionVersion.id) ?? [],
      runIds: runs.data.map(({ id }) => id),
      ...nextCursorOf(runs),
    };
    return { text: said, data };
  },
};

const testsetHistory: Tool = {
  name: 'testset_history',
  title: 'History of a testset',
  description:
    'Lists the splits of a testset with their sizes, and its snapshots, newest first: what changed in each, and how many runs are about it. Two runs about different snapshots are compared on the testcases that both have unchanged.',
  properties: {
    testsetId: { type: 'string', description: 'Id of the testset, from list_project.' },
    cursor: { type: 'string', description: 'Cursor of the previous answer, to read on.' },
  },
  required: ['testsetId'],
  reads: true,
  result: {
    numTestcases: { type: 'integer', description: 'Number of testcases now.' },
    snapshots: {
      type: 'array',
      items: { type: 'object' },
      description: 'For each snapshot: number, hash, current, numTestcases, numRuns.',
    },
    looks,
    nextCursor: nextCursorResult,
  },
  answer: async ({ client }, args) => {
    const [testsetId, cursor] = [text(args, 'testsetId'), optionalText(args, 'cursor')];
    const counts = await client.getTestsetCounts(testsetId);
    const page = await client.listSnapshots(testsetId, { limit: 20, ...(cursor && { cursor }) });
    const wear = await wearLine(client, { testsetId });
    const lineOf = (each: (typeof page.data)[number]) =>
      [
        `- snapshot ${each.number}${each.name === '' ? '' : ` ${named(each.name)}`}: ${each.numTestcases} testcases`,
        `${each.numAdded} added, ${each.numChanged} changed, ${each.numRemoved} removed`,
        `${each.numRuns} runs, ${each.createdAt}${each.current ? ', the testset as it is' : ''}`,
      ].join('; ');
    const said = [
      `Testset ${testsetId}: ${counts.numTestcases} testcases.`,
      ...counts.splits.map(({ split, numTestcases }) => `- split ${named(split)}: ${numTestcases}`),
      ...page.data.map(lineOf),
      ...(page.data.length > 0 ? [] : ['It has no snapshot yet: the next run makes one.']),
      ...moreText(page),
      ...wear.lines,
    ].join('\n');
    const snapshots = page.data.map(({ number, hash, current, numTestcases, numRuns }) => ({
      number,
      hash,
      current,
      numTestcases,
      numRuns,
    }));
    const data = { numTestcases: counts.numTestcases, snapshots, looks: wear.numLooks };
    return { text: said, data: { ...data, ...nextCursorOf(page) } };
  },
};

const pageLength = 8_000;

const readRecord: Tool = {
  name: 'read_record',
  title: 'Read a record',
  description: 'Returns a whole record: its inputs, outputs, expected values and scores with their reasons.',
  properties: {
    recordId: { type: 'string', description: 'Id of the record.' },
    offset: {
      type: 'integer',
      minimum: 0,
      description: 'Offset that the previous answer names, to read on.',
    },
  },
  required: ['recordId'],
  reads: true,
  answer: async (context, args) => {
    const offset = optionalNumber(args, 'offset') ?? 0;
    const { id, runId, testcaseId, inputs, outputs, expected, scoreStates, tags } =
      await context.client.getRecord(text(args, 'recordId'));
    const scores = scoreStates.map(({ metricName, state, passed, score, reason }) => ({
      metricName,
      state,
      passed,
      score,
      reason,
    }));
    const whole = JSON.stringify({ inputs, outputs, expected, tags, scores }, undefined, 1);
    const end = offset + pageLength;
    return [
      `Record ${id} of run ${runId}${testcaseId ? `, testcase ${testcaseId}` : ''}, ${whole.length} characters:`,
      marked(context, whole.slice(offset, end), pageLength),
      ...(end < whole.length ? [`There is more: call again with offset ${end}.`] : []),
    ].join('\n');
  },
};

const spanScores: Tool = {
  name: 'span_scores',
  title: 'Scores of spans',
  description:
    'Lists the scores of the spans of a record by metrics that score spans, failures first, and how many spans people can still score.',
  properties: { recordId: { type: 'string', description: 'Id of the record.' } },
  required: ['recordId'],
  reads: true,
  answer: async (context, args) => {
    const recordId = text(args, 'recordId');
    const { data, toScore } = await context.client.listSpanScores(recordId);
    const known = new Set(data.map(({ metricConfigId, spanId }) => `${metricConfigId} ${spanId}`));
    const numOpen = toScore.filter(
      ({ metricConfigId, spanId }) => !known.has(`${metricConfigId} ${spanId}`),
    ).length;
    const order = [...data].sort((a, b) => Number(a.passed ?? true) - Number(b.passed ?? true));
    const shown = order.slice(0, mostSpanScores).map((one) => {
      const given = one.score as { reasoning?: unknown } | null;
      const why = given?.reasoning ?? one.reason;
      const verdict = one.state === 'scored' ? (one.passed ? 'pass' : 'fail') : one.state;
      return `- span ${one.spanId}, ${named(one.metricName)}: ${verdict}${why ? `, because ${marked(context, why, 300)}` : ''}`;
    });
    return [
      `Record ${recordId}: ${data.length} scores of spans, ${numOpen} spans for people to score.`,
      ...shown,
      ...(data.length > shown.length ? [`${data.length - shown.length} more are not listed.`] : []),
    ].join('\n');
  },
};
const mostSpanScores = 50;

const findRecords: Tool = {
  name: 'find_records',
  title: 'Find records',
  description:
    'Finds records of a project, newest first: by words, by run, by the result of a metric. The share that fails in what you find says nothing about the whole, because you have selected it.',
  properties: {
    projectId: { type: 'string', description: 'Id of the project.' },
    search: { type: 'string', description: 'Words that a record has.' },
    runId: { type: 'string', description: 'Only records of this run.' },
    metricId: { type: 'string', description: 'Metric that result is about.' },
    result: {
      type: 'string',
      enum: ['pass', 'fail', 'pending', 'unscored', 'failed'],
      description: 'Only records with this result. failed: the judge failed.',
    },
    cursor: { type: 'string', description: 'Cursor of the previous answer, to read on.' },
  },
  required: ['projectId'],
  reads: true,
  result: { recordIds: idsResult('records'), nextCursor: nextCursorResult },
  answer: async (context, args) => {
    const asked = ['search', 'runId', 'metricId', 'result', 'cursor'].map((name) => [
      name === 'search' ? 'text' : name,
      optionalText(args, name),
    ]);
    const query = Object.fromEntries(asked.filter(([, value]) => value !== undefined));
    const page = await context.client.listProjectRecords(text(args, 'projectId'), { ...query, limit: 10 });
    const said = [
      ...(page.data.length > 0 ? [] : ['No record matches.']),
      ...page.data.map(
        ({ id, runId, inputs, outputs }) =>
          `- record ${id} of run ${runId}: ${marked(context, { inputs, outputs }, 500)}`,
      ),
      ...moreText(page),
    ].join('\n');
    return { text: said, data: { recordIds: page.data.map(({ id }) => id), ...nextCursorOf(page) } };
  },
};

const runProgress: Tool = {
  name: 'run_progress',
  title: 'How far is a run?',
  description: 'Returns the progress of a run and what blocks it. It gives no verdict: compare_runs does.',
  properties: { runId: { type: 'string', description: 'Id of the run.' } },
  required: ['runId'],
  reads: true,
  result: {
    status: { type: 'string', description: 'Status of the run; completed: each score is there.' },
    working: { type: 'boolean', description: 'Whether records or scores of judges can still come.' },
    numRecords: { type: 'integer', description: 'Number of records.' },
    numScored: { type: 'integer', description: 'Number of scores that are there.' },
    numScores: { type: 'integer', description: 'Number of scores when all are there.' },
  },
  answer: async ({ client }, args) => {
    const runId = text(args, 'runId');
    const { status, progress } = await client.getRunDetails(runId);
    const { numRecords, numExpectedRecords, working, stoppedBy, reason, numFailedCalls, metrics } = progress;
    const scored = metrics.reduce((sum, metric) => sum + metric.scored, 0);
    const all = metrics.reduce(
      (sum, each) => sum + each.scored + each.pending + each.unscored + each.failed,
      0,
    );
    const awaited =
      status === 'awaiting_human_scoring' ? 'The rest waits for people.' : 'There is nothing left to do.';
    const said = [
      `Run ${runId}: ${numRecords}${numExpectedRecords === null ? '' : ` of ${numExpectedRecords}`} records, ${scored} of ${all} scores (${percent(all > 0 ? scored / all : null)}). ${working ? 'It is working.' : awaited}`,
      ...(stoppedBy ? ['Its judges have spent their budget. A higher one lets it go on.'] : []),
      ...(reason ? [reason] : []),
      ...(numFailedCalls > 0 ? [`${numFailedCalls} calls of the system failed.`] : []),
    ].join('\n');
    return { text: said, data: { status, working, numRecords, numScored: scored, numScores: all } };
  },
};

export const lookTools: readonly Tool[] = [
  testsetHistory,
  listProjects,
  listProject,
  findRecords,
  readRecord,
  spanScores,
  runProgress,
];
