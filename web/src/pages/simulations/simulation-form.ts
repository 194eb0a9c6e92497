import { useQuery } from '@tanstack/react-query';
import { designOf, type Persona, type Scenario } from '../../../../client/src/simulation.ts';
import { allOf, api, apiQuery } from '../../api.ts';
import { noSystem, type SystemChoice } from '../../resources/runs/system-choice.tsx';
import { useSystemToTry } from '../../resources/runs/system-to-try.ts';
import { versionQuery } from '../../resources/systems/queries.ts';
import { sessionQuery } from '../../resources/traces/queries.ts';
import type { JsonObject, ListedRun, Trace } from '../../types.ts';

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

/** Turns of a session that the model of the user reads: a longer session begins with them. */
const mostTurns = 30;

/** The user of a session, with what they wrote: a model plays them, and reacts to what the system answers now. */
export const designOfSession = (
  sessionId: string,
  turns: readonly Pick<Trace, 'input' | 'userId'>[],
): Pick<SimulationForm, 'personas' | 'scenarios' | 'maxTurns'> => {
  const said = turns.flatMap(({ input }) => input?.trim() || []).slice(0, mostTurns);
  const listed = said.map((text, i) => `${i + 1}. ${text}`).join('\n');
  return {
    personas: [
      {
        name: turns[0]?.userId || 'User of the session',
        traits: 'Writes as in the messages of the situation: the same language, tone and length.',
      },
    ],
    scenarios: [
      {
        name: `Session ${sessionId}`,
        goal: 'An answer to each of these messages.',
        situation: `In a real session you wrote these messages, in this order. Write them again, one at a time, and leave out what is answered already:\n${listed}`,
        ...(said[0] && { opening: said[0] }),
      },
    ],
    maxTurns: Math.min(50, said.length + 2),
  };
};

/** A new form, in which the default model of the organization plays the user; undefined while what it begins with is read. */
const useFreshForm = (projectId: string): SimulationForm | undefined => {
  const begins = useSystemToTry(projectId);
  return begins && { ...freshForm, userModel: begins.modelName, system: begins.system };
};

/** What the form begins with for a session; undefined while its traces are read, and without one. */
const useSessionForm = (projectId: string, sessionId: string): SimulationForm | undefined => {
  const { data } = useQuery({ ...sessionQuery(projectId, sessionId), enabled: sessionId !== '' });
  const fresh = useFreshForm(projectId);
  return data && fresh && { ...fresh, ...designOfSession(sessionId, data.data) };
};

/** What the form begins with: the simulation `like`, the user of a session, or nothing. */
export const useBeginning = (
  projectId: string,
  like: string,
  sessionId: string,
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
  const fresh = useFreshForm(projectId);
  const ofSession = useSessionForm(projectId, sessionId);
  if (sessionId !== '') return { form: ofSession, run: undefined };
  if (like === '') return { form: fresh, run };
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
