import { Type } from 'typebox';
import { labelList, valueOfLabel } from '../../../../client/src/labels.ts';
import type { Issue } from '../../platform/errors.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { validator } from '../../platform/validation.ts';
import type { Scale } from '../metrics/scale.ts';
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

/** The member of a score that has its value. */
export const fieldOf = (scale: Scale): string =>
  outputs[typeof scale === 'string' ? scale : 'category'].valueField;

const issuesOfValue = (scale: Scale, score: Record<string, unknown>): Issue[] => {
  if (typeof scale === 'string') return valueIssues[scale](score);
  const field = outputs.category.valueField;
  if (valueOfLabel(scale, score[field]) !== undefined) return [];
  if (!Object.hasOwn(score, field)) return valueIssues.category(score);
  return [{ path: `/${field}`, message: `must be one of the labels ${labelList(scale.items)}` }];
};

/** Returns the issues of a score that does not fit its metric's scale. A score with issues is stored but has no value. */
export const scoreIssues = (scale: Scale, score: Record<string, unknown>): Issue[] => {
  const expected = fieldOf(scale);
  const others = valueFields.filter((field) => field !== expected && Object.hasOwn(score, field));
  return [
    ...issuesOfValue(scale, score),
    ...others.map((field) => ({
      path: `/${field}`,
      message: `is not the value of this metric, which is ${expected}${
        typeof scale === 'string' ? '' : `: one of ${labelList(scale.items)}`
      }`,
    })),
    ...reasoningIssues(score),
  ];
};

/** Returns the value of a valid score as a number: true is 1, false 0; for a label see valueOfLabel. */
export const scoreValue = (scale: Scale, score: Record<string, unknown>): number => {
  const value = score[fieldOf(scale)];
  return typeof scale === 'string' ? Number(value) : valueOfLabel(scale, value)!;
};

/** Returns a score's value and its validation errors; one of the two is null. */
export const fitOf = (
  scale: Scale,
  score: Record<string, unknown>,
): { value: number | null; validationErrors: RawJson | null } => {
  const issues = scoreIssues(scale, score);
  return issues.length === 0
    ? { value: scoreValue(scale, score), validationErrors: null }
    : { value: null, validationErrors: JSON.stringify(issues) };
};
