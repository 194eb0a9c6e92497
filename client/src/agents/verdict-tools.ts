// Longer than 400 lines: one tool after the other.
import { aboutText, caveatLines, caveatsOfBoth, type Limited } from '../caveats.ts';
import { evaluateGate } from '../gate/evaluate.ts';
import { gradedSentence, trustOfBoth } from '../gate/grade.ts';
import { readPolicy } from '../gate/policy.ts';
import { policyNames } from '../gate/ready-policies.ts';
import { countOf, levelText } from '../gate/words.ts';
import type { RecordDetail, RunComparison, RunDetail, RunSummary } from '../generated.ts';
import { movesText, sharesText, shiftText } from '../label-words.ts';
import { planEqualLooks } from '../planned-looks.ts';
import { valueOfScore } from '../score-value.ts';
import { lookAtSealed, sealedLines } from '../sealed.ts';
import { wearLine } from '../wear.ts';
import {
  type Arguments,
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
  range,
  type Tool,
  type ToolContext,
  ToolError,
  text,
} from './tool.ts';

const run = { type: 'string', description: 'Id of the run.' } as const;
const project = { type: 'string', description: 'Id of the project, from list_projects.' } as const;
const cursor = { type: 'string', description: 'Cursor of the previous answer, to read on.' } as const;

/** Levels of the looks at a growing run and of the one look at a finished run: together they err in at most 6 %. */
const [peekLevel, finalLevel] = [0.99, 0.95];

const linkTo = (projectId: string, path: string): string => `/projects/${projectId}/${path}`;

const points = (difference: number): string => `${(100 * difference).toFixed(1)} points`;

/** Whether records or scores of judges can still come. Scores of people come late, and some never. */
const isWorking = (status: string): boolean => status !== 'completed' && status !== 'awaiting_human_scoring';

type Summarized = RunSummary['metrics'][number];

const missingText = ({ pending, unscored, failed }: Summarized['states']): string => {
  const missing = Object.entries({ pending, unscored, failed }).filter(([, count]) => count > 0);
  return missing.length > 0 ? `; ${missing.map(([state, count]) => `${count} ${state}`).join(', ')}` : '';
};

/** An interval for one look would be wrong for a run that is looked at while it grows, so there is none then. */
const rateLine = (
  { metricId, metricName, passRate, states, judge, labels }: Summarized,
  grows: boolean,
): string => {
  const { n, estimate, interval, reason, effectiveN } = passRate;
  const about = `${named(metricName)} (metric ${metricId})`;
  if (grows || states.pending > 0)
    return `- ${about}: ${percent(estimate)} of ${n} pass so far${missingText(states)}${judge ? `\n  Judge: ${judge.trust}` : ''}`;
  const counted =
    effectiveN < n - 0.5 ? `n = ${n}, worth ${effectiveN.toFixed(0)} independent ones` : `n = ${n}`;
  const rate =
    estimate === null
      ? `no pass rate: ${reason ?? 'nothing is scored'}`
      : `${percent(estimate)} pass (${levelText(passRate.level)} interval ${range(interval)}, ${counted})`;
  const said = judge ? `\n  Judge: ${gradedSentence(judge)}` : '';
  const given = labels ? `\n  Labels: ${sharesText(labels, named)}` : '';
  return `- ${about}: ${rate}${missingText(states)}${given}${said}`;
};

const rateData = ({ metricId, passRate, states }: Summarized, grows: boolean) => {
  const { n, estimate, interval } = passRate;
  const shown = grows || states.pending > 0 ? null : interval;
  return { metricId, n, passRate: estimate, low: shown?.low ?? null, high: shown?.high ?? null };
};

/** Returns the caveats of the figures of several metrics, each once. */
const limitLines = (figures: readonly Limited[], numMetrics: number): string[] =>
  caveatLines(figures).map(({ of, sentence }) => `Note: ${aboutText(of, numMetrics)}: ${sentence}`);

const failedText = (context: ToolContext, record: RecordDetail): string => {
  const scores = record.scoreStates
    .filter(({ passed, state }) => passed === false || state === 'failed')
    .map(({ metricName, score, state, reason }) => {
      const given = score as { reasoning?: unknown; evidence?: unknown } | null;
      const why = given?.reasoning ?? reason;
      const value = valueOfScore(score);
      const label = typeof value === 'string' ? `, labelled ${marked(context, value, 600)}` : '';
      // Passages of a long trace, by span.
      const shown = given?.evidence ? `, as shown by ${marked(context, given.evidence, 600)}` : '';
      return `  ${named(metricName)}: ${state === 'failed' ? 'its judge failed' : 'fail'}${label}${why ? `, because ${marked(context, why, 600)}` : ''}${shown}`;
    });
  return [
    `Record ${record.id}${record.testcaseId ? ` (testcase ${record.testcaseId})` : ''}`,
    `  inputs ${marked(context, record.inputs, 600)}`,
    `  outputs ${marked(context, record.outputs, 600)}`,
    ...scores,
  ].join('\n');
};

const wornOf = (run: { testset: { id: string } | null; split: string | null } | undefined) => ({
  testsetId: run?.testset?.id,
  split: run?.split,
});

const whatFailed: Tool = {
  name: 'what_failed',
  title: 'What failed and why',
  description:
    'Says which share of a run passes each metric, with its interval, and lists the records that fail with the reasons of the judges. 10 records a page.',
  properties: {
    projectId: project,
    runId: run,
    metricId: { type: 'string', description: 'Only failures of this metric. Default: of any metric.' },
    cursor,
  },
  required: ['projectId', 'runId'],
  reads: true,
  result: {
    rates: {
      type: 'array',
      items: { type: 'object' },
      description:
        'For each metric: metricId, n, passRate, and low and high of its interval, null while it grows.',
    },
    failedRecordIds: idsResult('records that fail'),
    looks,
    nextCursor: nextCursorResult,
  },
  answer: async (context, args) => {
    const { client } = context;
    const [projectId, runId] = [text(args, 'projectId'), text(args, 'runId')];
    const metricId = optionalText(args, 'metricId');
    const [detail, summary] = await Promise.all([client.getRunDetails(runId), client.summarizeRun(runId)]);
    const after = optionalText(args, 'cursor');
    const query = { runId, result: 'fail', limit: 10, ...(metricId && { metricId }) } as const;
    const page = await client.listProjectRecords(projectId, { ...query, ...(after && { cursor: after }) });
    const grows = isWorking(detail.status);
    const finished = summary.metrics.filter(({ states }) => !grows && states.pending === 0);
    const wear = await wearLine(client, wornOf(detail));
    const first = after
      ? []
      : [
          `Run ${runId} ${named(detail.title)}: ${detail.numRecords} records, ${detail.status}. Page: ${linkTo(projectId, `runs/${runId}`)}`,
          ...(grows
            ? [
                'The run is not finished: these are counts, not verdicts. compare_runs may be asked again and again while it grows.',
              ]
            : []),
          ...summary.metrics.map((metric) => rateLine(metric, grows)),
          ...limitLines(
            finished.map(({ metricName, passRate }) => ({
              of: named(metricName),
              caveats: passRate.caveats,
            })),
            finished.length,
          ),
          ...wear.lines,
        ];
    const said = [
      ...first,
      page.data.length > 0 ? 'Records that fail, newest first:' : 'No record fails.',
      ...page.data.map((record) => failedText(context, record)),
      ...moreText(page),
    ].join('\n');
    const rates = summary.metrics.map((metric) => rateData(metric, grows));
    return {
      text: said,
      data: {
        rates,
        failedRecordIds: page.data.map(({ id }) => id),
        looks: wear.numLooks,
        ...nextCursorOf(page),
      },
    };
  },
};

type Pair = RunComparison['pairs'][number];

/** Plans equal looks if they are asked for. Before the runs share a metric there is nothing to look at. */
const plannedLooks = async (
  client: ToolContext['client'],
  runs: [string, string],
  numLooks: number | undefined,
): Promise<number[] | undefined> => {
  if (numLooks === undefined) return undefined;
  const looks = await planEqualLooks(client, runs, numLooks);
  if (looks) return looks;
  throw new ToolError('The runs share no scored metric yet, so no look can be planned. Ask again later.');
};

/** Which planned look a comparison is, and what comes next. */
const lookLines = (look: Pair['metrics'][number]['look']): string[] => {
  if (!look) return [];
  const boundary = look.boundary === null ? '' : `, boundary ${look.boundary.toFixed(2)} standard errors`;
  const next = look.next === null ? 'no other look follows' : `next look at ${look.next} testcases`;
  return [`  Look ${look.look} of ${look.numLooks}${boundary}; ${next}.`];
};

const comparedLine = ({
  metricId,
  metricName,
  sentence: ofScores,
  conclusion: { basis, verdict, sentence },
  watched,
  corrected,
  labels,
  judge,
  n,
  look,
}: Pair['metrics'][number]) => {
  const said = verdict === 'cannot tell' ? '' : `${verdict.toUpperCase()}: `;
  return [
    `- ${named(metricName)} (metric ${metricId}): ${said}${sentence} (${watched ? 'after' : 'on'} ${n} testcases)`,
    ...lookLines(look),
    ...(basis === 'people' ? [`  This is what people would say. By the judge alone: ${ofScores}`] : []),
    ...(basis === 'scores' && corrected ? [`  As people would judge it: ${corrected.sentence}`] : []),
    ...(labels ? [`  Labels: ${movesText(labels, named)}; ${shiftText(labels)}`] : []),
    ...(judge ? [`  Judge: ${trustOfBoth(judge)}`] : []),
  ].join('\n');
};

/** Metrics that people still score in one of the runs. */
const listOpen = (runs: RunDetail[]): string[] =>
  runs
    .filter(({ status }) => status !== 'completed')
    .flatMap(({ progress }) => progress.metrics.filter(({ pending }) => pending > 0))
    .map(({ metricId }) => metricId);

const compareRuns: Tool = {
  name: 'compare_runs',
  title: 'Is run B better than run A?',
  description:
    'Compares a run with a baseline on the testcases that they share, and gives a verdict for each metric: better, worse or cannot tell, with the interval of the difference. While a run still grows it uses a sequential test, so you may ask as often as you like; with looks it decides at planned looks only, which need far fewer testcases. "cannot tell" is an answer: do not report a difference then.',
  properties: {
    baselineId: { type: 'string', description: 'Id of the run before.' },
    runId: { type: 'string', description: 'Id of the run after.' },
    measure: {
      type: 'string',
      enum: ['pass', 'score'],
      description: 'pass: the pass rate (default). score: the mean score.',
    },
    by: { type: 'string', description: 'Only a slice: tag, metadata.FIELD or inputs.FIELD. Needs value.' },
    value: { type: 'string', description: 'Value of the slice.' },
    weightBy: {
      type: 'string',
      description: 'Count each testcase by this number: metadata.FIELD. Only for finished runs.',
    },
    shares: {
      type: 'string',
      description:
        'Rates of the traffic: the share of each value of a field, such as metadata.intent:refund=0.7,order=0.3. Only for finished runs, not with weightBy.',
    },
    looks: {
      type: 'integer',
      minimum: 1,
      maximum: 10,
      description:
        'Number of equal looks at a growing run, planned before the first and kept until the last. Not with by. Each answer says which look it is and when the next one comes; asking between two looks is no further look.',
    },
  },
  required: ['baselineId', 'runId'],
  reads: true,
  result: {
    metrics: {
      type: 'array',
      items: { type: 'object' },
      description:
        'For each metric: metricId, verdict (better, worse, cannot tell) and the number n of testcases.',
    },
    looks,
  },
  answer: async ({ client }, args) => {
    const runs = [text(args, 'baselineId'), text(args, 'runId')];
    const measure = optionalText(args, 'measure') === 'score' ? 'score' : 'pass';
    const [by, value] = [optionalText(args, 'by'), optionalText(args, 'value')];
    const details = await Promise.all(runs.map((id) => client.getRunDetails(id)));
    const grows = details.some(({ status }) => isWorking(status));
    const open = new Set(grows ? [] : listOpen(details));
    const slice = by && value ? { by, value } : {};
    const looks = await plannedLooks(client, [runs[0]!, runs[1]!], optionalNumber(args, 'looks'));
    const test = looks
      ? ({ test: 'planned', looks, level: finalLevel } as const)
      : grows
        ? ({ test: 'sequential', level: peekLevel } as const)
        : { level: finalLevel };
    const [weightBy, shares] = [optionalText(args, 'weightBy'), optionalText(args, 'shares')];
    const weights = { ...(weightBy && { weightBy }), ...(shares && { shares }) };
    const compared = await client.compareRuns({ runs, measure, ...slice, ...test, ...weights });
    const { pairs, weightedBy } = compared;
    const wear = await wearLine(client, wornOf(compared.runs[1]));
    const { metrics, notCompared, testcases } = pairs[0]!;
    const shown = metrics.filter(
      ({ watched, look, metricId }) => (!grows || watched || look) && !open.has(metricId),
    );
    const said = [
      `Run ${runs[1]} ${named(details[1]!.title)} against run ${runs[0]} ${named(details[0]!.title)}${by && value ? `, where ${by} is ${named(value)}` : ''}:`,
      ...(testcases ? [testcases.sentence] : []),
      ...(weightedBy ? [`Rates, means and differences are ${weightedBy.sentence}.`] : []),
      ...(grows && !looks
        ? [
            `A run is not finished. The test is sequential at ${levelText(peekLevel)}: it holds however often you look.`,
            // A test for one look would answer with false verdicts here.
            ...metrics
              .filter(({ watched, n }) => n > 0 && !watched)
              .map(({ metricName }) => `${named(metricName)} can't be tested before the runs are finished.`),
          ]
        : []),
      ...shown.map(comparedLine),
      ...limitLines(
        shown.flatMap((compared) => caveatsOfBoth(compared, named(compared.metricName))),
        shown.length,
      ),
      ...metrics
        .filter(({ metricId }) => open.has(metricId))
        .map(({ metricName }) => `- ${named(metricName)}: not compared: people are still scoring it`),
      ...notCompared.map(({ metricName, reason }) => `- ${named(metricName)}: not compared: ${reason}`),
      ...(metrics.length + notCompared.length === 0 ? ['The runs share no metric.'] : []),
      ...wear.lines,
    ].join('\n');
    const verdicts = shown.map(({ metricId, n, conclusion: { verdict } }) => ({ metricId, verdict, n }));
    return { text: said, data: { metrics: verdicts, looks: wear.numLooks } };
  },
};

/** Rules as in a dokima.yaml; without any, no metric that both runs have may become worse. */
const policyOf = async (context: ToolContext, args: Arguments, runId: string) => {
  const given = args.rules;
  if (given !== undefined && (typeof given !== 'object' || given === null))
    throw new ToolError('rules must be an object, as in a dokima.yaml.');
  const baseline = optionalText(args, 'baselineId');
  const policy = optionalText(args, 'policy');
  if (given || policy) {
    const { projectId } = await context.client.getRunDetails(runId);
    const over = { ...(baseline && { baseline }), ...(policy && { policy }) };
    return readPolicy({ project: projectId, ...given, ...over }, 'rules');
  }
  if (!baseline)
    throw new ToolError('Give a policy, rules, or a baselineId: the run that no metric may be worse than.');
  const margin = optionalNumber(args, 'margin') ?? 0.02;
  const { metrics } = await context.client.summarizeRun(runId);
  const rules = metrics
    .filter(({ pinned }) => pinned)
    .map(({ metricId }) => [metricId, { nonInferiority: { margin } }]);
  return readPolicy({ baseline, metrics: Object.fromEntries(rules) }, 'rules');
};

const words = { pass: 'PASS', worse: 'WORSE', inconclusive: 'NOT ENOUGH DATA', incomplete: 'INCOMPLETE' };

/** Clients of MCP give a tool a minute. */
const sealedWaitMs = 45_000;

const mayShip: Tool = {
  name: 'may_ship',
  title: 'May this run ship?',
  description:
    'Decides by rules whether a run passes the gate: PASS, WORSE, NOT ENOUGH DATA (with how many testcases more) or INCOMPLETE. Only PASS means yes. Rules with looks, as in { looks: 4 }, may be asked while the run grows: the answer says which look it is, its boundary and the next one. Nothing is written but the look at the testset, which rules with a ledger count.',
  properties: {
    runId: run,
    baselineId: {
      type: 'string',
      description: 'Id of the run before, or latest:MARK such as latest:main.',
    },
    margin: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description:
        'Without rules: each metric must be shown to be not worse by more than this share. Default 0.02.',
    },
    policy: {
      type: 'string',
      enum: policyNames,
      description:
        'Ready rules. pull-request: fails if a loss is shown. nightly, release: pass only if it is shown that no more than 5 or 3 points are lost.',
    },
    rules: { type: 'object', description: 'Rules as in a dokima.yaml (docs/cli.md, gate), as an object.' },
  },
  required: ['runId'],
  reads: true,
  result: {
    outcome: {
      type: 'string',
      enum: ['pass', 'worse', 'inconclusive', 'incomplete'],
      description: 'Only pass means yes.',
    },
    looks,
  },
  answer: async (context, args) => {
    const runId = text(args, 'runId');
    const { status, testset, split } = await context.client.getRunDetails(runId);
    const policy = await policyOf(context, args, runId);
    if (isWorking(status) && policy.test !== 'planned')
      return {
        text: `INCOMPLETE: run ${runId} is not finished (${status}). A gate looks once, at the end, unless its rules have looks, as in looks: 4. compare_runs may be asked before.`,
        data: { outcome: 'incomplete', looks: null },
      };
    const { decision, about } = await evaluateGate(context.client, runId, policy, {
      level: finalLevel,
      now: context.now,
    });
    const wear = await wearLine(context.client, wornOf({ testset, split }));
    const said = [
      `${words[decision.outcome]}: run ${runId}, ${countOf(decision.tests, 'rule')} tested${decision.tests > 1 ? ' together' : ''} at ${levelText(decision.level)}.`,
      ...decision.checks.map(({ outcome, sentence, said }) => `- ${words[outcome]}: ${sentence}: ${said}`),
      ...about.notes.map((note) => `Note: ${note}`),
      ...wear.lines,
    ].join('\n');
    return { text: said, data: { outcome: decision.outcome, looks: wear.numLooks } };
  },
};

const lookAtSeal: Tool = {
  name: 'look_at_sealed',
  title: 'Look at a version over a sealed split',
  description:
    'The service calls a version with testcases that you cannot read, and compares it with the baseline. Answers PASS, WORSE or NOT ENOUGH DATA, and spends one look of a small budget: ask only for a version that you would ship. The same version has the same answer again. Each look gets a smaller part of one level, so a search by these answers finds nothing.',
  properties: {
    sealId: { type: 'string', description: 'Id of the sealed split.' },
    systemVersionId: { type: 'string', description: 'Id of the version of a system.' },
  },
  required: ['sealId', 'systemVersionId'],
  reads: false,
  result: {
    answer: {
      type: 'string',
      enum: ['pass', 'worse', 'not enough', 'pending'],
      description: 'Only pass means yes.',
    },
    numLeft: { type: 'integer', description: 'Looks that are left.' },
  },
  answer: async ({ client }, args) => {
    const look = await lookAtSealed(client, text(args, 'sealId'), text(args, 'systemVersionId'), {
      waitMs: sealedWaitMs,
    });
    const waiting = look.answer === null ? ['Call this again for the answer: it takes no further look.'] : [];
    return {
      // The names of metrics are text of users; the sentence has none.
      text: [...sealedLines({ ...look, metrics: [] }), ...waiting].join('\n'),
      data: { answer: look.answer ?? 'pending', numLeft: look.numLeft },
    };
  },
};

const testcasesNeeded: Tool = {
  name: 'testcases_needed',
  title: 'How many testcases are needed?',
  description:
    'Plans a comparison from earlier runs: how many testcases detect a difference of the pass rate, or how small a difference a testset can detect.',
  properties: {
    projectId: project,
    metricId: { type: 'string', description: 'Id of the metric, from list_project.' },
    difference: {
      type: 'number',
      minimum: 0.0001,
      maximum: 1,
      description: 'Difference of the pass rate to detect, such as 0.03 for 3 points.',
    },
    testsetId: { type: 'string', description: 'Testset that would be used.' },
    split: { type: 'string', description: 'Split of the testset that would be used.' },
    trials: { type: 'integer', minimum: 1, maximum: 100, description: 'Trials of each testcase. Default 1.' },
  },
  required: ['projectId', 'metricId'],
  reads: true,
  result: {
    numNeeded: { type: ['number', 'null'], description: 'Testcases that detect the difference.' },
    minimumDetectable: {
      type: ['number', 'null'],
      description: 'Smallest difference that the testset detects.',
    },
    looks,
  },
  answer: async ({ client }, args) => {
    const difference = optionalNumber(args, 'difference');
    const [testsetId, split] = [optionalText(args, 'testsetId'), optionalText(args, 'split')];
    const plan = await client.planRun(text(args, 'projectId'), {
      metricId: text(args, 'metricId'),
      measure: 'pass',
      trials: optionalNumber(args, 'trials') ?? 1,
      ...(difference !== undefined && { difference }),
      ...(testsetId && { testsetId }),
      ...(split && { split }),
    });
    const wear = await wearLine(client, { testsetId });
    const { numNeeded, minimumDetectable, n, level, power, basis, reason, assumption } = plan;
    const at = `level ${levelText(level)}, power ${levelText(power)}${basis ? `, from the scores of run ${basis.runId} (n = ${basis.n})` : ''}`;
    const said = [
      ...(difference !== undefined && numNeeded !== null
        ? [`${numNeeded} testcases detect a difference of ${points(difference)} (${at}).`]
        : []),
      ...(minimumDetectable !== null
        ? [`${n} testcases detect differences of ${points(minimumDetectable)} or more (${at}).`]
        : []),
      ...(reason ? [`Unknown: ${reason}`] : []),
      assumption,
      ...wear.lines,
    ].join('\n');
    return { text: said, data: { numNeeded, minimumDetectable, looks: wear.numLooks } };
  },
};

const judgeWord: Tool = {
  name: 'judge_trust',
  title: 'How reliable is this judge?',
  description:
    "Says how often a judge agrees with people: its sensitivity and specificity with intervals, and with runId the pass rate as people would judge it. An uncalibrated judge's verdicts are unproven: say so.",
  properties: {
    metricId: { type: 'string', description: 'Id of the metric whose judge is meant.' },
    runId: { type: 'string', description: 'Run whose pass rate is corrected.' },
  },
  required: ['metricId'],
  reads: true,
  answer: async ({ client }, args) => {
    const runId = optionalText(args, 'runId');
    const found = await client.calibrateMetric(text(args, 'metricId'), runId ? { runId } : {});
    const { judge, sensitivity, specificity, n, numDisagreements, warnings, corrected } = found;
    const line = (name: string, { estimate, interval, n: of }: typeof sensitivity) =>
      `- ${name}: ${percent(estimate)} (${range(interval)}, n = ${of})`;
    const rate = corrected?.predictionPowered.interval ? corrected.predictionPowered : corrected?.roganGladen;
    return [
      gradedSentence(judge),
      ...(n > 0
        ? [
            line('passes what people pass', sensitivity),
            line('fails what people fail', specificity),
            `- ${numDisagreements} disagreements with people in ${n} labels`,
          ]
        : []),
      ...(rate
        ? [
            rate.estimate === null
              ? `Run ${runId}: no corrected pass rate: ${rate.reason}`
              : `Run ${runId}: as people would judge it, ${percent(rate.estimate)} pass (${range(rate.interval)}); the judge says ${percent(rate.uncorrected)}.`,
          ]
        : []),
      ...new Set([...warnings, ...(rate?.warnings ?? [])]),
    ].join('\n');
  },
};

export const verdictTools: readonly Tool[] = [
  whatFailed,
  compareRuns,
  mayShip,
  lookAtSeal,
  testcasesNeeded,
  judgeWord,
];
