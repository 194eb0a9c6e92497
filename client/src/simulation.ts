/** Converts personas and scenarios to a testset and a prompt that plays the user, for the command line and the pages. */
import { countOf } from './gate/words.ts';
import type { Operations, RunCostEstimate } from './generated.ts';
import type { JsonObject } from './types.ts';

/** A person who talks to the system. */
export type Persona = { name: string; traits?: string };
/** The goal of the user, and the situation. An `opening` is the first message, word for word; other fields go to the system. */
export type Scenario = { name: string; situation?: string; goal?: string; opening?: string } & JsonObject;

type Api = Pick<Operations, 'createTestset' | 'createTestcases' | 'listSystems' | 'getSystemVersion'>;

/** Testcases in one request, and the most cells of a design. */
const atOnce = 100;
export const mostCells = 1_000;

const userFields = ['persona', 'traits', 'scenario', 'situation', 'goal', 'opening'];

/** The prompt of the simulated user until a team writes its own. */
export const userPrompt = `You are a user who writes to an assistant. Play this person and no one else.

Who you are: {{ inputs.persona }}. {{ inputs.traits | default("") }}
Why you write: {{ inputs.scenario }}. {{ inputs.situation | default("") }}
What you want in the end: {{ inputs.goal | default("see the situation") }}

- Write as this person would type: one to three sentences at a time.
- Say first why you write. Give details only when they are asked for, and only those that follow from the above.
- Ask again when an answer is vague. You are content only when you have what you want.`;

/** The name of the system that plays users. */
export const userSystem = 'Simulated user';

/**
 * Returns the configuration of the user with this model: the production prompt of the system "Simulated user", or `userPrompt` when
 * there is no such system. Writes nothing.
 */
export const userConfig = async (api: Api, projectId: string, modelName: string): Promise<JsonObject> => {
  for await (const { name, productionVersion } of api.listSystems(projectId)) {
    if (name !== userSystem || !productionVersion) continue;
    const { config } = await api.getSystemVersion(productionVersion.id);
    return { ...config, modelName };
  }
  return { promptTemplate: userPrompt, modelName };
};

/** Returns the factorial design: a testcase for each persona with each scenario. */
export const cellsOf = (personas: readonly Persona[], scenarios: readonly Scenario[]): JsonObject[] =>
  personas.flatMap(({ name: persona, traits }) =>
    scenarios.map(({ name: scenario, ...rest }) => ({
      persona,
      ...(traits && { traits }),
      scenario,
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '' && value !== undefined)),
    })),
  );

/** Creates the testset of a design and returns its id. */
export const createDesign = async (
  api: Api,
  projectId: string,
  name: string,
  personas: readonly Persona[],
  scenarios: readonly Scenario[],
): Promise<string> => {
  const cells = cellsOf(personas, scenarios);
  const inputs = [...new Set([...userFields, ...cells.flatMap(Object.keys)])];
  const { id } = await api.createTestset(projectId, {
    name,
    description: `${countOf(personas.length, 'persona')} × ${countOf(scenarios.length, 'scenario')}.`,
    jsonSchema: { type: 'object', required: ['persona', 'scenario'] },
    fieldMapping: { inputs, expected: [], metadata: [] },
  });
  for (let at = 0; at < cells.length; at += atOnce)
    await api.createTestcases(id, { items: cells.slice(at, at + atOnce).map((jsonData) => ({ jsonData })) });
  return id;
};

/** Returns the personas and scenarios of a design's testcases, each once. */
export const designOf = (
  testcases: readonly JsonObject[],
): { personas: Persona[]; scenarios: Scenario[] } => {
  const personas = new Map<string, Persona>();
  const scenarios = new Map<string, Scenario>();
  for (const { persona, traits, scenario, ...rest } of testcases) {
    if (typeof persona !== 'string' || typeof scenario !== 'string') continue;
    personas.set(persona, { name: persona, ...(typeof traits === 'string' && { traits }) });
    scenarios.set(scenario, { ...rest, name: scenario });
  }
  return { personas: [...personas.values()], scenarios: [...scenarios.values()] };
};

const usd = (cost: number): string => (cost > 0 && cost < 0.01 ? 'less than $0.01' : `$${cost.toFixed(2)}`);

/** Returns what a simulation costs at most, in sentences. */
export const costText = ({ simulation, costUsd }: RunCostEstimate): string => {
  if (!simulation) return '';
  const { numConversations, maxUserCalls, maxSystemCalls, userCostUsd, systemCostUsd } = simulation;
  const calls = [
    ...(maxUserCalls > 0 ? [`${countOf(maxUserCalls, 'call')} of the user`] : []),
    `${maxUserCalls > 0 ? maxSystemCalls : countOf(maxSystemCalls, 'call')} of the system`,
  ];
  const parts: [string, number | null][] = [
    ...(maxUserCalls > 0 ? [['user', userCostUsd] as [string, number | null]] : []),
    ['system', systemCostUsd],
    ['judges', costUsd],
  ];
  const costs = parts.map(([who, cost]) => `${who} ${cost === null ? 'unknown' : usd(cost)}`).join(', ');
  const known = parts.map(([, cost]) => cost);
  const total = known.includes(null)
    ? ''
    : ` ${usd(known.reduce<number>((sum, cost) => sum + (cost ?? 0), 0))}`;
  return `${countOf(numConversations, 'conversation')}, at most ${calls.join(' and ')}. Cost at most${total}: ${costs}.`;
};
