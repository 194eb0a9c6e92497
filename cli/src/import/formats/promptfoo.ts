import { type CriterionVerdict, criterionId } from '../../../../client/src/criteria.ts';
import type { JsonObject } from '../../../../client/src/main.ts';
import { callSpan } from '../call-span.ts';
import type { Content } from '../content.ts';
import type { Format } from '../format.ts';
import {
  type Import,
  isObject,
  listAt,
  numberIn,
  objectAt,
  type Row,
  scoreValue,
  type TraceSpan,
  textOf,
  underKey,
} from '../rows.ts';
import { criteriaJudge } from './criteria.ts';

/** The results of one prompt and one provider are a run; promptfoo shows them as a column. */
const runOf = (result: JsonObject): string => `${textOf(result.promptIdx) ?? '0'} ${providerOf(result)}`;

const providerOf = ({ provider }: JsonObject): string =>
  isObject(provider)
    ? (textOf(provider.label) ?? textOf(provider.id) ?? 'provider')
    : (textOf(provider) ?? 'provider');

/** promptfoo's mark of a grader that gave no verdict. */
const graderFailed = (result: JsonObject): boolean => objectAt(result, 'metadata').graderError === true;

/** `failureReason` of a result that is an error, neither a pass nor a fail. */
const errorReason = 2;

/** Names the score of an assertion by its metric, else by its type. The second `contains` of a case is `contains 2`. */
const assertionScores = (grading: JsonObject): Row['scores'] => {
  const named = objectAt(grading, 'namedScores');
  const scores: Row['scores'] = Object.entries(named).map(([name, value]) => ({
    name,
    value: scoreValue(value),
  }));
  const seen = new Map<string, number>();
  for (const component of listAt(grading, 'componentResults')) {
    const assertion = objectAt(component, 'assertion');
    const type = textOf(assertion.type);
    const metric = textOf(assertion.metric);
    if (metric !== undefined && graderFailed(component)) {
      const score = scores.find(({ name }) => name === metric);
      if (score) Object.assign(score, { value: null, reasoning: textOf(component.reason) });
    }
    if (type === undefined || metric !== undefined) continue;
    const count = (seen.get(type) ?? 0) + 1;
    seen.set(type, count);
    const name = count === 1 ? type : `${type} ${count}`;
    const value = graderFailed(component) ? null : component.pass === true;
    scores.push({ name, value, reasoning: textOf(component.reason) });
  }
  return scores;
};

/** The metric of the rubrics of each case. */
const rubrics = 'llm-rubric criteria';

/** Rubrics that count: promptfoo leaves out those with a weight of 0, and a rubric may be a file or a prompt. */
const isRubric = ({ type, value, weight }: JsonObject): boolean =>
  type === 'llm-rubric' && textOf(value) !== undefined && numberIn(weight) !== 0;

const criterionOf = ({ value, weight }: JsonObject): JsonObject => {
  const text = textOf(value)!.trim();
  return {
    id: criterionId(text),
    text,
    ...(numberIn(weight) !== undefined && numberIn(weight) !== 1 && { weight }),
  };
};

/** The rubrics of a case as criteria, also those in a set of assertions, each once. */
const rubricsOf = (testCase: JsonObject): JsonObject[] => {
  const all = listAt(testCase, 'assert').flatMap((one) =>
    one.type === 'assert-set' ? listAt(one, 'assert') : [one],
  );
  return [
    ...new Map(
      all.filter(isRubric).map((one) => [criterionId(textOf(one.value)!.trim()), criterionOf(one)]),
    ).values(),
  ];
};

/** The grader's verdict on each rubric of a case. One without a verdict is unscored: that is no "no". */
const rubricScore = (criteria: readonly JsonObject[], grading: JsonObject): Row['scores'] => {
  if (criteria.length === 0) return [{ name: rubrics, value: null, reasoning: 'the case has no llm-rubric' }];
  const parts = listAt(grading, 'componentResults').flatMap((part) => [
    part,
    ...listAt(part, 'componentResults'),
  ]);
  const verdicts = criteria.map(({ id, text }): CriterionVerdict => {
    const part = parts.find(
      ({ assertion }) =>
        isObject(assertion) && isRubric(assertion) && textOf(assertion.value)?.trim() === text,
    );
    const reason = textOf(part?.reason);
    if (!part || graderFailed(part) || typeof part.pass !== 'boolean')
      return { id: String(id), state: 'unscored', why: reason ?? 'the grader gave no verdict' };
    return { id: String(id), met: part.pass, ...(reason !== undefined && { reason }) };
  });
  return [{ name: rubrics, value: null, criteria: verdicts }];
};

/** Returns the call of the provider as a span, with its time, tokens and cost, if the result says how long it took. */
const callOf = (result: JsonObject, startMs: number): TraceSpan[] => {
  const latency = numberIn(result.latencyMs);
  if (latency === undefined) return [];
  const response = objectAt(result, 'response');
  const usage = objectAt(response, 'tokenUsage');
  return [
    callSpan({
      name: providerOf(result),
      startMs,
      endMs: startMs + latency,
      inputTokens: numberIn(usage.prompt),
      outputTokens: numberIn(usage.completion),
      costUsd: numberIn(response.cost ?? result.cost),
    }),
  ];
};

const rowOf = (
  result: JsonObject,
  { index, startMs, haveRubrics }: { index: number; startMs: number; haveRubrics: boolean },
): Row => {
  const testCase = objectAt(result, 'testCase');
  const response = objectAt(result, 'response');
  const grading = objectAt(result, 'gradingResult');
  const error = textOf(result.error);
  // If the provider failed, there is no answer to judge: the case is unscored, not failed.
  const hasOutput = response.output !== undefined && response.output !== null;
  const isError = numberIn(result.failureReason) === errorReason;
  const broken = (error !== undefined || isError) && !hasOutput;
  const parts = listAt(grading, 'componentResults');
  const failedGrader = parts.find(graderFailed);
  // Without a threshold one failed assertion is a fail, whatever the grader would have said.
  const fails =
    textOf(testCase.threshold) === undefined &&
    parts.some((part) => part.pass === false && !graderFailed(part));
  const isUnjudged = isError || (!fails && (graderFailed(grading) || failedGrader !== undefined));
  const asserts = listAt(testCase, 'assert').filter(({ value }) => value !== undefined);
  const expected = asserts.map(({ type, value }) => [String(type), value]);
  const criteria = rubricsOf(testCase);
  return {
    id: textOf(result.id) ?? `${index}`,
    caseId: textOf(result.testIdx) ?? `${index}`,
    run: runOf(result),
    inputs: underKey(result.vars ?? testCase.vars, 'vars'),
    expected: { ...Object.fromEntries(expected), ...(criteria.length > 0 && { criteria }) },
    metadata: {
      ...(textOf(testCase.description) !== undefined && { description: testCase.description }),
      ...objectAt(testCase, 'metadata'),
    },
    trace: callOf(result, startMs),
    outputs: broken ? { error: error ?? 'error' } : underKey(response.output, 'output'),
    ...(broken && { error: error ?? 'the provider failed' }),
    scores: broken
      ? []
      : [
          {
            name: 'promptfoo',
            value: isUnjudged ? null : result.success === true,
            reasoning:
              (isUnjudged ? textOf(failedGrader?.reason) : undefined) ?? textOf(grading.reason) ?? error,
          },
          ...assertionScores(grading),
          ...(haveRubrics ? rubricScore(criteria, grading) : []),
        ],
  };
};

const resultsOf = ({ value, items, form }: Content): JsonObject[] =>
  form === 'lines' ? items : listAt(objectAt(value, 'results'), 'results');

/** Results of promptfoo, from `promptfoo eval -o results.json` or `results.jsonl`. */
export const promptfoo: Format = {
  name: 'promptfoo',
  about: 'promptfoo results: eval -o results.json or results.jsonl',
  recognizes: (content) => {
    const [first] = resultsOf(content);
    return first !== undefined && 'promptIdx' in first && 'testIdx' in first;
  },
  read: (content): Import => {
    const results = resultsOf(content);
    const value = isObject(content.value) ? content.value : {};
    const startMs = Date.parse(textOf(objectAt(value, 'results').timestamp) ?? '');
    const haveRubrics = results.some(({ testCase }) => isObject(testCase) && rubricsOf(testCase).length > 0);
    const systems: Import['systems'] = new Map();
    for (const result of results) {
      const prompt = textOf(objectAt(result, 'prompt').label) ?? textOf(objectAt(result, 'prompt').raw) ?? '';
      systems.set(runOf(result), { name: providerOf(result), config: { provider: result.provider, prompt } });
    }
    return {
      tool: 'promptfoo',
      id: textOf(value.evalId) ?? content.digest,
      name: textOf(objectAt(value, 'config').description) ?? content.name,
      systems,
      rows: results.map((result, index) =>
        rowOf(result, { index, haveRubrics, startMs: Number.isNaN(startMs) ? content.writtenMs : startMs }),
      ),
      ...(haveRubrics && {
        metrics: new Map([[rubrics, criteriaJudge('llm-rubric', { passingThreshold: 1 })]]),
      }),
      // promptfoo defines each score as a share: 1 is a full pass.
      unit: () => true,
      notes: [],
    };
  },
};
