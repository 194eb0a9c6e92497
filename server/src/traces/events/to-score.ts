import { type OutputType, outputs } from '../../evaluation/metrics/schema.ts';
import { asJson } from '../../platform/db/text.ts';
import type { Evaluation } from '../conventions/evaluation.ts';

const passes = /^(?:pass(?:ed)?|true|yes|correct|relevant|good|ok|success)$/i;
const fails = /^(?:fail(?:ed)?|false|no|incorrect|not[ _-]?relevant|irrelevant|bad|failure)$/i;

/** Returns whether a label means that the output passed; undefined if it means neither. */
const verdictOf = (label: string | null): boolean | undefined => {
  if (label === null) return undefined;
  if (passes.test(label.trim())) return true;
  return fails.test(label.trim()) ? false : undefined;
};

/** Returns the output type of the metric that an evaluation's first result makes. */
export const outputTypeOf = ({ value, label }: Evaluation): OutputType => {
  if (value === null) return verdictOf(label) === undefined ? 'float' : 'boolean';
  return Number.isInteger(value) && value > 1 && value <= 5 ? 'int' : 'float';
};

/** Returns the value of a result for a metric of this output type; undefined without one. */
const resultOf = (
  outputType: OutputType,
  { value, label }: Evaluation,
): boolean | number | string | undefined => {
  if (outputType === 'category') return label ?? undefined;
  if (outputType !== 'boolean') return value ?? undefined;
  return value === 0 || value === 1 ? value === 1 : verdictOf(label);
};

/** Returns a result as a score, or the reason why there is none. */
export const toScore = (
  outputType: OutputType,
  evaluation: Evaluation,
): { score: Record<string, unknown>; raw: string } | { reason: string } => {
  const { value, label, explanation, error } = evaluation;
  if (error !== null) return { reason: [error, explanation].filter((text) => text).join(': ') };
  const { valueField } = outputs[outputType];
  const result = resultOf(outputType, evaluation);
  if (result === undefined) {
    const sent = [value, label].filter((each) => each !== null).join(', ');
    const problem = sent === '' ? 'the event has neither a value nor a label' : `${sent} is no ${valueField}`;
    return { reason: [problem, explanation].filter((text) => text).join('. ') };
  }
  const score: Record<string, unknown> = { [valueField]: result };
  if (explanation !== null) score.reasoning = explanation;
  if (label !== null && outputType !== 'category') score.label = label;
  return { score, raw: asJson(score) };
};
