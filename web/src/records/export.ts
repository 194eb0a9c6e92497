import type { RecordDetail } from '../types.ts';
import { toCsv } from '../ui/csv.ts';
import { download } from '../ui/download.ts';
import { exactText } from '../ui/exact-json.ts';
import { valueText } from './score-value.tsx';

const prefixed = (prefix: string, fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]));

/** A record as one flat line: fields by their group, scores by their metric. */
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

export const exportRecords = async (
  records: readonly RecordDetail[],
  format: 'csv' | 'jsonl' | 'parquet',
): Promise<void> => {
  if (format === 'csv') download('records.csv', [toCsv(records.map(flatRecord))], 'text/csv;charset=utf-8');
  else if (format === 'jsonl')
    download(
      'records.jsonl',
      [records.map((record) => `${exactText(record)}\n`).join('')],
      'application/x-ndjson',
    );
  else {
    const { toParquet } = await import('../ui/parquet.ts');
    download('records.parquet', [toParquet(records.map(flatRecord))], 'application/vnd.apache.parquet');
  }
};
