import { etagOf } from '../../../../client/src/etags.ts';
import { api } from '../../api.ts';
import { requireAsRead } from '../../as-read.ts';
import type { MetricSettings } from '../../types.ts';

/** Changes settings of a metric, if those that change are still as they were `read`. */
export const changeSettings = async <Name extends keyof MetricSettings>(
  metricId: string,
  read: Readonly<Pick<MetricSettings, Name>>,
  changes: Readonly<Partial<Pick<MetricSettings, Name>>>,
): Promise<MetricSettings> => {
  const now = requireAsRead<MetricSettings, Name>(
    await api.getMetricSettings(metricId),
    read,
    Object.keys(changes) as Name[],
  );
  return api.updateMetricSettings(metricId, changes, { ifMatch: etagOf(now) });
};
