import { useMutation } from '@tanstack/react-query';
import { api, keyOf } from '../../api.ts';
import type { CreateMetricBody, Metric } from '../../types.ts';
import { say } from '../../ui/toast.tsx';

export const peopleNameOf = ({ name }: Metric): string => `${name} (people)`;

/** Creates the human metric that asks people what the judge is asked. Resolves to its id. */
export const createPeopleMetric = async (projectId: string, judge: Metric): Promise<string> => {
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

/** Makes a human metric the truth about a judge: the one with the given id, or a new one with the judge's guidelines. */
export const useNamePeople = (projectId: string, judge: Metric) =>
  useMutation({
    mutationFn: async (chosen: Pick<Metric, 'id' | 'name'> | 'new') => {
      const people =
        chosen === 'new'
          ? { id: await createPeopleMetric(projectId, judge), name: peopleNameOf(judge) }
          : chosen;
      await api.updateMetricSettings(judge.id, { peopleMetricId: people.id });
      return people.name;
    },
    meta: { refreshes: refreshesOfPeople(projectId, judge) },
    onSuccess: (name) => say(`${judge.name} is now compared with ${name}.`),
  });
