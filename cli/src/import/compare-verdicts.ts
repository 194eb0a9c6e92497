import type { Client, JsonObject, PreviewMetricBody } from '../../../client/src/main.ts';
import { valueOfScore } from '../../../client/src/score-value.ts';
import type { ImportedMetric } from './metrics.ts';

/** Number of the tool's verdicts that the code reproduces, by metric. */
export type Comparison = Map<string, { same: number; all: number; example?: string }>;

/** Verdicts compared for each metric: enough to see a difference, and few enough to wait for. */
const most = 20;

const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) < 1e-6 : a === b;

/** Scores some of the records with the metrics that are code, without storing anything, and counts equal verdicts. */
export const compareVerdicts = async (
  client: Client,
  projectId: string,
  metrics: Iterable<ImportedMetric>,
  records: { recordId: string; scores: ReadonlyMap<string, JsonObject> }[],
  comparison: Comparison,
  progress: (text: string) => void,
): Promise<void> => {
  for (const { name, definition } of metrics) {
    if (definition?.evalType !== 'heuristic' || !definition.isCode) continue;
    const counts = comparison.get(name) ?? { same: 0, all: 0 };
    comparison.set(name, counts);
    progress(`comparing verdicts of ${name}`);
    for (const { recordId, scores } of records) {
      const given = scores.get(name);
      if (!given || counts.all >= most) continue;
      const { evalType, outputType, guidelines } = definition;
      const body = { evalType, outputType, guidelines, recordId } as PreviewMetricBody;
      const { score, reason } = await client.previewMetric(projectId, body);
      counts.all++;
      if (score && isSame(valueOfScore(score), valueOfScore(given))) counts.same++;
      else
        counts.example ??= `record ${recordId}: ${valueOfScore(given)} in the file, ${score ? valueOfScore(score) : reason} here`;
    }
  }
};

/** Says for each metric how many verdicts are the same. */
export const notesOf = (comparison: Comparison): string[] =>
  [...comparison].flatMap(([name, { same, all, example }]) =>
    all === 0
      ? []
      : [
          `Metric '${name}' as code gives ${same} of ${all} verdicts again.${example ? ` Differs: ${example}.` : ''}`,
        ],
  );
