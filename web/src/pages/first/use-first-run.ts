import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { upsertVersion } from '../../../../client/src/versions.ts';
import { allOf, api, keyOf } from '../../api.ts';
import { bodyOf, formOf } from '../../resources/metrics/kinds.ts';
import { configOf, type SystemChoice } from '../../resources/runs/system-choice.tsx';
import { importRows } from '../../resources/testsets/import-rows.ts';
import { type ColumnMapping, withoutAnswers } from '../../resources/testsets/mapping.ts';
import { testsetLists } from '../../resources/testsets/queries.ts';
import type { useSource } from '../../resources/testsets/use-source.ts';
import type { Testset } from '../../types.ts';
import type { Proposal } from './propose.ts';

type FirstRun = {
  projectId: string;
  by: 'answers' | 'prompt' | 'endpoint';
  source: ReturnType<typeof useSource>;
  system: SystemChoice;
  metrics: readonly Proposal[];
};

/** The testset that an attempt has made of these columns: the next attempt uses it. Equal metrics are used again too. */
type Made = { testset: Testset; of: readonly ColumnMapping[] };

/** Makes the metrics, the testset and the run. `onStarted` gets the id of the run. */
export const useFirstRun = (
  { projectId, by, source, system, metrics }: FirstRun,
  onStarted: (runId: string) => unknown,
) => {
  const made = useRef<Made>(undefined);
  const metricIdOf = async ({ form }: Proposal): Promise<string> => {
    const body = JSON.stringify(bodyOf(form));
    const there = await allOf(api.listMetrics(projectId));
    const same = there.find((metric) => JSON.stringify(bodyOf(formOf(metric))) === body);
    return (same ?? (await api.createMetric(projectId, bodyOf(form)))).id;
  };
  const testsetOf = async (): Promise<Testset> => {
    const { name, found, mapping } = source;
    if (made.current?.of === mapping) return made.current.testset;
    const rows = { projectId, testset: undefined, name, found: found!, mapping: withoutAnswers(mapping) };
    const { testset } = await importRows(rows, () => {});
    made.current = { testset, of: mapping };
    return testset;
  };
  return useMutation({
    mutationFn: async () => {
      const metricIds: string[] = [];
      for (const metric of metrics) metricIds.push(await metricIdOf(metric));
      if (by === 'answers') {
        const { name, found, mapping } = source;
        const rows = { projectId, testset: undefined, name, found: found!, mapping, metricIds };
        return (await importRows(rows, () => {})).runId!;
      }
      const { id: testsetId } = await testsetOf();
      const { id: systemVersionId } = await upsertVersion(
        api,
        projectId,
        system.name,
        await configOf(system),
      );
      const run = { testsetId, metricIds, systemVersionId, execute: true };
      return (await api.createRun(projectId, run)).id;
    },
    meta: {
      refreshes: [
        ...testsetLists(projectId),
        keyOf('listMetrics', projectId),
        keyOf('listRunDetails', projectId),
        keyOf('listSystems', projectId),
      ],
    },
    onSuccess: onStarted,
  });
};
