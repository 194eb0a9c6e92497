import type { JsonObject } from '../../../../client/src/main.ts';
import { callSpan, toolSpan } from '../call-span.ts';
import type { Format } from '../format.ts';
import {
  type Import,
  isObject,
  listAt,
  numberIn,
  type Row,
  scoreValue,
  type TraceSpan,
  textOf,
} from '../rows.ts';

/** A test run writes its fields in camel case; Python prints them in snake case. */
const field = (value: JsonObject, camel: string, snake: string): unknown => value[camel] ?? value[snake];

const casesOf = (value: unknown): JsonObject[] => {
  const run = isObject(value) && isObject(value.testRunData) ? value.testRunData : value;
  for (const key of ['testCases', 'test_cases', 'test_results']) {
    const cases = listAt(run, key);
    if (cases.length > 0) return cases;
  }
  return [];
};

const metricsOf = (testCase: JsonObject): JsonObject[] => {
  const camel = listAt(testCase, 'metricsData');
  return camel.length > 0 ? camel : listAt(testCase, 'metrics_data');
};

const present = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));

/**
 * Returns the metrics whose verdict does not follow from one threshold that the score must reach. DeepEval 3 passes bias, toxicity,
 * hallucination and misuse at or below it, and version 4 at or above. The file's own verdict, `success`, tells which.
 */
const metricsByVerdict = (cases: readonly JsonObject[]): Set<string> => {
  const thresholds = new Map<string, number | undefined>();
  const found = new Set<string>();
  for (const metric of cases.flatMap(metricsOf)) {
    const name = textOf(metric.name) ?? 'metric';
    const score = numberIn(metric.score);
    const threshold = numberIn(metric.threshold);
    if (score === undefined || typeof metric.success !== 'boolean') continue;
    if (thresholds.has(name) && thresholds.get(name) !== threshold) found.add(name);
    thresholds.set(name, threshold);
    if (threshold !== undefined && score >= threshold !== metric.success) found.add(name);
  }
  return found;
};

/** Returns the call that a test case describes: its seconds and its cost, with the tools that it called. */
const traceOf = (testCase: JsonObject, startMs: number): TraceSpan[] => {
  const seconds = numberIn(field(testCase, 'completionTime', 'completion_time'));
  const cost = numberIn(field(testCase, 'tokenCost', 'token_cost'));
  const camel = listAt(testCase, 'toolsCalled');
  const tools = camel.length > 0 ? camel : listAt(testCase, 'tools_called');
  if (seconds === undefined && cost === undefined && tools.length === 0) return [];
  const endMs = startMs + (seconds ?? 0) * 1_000;
  const call = callSpan({ name: 'call', startMs, endMs, costUsd: cost });
  const calls = tools.map((tool, i) => {
    const args = JSON.stringify(field(tool, 'inputParameters', 'input_parameters') ?? {});
    const { output } = tool;
    const result = output === undefined ? undefined : (textOf(output) ?? JSON.stringify(output));
    return toolSpan(call, `tool ${i}`, textOf(tool.name) ?? 'tool', args, result);
  });
  return [call, ...calls];
};

const rowOf = (
  testCase: JsonObject,
  index: number,
  verdicts: ReadonlySet<string>,
  writtenMs: number,
): Row => {
  const name = textOf(testCase.name) ?? `${index}`;
  return {
    id: name,
    caseId: name,
    run: '',
    inputs: present({ input: testCase.input, context: testCase.context }),
    expected: present({ output: field(testCase, 'expectedOutput', 'expected_output') }),
    metadata: present({ comments: testCase.comments }),
    outputs: present({
      output: field(testCase, 'actualOutput', 'actual_output'),
      retrievalContext: field(testCase, 'retrievalContext', 'retrieval_context'),
    }),
    scores: metricsOf(testCase).map((metric) => {
      const name = textOf(metric.name) ?? 'metric';
      const reason = textOf(metric.reason);
      // A metric with an error has not judged. Its number is not a score.
      const error = textOf(metric.error);
      if (error !== undefined) return { name, value: null, reasoning: error };
      const threshold = numberIn(metric.threshold);
      if (!verdicts.has(name)) return { name, value: scoreValue(metric.score), reasoning: reason, threshold };
      const value = typeof metric.success === 'boolean' ? metric.success : null;
      const said = `Score ${metric.score}, threshold ${metric.threshold}.`;
      return { name, value, reasoning: reason === undefined ? said : `${said} ${reason}` };
    }),
    trace: traceOf(testCase, writtenMs),
    tags: Array.isArray(testCase.tags) ? testCase.tags.filter((tag) => typeof tag === 'string') : [],
  };
};

const rowsOf = (cases: readonly JsonObject[], writtenMs: number): Row[] => {
  const verdicts = metricsByVerdict(cases);
  return cases.map((testCase, i) => rowOf(testCase, i, verdicts, writtenMs));
};

/** Test runs of DeepEval: `.deepeval/.latest_test_run.json`, or results saved by DEEPEVAL_RESULTS_FOLDER. */
export const deepeval: Format = {
  name: 'deepeval',
  about: 'DeepEval test runs: JSON',
  recognizes: ({ value }) => casesOf(value).some((testCase) => metricsOf(testCase).length > 0),
  read: ({ value, name, digest, writtenMs }): Import => ({
    tool: 'DeepEval',
    id: textOf(isObject(value) ? value.identifier : undefined) ?? digest,
    name,
    systems: new Map([
      [
        '',
        {
          name: 'DeepEval',
          config: isObject(value) && isObject(value.hyperparameters) ? value.hyperparameters : {},
        },
      ],
    ]),
    rows: rowsOf(casesOf(value), writtenMs),
    // DeepEval defines each score as a share from 0 to 1.
    unit: () => true,
    notes: [],
  }),
};
