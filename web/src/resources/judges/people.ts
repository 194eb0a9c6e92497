import { useMutation } from '@tanstack/react-query';
import { api, keyOf } from '../../api.ts';
import { requireAsRead } from '../../as-read.ts';
import type { CreateMetricBody, Metric } from '../../types.ts';
import { say } from '../../ui/toast.tsx';
import { changeSettings } from '../metrics/change-settings.ts';

export const peopleNameOf = ({ name }: Metric): string => `${name} (people)`;

/** Creates the human metric that asks people what the judge is asked. Resolves to its id. */
const createPeopleMetric = async (projectId: string, judge: Metric): Promise<string> => {
  const body = {
    name: peopleNameOf(judge),
    description: null,
    evalType: 'human',
    outputType: judge.outputType,
    // A judge may have its question in its prompt alone.
    guidelines: judge.guidelines || (judge.description ?? ''),
    ...(judge.passingThreshold !== undefined && { passingThreshold: judge.passingThreshold }),
  } as CreateMetricBody;
  return (await api.createMetric(projectId, body)).id;
};

/** Queries to read again once a judge names another human metric. */
export const refreshesOfPeople = (projectId: string, judge: Metric) => [
  keyOf('listMetrics', projectId),
  keyOf('getMetricSettings', judge.id),
  keyOf('calibrateMetric', judge.id),
  keyOf('listTrends', projectId),
];

/** Throws if the judge is held against another human metric than `named`. Asked before one is created for it. */
const requireNamed = async ({ id }: Metric, named: string | null): Promise<void> => {
  requireAsRead(await api.getMetricSettings(id), { peopleMetricId: named }, ['peopleMetricId']);
};

/**
 * Creates a human metric and makes it the truth about a judge. Throws if the judge is no longer held against `named`. Once the
 * metric is created, the settings name it already, as the only one with the judge's guidelines, so they differ from what was read.
 */
export const createNamed = async (
  projectId: string,
  judge: Metric,
  named: string | null,
): Promise<string> => {
  await requireNamed(judge, named);
  const peopleMetricId = await createPeopleMetric(projectId, judge);
  await api.updateMetricSettings(judge.id, { peopleMetricId });
  return peopleMetricId;
};

/** Makes a human metric the truth about a judge: the chosen one, or a new one with the judge's guidelines. `named` is the one before. */
export const useNamePeople = (projectId: string, judge: Metric, named: string | null) =>
  useMutation({
    mutationFn: async (chosen: Pick<Metric, 'id' | 'name'> | 'new') => {
      if (chosen === 'new') {
        await createNamed(projectId, judge, named);
        return peopleNameOf(judge);
      }
      await changeSettings(judge.id, { peopleMetricId: named }, { peopleMetricId: chosen.id });
      return chosen.name;
    },
    meta: { refreshes: refreshesOfPeople(projectId, judge) },
    onSuccess: (name) => say(`${judge.name} is now compared with ${name}.`),
  });
