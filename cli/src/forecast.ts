import type { Client } from '../../client/src/main.ts';

type PlannedRun = {
  projectId: string;
  testsetId: string;
  split?: string | undefined;
  metricIds: string[];
  trials: number;
};

/**
 * Returns a line for each metric of a planned run: the smallest difference of the pass rate that a comparison with this run can
 * detect, or why it is unknown.
 */
export const forecast = (
  client: Client,
  { projectId, testsetId, split, metricIds, trials }: PlannedRun,
): Promise<string[]> =>
  Promise.all(
    metricIds.map(async (metricId) => {
      const [{ name }, plan] = await Promise.all([
        client.getMetric(metricId),
        client.planRun(projectId, { metricId, testsetId, split, trials, measure: 'pass' }),
      ]);
      const { minimumDetectable, n, power, basis, reason } = plan;
      const by = `n = ${n}, power ${100 * power} %, based on run ${basis?.runId}`;
      if (minimumDetectable === null && basis && n > 0)
        return `${name}: the testset is too small to detect any difference (${by}).`;
      if (minimumDetectable === null)
        return `${name}: the smallest difference that this run can detect is unknown: ${reason ?? 'the testset has no testcases'}.`;
      // No two pass rates differ by more than 100 points.
      if (minimumDetectable > 1) return `${name}: the testset is too small to detect any difference (${by}).`;
      const points = (100 * minimumDetectable).toFixed(1);
      return `${name}: this run can detect differences of ${points} points or more (${by}).`;
    }),
  );
