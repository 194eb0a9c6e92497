import type { Labels } from '../labels.ts';
import type { Client, Metric, Testset } from '../main.ts';
import { valueFields } from '../score-value.ts';
import type { JsonObject } from '../types.ts';
import { canonical } from './canonical.ts';
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

type Kind = keyof typeof valueFields;

const unique = <Item>(items: Item[]): Item[] => [...new Set(items)];

/** Begins the case of a result whose testcase is found by its content. */
export const byContent = 'sha256:';
const isByContent = ({ case: name }: Result): boolean => name.startsWith(byContent);

/** Returns a testcase's fields. An expected field that has the name of an input is renamed. */
const dataOf = (result: Result): JsonObject => ({
  ...(!isByContent(result) && { case: result.case }),
  ...result.inputs,
  ...Object.fromEntries(
    Object.entries(result.expected).map(([key, value]) => [
      key in result.inputs ? `expected_${key}` : key,
      value,
    ]),
  ),
});

type Mapping = Testset['fieldMapping'];

/** Adds the fields that the testset does not know yet. Systems get only the inputs that it names. */
const withFields = async (client: Client, testset: Testset, mapping: Mapping): Promise<Testset> => {
  const known = testset.fieldMapping;
  const every = new Set(Object.values(known).flat());
  const add = (part: keyof Mapping) => mapping[part].filter((key) => !every.has(key));
  const [inputs, expected] = [add('inputs'), add('expected')];
  if (inputs.length + expected.length === 0) return testset;
  return client.updateTestset(testset.id, {
    fieldMapping: {
      inputs: [...known.inputs, ...inputs],
      expected: [...known.expected, ...expected],
      metadata: known.metadata,
    },
  });
};

const findTestset = async (
  { client, projectId }: Target,
  group: string,
  results: Result[],
): Promise<Testset> => {
  const byName = results.every(isByContent) ? [] : ['case'];
  const inputs = unique(results.flatMap((result) => Object.keys(result.inputs)));
  const all = unique(results.flatMap((result) => Object.keys(dataOf(result))));
  const expected = all.filter((key) => !byName.includes(key) && !inputs.includes(key));
  const fieldMapping = { inputs, expected, metadata: byName };
  for await (const testset of client.listTestsets(projectId))
    if (testset.name === group)
      return byName.length > 0 ? testset : withFields(client, testset, fieldMapping);
  return client.createTestset(projectId, {
    name: group,
    description: byName.length > 0 ? 'Made by tests.' : 'Made by evaluate().',
    jsonSchema: { type: 'object' },
    fieldMapping,
  });
};

/** Returns the id of each case's testcase. A testcase whose fields differ becomes a new revision of it. */
const findTestcases = async ({ client }: Target, testset: Testset, results: Result[]) => {
  const wanted = new Map(results.map((result) => [result.case, dataOf(result)]));
  const byInputs = new Map(
    results.filter(isByContent).map((result) => [canonical(result.inputs), result.case]),
  );
  const fields = testset.fieldMapping.inputs;
  const ids = new Map<string, string>();
  for await (const { id, jsonData } of client.listTestcases(testset.id)) {
    const given = fields.flatMap((key) => (key in jsonData ? [[key, jsonData[key]]] : []));
    const found = byInputs.size > 0 ? byInputs.get(canonical(Object.fromEntries(given))) : undefined;
    const name = found ?? String(jsonData.case);
    const data = wanted.get(name);
    if (!data || ids.has(name)) continue;
    ids.set(name, id);
    // A testcase that is found by its content may have fields, such as metadata, that the evaluation does not know.
    const whole = found ? { ...jsonData, ...data } : data;
    if (canonical(jsonData) !== canonical(whole)) await client.updateTestcase(id, { jsonData: whole });
  }
  const missing = [...wanted].filter(([name]) => !ids.has(name));
  const made = await client.createAllTestcases(
    testset.id,
    missing.map(([, jsonData]) => ({ jsonData })),
  );
  made.forEach(({ id }, i) => void ids.set(missing[i]![0], id));
  return ids;
};

/** Returns the labels of a metric, as the last of the tests says them. */
export const labelsOf = (name: string, results: readonly Result[]): Labels | undefined =>
  results.findLast(({ labels }) => labels && Object.hasOwn(labels, name))?.labels?.[name];

/** Returns what kind of score the values of a metric are. */
export const kindOf = (name: string, results: readonly Result[]): Kind => {
  const values: ScoreValue[] = results.flatMap(({ scores }) => (name in scores ? [scores[name]!] : []));
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length > 0 && texts.length < values.length)
    throw new Error(`'${name}' gives labels, such as '${texts[0]}', and values that are none.`);
  if (texts.length > 0 || labelsOf(name, results)) return 'category';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (results.some(({ floats }) => floats?.includes(name))) return 'float';
  return values.every((value) => Number.isInteger(value) && Number(value) >= 1) ? 'int' : 'float';
};

/** Returns the id of the project's metric with this name or id, else of one that it makes of the ready metric. */
const askedMetric = async (
  { client, projectId }: Target,
  known: readonly Metric[],
  name: string,
): Promise<string> => {
  const found = known.find((metric) => metric.name === name || metric.id === name);
  if (found) return found.id;
  const ready = (await client.listMetricTemplates()).data.find(({ id }) => id === name)?.metric;
  if (!ready)
    throw new Error(
      `The project has no metric '${name}', and no ready metric has this id. Create it, or leave it out.`,
    );
  const there = known.find((metric) => metric.name === ready.name);
  return (there ?? (await client.createMetric(projectId, ready))).id;
};

/** Returns the category of this name, with the labels of the tests if they say them: other labels make another configuration of it. */
const categoryOf = async (
  { client, projectId }: Target,
  name: string,
  found: Metric | undefined,
  labels: Labels | undefined,
): Promise<{ id: string }> => {
  const body = { evalType: 'heuristic', outputType: 'category' } as const;
  if (found && labels && 'labels' in found && canonical(found.labels) !== canonical(labels))
    await client.updateMetric(found.id, { ...body, labels });
  if (found) return found;
  if (!labels)
    throw new Error(
      `'${name}' gives labels, and nothing says which of them pass. Name them: labels: { '${name}': { items: [...], passing: [...], ordered: true } }. Or create the metric first.`,
    );
  return client.createMetric(projectId, { ...body, name, labels });
};

/** Returns the ids of all metrics, and for each name that tests score: its id and the kind of score. */
const findMetrics = async (target: Target, results: Result[]) => {
  const { client, projectId } = target;
  const known: Metric[] = [];
  for await (const metric of client.listMetrics(projectId)) known.push(metric);
  const asked: string[] = [];
  for (const name of unique(results.flatMap(({ metrics }) => metrics)))
    asked.push(await askedMetric(target, known, name));
  const scored = new Map<string, { id: string; kind: Kind }>();
  // A reason without a score says why it is missing.
  for (const name of unique(
    results.flatMap(({ scores, reasons }) => [...Object.keys(scores), ...Object.keys(reasons)]),
  )) {
    const kind = kindOf(name, results);
    const found = known.find(
      (metric) => metric.name === name && metric.evalType === 'heuristic' && metric.outputType === kind,
    );
    const { id } =
      kind === 'category'
        ? await categoryOf(target, name, found, labelsOf(name, results))
        : (found ??
          (await client.createMetric(projectId, { name, evalType: 'heuristic', outputType: kind })));
    scored.set(name, { id, kind });
  }
  return { ids: unique([...asked, ...[...scored.values()].map(({ id }) => id)]), asked, scored };
};

type Metrics = Awaited<ReturnType<typeof findMetrics>>;

/** Returns the reason for each metric that will have no score. */
const missingOf = ({ error, scores, reasons }: Result, { ids, scored }: Metrics): Map<string, string> => {
  const missing = new Map<string, string>(error ? ids.map((id) => [id, error]) : []);
  for (const [name, reason] of Object.entries(reasons))
    if (!(name in scores)) missing.set(scored.get(name)!.id, reason);
  return missing;
};

const recordOf = (
  result: Result,
  session: Session,
  testcases: ReadonlyMap<string, string>,
  configs: ReadonlyMap<string, string>,
  { scored }: Metrics,
) => ({
  testcaseId: testcases.get(result.case)!,
  inputs: result.inputs,
  expected: result.expected,
  outputs: result.outputs,
  otelLinkId: `${session.id}/${result.case}/${result.trial}`.slice(-256),
  scores: Object.entries(result.scores).map(([name, value]) => {
    const { id, kind } = scored.get(name)!;
    const reasoning = result.reasons[name];
    const score = { [valueFields[kind]]: kind === 'float' ? Number(value) : value };
    return { metricConfigId: configs.get(id)!, score: { ...score, ...(reasoning && { reasoning }) } };
  }),
});

const uploadGroup = async (
  target: Target,
  session: Session,
  group: string,
  results: Result[],
): Promise<Uploaded> => {
  const { client, projectId, url } = target;
  const testset = await findTestset(target, group, results);
  const testsetId = testset.id;
  const testcases = await findTestcases(target, testset, results);
  const metrics = await findMetrics(target, results);
  const tag = `session:${session.id}`;
  // A second upload of the same session continues its run.
  const [there] = (await client.listRuns(projectId, { tag, testsetId, limit: 1 })).data;
  const run =
    there ??
    (await client.createRun(projectId, { testsetId, metricIds: metrics.ids, tags: [...session.tags, tag] }));
  const configs = new Map(run.metricIds.map((id, i) => [id, run.metricVersionIds[i]!]));
  const ids = await client.createAllRecords(
    run.id,
    results.map((result) => recordOf(result, session, testcases, configs, metrics)),
  );
  const reasons = results.flatMap((result, i) =>
    [...missingOf(result, metrics)].map(([metricId, reason]) => ({
      recordId: ids[i]!,
      metricConfigId: configs.get(metricId)!,
      reason: reason.slice(0, 2_000),
    })),
  );
  await client.upsertAllScores(run.id, reasons);
  for (const mark of session.marks ?? []) await markRun(client, run.id, mark);
  const costs = results.flatMap(({ cost_usd: cost }) => cost ?? []);
  return {
    group,
    runId: run.id,
    testsetId,
    url: `${url}/projects/${projectId}/runs/${run.id}`,
    numRecords: results.length,
    costUsd: costs.length > 0 ? costs.reduce((sum, cost) => sum + Number(cost), 0) : null,
    awaited: metrics.asked,
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
