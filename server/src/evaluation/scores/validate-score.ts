import { Type } from 'typebox';
import type { Issue } from '../../platform/errors.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { validator } from '../../platform/validation.ts';
import { type OutputType, outputs } from '../metrics/schema.ts';

const valueFields = Object.values(outputs).map((output) => output.valueField);

/** Checks the reasoning. Any string is valid, even one that no column can hold: the score's value must still count. */
const reasoningIssues = ({ reasoning }: Record<string, unknown>): Issue[] =>
  reasoning === undefined || typeof reasoning === 'string'
    ? []
    : [{ path: '/reasoning', message: 'must be a string' }];

const valueIssues = Object.fromEntries(
  Object.entries(outputs).map(([outputType, { valueField, value }]) => [
    outputType,
    validator(Type.Object({ [valueField]: value })),
  ]),
) as Record<OutputType, (score: unknown) => Issue[]>;

/** Returns the issues of a score that does not fit its metric's output type. A score with issues is stored but has no value. */
export const scoreIssues = (outputType: OutputType, score: Record<string, unknown>): Issue[] => {
  const expected = outputs[outputType].valueField;
  const others = valueFields.filter((field) => field !== expected && Object.hasOwn(score, field));
  return [
    ...valueIssues[outputType](score),
    ...others.map((field) => ({
      path: `/${field}`,
      message: `is not the value of this metric, which is ${expected}`,
    })),
    ...reasoningIssues(score),
  ];
};

/** Returns the value of a valid score as a number: true is 1, false 0. */
export const scoreValue = (outputType: OutputType, score: Record<string, unknown>): number =>
  Number(score[outputs[outputType].valueField]);

/** Returns a score's value and its validation errors; one of the two is null. */
export const fitOf = (
  outputType: OutputType,
  score: Record<string, unknown>,
): { value: number | null; validationErrors: RawJson | null } => {
  const issues = scoreIssues(outputType, score);
  return issues.length === 0
    ? { value: scoreValue(outputType, score), validationErrors: null }
    : { value: null, validationErrors: JSON.stringify(issues) };
};
