import type { Operations, Series } from './generated.ts';

/**
 * Says how far the judge of each series can be trusted. The answer of a series does not name it: its labels are read again, a judge at a
 * time.
 */
export const judgeLines = async (
  client: Pick<Operations, 'calibrateMetric'>,
  metrics: Series['metrics'],
  nameOf: (name: string) => string = (name) => name,
): Promise<string[]> => {
  const lines: string[] = [];
  for (const { metricId, metricName, metricConfigId, evalType, current } of metrics) {
    if (evalType !== 'ai') continue;
    const { judge } = await client.calibrateMetric(metricId, { metricConfigId });
    lines.push(`${nameOf(metricName)}${current ? '' : ', earlier version'}: judge: ${judge.trust}`);
  }
  return lines;
};
