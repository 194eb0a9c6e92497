import type { Labels } from '../../../client/src/labels.ts';
import type { Client, RecordDetail, RunDetail, RunSummary } from '../../../client/src/main.ts';
import type { Context } from '../command.ts';

/** A run as other tools take it: with its rates, and its records page by page, the oldest first. */
export type ExportedRun = {
  run: RunDetail;
  summary: RunSummary;
  records: () => AsyncIterable<RecordDetail>;
};

export const runOf = async (client: Client, runId: string, out: Context['out']): Promise<ExportedRun> => {
  const run = await client.getRunDetails(runId);
  const summary = await client.summarizeRun(runId);
  return {
    run,
    summary,
    records: async function* () {
      let count = 0;
      for await (const page of client.listProjectRecords(run.projectId, { runId, sort: 'created' }).pages()) {
        count += page.data.length;
        out.progress(`${count} records`);
        yield* page.data;
      }
    },
  };
};

/** The text of a part that has one text, else its JSON. */
export const textOfPart = (part: object): string => {
  const values = Object.values(part);
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(part);
};

/** The labels of the metrics that give some, by name. The other tool has no place for them: they stand where its format allows additions. */
export const labelsIn = ({ metrics }: RunSummary): { [metric: string]: Labels } =>
  Object.fromEntries(
    metrics.flatMap(({ metricName, labels }) => {
      if (!labels) return [];
      const items = labels.shares.map(({ label }) => label);
      const passing = labels.shares.flatMap(({ label, passes }) => (passes ? [label] : []));
      return [[metricName, { items, passing, ordered: labels.ordered }]];
    }),
  );
