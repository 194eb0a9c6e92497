import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { JsonObject } from '../../../../client/src/main.ts';
import { type Content, documentsOf } from '../content.ts';
import type { Format } from '../format.ts';
import { ownCategories } from '../own-labels.ts';
import { type Import, isObject, listAt, objectAt, type Row, scoreValue, textOf } from '../rows.ts';
import { spansOf, textIn } from './atif-spans.ts';

// Agent Trajectory Interchange Format up to v1.8, as the Python package atif 1.8.0 types it, and the result.json that Harbor
// writes beside the agent's folder (harbor/models/trial/result.py).
const isTrajectory = (value: unknown): value is JsonObject =>
  isObject(value) && typeof value.schema_version === 'string' && value.schema_version.startsWith('ATIF-v');

type Found = { path: string; trajectory: JsonObject; result: JsonObject };

/** Returns the trajectories, each with the result of its trial if the folder has one. */
const foundIn = (content: Content): Found[] => {
  const documents = documentsOf(content);
  const results = new Map(
    documents.flatMap(({ path, value }) =>
      posix.basename(path) === 'result.json' && isObject(value) && 'trial_name' in value
        ? [[posix.dirname(path), value] as const]
        : [],
    ),
  );
  const all = documents.flatMap(({ path, value }) =>
    (Array.isArray(value) ? value : [value]).filter(isTrajectory).map((trajectory, i) => ({
      path: i === 0 ? path : `${path} ${i}`,
      trajectory,
      result: results.get(posix.dirname(posix.dirname(path))) ?? results.get(posix.dirname(path)) ?? {},
    })),
  );
  return [...Map.groupBy(all, idOf).values()].map(joined);
};

const idOf = ({ path, trajectory, result }: Found): string =>
  textOf(result.trial_name) ??
  textOf(trajectory.trajectory_id) ??
  `${textOf(trajectory.session_id) ?? ''} ${path}`.trim();

/** Joins the parts of a trial: an agent that sums up its context goes on in another file (trajectory.cont-1.json). */
const joined = (parts: Found[]): Found => {
  const inOrder = parts.toSorted((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  const all = (key: string) => inOrder.flatMap(({ trajectory }) => listAt(trajectory, key));
  const [first] = inOrder;
  const trajectory = {
    ...first!.trajectory,
    steps: all('steps'),
    subagent_trajectories: all('subagent_trajectories'),
  };
  return { ...first!, trajectory };
};

/** Returns the messages before the agent's first step. */
const inputsOf = (steps: JsonObject[]): JsonObject => {
  const first = steps.findIndex(({ source }) => source === 'agent');
  const said = (first === -1 ? steps : steps.slice(0, first)).map(({ source, message }) => ({
    role: source,
    content: textIn(message),
  }));
  const asked = said.filter(({ role }) => role === 'user').map(({ content }) => content);
  return { input: asked.join('\n\n'), ...(said.length > 1 && { messages: said }) };
};

const outputsOf = (steps: JsonObject[], result: JsonObject): JsonObject => {
  const exception = objectAt(result, 'exception_info');
  const last = steps.findLast(({ source, message }) => source === 'agent' && textIn(message) !== '');
  const type = textOf(exception.exception_type);
  return {
    ...(last && { output: textIn(last.message) }),
    ...(type !== undefined && { error: `${type}: ${textOf(exception.exception_message) ?? ''}` }),
  };
};

const systemNameOf = ({ trajectory }: Found): string => {
  const agent = objectAt(trajectory, 'agent');
  return [agent.name, agent.version, agent.model_name].map(textOf).filter(Boolean).join(' ') || 'agent';
};

const configOf = ({ trajectory }: Found): JsonObject => {
  const { name, version, model_name, tool_definitions, extra } = objectAt(trajectory, 'agent');
  const config = { agent: name, version, model: model_name, tools: tool_definitions, extra };
  return Object.fromEntries(
    Object.entries(config).filter(([, value]) => value !== undefined && value !== null),
  );
};

const rowOf = (found: Found, writtenMs: number): Row => {
  const { trajectory, result } = found;
  const steps = listAt(trajectory, 'steps').filter(({ is_copied_context }) => is_copied_context !== true);
  // A trajectory that Dokima wrote has the parts of its record as they were sent, and its scores.
  const extra = objectAt(trajectory, 'extra');
  const own = objectAt(extra, 'dokima');
  const inputs = isObject(own.inputs) ? own.inputs : inputsOf(steps);
  const digest = createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16);
  const outputs = isObject(own.outputs) ? own.outputs : outputsOf(steps, result);
  const startedMs = Date.parse(textOf(result.started_at) ?? '');
  const [root, ...inner] = spansOf(trajectory, Number.isNaN(startedMs) ? writtenMs : startedMs);
  return {
    id: idOf(found),
    // Trajectories with the same task, or else with the same first messages, are trials.
    caseId: textOf(result.task_name) ?? textOf(own.testcase) ?? digest,
    run: systemNameOf(found),
    inputs,
    expected: objectAt(own, 'expected'),
    metadata: textOf(result.source) === undefined ? {} : { source: textOf(result.source) },
    outputs,
    scores: Object.entries({
      ...objectAt(extra, 'rewards'),
      ...objectAt(objectAt(result, 'verifier_result'), 'rewards'),
    }).map(([name, value]) => ({ name, value: scoreValue(value) })),
    trace: [{ ...root!, ...(textOf(outputs.error) && { error: textOf(outputs.error)! }) }, ...inner],
  };
};

const hasMedia = ({ trajectory }: Found): boolean =>
  /"type":"(image|audio)"/.test(JSON.stringify(trajectory));

/** Trajectories of agents (ATIF): a file, JSON lines, or a folder of Harbor's trials. */
export const atif: Format = {
  name: 'atif',
  about: 'Agent trajectories (ATIF): JSON, JSONL, or a folder of Harbor jobs',
  recognizes: (content) => foundIn(content).length > 0,
  read: (content): Import => {
    const all = foundIn(content);
    const media = all.filter(hasMedia).length;
    return {
      tool: 'ATIF',
      id: content.form === 'folder' ? content.name : content.digest,
      name: content.name,
      systems: new Map(
        all.map((found) => [systemNameOf(found), { name: systemNameOf(found), config: configOf(found) }]),
      ),
      metrics: ownCategories(
        Object.assign(
          {},
          ...all.map(({ trajectory }) => objectAt(objectAt(trajectory, 'extra'), 'dokima').labels),
        ),
      ),
      rows: all.map((found) => rowOf(found, content.writtenMs)),
      notes:
        media === 0
          ? []
          : [`Pictures and sounds of ${media} of the trajectories are not imported, only their paths.`],
    };
  },
};
