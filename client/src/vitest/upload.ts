import type { Client, Metric } from '../main.ts';
import type { JsonObject } from '../types.ts';
import type { Result, ScoreValue, Session } from './results.ts';

/** A run that was made from a group of tests. */
export type Uploaded = {
  group: string;
  runId: string;
  testsetId: string;
  url: string;
  numRecords: number;
  /** Cost of the system, if the tests reported it. */
  costUsd: number | null;
  /** Metrics that the service scores. */
  awaited: string[];
};

/** Where results go. */
export type Target = { client: Client; url: string; projectId: string };

type Kind = 'boolean' | 'int' | 'float';
const fields = { boolean: 'binaryScore', int: 'intScore', float: 'floatScore' } as const;

const unique = <Item>(items: Item[]): Item[] => [...new Set(items)];

/** Returns a testcase's fields. An expected field that has the name of an input is renamed. */
const dataOf = ({ case: name, inputs, expected }: Result): JsonObject => ({
  case: name,
  ...inputs,
  ...Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [key in inputs ? `expected_${key}` : key, value]),
  ),
});

const findTestset = async (
  { client, projectId }: Target,
  group: string,
  results: Result[],
): Promise<string> => {
  for await (const { id, name } of client.listTestsets(projectId)) if (name === group) return id;
  const inputs = unique(results.flatMap((result) => Object.keys(result.inputs)));
  const all = unique(results.flatMap((result) => Object.keys(dataOf(result))));
  const expected = all.filter((key) => key !== 'case' && !inputs.includes(key));
  const made = await client.createTestset(projectId, {
    name: group,
    description: 'Made by tests.',
    jsonSchema: { type: 'object' },
    fieldMapping: { inputs, expected, metadata: ['case'] },
  });
  return made.id;
};

/** Writes a value so that the order of its keys does not matter. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

/** Returns the id of each case's testcase. A testcase whose fields differ becomes a new revision of it. */
const findTestcases = async ({ client }: Target, testsetId: string, results: Result[]) => {
  const wanted = new Map(results.map((result) => [result.case, dataOf(result)]));
  const ids = new Map<string, string>();
  for await (const { id, jsonData } of client.listTestcases(testsetId)) {
    const name = String(jsonData.case);
    const data = wanted.get(name);
    if (!data || ids.has(name)) continue;
    ids.set(name, id);
    if (canonical(jsonData) !== canonical(data)) await client.updateTestcase(id, { jsonData: data });
  }
  const missing = [...wanted].filter(([name]) => !ids.has(name));
  const made = await client.createAllTestcases(
    testsetId,
    missing.map(([, jsonData]) => ({ jsonData })),
  );
  made.forEach(({ id }, i) => void ids.set(missing[i]![0], id));
  return ids;
};

const kindOf = (values: ScoreValue[]): Kind => {
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  return values.every((value) => Number.isInteger(value) && Number(value) >= 1) ? 'int' : 'float';
};

/** Returns the ids of all metrics, and for each name that tests score: its id and the kind of score. */
const findMetrics = async ({ client, projectId }: Target, results: Result[]) => {
  const known: Metric[] = [];
  for await (const metric of client.listMetrics(projectId)) known.push(metric);
  const asked = unique(results.flatMap(({ metrics }) => metrics)).map((name) => {
    const found = known.find((metric) => metric.name === name || metric.id === name);
    if (!found)
      throw new Error(`The project has no metric '${name}'. Create it, or leave it out of metrics.`);
    return found.id;
  });
  const scored = new Map<string, { id: string; kind: Kind }>();
  for (const name of unique(results.flatMap(({ scores }) => Object.keys(scores)))) {
    const kind = kindOf(results.flatMap(({ scores }) => (name in scores ? [scores[name]!] : [])));
    const found = known.find(
      (metric) => metric.name === name && metric.evalType === 'heuristic' && metric.outputType === kind,
    );
    const { id } =
      found ?? (await client.createMetric(projectId, { name, evalType: 'heuristic', outputType: kind }));
    scored.set(name, { id, kind });
  }
  return { ids: unique([...asked, ...[...scored.values()].map(({ id }) => id)]), asked, scored };
};

const uploadGroup = async (
  target: Target,
  session: Session,
  group: string,
  results: Result[],
): Promise<Uploaded> => {
  const { client, projectId, url } = target;
  const testsetId = await findTestset(target, group, results);
  const testcases = await findTestcases(target, testsetId, results);
  const { ids, asked, scored } = await findMetrics(target, results);
  const tag = `session:${session.id}`;
  // A second upload of the same session continues its run.
  const [there] = (await client.listRuns(projectId, { tag, testsetId, limit: 1 })).data;
  const run =
    there ?? (await client.createRun(projectId, { testsetId, metricIds: ids, tags: [...session.tags, tag] }));
  const configs = new Map(run.metricIds.map((id, i) => [id, run.metricVersionIds[i]!]));
  await client.createAllRecords(
    run.id,
    results.map((result) => ({
      testcaseId: testcases.get(result.case)!,
      inputs: result.inputs,
      expected: result.expected,
      outputs: result.outputs,
      otelLinkId: `${session.id}/${result.case}/${result.trial}`.slice(-256),
      scores: Object.entries(result.scores).map(([name, value]) => {
        const { id, kind } = scored.get(name)!;
        const reasoning = result.reasons[name];
        const score = { [fields[kind]]: kind === 'float' ? Number(value) : value };
        return { metricConfigId: configs.get(id)!, score: { ...score, ...(reasoning && { reasoning }) } };
      }),
    })),
  );
  const costs = results.flatMap(({ cost_usd: cost }) => cost ?? []);
  return {
    group,
    runId: run.id,
    testsetId,
    url: `${url}/projects/${projectId}/runs/${run.id}`,
    numRecords: results.length,
    costUsd: costs.length > 0 ? costs.reduce((sum, cost) => sum + cost, 0) : null,
    awaited: asked,
  };
};

/** Uploads results: a testset and a run for each group. The same session can be uploaded again: nothing is stored twice. */
export const upload = async (
  target: Target,
  session: Session,
  results: readonly Result[],
): Promise<Uploaded[]> => {
  const made: Uploaded[] = [];
  for (const group of unique(results.map((result) => result.group))) {
    const some = results.filter((result) => result.group === group);
    made.push(await uploadGroup(target, session, group, some));
  }
  return made;
};

/** Marks a run, as `dokima gate --mark` does. */
export const markRun = async (client: Client, runId: string, mark: string): Promise<void> => {
  const { marks } = await client.getRunDetails(runId);
  if (!marks.includes(mark)) await client.updateRunDetails(runId, { marks: [...marks, mark] });
};
