import type { RecordDetail } from '../../types.ts';
import { valueText } from './score-value.tsx';

const prefixed = (prefix: string, fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]));

/** A record as a row of a table: fields by their group, scores by their metric. */
export const flatRecord = (record: RecordDetail): Record<string, unknown> => ({
  id: record.id,
  runId: record.runId,
  testcaseId: record.testcaseId,
  createdAt: record.createdAt,
  ...prefixed('inputs', record.inputs),
  ...prefixed('outputs', record.outputs),
  ...prefixed('expected', record.expected),
  ...Object.assign(
    {},
    ...record.scoreStates.map(({ metricName, state, passed, score }) => ({
      [`score.${metricName}`]: valueText(score) ?? state,
      [`passed.${metricName}`]: passed ?? '',
      [`reasoning.${metricName}`]: score?.reasoning,
    })),
  ),
  tags: record.tags.join(','),
});
