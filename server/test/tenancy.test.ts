import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { system } from '../src/platform/db/database.ts';
import { describeApi } from '../src/platform/http/describe-api.ts';
import type { App } from '../src/platform/http/http.ts';
import { type Operation, operationsOf } from './document.ts';
import { ok } from './fixtures.ts';
import { type Answer, type Client, engine, type Organization, startApp, type TestApp } from './harness.ts';
import { rowsOf, tenantTables } from './rows.ts';
import {
  adminOnly,
  byOperator,
  bySession,
  bySignature,
  cases,
  conflicting,
  notAnId,
} from './tenancy-cases.ts';
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

const call = (api: Client, { operationId, method, template }: Operation, ids: World): Promise<Answer> => {
  const { path: renamed, body, query, options } = cases[operationId]!;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[renamed?.[name] ?? name]!),
  );
  return api(method, query ? `${path}?${query(ids)}` : path, body?.(ids), options);
};

/** The names of the ids that an operation is given, in its path, its query or its body. */
const idsOf = ({ operationId, template }: Operation): string[] => {
  const renamed = cases[operationId]?.path;
  const asked = new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => renamed?.[name!] ?? name!));
  const watched = new Proxy({} as World, { get: (_, name: string) => asked.add(name) && '' });
  cases[operationId]?.body?.(watched);
  cases[operationId]?.query?.(watched);
  return [...asked].filter((name) => !notAnId[operationId]?.includes(name));
};

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

  it('give the same 404 as unknown ones, in every operation and place, and nothing is written', async () => {
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
      }
    }
    expect(differences).toEqual([]);
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

describe('roles', () => {
  const keyOf = async (role: string) => {
    const member = await ok(
      owner.api('POST', '/members', { name: role, email: `${role}@example.org`, role }),
      201,
    );
    const key = `ak_of_a_${role}_${'x'.repeat(20)}`;
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
        expect(`${operation.operationId} ${status}`).toBe(
          `${operation.operationId} ${operation.method === 'GET' ? 200 : 403}`,
        );
      }
    }
  });

  it('a member does not do what is for admins', async () => {
    const member = await keyOf('member');
    for (const operation of operations.filter(({ operationId }) => adminOnly.includes(operationId))) {
      expect((await call(member, operation, theirs)).status).toBe(403);
    }
  });

  it('a member sees and revokes only their own keys', async () => {
    const member = await owner.api('GET', '/keys?limit=100');
    expect(member.body.data.length).toBeGreaterThan(2);
    const plain = owner.as(`ak_of_a_member_${'x'.repeat(20)}`);
    expect((await ok(plain('GET', '/keys'))).data).toHaveLength(1);
    expect((await plain('DELETE', `/keys/${theirs.keyId}`)).status).toBe(404);
  });

  it('each operation succeeds for its owner, so that the 404s above prove something', async () => {
    const last = [
      'cancelRescoring',
      'keepRescoring',
      'discardRescoring',
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
    const failures: string[] = [];
    for (const operation of inOrder) {
      const { status, text } = await call(owner.api, operation, theirs);
      if (status >= 300 && !(status === 409 && conflicting.includes(operation.operationId)))
        failures.push(`${operation.operationId} ${text}`);
    }
    expect(failures).toEqual([]);
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
