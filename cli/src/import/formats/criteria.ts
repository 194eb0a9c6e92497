import { criterionId } from '../../../../client/src/criteria.ts';
import type { JsonObject } from '../../../../client/src/main.ts';
import type { MetricDefinition } from '../rows.ts';

/** The metric that scores the criteria of the testcases. */
export const criteriaMetric = 'Criteria of the testcase';

/** A judge of the criteria of each testcase, and of those that hold for all. */
export const criteriaJudge = (
  kind: string,
  more: Partial<Pick<MetricDefinition, 'promptTemplate' | 'passingThreshold'>> & {
    items?: readonly string[];
  } = {},
): MetricDefinition => {
  const { items = [], ...rest } = more;
  return {
    kind,
    evalType: 'ai',
    outputType: 'float',
    promptTemplate: 'What was asked:\n\n{{ allInputs }}\n\nThe answer to judge:\n\n{{ allOutputs }}',
    criteria: { fromExpected: true, ...(items.length > 0 && { items: [...items] }) },
    ...rest,
  };
};

/** Returns texts as criteria, each once: the same text is the same criterion in each testcase. */
export const criteriaOfTexts = (texts: readonly string[]): JsonObject[] =>
  [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))].map((text) => ({
    id: criterionId(text),
    text,
  }));
