import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ofReviews } from '../src/accounts/authorize.ts';
import { system } from '../src/platform/db/database.ts';
import { describeApi } from '../src/platform/http/describe-api.ts';
import type { App } from '../src/platform/http/http.ts';
import { placeNames } from '../src/platform/http/places.ts';
import { exportLines, importLines, linesOf, rowsOfPart } from './archive-lines.ts';
import { bodyPlacesOf, withPlace } from './body-places.ts';
import { type Operation, operationsOf } from './document.ts';
import { ok } from './fixtures.ts';
import { type Answer, type Client, engine, type Organization, startApp, type TestApp } from './harness.ts';
import { attributesOf, newTraceId, post, requestOf } from './otlp.ts';
import { recordExamples } from './record-examples.ts';
import { rowsOf, tenantTables } from './rows.ts';
import { adminOnly, byOperator, bySession, bySignature, cases, notAnId } from './tenancy-cases.ts';
import { createWorld, unknownOf, type World } from './tenancy-world.ts';

/**
 * Every operation × every id × a key of another organization: the same 404 as for an unknown id, and nothing
 * written. The table of cases is held against the service's own OpenAPI document: an operation without a case fails.
 */

let app: TestApp;
let operations: Operation[];
/** Paths of the lists of all that an organization has of something: they name nothing of it. */
let wholeLists: string[];
let owner: Organization;
let stranger: Organization;
let theirs: World;
let own: World;

beforeAll(async () => {
  app = await startApp();
  operations = operationsOf(app.app);
  wholeLists = operations
    .filter(
      ({ method, operationId, parameters }) =>
        method === 'GET' &&
        parameters.map(({ name }) => name).join() === 'limit,cursor' &&
        !byOperator.includes(operationId),
    )
    .map(({ template }) => template);
  owner = await app.organization();
  stranger = await app.organization();
  theirs = await createWorld(app, owner);
  own = await createWorld(app, stranger);
});
afterAll(() => app.close());

const callWith = (
  api: Client,
  { operationId, method, template }: Operation,
  ids: World,
  change: (body: unknown) => unknown,
): Promise<Answer> => {
  const { path: renamed, body, query, options } = cases[operationId]!;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[renamed?.[name] ?? name]!),
  );
  return api(method, query ? `${path}?${query(ids)}` : path, change(body?.(ids)), options);
};
const call = (api: Client, operation: Operation, ids: World): Promise<Answer> =>
  callWith(api, operation, ids, (body) => body);

/** The names of the ids that an operation is given, in its path, its query or its body. */
const idsOf = ({ operationId, template }: Operation): string[] => {
  const renamed = cases[operationId]?.path;
  const asked = new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => renamed?.[name!] ?? name!));
  const watched = new Proxy({} as World, { get: (_, name: string) => asked.add(name) && '' });
  cases[operationId]?.body?.(watched);
  cases[operationId]?.query?.(watched);
  return [...asked].filter((name) => !notAnId[operationId]?.includes(name));
};

/** Ids of everything of a kind in the vault of an organization, by the name of the kind. */
const findVault = async (organizationId: bigint): Promise<[kind: string, id: string][]> => {
  const [ids] = await app.db.transaction(system, async (tx) => {
    await tx`
      insert into record (organization_id, project_id, run_id, n, inputs, expected, outputs)
      select organization_id, project_id, id, 1, '{}', '{}', '{}' from run
      where organization_id = (select id from organization where vault_of = ${organizationId})`;
    return tx<{ ids: Record<string, string> }[]>`
      select json_build_object('projectId', project.id::text, 'testsetId', testset.id::text, 'testcaseId', testset.id || '-1',
        'runId', run.id::text, 'recordId', run.id || '-1', 'metricId', metric.id::text, 'metricConfigId', metric.current_config_id,
        'systemId', system.id, 'versionId', run.system_version_id) as ids
      from organization join project on project.organization_id = organization.id
        join testset on testset.project_id = project.id join run on run.project_id = project.id
        join metric on metric.project_id = project.id join system on system.project_id = project.id
      where organization.vault_of = ${organizationId}`;
  });
  return Object.entries(ids!.ids);
};
const isOfKind = (name: string, kind: string): boolean =>
  name === kind || name.endsWith(`${kind[0]!.toUpperCase()}${kind.slice(1)}`);

describe('another organization’s ids', () => {
  it('each operation of the document has a case, and each case an operation', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      [...Object.keys(cases), ...bySignature, ...bySession, ...byOperator].sort(),
    );
  });

  it('no route escapes the document, and with it this test', async () => {
    const api = Fastify();
    await describeApi(api as unknown as App);
    const answer = async () => 'hidden';
    expect(() => api.get('/api/v2/bare', answer)).toThrow('GET /api/v2/bare needs a schema');
    expect(() => api.get('/api/v2/x', { schema: { operationId: 'x', hide: true } }, answer)).toThrow(
      'needs a schema',
    );
    const inScope = api.register(async (scope) => scope.post('/bare', answer), { prefix: '/api/v2' });
    await expect(inScope).rejects.toThrow('POST /api/v2/bare needs a schema');
  });

  it('and those of the own vault give the same 404 as unknown ones, in every operation and place, and nothing is written', async () => {
    const vault = await findVault(stranger.organizationId);
    expect(vault.length).toBe(9);
    let inVault = 0;
    const before = await rowsOf(app.db, owner.organizationId);
    const differences: string[] = [];
    for (const operation of operations.filter(({ operationId }) => cases[operationId])) {
      for (const name of idsOf(operation)) {
        const id = theirs[name]!;
        const missing = unknownOf(name, id);
        // Whole ids alone: a short one may be part of the other.
        const masked = (text: string) => text.replace(new RegExp(`\\b(${id}|${missing})\\b`, 'g'), 'ID');
        const foreign = await call(stranger.api, operation, { ...own, [name]: id });
        const unknown = await call(stranger.api, operation, { ...own, [name]: missing });
        // Clients choose the ids of sessions: an unknown one is a session without attachments.
        if (unknown.status !== (name === 'sessionId' ? 200 : 404))
          differences.push(`${operation.operationId} ${name}: unknown is ${unknown.status}`);
        if (foreign.status !== unknown.status || masked(foreign.text) !== masked(unknown.text)) {
          differences.push(`${operation.operationId} ${name}: ${foreign.text} but unknown ${unknown.text}`);
        }
        const [, sealed] = vault.find(([kind]) => isOfKind(name, kind)) ?? [];
        if (sealed === undefined) continue;
        inVault++;
        const hidden = await call(stranger.api, operation, { ...own, [name]: sealed });
        const named = (text: string, id: string) => text.replace(new RegExp(`\\b${id}\\b`), 'ID');
        if (hidden.status !== unknown.status || named(hidden.text, sealed) !== named(unknown.text, missing))
          differences.push(`${operation.operationId} ${name} of the vault: ${hidden.text}`);
      }
    }
    expect(differences).toEqual([]);
    expect(inVault).toBeGreaterThan(200);
    expect(await rowsOf(app.db, owner.organizationId)).toBe(before);
  });

  it('are seen in no list', async () => {
    expect(wholeLists).toContain('/projects');
    for (const path of wholeLists) {
      const idsIn = async (api: Client): Promise<string[]> =>
        (await ok(api('GET', `${path}?limit=100`))).data.map(({ id }: { id: string }) => id);
      const foreign = new Set(await idsIn(owner.api));
      expect(foreign.size, path).toBeGreaterThan(0);
      expect((await idsIn(stranger.api)).filter((id) => foreign.has(id))).toEqual([]);
    }
  });
});

describe('a hidden project', () => {
  /** Ids that are the organization's and not a project's. */
  const ofOrganization = ['userId', 'guestId', 'keyId', 'tokenId', 'providerId', 'assigneeUserId'];
  let hidden: World;
  let open: World;
  let insider: Client;
  let insiderKey: string;
  const hiddenSha = 'ab'.repeat(32);
  beforeAll(async () => {
    hidden = await createWorld(app, owner);
    open = await createWorld(app, owner);
    for (const id of [hidden.projectId, hidden.importedProjectId])
      await ok(owner.api('PATCH', `/projects/${id}/settings`, { restricted: true }));
    ({ api: insider, key: insiderKey } = await owner.person());
    const file = { sha256: hiddenSha, sizeBytes: 6, filePath: 'hidden', contentType: 'text/plain' };
    const { projectId, sessionId } = hidden;
    await ok(owner.api('POST', '/attachments', { ...file, projectId, sessionId }), 201);
  });

  it('gives a member the same answers as an unknown one, in every operation and place, and nothing is written', async () => {
    const before = await contentOf(owner.organizationId);
    const differences: string[] = [];
    for (const operation of operations.filter(({ operationId }) => cases[operationId])) {
      for (const name of idsOf(operation).filter((name) => !ofOrganization.includes(name))) {
        const id = hidden[name]!;
        const missing = unknownOf(name, id);
        const masked = (text: string) => text.replace(new RegExp(`\\b(${id}|${missing})\\b`, 'g'), 'ID');
        const found = await call(insider, operation, { ...open, [name]: id });
        const unknown = await call(insider, operation, { ...open, [name]: missing });
        if (found.status !== unknown.status || masked(found.text) !== masked(unknown.text))
          differences.push(`${operation.operationId} ${name}: ${found.text} but unknown ${unknown.text}`);
      }
    }
    expect(differences).toEqual([]);
    expect(await contentOf(owner.organizationId)).toBe(before);
  });

  it('is in no list of a member', async () => {
    for (const path of wholeLists) {
      const { status, body } = await insider('GET', `${path}?limit=100`);
      const isForAdmins = operations.some(
        ({ method, template, operationId }) =>
          method === 'GET' && template === path && adminOnly.includes(operationId),
      );
      expect(status).toBe(isForAdmins ? 403 : 200);
      if (isForAdmins) continue;
      // Other resources have numbers too, which a project may have as well.
      const ids = new Set(path === '/projects' ? [hidden.projectId] : Object.values(hidden));
      const seen = body.data.map(({ id }: { id: string }) => id).filter((id: string) => ids.has(id));
      // Members see these, which are the organization's.
      const allowed = ['/members', '/providers', '/scim-tokens'].includes(path) ? seen : [];
      expect(`${path} ${seen}`).toBe(`${path} ${allowed}`);
    }
  });

  it('is reached by no name in a body, at any depth: a hidden id is answered as an unknown one, and nothing of it changes', async () => {
    const names = [...placeNames, 'sessionId', 'traceId'].filter((name) => hidden[name] !== undefined);
    const places = bodyPlacesOf(app.app, names);
    // Without the first row, which has the time of the export.
    const content = async () => rowsOfPart(await exportLines(owner.api, hidden.projectId!)).slice(1);
    const before = await content();
    const all = (of: (name: string) => string) => Object.fromEntries(names.map((name) => [name, of(name)]));
    const unknownId = (name: string) => unknownOf(name, hidden[name]!);
    const differences: string[] = [];
    let sent = 0;
    // The first of two deletions would leave nothing for the second.
    const asked = operations.filter(
      ({ operationId }) => cases[operationId]?.body && operationId !== 'deleteTestcases',
    );
    for (const operation of asked) {
      for (const place of places.get(operation.operationId) ?? []) {
        const ask = async (idOf: (name: string) => string) => {
          sent += 1;
          const one = place.name === null ? all(idOf) : idOf(place.name);
          const value = place.isList ? [one] : one;
          const answer = await callWith(insider, operation, open, (body) => withPlace(body, place, value));
          const ids = names.flatMap((name) => [hidden[name]!, unknownId(name)]);
          // What a success answers has new ids and times; it must not have what the hidden project holds.
          const isMade = answer.status < 300;
          return `${answer.status} ${isMade ? '' : answer.text.replace(new RegExp(`\\b(${ids.join('|')})\\b`, 'g'), 'ID')}`;
        };
        const [found, unknown] = [await ask((name) => hidden[name]!), await ask(unknownId)];
        if (found !== unknown)
          differences.push(
            `${operation.operationId} ${place.path.join('.')}: ${found} but unknown ${unknown}`,
          );
      }
    }
    expect(differences).toEqual([]);
    expect(sent).toBeGreaterThan(200);
    expect(before.length).toBeGreaterThan(10);
    expect(await content()).toEqual(before);
    const theirFiles = rowsOfPart(await exportLines(insider, open.projectId!), 'attachment');
    expect(theirFiles.map(({ id }) => id)).not.toContain(hidden.attachmentId);
  });

  /** What an answer says, without the ids that were sent. The number of a line may be equal to one. */
  const saidOf = ({ status, text }: { status: number; text: string }, ids: string[]): string =>
    `${status} ${text.replace(new RegExp(`(?<!Line |"line":)\\b(${ids.join('|')})\\b`, 'g'), 'ID')}`;
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const contentOfHidden = async () => rowsOfPart(await exportLines(owner.api, hidden.projectId!)).slice(1);
  /** The file that only the hidden project has must not be in an archive of a project of the member. */
  const requireNoFile = async (projectId: string) =>
    expect(await exportLines(insider, projectId)).not.toContain(hiddenSha);

  it('is reached by no attribute of spans, resources, scopes, events and links, and by no id of a trace', async () => {
    const before = await contentOfHidden();
    const named = placeNames.filter((name) => hidden[name] !== undefined);
    const keys: [string, string][] = [
      ...named.map((name): [string, string] => [`dokima.${snake(name)}`, name]),
      ...['session.id', 'gen_ai.conversation.id', 'langfuse.session.id', 'dokima.session_id'].map(
        (key): [string, string] => [key, 'sessionId'],
      ),
      ['dokima.otel_link_id', 'recordId'],
    ];
    const differences: string[] = [];
    const compare = async (place: string, name: string, requestWith: (id: string) => object) => {
      const ids = [hidden[name]!, unknownOf(name, hidden[name]!)];
      const answers: string[] = [];
      for (const id of ids) {
        const { status, body } = await post(app, insiderKey, requestWith(id));
        answers.push(saidOf({ status, text: String(body) }, ids));
      }
      if (answers[0] !== answers[1]) differences.push(`${place}: ${answers[0]} but unknown ${answers[1]}`);
    };
    const span = (more: object = {}) => ({ traceId: newTraceId(), n: 1, ...more });
    for (const [key, name] of keys) {
      const at = (id: string) => ({ [key]: id });
      const resource = { 'dokima.project_id': open.projectId };
      const inScope = (id: string) => {
        const request = requestOf([span()], resource);
        Object.assign(request.resourceSpans[0]!.scopeSpans[0]!.scope, { attributes: attributesOf(at(id)) });
        return request;
      };
      const link = (id: string) => [
        { traceId: newTraceId(), spanId: '0000000000000001', attributes: attributesOf(at(id)) },
      ];
      await compare(`span ${key}`, name, (id) => requestOf([span({ attributes: at(id) })], resource));
      await compare(`resource ${key}`, name, (id) => requestOf([span()], { ...resource, ...at(id) }));
      await compare(`scope ${key}`, name, inScope);
      await compare(`event ${key}`, name, (id) =>
        requestOf([span({ events: [{ name: 'e', attributes: at(id) }] })], resource),
      );
      await compare(`link ${key}`, name, (id) => requestOf([span({ links: link(id) })], resource));
    }
    for (const resource of [{ 'dokima.project_id': open.projectId }, {}]) {
      await compare('trace', 'traceId', (traceId) => requestOf([span({ traceId, n: 7 })], resource));
      await compare('link to a trace', 'traceId', (traceId) =>
        requestOf([span({ links: [{ traceId, spanId: '0000000000000001' }] })], resource),
      );
    }
    expect(differences).toEqual([]);
    expect(await contentOfHidden()).toEqual(before);
    await requireNoFile(open.projectId!);
  });

  it('is reached by no id in a row of an archive', async () => {
    const before = await contentOfHidden();
    const rows = rowsOfPart(await exportLines(insider, open.projectId!));
    const nameOf = new Map(
      [...placeNames, 'sessionId', 'traceId']
        .filter((name) => hidden[name] !== undefined)
        .map((name) => [snake(name), name]),
    );
    const places = new Map(
      rows.flatMap((row) =>
        Object.keys(row).flatMap((column) => {
          const name = [...nameOf].find(
            ([ending]) => column === ending || column.endsWith(`_${ending}`),
          )?.[1];
          return name && row[column] !== null
            ? [[`${row.part} ${column}`, { part: row.part, column, name }]]
            : [];
        }),
      ) as [string, { part: unknown; column: string; name: string }][],
    );
    const differences: string[] = [];
    for (const [place, { part, column, name }] of places) {
      const ids = [hidden[name]!, unknownOf(name, hidden[name]!)];
      const answers: string[] = [];
      for (const id of ids) {
        const { id: projectId } = await ok(insider('POST', '/projects', { name: 'I', description: '' }), 201);
        const changed = rows.map((row) => (row.part === part ? { ...row, [column]: id } : row));
        const answer = await importLines(insider, projectId, linesOf(changed));
        answers.push(answer.status === 200 ? '200' : saidOf(answer, [...ids, projectId]));
        await requireNoFile(projectId);
        await ok(owner.api('DELETE', `/projects/${projectId}`));
      }
      if (answers[0] !== answers[1]) differences.push(`${place}: ${answers[0]} but unknown ${answers[1]}`);
    }
    expect(places.size).toBeGreaterThan(10);
    expect(differences).toEqual([]);
    expect(await contentOfHidden()).toEqual(before);
  }, 240_000);
});

/** An organization's rows without the roles that a test gives, and without the numbers that refused creates used up. */
const contentOf = async (organizationId: bigint): Promise<string> =>
  (await rowsOf(app.db, organizationId))
    .replace(/^(change|project_member|audit_event) .*\n/gm, '')
    .replace(/"last_record_n":\d+/g, '');

/** Operations whose entries of the audit log name no project: they are about the organization. */
const ofNoProject = [
  'createKey',
  'createMember',
  'createProvider',
  'createScimToken',
  'createSignInLink',
  'deleteKey',
  'deleteMember',
  'deleteProvider',
  'deleteScimToken',
  // The file of a session that no record names belongs to none yet.
  'initiateAttachment',
  'updateMember',
  'updateMyOrganization',
  'updateProvider',
];

/** Operations about a project: their path names something of it, or their query or body does. */
const isOfProject = ({ operationId, template }: Operation): boolean =>
  [...template.matchAll(/\{(\w+)\}/g)].some(([, name]) => placeNames.includes(name!)) ||
  ['compareRuns', 'listChangedTestcases', 'deleteTestcases'].includes(operationId);

describe('roles', () => {
  let people = 0;
  const keyOf = async (role: string, called = role) => {
    people += 1;
    const member = await ok(
      owner.api('POST', '/members', { name: called, email: `${called}${people}@example.org`, role }),
      201,
    );
    const key = `ak_of_a_${called}_${people}_${'x'.repeat(20)}`;
    await app.db.transaction(system, async (tx) => {
      const { insertKey } = await import('../src/accounts/keys/queries.ts');
      const { newUuid } = await import('../src/platform/http/ids.ts');
      const scope = { organizationId: owner.organizationId, memberId: member.id };
      await insertKey(tx, scope, newUuid(), key, { name: role, access: 'full', expiresAt: null });
    });
    return owner.as(key);
  };

  it('a viewer and a read-only key read everything and write nothing', async () => {
    const viewer = await keyOf('viewer');
    const { key } = await ok(owner.api('POST', '/keys', { name: 'read', access: 'read' }), 201);
    for (const api of [viewer, owner.as(key)]) {
      for (const operation of operations.filter(({ operationId }) => cases[operationId])) {
        const { status } = await call(api, operation, theirs);
        const mayRead =
          operation.method === 'GET' && !(api === viewer && adminOnly.includes(operation.operationId));
        expect(`${operation.operationId} ${status}`).toBe(`${operation.operationId} ${mayRead ? 200 : 403}`);
      }
    }
  });

  it('an annotator does what belongs to reviews, and nothing else', async () => {
    const annotator = await keyOf('annotator');
    const refused: string[] = [];
    for (const operation of operations.filter(({ operationId }) => cases[operationId])) {
      const { operationId } = operation;
      const isOfReviews = ofReviews.has(operationId);
      if (isOfReviews && operation.method !== 'GET') continue;
      const { status } = await call(annotator, operation, theirs);
      if (status !== (isOfReviews ? 200 : 403)) refused.push(`${operationId} ${status}`);
    }
    expect(refused).toEqual([]);
    expect(
      [...ofReviews].filter((name) => !operations.some(({ operationId }) => operationId === name)),
    ).toEqual([]);
  });

  it('each operation of a project × each role that it gives: viewers read, annotators review, only its admins administer', async () => {
    const member = await keyOf('member');
    const { user } = await ok(member('GET', '/me'));
    const restricted = await createWorld(app, owner);
    await ok(owner.api('PATCH', `/projects/${restricted.projectId}/settings`, { restricted: true }));
    await ok(owner.api('PATCH', `/projects/${restricted.importedProjectId}/settings`, { restricted: true }));
    const before = await contentOf(owner.organizationId);
    const ofProject = operations.filter(
      (operation) => cases[operation.operationId] && isOfProject(operation),
    );
    expect(ofProject.length).toBeGreaterThan(120);
    const wrong: string[] = [];
    const roles = ['viewer', 'annotator', 'member'];
    for (const role of roles) {
      for (const id of [restricted.projectId, restricted.importedProjectId])
        await ok(owner.api('PUT', `/projects/${id}/members/${user.id}`, { role }));
      for (const operation of ofProject) {
        const { operationId, method } = operation;
        const isAdmins = /^(update|delete)Project(Access|Member)$/.test(operationId);
        const mayRead = method === 'GET' && role !== 'annotator';
        const mayReview = ofReviews.has(operationId) && role !== 'viewer';
        // What they may write is tried below, where it may change something.
        if (method !== 'GET' && (mayReview || (role === 'member' && !isAdmins))) continue;
        const { status } = await call(member, operation, restricted);
        if (status !== (mayRead || mayReview ? 200 : 403)) wrong.push(`${role} ${operationId} ${status}`);
      }
    }
    for (const id of [restricted.projectId, restricted.importedProjectId])
      await ok(owner.api('DELETE', `/projects/${id}/members/${user.id}`));
    expect(wrong).toEqual([]);
    expect(await contentOf(owner.organizationId)).toBe(before);
  }, 120_000);

  it('a member does not do what is for admins', async () => {
    const member = await keyOf('member');
    for (const operation of operations.filter(({ operationId }) => adminOnly.includes(operationId))) {
      expect((await call(member, operation, theirs)).status).toBe(403);
    }
  });

  it('a member sees and revokes only their own keys', async () => {
    const member = await owner.api('GET', '/keys?limit=100');
    expect(member.body.data.length).toBeGreaterThan(2);
    const plain = await keyOf('member');
    expect((await ok(plain('GET', '/keys'))).data).toHaveLength(1);
    expect((await plain('DELETE', `/keys/${theirs.keyId}`)).status).toBe(404);
  });

  it('each operation succeeds for its owner, so that the 404s above prove something', async () => {
    const last = [
      'cancelRun',
      'deleteAnnotation',
      'deleteRecord',
      'deleteRun',
      'deleteSystem',
      'deleteMetric',
      'deleteTestset',
      'deleteProject',
    ];
    const place = ({ operationId }: Operation) => {
      if (last.includes(operationId)) return 2 + last.indexOf(operationId);
      return /^(delete|revoke|unassign)/.test(operationId) ? 1 : 0;
    };
    const inOrder = operations
      .filter(({ operationId }) => cases[operationId])
      .sort((a, b) => place(a) - place(b));
    // The admin of a project, a viewer in the organization, does all that belongs to the project.
    const lead = await keyOf('viewer', 'lead');
    const { user } = await ok(lead('GET', '/me'));
    for (const id of [theirs.projectId, theirs.importedProjectId]) {
      await ok(owner.api('PUT', `/projects/${id}/members/${user.id}`, { role: 'admin' }));
      await ok(owner.api('PATCH', `/projects/${id}/settings`, { restricted: true }));
    }
    // The author of the annotations may delete them too, and the owner of the key alone.
    const failures: string[] = [];
    const examples = recordExamples();
    for (const operation of inOrder) {
      const client = isOfProject(operation) ? lead : owner.api;
      const { status, text } = await call(examples.heard(operation.operationId, client), operation, theirs);
      if (status >= 300) failures.push(`${operation.operationId} ${text}`);
    }
    expect(failures).toEqual([]);
    await examples.compare();
    // Each of these wrote an entry of the audit log, which names the project if there is one.
    const entries = await app.db.read(
      owner,
      (sql) => sql<{ operation: string; inProject: boolean }[]>`
        select operation, bool_and(project_id is not null) as "inProject" from audit_event
        where organization_id = ${owner.organizationId} and not failed group by operation`,
    );
    const without = entries.filter(({ inProject }) => !inProject).map(({ operation }) => operation);
    expect(without.sort()).toEqual(ofNoProject);
    expect(entries.length).toBeGreaterThan(90);
  });
});

describe.runIf(engine === 'server')('row-level security, the second wall', () => {
  it('is on and forced for every table of tenants’ rows', async () => {
    const tables = (await app.db.read(system, tenantTables)).map(({ name }) => name);
    const walled = await app.db.read(
      system,
      (sql) => sql<{ name: string }[]>`
        select relname as name from pg_class
        where relrowsecurity and relforcerowsecurity and exists (select from pg_policy where polrelid = pg_class.oid)`,
    );
    expect(walled.map(({ name }) => name)).toEqual(expect.arrayContaining([...tables, 'organization']));
  });

  it('hides and protects another organization’s rows even where a statement names no organization', async () => {
    const before = await rowsOf(app.db, stranger.organizationId);
    const tables = await app.db.read(system, tenantTables);
    await app.db.transaction(owner, async (tx) => {
      for (const { name } of tables) {
        const foreign = await tx`select from ${tx(name)} where organization_id = ${stranger.organizationId}`;
        expect(foreign).toHaveLength(0);
        expect(
          (
            await tx`update ${tx(name)} set organization_id = organization_id where organization_id = ${stranger.organizationId}`
          ).count,
        ).toBe(0);
      }
      await tx`delete from project`;
      await tx`delete from member`;
    });
    expect(await rowsOf(app.db, stranger.organizationId)).toBe(before);
  });

  it('refuses a row in another organization’s name', async () => {
    const insert = app.db.transaction(
      owner,
      (tx) => tx`insert into project (organization_id, name) values (${stranger.organizationId}, 'planted')`,
    );
    await expect(insert).rejects.toThrow('row-level security');
  });
});
