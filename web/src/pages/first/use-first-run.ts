import { useMutation } from '@tanstack/react-query';
import { DokimaError } from '../../../../client/src/errors.ts';
import { upsertVersion } from '../../../../client/src/versions.ts';
import { allOf, api, keyOf } from '../../api.ts';
import { bodyOf, formOf } from '../../resources/metrics/kinds.ts';
import type { Proposal } from '../../resources/proposals/propose.ts';
import { configOf, type SystemChoice } from '../../resources/runs/system-choice.tsx';
import { importRows } from '../../resources/testsets/import-rows.ts';
import { withoutAnswers } from '../../resources/testsets/mapping.ts';
import { testsetLists } from '../../resources/testsets/queries.ts';
import { freshKey, useDraft } from '../../ui/local-storage.ts';
import { ifThere } from './made.ts';
import type { Testcases } from './use-testcases.ts';

type FirstRun = {
  projectId: string;
  by: 'answers' | 'prompt' | 'endpoint';
  testcases: Testcases;
  system: SystemChoice;
  metrics: readonly Proposal[];
};

/**
 * What the attempts with one table have made: the next attempt goes on with it. `attempt` and `run` are in the Idempotency-Keys of
 * the requests, so that one whose answer was lost makes nothing twice; `run` is new after each run that has started.
 */
type Made = { of: string; attempt: string; run: string; at: number; testsetId?: string };

/** The service keeps the answers to keys for 24 hours. */
const keptMs = 20 * 3_600_000;

const useMade = (projectId: string, of: string) => {
  const [kept, keep] = useDraft<Made>(`first ${projectId} made`);
  const isKept = kept?.of === of && Date.now() - kept.at < keptMs;
  /** What there is of this table, or the beginning of it. A testset that was deleted is made again. */
  const begin = async (): Promise<Made> => {
    const fresh = { of, attempt: freshKey(), run: freshKey(), at: Date.now() };
    if (!isKept || (kept.testsetId && !(await ifThere(api.getTestset(kept.testsetId))))) {
      keep(fresh);
      return fresh;
    }
    return kept;
  };
  return { begin, keep };
};

/** Equal metrics are used again. */
const metricIdOf = async (projectId: string, { form }: Proposal): Promise<string> => {
  const body = JSON.stringify(bodyOf(form));
  const there = await allOf(api.listMetrics(projectId));
  const same = there.find((metric) => JSON.stringify(bodyOf(formOf(metric))) === body);
  return (same ?? (await api.createMetric(projectId, bodyOf(form)))).id;
};

/** Makes the metrics, the testset and the run. `onStarted` gets the id of the run. */
export const useFirstRun = (
  { projectId, by, testcases, system, metrics }: FirstRun,
  onStarted: (runId: string) => unknown,
) => {
  const { way, source, drafted, there } = testcases;
  const isAnswered = by === 'answers';
  const mapping = isAnswered ? source.mapping : withoutAnswers(source.mapping);
  const of =
    way === 'testset' ? `testset ${there.testset?.id}` : JSON.stringify([source.id, source.name, mapping]);
  const made = useMade(projectId, of);
  /** Writes the rows. Rows with answers become a run. */
  const write = async ({ attempt, run }: Made, metricIds: string[]) => {
    const testsetId = way === 'drafts' ? drafted?.testsetId : undefined;
    return importRows(
      {
        projectId,
        testset: testsetId === undefined ? undefined : await ifThere(api.getTestset(testsetId)),
        name: source.name,
        found: source.found!,
        mapping,
        metricIds,
        attempt: { rows: `first-${attempt}`, run: `first-${run}` },
      },
      () => {},
    );
  };
  const testsetIdOf = async (begun: Made): Promise<string> => {
    if (way === 'testset') return there.testset!.id;
    return begun.testsetId ?? (await write(begun, [])).testset.id;
  };
  const startAsked = async (begun: Made, metricIds: string[]): Promise<string> => {
    const testsetId = await testsetIdOf(begun);
    made.keep({ ...begun, testsetId });
    const config = await configOf(system);
    const { id: systemVersionId } = await upsertVersion(api, projectId, system.name, config);
    const idempotencyKey = ['first', begun.run, testsetId, ...metricIds, systemVersionId].join('-');
    const run = { testsetId, metricIds, systemVersionId, execute: true };
    const { id } = await api.createRun(projectId, run, { idempotencyKey });
    made.keep({ ...begun, testsetId, run: freshKey() });
    return id;
  };
  const startAnswered = async (begun: Made, metricIds: string[]): Promise<string> => {
    const { testset, runId } = await write(begun, metricIds);
    made.keep({ ...begun, testsetId: testset.id, run: freshKey() });
    return runId!;
  };
  return useMutation({
    mutationFn: async () => {
      const begun = await made.begin();
      const metricIds: string[] = [];
      for (const metric of metrics) metricIds.push(await metricIdOf(projectId, metric));
      return isAnswered ? startAnswered(begun, metricIds) : startAsked(begun, metricIds);
    },
    meta: {
      refreshes: [
        ...testsetLists(projectId),
        keyOf('listMetrics', projectId),
        keyOf('listRunDetails', projectId),
        keyOf('listSystems', projectId),
      ],
    },
    onError: (error) => {
      // What an attempt made is deleted, or its key is used for other rows: the next attempt begins again.
      if (error instanceof DokimaError && [404, 409].includes(error.status ?? 0)) made.keep(undefined);
    },
    onSuccess: onStarted,
  });
};
