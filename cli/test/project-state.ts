import { readFileSync } from 'node:fs';
import { mapConcurrently } from '../../client/src/main.ts';
import { membersOf, objectText } from './json-text.ts';

/**
 * All answers of the API about a project, by operation of openapi.json, so that tests can compare two projects. The test of the archive
 * fails if a GET is neither read here nor left out with a reason.
 */

type Answer = { status: number; text: string };
export type Get = (path: string) => Promise<Answer>;

type Parameter = { $ref?: string };
type Document = { paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>> };
const document: Document = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url).pathname, 'utf8'),
);

/** Every GET of the API: its path below /api/v2, and whether it is a paged list. */
export const reads = Object.entries(document.paths).flatMap(([path, methods]) => {
  const { get } = methods;
  if (!get) return [];
  const isPaged = (get.parameters ?? []).some(({ $ref }) => $ref === '#/components/parameters/cursor');
  return [{ operationId: get.operationId, template: path.replace('/api/v2', ''), isPaged }];
});

/** Operations that do not read the state of a project, and why. */
export const leftOut: Record<string, string> = {
  listProjects: 'belongs to the organization; getProject is compared',
  getPassportKey: 'belongs to the server',
  listDecisions: 'is held by the audit log of the organization',
  getDecision: 'is held by the audit log of the organization',
  readDecision: 'the same',
  listLooks: 'tells who asked this service',
  getWear: 'the same',
  listSeals: 'is about testcases that no archive has',
  getSeal: 'the same',
  listSealedLooks: 'the same',
  getJudgePassport: 'is signed and dated when it is asked for; calibrations and trials are compared',
  listScimTokens: 'belongs to the organization',
  getSingleSignOn: 'belongs to the server',
  listOrganizations: 'belongs to the operator',
  listAuditEvents: 'the log of the organization',
  exportAuditEvents: 'the same',
  verifyAuditEvents: 'the same',
  getProjectNews: 'tells what happened within the last days',
  getSeries: 'counts by when records were created, within the last days; its tables are derived from records',
  listAlarms: 'the same',
  getProjectImport: 'differs: only one of the projects was imported',
  listMetricTemplates: 'belongs to the product',
  getMe: 'belongs to the caller',
  listMembers: 'belongs to the organization',
  getMember: 'belongs to the organization',
  listKeys: 'belongs to the organization, and is secret',
  listProviders: 'belongs to the organization, with secrets',
  listJudgeModels: 'belongs to the organization',
  listModelEndings: 'follows from lists of the organization’s providers',
  listAlerts: 'has secrets, so no archive has it',
  listReportLinks: 'the same',
  listAlertDeliveries: 'the same',
  listSchedules: 'would spend money where it is imported',
  downloadAttachment: 'needs a signed link; another test compares the bytes',
  getAttachment:
    'belongs to a session, and so to the organization; listSessionAttachments is compared across organizations',
  listSessionAttachments: 'belongs to a session, and so to the organization; compared across organizations',
  listOrphanAttachments: 'the archive has no files without a record, and this list is of those',
  exportRecords: 'has the rows of listProjectRecords',
  streamChanges: 'streams future changes of the organization',
};

/** Ids for a path, by the names of its parameters. */
type Ids = Record<string, string>;

const parameterNames = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Item = Record<string, any>;

/** The list that provides the ids for a path. Each of its items gives the sets of ids that `ids` returns. */
const sources: Record<string, { list: string; ids: (item: Item) => Ids[] }> = {
  testsetId: { list: 'listTestsets', ids: ({ id }) => [{ testsetId: id }] },
  testcaseId: { list: 'listTestcases', ids: ({ id }) => [{ testcaseId: id }] },
  // The archive names deleted metrics too.
  metricId: {
    list: 'exportProject',
    ids: ({ part, id }) => (part === 'metric' ? [{ metricId: `${id}` }] : []),
  },
  systemId: { list: 'listSystems', ids: ({ id }) => [{ systemId: id }] },
  systemVersionId: {
    list: 'listSystems',
    ids: ({ versions }) => (versions as { id: string }[]).map(({ id }) => ({ systemVersionId: id })),
  },
  'projectId systemName label': {
    list: 'listSystems',
    ids: ({ name }) => [{ systemName: name, label: 'production' }],
  },
  runId: { list: 'listRuns', ids: ({ id }) => [{ runId: id }] },
  'testsetId snapshotNumber': {
    list: 'listSnapshots',
    ids: ({ testsetId, number }) => [{ testsetId, snapshotNumber: `${number}` }],
  },
  'metricId trialNumber': {
    list: 'listTrials',
    ids: ({ metricId, number }) => [{ metricId, trialNumber: `${number}` }],
  },
  recordId: { list: 'listProjectRecords', ids: ({ id }) => [{ recordId: id }] },
  'recordId metricConfigId': {
    list: 'exportProject',
    ids: ({ part, run_id, n, metric_config_id }) =>
      part === 'score' ? [{ recordId: `${run_id}-${n}`, metricConfigId: metric_config_id }] : [],
  },
  'recordId metricConfigId spanId': {
    list: 'exportProject',
    ids: ({ part, run_id, n, metric_config_id, span_id }) =>
      part === 'span_score'
        ? [{ recordId: `${run_id}-${n}`, metricConfigId: metric_config_id, spanId: span_id.slice(2) }]
        : [],
  },
  reviewSampleId: { list: 'listReviewSamples', ids: ({ id }) => [{ reviewSampleId: id }] },
  metricGroupId: { list: 'listMetricGroups', ids: ({ id }) => [{ metricGroupId: id }] },
  preferenceStudyId: { list: 'listPreferenceStudies', ids: ({ id }) => [{ preferenceStudyId: id }] },
  monitorId: { list: 'listMonitors', ids: ({ id }) => [{ monitorId: id }] },
  'projectId traceId': { list: 'listTraces', ids: ({ traceId }) => [{ traceId }] },
  'projectId traceId spanId': {
    list: 'listSpans',
    ids: ({ traceId, spanId }) => [{ traceId, spanId }],
  },
};

/** The queries for an operation, from the metrics and runs of the project. */
const queries: Record<
  string,
  (known: { metricIds: string[]; peopleIds: string[]; runIds: string[] }) => string[]
> = {
  compareRuns: ({ runIds }) => [`runs=${runIds[1]},${runIds[0]}`],
  listChangedTestcases: ({ runIds, metricIds }) =>
    metricIds.map((id) => `runs=${runIds[1]},${runIds[0]}&metricId=${id}`),
  listTrials: ({ metricIds }) => metricIds.map((id) => `metricId=${id}`),
  listTrends: ({ metricIds }) => metricIds.map((id) => `metricId=${id}`),
  planRun: ({ metricIds }) => metricIds.map((id) => `metricId=${id}`),
  calibrateMetric: ({ peopleIds }) => [
    'labels=overrides',
    'labels=thumbs',
    ...peopleIds.map((id) => `against=${id}&jury=true&configurations=true&pinnedSet=true`),
  ],
  listJudgeDisagreements: ({ peopleIds }) => peopleIds.map((id) => `against=${id}`),
  groupProjectRecords: () => ['by=tag', 'by=result'],
  groupProjectTraces: () => ['by=name', 'by=service'],
  groupProjectRuns: () => ['by=tag', 'by=status'],
};

/** Values that always differ between two projects, and why. */
const masked: [RegExp, string][] = [
  // A label belongs to dev or test by the hash of its record's id.
  [/"(dev|test)" ?: ?\d+/g, '"$1":"hash"'],
  [/"split":"(dev|test)"/g, '"split":"hash"'],
  // The import deletes a deleted metric again after its scores, so at another time.
  [/"deletedAt" ?: ?"[^"]*"/g, '"deletedAt":"time"'],
  [/ with the id '[^']*'/g, ' with the id'],
  // A run without a name is titled by its number.
  [/"title" ?: ?"[^"]*Run \d+[^"]*"/g, '"title":"number"'],
];

/**
 * Removes what depends on the ids of records from an answer: a threshold is chosen on the labels that are `dev` by the hash of
 * their records' ids.
 */
const withoutHashed = (operationId: string, answer: Answer): Answer => {
  if (operationId !== 'calibrateMetric' || answer.status !== 200) return answer;
  const { threshold: _, ...rest } = Object.fromEntries(membersOf(answer.text));
  return { ...answer, text: objectText(rest) };
};

/** Returns the kind of an id from its key. All UUIDs share one kind, because one UUID may occur under several keys. */
const kindOf = (resource: string, key: string, id: string): string =>
  id.length === 36 ? 'uuid' : key === 'id' ? resource : key.replace(/Ids?$/, '');

/** Returns a function that replaces ids by the order of their first occurrence, so that references are compared too. */
const namer = () => {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (resource: string, key: string, id: string): string => {
    const kind = kindOf(resource, key, id);
    const known = `${kind} ${id}`;
    if (!names.has(known)) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      names.set(known, `${kind} ${counts.get(kind)}`);
    }
    return `"${names.get(known)}"`;
  };
  /** Replaces the ids in a row of an archive, where they are under the names of columns. */
  const inRow = (text: string): string =>
    text
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) =>
        nameOf('uuid', 'id', id).slice(1, -1),
      )
      .replace(
        /("part":"(run|metric|metric_group|testset)","id" : )(\d+)/,
        (_, before, of, id) => `${before}${nameOf(of, 'id', id)}`,
      )
      .replaceAll(
        /("(?:replayed_|origin_|people_)?(run|metric|metric_group|testset)_id" : )(\d+)/g,
        (_, before, of, id) => `${before}${nameOf(of, 'id', id)}`,
      )
      .replace(
        /("strata_of" : "metricId", "strata_name" : )"(\d+)"/,
        (_, before, id) => `${before}${nameOf('metric', 'id', id)}`,
      );
  return (resource: string, answer: string): string =>
    (answer.startsWith('200 {"part":') ? inRow(answer) : answer)
      // The testset of a run is an object in it.
      .replaceAll(/("testset" ?: ?\{)"id"/g, '$1"testsetId"')
      .replaceAll(
        /"(id|runId|\w+(?<!Link|session|trace|span)Id)" ?: ?"([^"]+)"/g,
        (_, key, id) => `"${key}":${nameOf(resource, key, id)}`,
      )
      // A replay names its run.
      .replaceAll(/("replayOf" : )"(\d+)"/g, (_, key, id) => `${key}"${nameOf('run', 'id', id)}"`)
      // A saved view names a run in its search, and metrics as columns.
      .replaceAll(/("search" ?: ?"run:)(\d+)/g, (_, key, id) => `${key}${nameOf('run', 'id', id)}`)
      .replaceAll(/\bscore\.(\d+)/g, (_, id) => `score.${nameOf('metric', 'id', id)}`)
      // A comparison names its runs and their configurations.
      .replaceAll(
        /"(before|after)" ?: ?"(\d+|[0-9a-f-]{36})"/g,
        (_, key, id) => `"${key}":${nameOf('run', 'id', id)}`,
      )
      // Its text names the run without a score.
      .replaceAll(/\brun (\d+) has\b/g, (_, id) => `run ${nameOf('run', 'id', id)} has`)
      // A record of a drift trial names the record that it copies.
      .replaceAll(
        /"(?:otelLinkId|otel_link_id)" ?: ?"(\d+-\d+)"/g,
        (_, id) => `"otelLinkId":${nameOf('record', 'recordId', id)}`,
      )
      .replaceAll(
        /"(\w+Ids|broken|mended|unscored|runs)" ?: ?\[((?:"[^"]*",? ?)*)\]/g,
        (_, key, list: string) => {
          const of = key === 'runs' ? 'runIds' : /Ids$/.test(key) ? key : 'recordIds';
          return `"${key}":[${list.replaceAll(/"([^"]+)"/g, (_whole, id) => nameOf(resource, of, id))}]`;
        },
      );
};

/** Returns the resource of an operation: `testcase` for `listTestcases`. */
const resourceOf = (operationId: string): string =>
  operationId
    .replace(/^(?:list(?:Project|Sampled)?|[a-z]+)/, '')
    .replace(/s$/, '')
    .toLowerCase();

/** Number of requests at the same time. */
const atOnce = 8;

/** Returns the answer of a GET, or each page of a paged list, or each line of an archive. */
const pagesOf = async (get: Get, operationId: string, isPaged: boolean, path: string): Promise<Answer[]> => {
  const pages: Answer[] = [];
  for (let cursor = ''; ; ) {
    const page = isPaged ? `${path.includes('?') ? '&' : '?'}limit=100&cursor=${cursor}` : '';
    const answer = withoutHashed(operationId, await get(`${path}${page}`));
    if (operationId === 'exportProject')
      return answer.text
        .trim()
        .split('\n')
        .map((text) => ({ ...answer, text }));
    pages.push({ ...answer, text: answer.text.replace(/"nextCursor":"[^"]*"/, '"nextCursor":""') });
    if (answer.status !== 200 || !isPaged) return pages;
    const { hasMore, nextCursor } = JSON.parse(answer.text) as { hasMore: boolean; nextCursor: string };
    if (!hasMore) return pages;
    cursor = encodeURIComponent(nextCursor);
  }
};

/** Returns the items of a list, or the row of an archive. */
const itemsIn = (operationId: string, text: string): Item[] =>
  operationId === 'exportProject' ? [JSON.parse(text)] : (JSON.parse(text).data ?? []);

/** Returns the answers of each operation, with ids replaced by the order of their first occurrence. */
export const readState = async (get: Get, projectId: string): Promise<Map<string, string[]>> => {
  const state = new Map<string, string[]>();
  const items = new Map<string, Item[]>();
  const named = namer();

  const itemsOf = (list: string): Item[] => items.get(list) ?? [];
  const idsOf = async (template: string): Promise<Ids[]> => {
    const key = parameterNames(template).join(' ');
    if (key === '' || key === 'projectId') return [{ projectId }];
    const { list, ids } = sources[key]!;
    await read(list);
    return itemsOf(list)
      .flatMap(ids)
      .map((one) => ({ projectId, ...one }));
  };
  const read = async (operationId: string): Promise<void> => {
    if (state.has(operationId)) return;
    state.set(operationId, []);
    const { template, isPaged } = reads.find((one) => one.operationId === operationId)!;
    const all = await idsOf(template);
    const metrics = itemsOf('listMetrics');
    const asked = queries[operationId]?.({
      metricIds: itemsOf('exportProject').flatMap(({ part, id }) => (part === 'metric' ? [`${id}`] : [])),
      peopleIds: metrics.filter(({ evalType }) => evalType === 'human').map(({ id }) => id),
      runIds: itemsOf('listRuns').map(({ id }) => id),
    }) ?? [''];
    const paths = all.flatMap((ids) => {
      const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]!));
      return asked.map((query) => (query ? `${path}?${query}` : path));
    });
    const answers = await mapConcurrently(paths, atOnce, (path) => pagesOf(get, operationId, isPaged, path));
    const said = answers.flat();
    const broken = said.find(({ status }) => status >= 500);
    if (broken) throw new Error(`${operationId} answers ${broken.status} ${broken.text}`);
    state.set(
      operationId,
      said.map(({ status, text }) => {
        const plain = masked.reduce(
          (rest, [pattern, by]) => rest.replaceAll(pattern, by),
          `${status} ${text}`,
        );
        return named(resourceOf(operationId), plain);
      }),
    );
    items.set(
      operationId,
      said.flatMap(({ status, text }) => (status === 200 ? itemsIn(operationId, text) : [])),
    );
  };
  // First the metrics and runs, because queries name them.
  for (const list of ['exportProject', 'listMetrics', 'listRuns']) await read(list);
  for (const { operationId } of reads) if (!(operationId in leftOut)) await read(operationId);
  return state;
};

/** Returns the first answer that differs between two projects, for each operation with a difference. */
export const differences = (before: Map<string, string[]>, after: Map<string, string[]>): string[][] =>
  [...before].flatMap(([operationId, answers]) => {
    const others = after.get(operationId) ?? [];
    const at = Array.from({ length: Math.max(answers.length, others.length) }).findIndex(
      (_, i) => answers[i] !== others[i],
    );
    return at < 0 ? [] : [[operationId, answers[at] ?? 'nothing', others[at] ?? 'nothing']];
  });
