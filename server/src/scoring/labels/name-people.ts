import type { EvalType } from '../../evaluation/metrics/schema.ts';
import type { Sql } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { numericId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { deletePeopleMetric, findHumanBeside, findPeopleMetric, namePeopleMetric } from './queries.ts';

/**
 * Names the human metric whose scores are the truth about a locked judge; null forgets it. Throws 400 for a metric of people, which has none, and
 * unless the id is that of a human metric of the project.
 */
export const setPeopleMetric = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  evalType: EvalType,
  peopleMetricId: string | null,
): Promise<void> => {
  if (peopleMetricId === null) {
    await deletePeopleMetric(tx, scope, metricId);
    return;
  }
  if (evalType === 'human')
    throw invalid('/peopleMetricId', 'can be changed for a metric that a model or code scores');
  const peopleId = numericId('metric', peopleMetricId);
  const [found] = await findHumanBeside(tx, scope, metricId, peopleId);
  if (!found) throw invalid('/peopleMetricId', 'must be the id of a human metric of the same project');
  await namePeopleMetric(tx, scope, metricId, peopleId);
};

/**
 * Names the human metric by which labels of a judge were pinned, unless one is known. A metric that is known by its guidelines is named too:
 * the judge's own may be changed next.
 */
export const namePeopleIfUnknown = async (
  tx: Sql,
  scope: Scope,
  metricId: bigint,
  peopleId: bigint,
): Promise<void> => {
  const [known] = await findPeopleMetric(tx, scope, metricId);
  const [found] = await findHumanBeside(tx, scope, metricId, known!.id ?? peopleId);
  if (found) await namePeopleMetric(tx, scope, metricId, known!.id ?? peopleId);
};
