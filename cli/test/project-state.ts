import { readFileSync } from 'node:fs';
import { mapConcurrently } from '../../client/src/main.ts';
import { membersOf, objectText } from '../src/json-text.ts';

/**
 * All that the API says of a project, operation by operation of openapi.json, so that two projects can be compared. A GET
 * that is neither read here nor left out with a reason fails the test of the archive.
 */

type Answer = { status: number; text: string };
export type Get = (path: string) => Promise<Answer>;

type Parameter = { name?: string; $ref?: string };
type Document = { paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>> };
const document: Document = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url).pathname, 'utf8'),
);

/** Every GET of the API: its path below /api/v2, and whether it is a list in pages. */
export const reads = Object.entries(document.paths).flatMap(([path, methods]) => {
  const { get } = methods;
  if (!get) return [];
  const isPaged = (get.parameters ?? []).some(({ name, $ref }) => (name ?? $ref)!.endsWith('cursor'));
  return [{ operationId: get.operationId, template: path.replace('/api/v2', ''), isPaged }];
});

/** What is no state of a project, and so in no archive. */
export const leftOut: Record<string, string> = {
  listProjects: 'of the organization; getProject is compared',
  getProjectImport: 'whether a project is an import is what differs',
  listMetricTemplates: 'of the product',
  getMetricTemplate: 'of the product',
  getMe: 'of whoever asks',
  listMembers: 'of the organization',
  getMember: 'of the organization',
  listKeys: 'of the organization, and secret',
  listProviders: 'of the organization, with secrets',
  downloadAttachment: 'by a signed link; its bytes are compared apart',
  getAttachment:
    'of a session, and so of the organization: listSessionAttachments is compared across organizations',
  listSessionAttachments: 'of a session, and so of the organization: compared across organizations',
  streamRunProgress: 'getRunProgress, told as it changes',
  streamChanges: 'of the organization, what changes from now on',
  streamProjectChanges: 'what changes from now on',
};

/** Ids that a path takes, each set of them under the names of the path's parameters. */
type Ids = Record<string, string>;

const parameterNames = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Item = Record<string, any>;

/** Where the ids of an operation's path come from: each item of a list gives one set. */
const sources: Record<string, { list: string; ids: (item: Item) => Ids[] }> = {
  testsetId: { list: 'listTestsets', ids: ({ id }) => [{ testsetId: id }] },
  testcaseId: { list: 'listTestcases', ids: ({ id }) => [{ testcaseId: id }] },
  // Deleted ones too.
  metricId: {
    list: 'exportProject',
    ids: ({ part, id }) => (part === 'metric' ? [{ metricId: `${id}` }] : []),
  },
  systemId: { list: 'listSystems', ids: ({ id }) => [{ systemId: id }] },
  systemVersionId: {
    list: 'listSystems',
    ids: ({ versions }) => (versions as { id: string }[]).map(({ id }) => ({ systemVersionId: id })),
  },
  runId: { list: 'listRuns', ids: ({ id }) => [{ runId: id }] },
  'runId rescoringId': {
    list: 'listRescorings',
    ids: ({ id, runId }) => [{ runId, rescoringId: id }],
  },
  recordId: { list: 'listProjectRecords', ids: ({ id }) => [{ recordId: id }] },
  'recordId metricConfigId': {
    list: 'exportProject',
    ids: ({ part, run_id, n, metric_config_id }) =>
      part === 'score' ? [{ recordId: `${run_id}-${n}`, metricConfigId: metric_config_id }] : [],
  },
  reviewSampleId: { list: 'listReviewSamples', ids: ({ id }) => [{ reviewSampleId: id }] },
  monitorId: { list: 'listMonitors', ids: ({ id }) => [{ monitorId: id }] },
  'projectId traceId spanId': {
    list: 'listSpans',
    ids: ({ traceId, spanId }) => [{ traceId, spanId }],
  },
};

/** The queries that an operation is asked with, of the metrics and runs of the project. */
const queries: Record<
  string,
  (known: { metricIds: string[]; peopleIds: string[]; runIds: string[] }) => string[]
> = {
  compareRuns: ({ runIds }) => [`runs=${runIds[1]},${runIds[0]}`],
  listChangedTestcases: ({ runIds, metricIds }) =>
    metricIds.map((id) => `runs=${runIds[1]},${runIds[0]}&metricId=${id}`),
  listTrends: ({ metricIds }) => metricIds.map((id) => `metricId=${id}`),
  planRun: ({ metricIds }) => metricIds.map((id) => `metricId=${id}`),
  calibrateMetric: ({ peopleIds }) => [
    'labels=overrides',
    'labels=thumbs',
    ...peopleIds.map((id) => `against=${id}`),
  ],
  listJudgeDisagreements: ({ peopleIds }) => peopleIds.map((id) => `against=${id}`),
};

/** Members that are another by their nature, and why. */
const masked: [RegExp, string][] = [
  // A label falls into one of them by the hash of its record's id.
  [/"(dev|test)" ?: ?\d+/g, '"$1":"hash"'],
  [/"split":"(dev|test)"/g, '"split":"hash"'],
  // A metric that had been deleted is so when its scores have come.
  [/"deletedAt" ?: ?"[^"]*"/g, '"deletedAt":"time"'],
  [/ has the id '[^']*'/g, ' has the id'],
];

/**
 * An answer without what hangs on the ids that records have: a threshold is chosen on the half of the labels that are `dev`, by
 * the hash of their records' ids.
 */
const without = (operationId: string, answer: Answer): Answer => {
  if (operationId !== 'calibrateMetric' || answer.status !== 200) return answer;
  const { threshold: _, ...rest } = Object.fromEntries(membersOf(answer.text));
  return { ...answer, text: objectText(rest) };
};

/** Of what an id is, by the key that it stands under; a UUID is one thing wherever it stands. */
const kindOf = (noun: string, key: string, id: string): string =>
  id.length === 36 ? 'uuid' : key === 'id' ? noun : key.replace(/Ids?$/, '');

/** Replaces ids by the order in which they first come, so that what refers to what counts too. */
const namer = () => {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (noun: string, key: string, id: string): string => {
    const kind = kindOf(noun, key, id);
    const known = `${kind} ${id}`;
    if (!names.has(known)) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      names.set(known, `${kind} ${counts.get(kind)}`);
    }
    return `"${names.get(known)}"`;
  };
  /** The rows of an archive have ids under the names of columns. */
  const inRow = (text: string): string =>
    text
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) =>
        nameOf('uuid', 'id', id).slice(1, -1),
      )
      .replace(
        /("part":"(run|metric|testset)","id" : )(\d+)/,
        (_, before, of, id) => `${before}${nameOf(of, 'id', id)}`,
      )
      .replaceAll(
        /("(run|metric|testset)_id" : )(\d+)/g,
        (_, before, of, id) => `${before}${nameOf(of, 'id', id)}`,
      )
      .replace(
        /("strata_of" : "metricId", "strata_name" : )"(\d+)"/,
        (_, before, id) => `${before}${nameOf('metric', 'id', id)}`,
      );
  return (noun: string, answer: string): string =>
    (answer.startsWith('200 {"part":') ? inRow(answer) : answer)
      .replaceAll(
        /"(id|runId|\w+(?<!Link|session|trace|span)Id)" ?: ?"([^"]+)"/g,
        (_, key, id) => `"${key}":${nameOf(noun, key, id)}`,
      )
      // A saved view names a run in its search, and metrics as columns.
      .replaceAll(/("search" ?: ?"run:)(\d+)/g, (_, key, id) => `${key}${nameOf('run', 'id', id)}`)
      .replaceAll(/\bscore\.(\d+)/g, (_, id) => `score.${nameOf('metric', 'id', id)}`)
      // A comparison names its runs and their configurations.
      .replaceAll(
        /"(before|after)" ?: ?"(\d+|[0-9a-f-]{36})"/g,
        (_, key, id) => `"${key}":${nameOf('run', 'id', id)}`,
      )
      // And says in words which of them has no score.
      .replaceAll(/\brun (\d+) has\b/g, (_, id) => `run ${nameOf('run', 'id', id)} has`)
      // A copy of a record, for a drift check, says which it is of.
      .replaceAll(
        /"(?:otelLinkId|otel_link_id)" ?: ?"(\d+-\d+)"/g,
        (_, id) => `"otelLinkId":${nameOf('record', 'recordId', id)}`,
      )
      .replaceAll(
        /"(\w+Ids|broken|mended|unscored|runs)" ?: ?\[((?:"[^"]*",? ?)*)\]/g,
        (_, key, list: string) => {
          const of = key === 'runs' ? 'runIds' : /Ids$/.test(key) ? key : 'recordIds';
          return `"${key}":[${list.replaceAll(/"([^"]+)"/g, (_whole, id) => nameOf(noun, of, id))}]`;
        },
      );
};

/** The noun that the things of an operation are: `listTestcases` is of testcases. */
const nounOf = (operationId: string): string =>
  operationId
    .replace(/^(?:list(?:Project|Sampled)?|[a-z]+)/, '')
    .replace(/s$/, '')
    .toLowerCase();

/** Requests under way at a time. */
const atOnce = 8;

/** What a GET answers; of a list in pages each of them. */
const pagesOf = async (get: Get, operationId: string, isPaged: boolean, path: string): Promise<Answer[]> => {
  const pages: Answer[] = [];
  for (let cursor = ''; ; ) {
    const page = isPaged ? `${path.includes('?') ? '&' : '?'}limit=100&cursor=${cursor}` : '';
    const answer = without(operationId, await get(`${path}${page}`));
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

/** The items of an answer: those of a list, or a row of an archive. */
const itemsIn = (operationId: string, text: string): Item[] =>
  operationId === 'exportProject' ? [JSON.parse(text)] : (JSON.parse(text).data ?? []);

/** What each operation answers, with ids named in the order that they come in. */
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
    state.set(
      operationId,
      said.map(({ status, text }) => {
        const plain = masked.reduce(
          (rest, [pattern, by]) => rest.replaceAll(pattern, by),
          `${status} ${text}`,
        );
        return named(nounOf(operationId), plain);
      }),
    );
    items.set(
      operationId,
      said.flatMap(({ status, text }) => (status === 200 ? itemsIn(operationId, text) : [])),
    );
  };
  // The metrics and runs, which queries name.
  for (const list of ['exportProject', 'listMetrics', 'listRuns']) await read(list);
  for (const { operationId } of reads) if (!(operationId in leftOut)) await read(operationId);
  return state;
};

/** The first answer of each operation in which two projects differ. */
export const differences = (before: Map<string, string[]>, after: Map<string, string[]>): string[][] =>
  [...before].flatMap(([operationId, answers]) => {
    const others = after.get(operationId) ?? [];
    const at = Array.from({ length: Math.max(answers.length, others.length) }).findIndex(
      (_, i) => answers[i] !== others[i],
    );
    return at < 0 ? [] : [[operationId, answers[at] ?? 'nothing', others[at] ?? 'nothing']];
  });
