import {
  createMetric,
  createProject,
  createRecord,
  createRescoring,
  createRun,
  createTestcases,
  createTestset,
  ok,
} from './fixtures.ts';
import type { Client, Organization } from './harness.ts';
import { createMonitor } from './monitors.ts';
import { comparableRuns } from './preferences.ts';
import { createQueue, submit } from './reviews.ts';
import { createRunOf } from './scored-runs.ts';
import { createSealable, createSealed } from './seals.ts';
import { createTrial } from './trials.ts';

/** One list of one parent, and how its rows come and go. Ids are those of the items in `data`. */
export type List = {
  path: string;
  /** Ids that are there before anything is inserted, oldest first. */
  initial: string[];
  insert: () => Promise<string>;
  remove: (id: string) => Promise<unknown>;
};

export type ListCase = {
  order: 'oldest first' | 'newest first';
  /** The list of a new parent; where the organization itself is the parent, of that organization. */
  open: (own: Organization) => Promise<List>;
};

const idOf = async (answer: Promise<{ id: string }>) => (await answer).id;
const remover = (api: Client, path: string) => (id: string) => ok(api('DELETE', `${path}/${id}`));
let last = 0;
const unique = () => `n${++last}`;

/** A list below a project. */
const inProject =
  (
    resource: string,
    removeFrom: string,
    insert: (api: Client, projectId: string) => Promise<{ id: string }>,
  ) =>
  async ({ api }: Organization): Promise<List> => {
    const { id } = await createProject(api);
    return {
      path: `/projects/${id}/${resource}`,
      initial: [],
      insert: () => idOf(insert(api, id)),
      remove: remover(api, removeFrom),
    };
  };

const records = async ({ api }: Organization, inRun: boolean): Promise<List> => {
  const project = await createProject(api);
  const run = await createRun(api, project.id, []);
  return {
    path: inRun ? `/runs/${run.id}/records` : `/projects/${project.id}/records`,
    initial: [],
    insert: () => idOf(createRecord(api, run.id)),
    remove: remover(api, '/records'),
  };
};

/** Two runs; every testcase is better in the second one. */
const changedTestcases = async ({ api }: Organization): Promise<List> => {
  const project = await createProject(api);
  const testset = await createTestset(api, project.id);
  const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  const runs = [await createRun(api, project.id, [metric.id]), await createRun(api, project.id, [metric.id])];
  const records = new Map<string, string>();
  return {
    path: `/runs/compare/testcases?runs=${runs.map(({ id }) => id)}&metricId=${metric.id}`,
    initial: [],
    insert: async () => {
      const [{ id: testcaseId }] = await createTestcases(api, testset.id, 1);
      for (const [i, run] of runs.entries()) {
        const record = await createRecord(api, run.id, { testcaseId });
        const score = { binaryScore: i === 1 };
        await ok(api('PUT', `/records/${record.id}/scores/${run.metricVersionIds[0]}`, { score }));
        records.set(testcaseId, record.id);
      }
      return testcaseId;
    },
    remove: (id) => ok(api('DELETE', `/records/${records.get(id)}`)),
  };
};

/** A judge that passes what people fail. */
const disagreements = async ({ api }: Organization): Promise<List> => {
  const project = await createProject(api);
  const metric = (evalType: string) => createMetric(api, project.id, { evalType, outputType: 'boolean' });
  const [judge, people] = [await metric('heuristic'), await metric('human')];
  const run = await createRun(api, project.id, [judge.id, people.id]);
  return {
    path: `/metrics/${judge.id}/calibration/disagreements?against=${people.id}`,
    initial: [],
    insert: async () => {
      const record = await createRecord(api, run.id);
      for (const [i, binaryScore] of [true, false].entries()) {
        await ok(
          api('PUT', `/records/${record.id}/scores/${run.metricVersionIds[i]}`, { score: { binaryScore } }),
        );
      }
      return record.id;
    },
    remove: remover(api, '/records'),
  };
};

/** Two reviewers: one passes what the other fails. */
const reviewDisagreements = async (organization: Organization): Promise<List> => {
  const { api } = organization;
  const queue = await createQueue(api, 0, { numReviewers: 2, reviewRule: 'latest' });
  const other = await organization.person();
  return {
    path: `/metrics/${queue.metricId}/review-disagreements`,
    initial: [],
    insert: async () => {
      const record = await createRecord(api, queue.runId);
      await submit({ api }, queue, record.id, { binaryScore: true });
      await submit(other, queue, record.id, { binaryScore: false });
      return record.id;
    },
    remove: remover(api, '/records'),
  };
};

/** A sample of all records, made larger with each that comes. */
const sampledRecords = async ({ api }: Organization): Promise<List> => {
  const project = await createProject(api);
  const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  const run = await createRun(api, project.id, []);
  const insert = async () => {
    const record = await createRecord(api, run.id);
    await ok(api('POST', `/runs/${run.id}/review-samples`, { metricId: metric.id, share: 1 }), 201);
    return record.id as string;
  };
  const first = await insert();
  const { data } = await ok(api('GET', `/runs/${run.id}/review-samples`));
  return {
    path: `/review-samples/${data[0].id}/records`,
    initial: [first],
    insert,
    remove: remover(api, '/records'),
  };
};

/** A rescoring that takes up every record that comes. */
const rescoringChanges = async ({ api }: Organization): Promise<List> => {
  const project = await createProject(api);
  const guidelines = 'function score() { return true }';
  const metric = await createMetric(api, project.id, {
    evalType: 'heuristic',
    outputType: 'boolean',
    guidelines,
  });
  const run = await createRun(api, project.id, [metric.id]);
  const rescoring = await createRescoring(api, run.id, metric.id);
  return {
    path: `${rescoring}/changes`,
    initial: [],
    insert: async () => {
      const record = await createRecord(api, run.id);
      await ok(api('POST', `${rescoring}/extend`));
      return record.id;
    },
    remove: remover(api, '/records'),
  };
};

/** Trials are only deleted with the pinned set: each one stays as those that were there first. */
const trials = async ({ api }: Organization): Promise<List> => {
  const { metricId } = await createTrial(api, (await createProject(api)).id);
  const path = `/trials?metricId=${metricId}`;
  const initial = ['1'];
  const insert = async () => {
    const { number } = await ok(api('POST', `/metrics/${metricId}/trials`, { kind: 'drift' }), 201);
    initial.push(String(number));
    return String(number);
  };
  return { path, initial, insert, remove: async () => {} };
};

/** Snapshots of a testset stay. */
const snapshots = async ({ api }: Organization): Promise<List> => {
  const testset = await createTestset(api, (await createProject(api)).id);
  const path = `/testsets/${testset.id}/snapshots`;
  const initial: string[] = [];
  const insert = async () => {
    await createTestcases(api, testset.id, 1);
    const { number } = await ok(api('POST', path, {}), 201);
    initial.push(String(number));
    return String(number);
  };
  return { path, initial, insert, remove: async () => {} };
};

/** Fresh testcases that wait. */
const freshTestcases = async ({ api }: Organization): Promise<List> => {
  const testset = await createTestset(api, (await createProject(api)).id);
  const path = `/testsets/${testset.id}/fresh-testcases`;
  const insert = async () => {
    const { numbers } = await ok(
      api('POST', `${path}/bulk-create`, { items: [{ jsonData: { question: unique() } }] }),
      201,
    );
    return String(numbers[0]);
  };
  const remove = (number: string) => ok(api('POST', `${path}/bulk-delete`, { numbers: [Number(number)] }));
  return { path, initial: [], insert, remove };
};

/** Looks at a testset, each at the summary of a new version. They stay. */
/** Rows that nothing removes: each is one of the list's own as soon as it is there. */
const staying = (path: string, make: () => Promise<string>): List => {
  const initial: string[] = [];
  const insert = async () => {
    const id = await make();
    initial.push(id);
    return id;
  };
  return { path, initial, insert, remove: async () => {} };
};

const seals = async ({ api }: Organization): Promise<List> => {
  const { id: projectId } = await createProject(api);
  const { testset, sealing } = await createSealable(api, projectId);
  const path = `/testsets/${testset.id}/seals`;
  return staying(path, async () => {
    const [{ id }] = await createTestcases(api, testset.id, 1);
    return (await ok(api('POST', path, { ...sealing, ids: [id] }), 201)).id;
  });
};

const sealedLooks = async ({ api }: Organization): Promise<List> => {
  const { id: projectId } = await createProject(api);
  const { sealId, nextVersion } = await createSealed(api, projectId, { maxLooks: 100 });
  const path = `/seals/${sealId}/looks`;
  return staying(path, async () =>
    String((await ok(api('POST', path, { systemVersionId: await nextVersion() }), 201)).number),
  );
};

const looks = async ({ api }: Organization): Promise<List> => {
  const project = await createProject(api);
  const testset = await createTestset(api, project.id);
  const [{ id: testcaseId }] = await createTestcases(api, testset.id, 1);
  const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  const initial: string[] = [];
  const insert = async () => {
    const records = [{ testcaseId, scores: { [metric.id]: true } }];
    const { run } = await createRunOf(api, project.id, [metric], records, { testsetId: testset.id });
    await ok(api('GET', `/runs/${run.id}/summary`));
    const number = String(initial.length + 1);
    initial.push(number);
    return number;
  };
  return { path: `/testsets/${testset.id}/looks`, initial, insert, remove: async () => {} };
};

/** Decisions of a project. They stay. */
const decisions = async ({ api }: Organization): Promise<List> => {
  const project = await createProject(api);
  const testset = await createTestset(api, project.id);
  const metric = await createMetric(api, project.id, { evalType: 'human', outputType: 'boolean' });
  const path = `/projects/${project.id}/decisions`;
  const initial: string[] = [];
  const insert = async () => {
    const asked = { question: unique(), owner: 'o', rules: {}, minTestcases: 1 };
    const body = { ...asked, testsetId: testset.id, metricIds: [metric.id] };
    const id = await idOf(ok(api('POST', path, body), 201));
    initial.push(id);
    return id;
  };
  return { path, initial, insert, remove: async () => {} };
};

/** Studies of the same two runs. */
const preferenceStudies = async ({ api }: Organization): Promise<List> => {
  const project = await createProject(api);
  const runIds = await comparableRuns(api, project.id, [['a'], ['b']]);
  const path = `/projects/${project.id}/preference-studies`;
  const insert = () => idOf(ok(api('POST', path, { criterion: 'C', runIds }), 201));
  return { path, initial: [], insert, remove: remover(api, '/preference-studies') };
};

/** Every paged list by its operation, in the order that CONTRACT.md gives it or, for our own, its summary. */
export const lists: Record<string, ListCase> = {
  listProjects: {
    order: 'oldest first',
    open: async ({ api }) => ({
      path: '/projects',
      initial: [],
      insert: () => idOf(createProject(api)),
      remove: remover(api, '/projects'),
    }),
  },
  listTestsets: { order: 'newest first', open: inProject('testsets', '/testsets', createTestset) },
  listTestsetDetails: {
    order: 'newest first',
    open: inProject('testset-details', '/testsets', createTestset),
  },
  listCreators: {
    order: 'oldest first',
    open: inProject('creators?resource=testsets', '/testsets', createTestset),
  },
  listTestcases: {
    order: 'oldest first',
    open: async ({ api }) => {
      const testset = await createTestset(api, (await createProject(api)).id);
      return {
        path: `/testsets/${testset.id}/testcases`,
        initial: [],
        insert: async () => (await createTestcases(api, testset.id, 1))[0].id,
        remove: (id) => ok(api('POST', '/testcases/bulk-delete', { ids: [id] })),
      };
    },
  },
  listSnapshots: { order: 'newest first', open: snapshots },
  listFreshTestcases: { order: 'newest first', open: freshTestcases },
  listDecisions: { order: 'newest first', open: decisions },
  listSeals: { order: 'newest first', open: seals },
  listSealedLooks: { order: 'newest first', open: sealedLooks },
  listLooks: { order: 'newest first', open: looks },
  listMetrics: {
    order: 'newest first',
    open: inProject('metrics', '/metrics', (api, id) =>
      createMetric(api, id, { evalType: 'human', outputType: 'int' }),
    ),
  },
  listMetricGroups: {
    order: 'newest first',
    open: inProject('metric-groups', '/metric-groups', (api, id) =>
      ok(api('POST', `/projects/${id}/metric-groups`, { name: 'G', metricIds: [] }), 201),
    ),
  },
  listMonitors: {
    order: 'oldest first',
    open: inProject('monitors', '/monitors', async (api, projectId) => {
      const metric = await createMetric(api, projectId, { evalType: 'human', outputType: 'boolean' });
      return createMonitor(api, projectId, [metric.id]);
    }),
  },
  listSystems: {
    order: 'oldest first',
    open: inProject('systems', '/systems', (api, id) =>
      ok(api('POST', `/projects/${id}/systems`, { name: unique(), config: {} }), 201),
    ),
  },
  listSystemVersions: {
    order: 'newest first',
    open: async ({ api }) => {
      const { id: projectId } = await createProject(api);
      const system = await ok(api('POST', `/projects/${projectId}/systems`, { config: {} }), 201);
      const path = `/systems/${system.id}/versions`;
      // Versions are never deleted: each one stays as those that were there first.
      const initial = [system.productionVersion.id as string];
      const insert = async () => {
        const { id } = await ok(api('POST', path, { config: { is: unique() } }));
        initial.push(id);
        return id;
      };
      return { path, initial, insert, remove: async () => {} };
    },
  },
  listRuns: { order: 'newest first', open: inProject('runs', '/runs', (api, id) => createRun(api, id, [])) },
  listRunDetails: {
    order: 'newest first',
    open: inProject('run-details', '/runs', (api, id) => createRun(api, id, [])),
  },
  listRecords: { order: 'oldest first', open: (own) => records(own, true) },
  listProjectRecords: { order: 'newest first', open: (own) => records(own, false) },
  listSessionAttachments: {
    order: 'newest first',
    open: async ({ api }) => {
      const sessionId = unique();
      const file = { sha256: '0'.repeat(64), sizeBytes: 1, contentType: 'text/plain' };
      // A session is there as long as anything belongs to it: this record, once all its files are gone.
      const run = await createRun(api, (await createProject(api)).id, []);
      await createRecord(api, run.id, { sessionId });
      return {
        path: `/sessions/${sessionId}/attachments`,
        initial: [],
        insert: () => idOf(ok(api('POST', '/attachments', { ...file, sessionId, filePath: unique() }), 201)),
        remove: remover(api, '/attachments'),
      };
    },
  },
  listOrphanAttachments: {
    order: 'newest first',
    open: async ({ api }) => {
      const { data } = await ok(api('GET', '/attachments/orphans?limit=100'));
      const file = { sha256: '0'.repeat(64), sizeBytes: 1, contentType: 'text/plain', filePath: 'f' };
      return {
        path: '/attachments/orphans',
        initial: data.map(({ id }: { id: string }) => id),
        insert: () => idOf(ok(api('POST', '/attachments', { ...file, sessionId: unique() }), 201)),
        remove: remover(api, '/attachments'),
      };
    },
  },
  listChangedTestcases: { order: 'oldest first', open: changedTestcases },
  listReviewDisagreements: { order: 'oldest first', open: reviewDisagreements },
  listSampledRecords: { order: 'oldest first', open: sampledRecords },
  listJudgeDisagreements: { order: 'oldest first', open: disagreements },
  listTrialChanges: { order: 'oldest first', open: rescoringChanges },
  listTrials: { order: 'newest first', open: trials },
  listPreferenceStudies: { order: 'newest first', open: preferenceStudies },
  listProviders: {
    order: 'oldest first',
    open: async ({ api }) => ({
      path: '/providers',
      initial: [],
      insert: () => idOf(ok(api('POST', '/providers', { name: unique(), kind: 'openai' }), 201)),
      remove: remover(api, '/providers'),
    }),
  },
  listMembers: {
    order: 'oldest first',
    open: async ({ api, memberId }) => ({
      path: '/members',
      initial: [memberId],
      insert: () =>
        idOf(
          ok(api('POST', '/members', { name: 'M', email: `${unique()}@example.org`, role: 'member' }), 201),
        ),
      remove: remover(api, '/members'),
    }),
  },
  listScimTokens: {
    order: 'oldest first',
    open: async ({ api }) => ({
      path: '/scim-tokens',
      initial: [],
      insert: () => idOf(ok(api('POST', '/scim-tokens', { name: 'S' }), 201)),
      remove: remover(api, '/scim-tokens'),
    }),
  },
  listKeys: {
    order: 'oldest first',
    open: async ({ api }) => ({
      path: '/keys',
      initial: [(await ok(api('GET', '/me'))).key.id],
      insert: () => idOf(ok(api('POST', '/keys', { name: 'K' }), 201)),
      remove: remover(api, '/keys'),
    }),
  },
};
