import type { JsonObject } from '../../../../client/src/main.ts';
import type { Format } from '../format.ts';
import { type Import, isObject, listAt, numberIn, type Row, scoreValue, textOf } from '../rows.ts';

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

const rowOf = (testCase: JsonObject, index: number): Row => {
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
    // A metric with an error has not judged. Its number is not a score.
    scores: metricsOf(testCase)
      .filter(({ error }) => error === null || error === undefined)
      .map((metric) => ({
        name: textOf(metric.name) ?? 'metric',
        value: scoreValue(metric.score),
        reasoning: textOf(metric.reason),
        threshold: numberIn(metric.threshold),
      })),
    tags: Array.isArray(testCase.tags) ? testCase.tags.filter((tag) => typeof tag === 'string') : [],
  };
};

/** Test runs of DeepEval: `.deepeval/.latest_test_run.json`, or results saved by DEEPEVAL_RESULTS_FOLDER. */
export const deepeval: Format = {
  name: 'deepeval',
  about: 'DeepEval test runs: JSON',
  recognizes: ({ value }) => casesOf(value).some((testCase) => metricsOf(testCase).length > 0),
  read: ({ value, name, digest }): Import => ({
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
    rows: casesOf(value).map(rowOf),
    notes: [],
  }),
};
