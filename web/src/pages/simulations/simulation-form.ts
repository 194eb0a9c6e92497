import { useQuery } from '@tanstack/react-query';
import { designOf, type Persona, type Scenario } from '../../../../client/src/simulation.ts';
import { allOf, api, apiQuery } from '../../api.ts';
import { noSystem, type SystemChoice } from '../../resources/runs/system-choice.tsx';
import { versionQuery } from '../../resources/systems/queries.ts';
import type { JsonObject, ListedRun } from '../../types.ts';

/** The draft of the form, without the authorization header: the browser must not store secrets. */
export type SimulationForm = {
  personas: Persona[];
  scenarios: Scenario[];
  /** The testset of the personas and scenarios, until one of them changes. */
  testsetId: string;
  userModel: string;
  /** The version that plays the user, until its model changes. */
  userVersionId: string;
  maxTurns: number;
  system: Omit<SystemChoice, 'authorization'>;
  metricIds: readonly string[];
};

export const freshForm: SimulationForm = {
  personas: [{ name: '' }],
  scenarios: [{ name: '' }],
  testsetId: '',
  userModel: '',
  userVersionId: '',
  maxTurns: 10,
  system: noSystem,
  metricIds: [],
};

/** The personas and scenarios of a testset. */
export const listDesign = async (testsetId: string) => {
  const testcases = await allOf(api.listTestcases(testsetId));
  return designOf(testcases.map(({ jsonData }) => jsonData as JsonObject));
};

/** What the form begins with: the simulation `like`, or nothing. */
export const useBeginning = (
  like: string,
): { form: SimulationForm | undefined; run: ListedRun | undefined } => {
  const { data: run } = useQuery({ ...apiQuery('getRunDetails', like), enabled: like !== '' });
  const testsetId = run?.testsetId ?? '';
  const { data: design } = useQuery({
    queryKey: ['design', testsetId],
    queryFn: () => listDesign(testsetId),
    enabled: testsetId !== '',
  });
  const userId = run?.simulation?.userVersionId ?? '';
  const user = useQuery({ ...versionQuery(userId), enabled: userId !== '' });
  if (like === '') return { form: freshForm, run };
  if (!run || !design || (userId !== '' && !user.data)) return { form: undefined, run };
  const userModel = String((user.data?.config as JsonObject | undefined)?.modelName ?? '');
  const { systemVersionId, metricIds, simulation, numExpectedRecords } = run;
  const cells = Math.max(1, design.personas.length * design.scenarios.length);
  const trials = Math.max(1, Math.round((numExpectedRecords ?? 0) / cells));
  const system = { ...noSystem, versionId: systemVersionId ?? '', trials };
  return {
    form: {
      ...freshForm,
      ...design,
      testsetId,
      userModel,
      userVersionId: userId,
      maxTurns: simulation?.maxTurns ?? 10,
      system,
      metricIds,
    },
    run,
  };
};
