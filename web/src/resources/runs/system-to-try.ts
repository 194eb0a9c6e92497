import { useQuery } from '@tanstack/react-query';
import { userSystem } from '../../../../client/src/simulation.ts';
import { apiQuery } from '../../api.ts';
import type { System } from '../../types.ts';
import { useMay } from '../session/me.ts';
import { systemsQuery } from '../systems/queries.ts';
import { isCallableConfig, noSystem, type SystemChoice } from './system-choice.tsx';

/** The newest version of the newest system that can be called, or else a new prompt for the default model. */
const systemToTry = (systems: readonly System[], modelName: string): Omit<SystemChoice, 'authorization'> => {
  const newest = systems.findLast(
    ({ name, productionVersion }) => name !== userSystem && isCallableConfig(productionVersion.config),
  );
  if (newest) return { ...noSystem, versionId: newest.versions.at(-1)!.id };
  return { ...noSystem, draft: { ...noSystem.draft, modelName } };
};

/** What a form begins with: the system to try, and the default model of the organization; undefined while they are read. */
export const useSystemToTry = (projectId: string) => {
  const { write } = useMay();
  const models = useQuery({ ...apiQuery('listJudgeModels'), enabled: write });
  const systems = useQuery(systemsQuery(projectId));
  if (models.isLoading || systems.isLoading) return undefined;
  const modelName = models.data?.defaultModelName ?? '';
  return { system: systemToTry(systems.data ?? [], modelName), modelName };
};
