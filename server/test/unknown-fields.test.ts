import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Document } from './conformance.ts';
import { type Operation, operationsOf } from './document.ts';
import { createProject, ok } from './fixtures.ts';
import type { Answer } from './harness.ts';
import { openApp } from './opened.ts';
import { cases } from './tenancy-cases.ts';
import { createWorld, type World } from './tenancy-world.ts';

/** Every operation of the document is sent a parameter and a field that it does not know. */

const contract = JSON.parse(
  await readFile(new URL('./contract/openapi.json', import.meta.url), 'utf8'),
) as Document;
const ofContract = new Set(
  Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  ),
);

const { app, own } = await openApp({});
let world: World;
let operations: Operation[];

beforeAll(async () => {
  world = await createWorld(app, own);
  // What deletes comes last, so that the others find what they name.
  const deletes = ({ operationId }: Operation) => Number(operationId.startsWith('delete'));
  operations = operationsOf(app.app).sort((a, b) => deletes(a) - deletes(b));
});

const call = ({ operationId, method, template }: Operation, extra: object): Promise<Answer> => {
  const { path: renamed, body, query, options } = cases[operationId] ?? {};
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(world[renamed?.[name] ?? name] ?? 'x'),
  );
  const asked = `${path}?${query ? `${query(world)}&` : ''}limti=5`;
  const takesBody = method !== 'GET' && options?.raw === undefined;
  const sent = takesBody ? { ...(body?.(world) as object | undefined), ...extra } : undefined;
  return own.api(method, asked, sent, options);
};

const pathsOf = ({ body }: Answer): string[] =>
  (body?.details?.issues ?? []).map(({ path }: { path: string }) => path);

describe('a name that an operation does not know', () => {
  it('in the query is ignored by every operation, and named in Ignored-Fields', async () => {
    const wrong: string[] = [];
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const answer = await call(operation, {});
      const isKnown = cases[operation.operationId] !== undefined;
      const isNamed = answer.headers['ignored-fields'] === '?limti';
      if (isKnown ? answer.status !== 200 || !isNamed : answer.status === 200 && !isNamed)
        wrong.push(`${operation.operationId} ${answer.status} ${answer.headers['ignored-fields']}`);
    }
    expect(wrong).toEqual([]);
    expect(operations.filter(({ method }) => method === 'GET').length).toBeGreaterThan(90);
  });

  it('in the body of an operation of ours is a 400 that names it, also where no body is taken', async () => {
    const wrong: string[] = [];
    for (const operation of operations.filter(
      ({ method, operationId }) => method !== 'GET' && !ofContract.has(operationId),
    )) {
      const { operationId } = operation;
      // The messages of a conversation may have the fields of other services. An archive is lines, whose fields are checked one by one.
      if (operationId === 'simulateUser' || operationId === 'importProject') continue;
      const answer = await call(operation, { bogus: 1 });
      const isRefused = answer.status === 400 && pathsOf(answer).includes('/bogus');
      // The rest needs a session, a link or the operator's key.
      if (cases[operationId] ? !isRefused : answer.status < 400) wrong.push(`${operationId} ${answer.text}`);
    }
    expect(wrong).toEqual([]);
  });

  it('in the body of an operation of the contract is ignored, and named in Ignored-Fields', async () => {
    const wrong: string[] = [];
    const changing = operations.filter(
      ({ method, operationId }) => method !== 'GET' && ofContract.has(operationId),
    );
    for (const operation of changing) {
      const { status, headers, text } = await call(operation, { bogus: 1 });
      const isDone = status < 300 || (operation.method === 'DELETE' && status === 404);
      if (!isDone || headers['ignored-fields'] !== '?limti, /bogus')
        wrong.push(`${operation.operationId} ${status} ${headers['ignored-fields']} ${text}`);
    }
    expect(wrong).toEqual([]);
    expect(changing).toHaveLength(28);
  });
});

describe('Ignored-Fields', () => {
  const ignoredOf = async (answer: Promise<Answer>) => (await answer).headers['ignored-fields'];

  it('is absent if everything is known', async () => {
    expect(await ignoredOf(own.api('GET', '/projects?limit=5&cursor='))).toBeUndefined();
    const body = { name: 'P', description: '' };
    expect(await ignoredOf(own.api('POST', '/projects', body))).toBeUndefined();
  });

  it('names fields inside lists, and none of free-form JSON', async () => {
    const { id } = await createProject(own.api);
    const testset = await ok(
      own.api('POST', `/projects/${id}/testsets`, {
        name: 'T',
        description: '',
        jsonSchema: {},
        fieldMapping: { inputs: [], expected: [], metadata: [] },
      }),
      201,
    );
    const items = [{ jsonData: { any: 1 } }, { jsonData: { other: {} }, 'a/b, ü': 1 }];
    expect(await ignoredOf(own.api('POST', `/testsets/${testset.id}/testcases`, { items }))).toBe(
      '/items/1/a~1b%2C%20%C3%BC',
    );
  });

  it('names the field of another variant of a metric', async () => {
    const { id } = await createProject(own.api);
    const metric = { name: 'M', evalType: 'human', outputType: 'boolean', passingThreshold: 1 };
    expect(await ignoredOf(own.api('POST', `/projects/${id}/metrics`, metric))).toBe('/passingThreshold');
  });

  it('names 20 of the parameters and 20 of the fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x${i}`, '1']));
    const sent = own.api('POST', `/projects?${new URLSearchParams(many)}`, {
      name: 'P',
      description: '',
      ...many,
    });
    const names = String(await ignoredOf(sent)).split(', ');
    expect(names).toHaveLength(40);
    expect([names[0], names[39]]).toEqual(['?x0', '/x19']);
  });

  it('holds only what a header may hold', async () => {
    const odd = { 'a\r\nSet-Cookie: x': 1, '\ud800': 1, '%00%': 1, ['y'.repeat(5000)]: 1 };
    const sent = own.api('POST', '/projects', { name: 'P', description: '', ...odd });
    expect(await ignoredOf(sent)).toBe(`/a%0D%0ASet-Cookie:%20x, /%EF%BF%BD, /%2500%25, /${'y'.repeat(99)}`);
  });
});
