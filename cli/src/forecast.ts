import type { Client } from '../../client/src/main.ts';

type Coming = { projectId: string; testsetId: string; metricIds: string[]; trials: number };

/** For each metric of a coming run how small a difference of its pass rate to another run this will show, or why that is not known. */
export const forecast = (
  client: Client,
  { projectId, testsetId, metricIds, trials }: Coming,
): Promise<string[]> =>
  Promise.all(
    metricIds.map(async (metricId) => {
      const [{ name }, plan] = await Promise.all([
        client.getMetric(metricId),
        client.planRun(projectId, { metricId, testsetId, trials, measure: 'pass' }),
      ]);
      const { minimumDetectable, n, power, basis, reason } = plan;
      if (minimumDetectable === null)
        return `${name}: not foreseeable how small a difference this run will show; ${reason ?? 'the testset has no testcases'}.`;
      const by = `n = ${n}, power ${100 * power} %, by run ${basis?.runId}`;
      // No two pass rates differ by more than 100 points.
      if (minimumDetectable > 1)
        return `${name}: too few testcases for this run to show any difference (${by}).`;
      const points = (100 * minimumDetectable).toFixed(1);
      return `${name}: this run will show differences of ${points} points or more (${by}).`;
    }),
  );
