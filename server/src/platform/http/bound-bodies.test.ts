import { type AddressInfo, connect } from 'node:net';
import Fastify from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import { boundBodies, decorateBudget } from './bound-bodies.ts';
import { openBudget } from './byte-budget.ts';
import type { App } from './http.ts';
import { decorateReplies } from './reply.ts';
import { sendError } from './send-error.ts';

const kilobytes = (count: number) => JSON.stringify('x'.repeat(count * 1024));

/** A service with a small budget whose requests end when the test says so. */
const openBounded = async () => {
  const app = Fastify() as unknown as App;
  decorateBudget(app, openBudget(4 * 1024 * 1024, { longestMs: 100 }));
  onTestFinished(() => app.close());
  app.setErrorHandler(sendError);
  const [arrived, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  app.addHook('onRequest', async (request) => {
    if (request.headers.leaves) {
      arrived.resolve();
      await new Promise((closed) => request.raw.socket.once('close', closed));
      setImmediate(gone.resolve);
    }
    request.scope = { organizationId: BigInt(String(request.headers.owner)) } as typeof request.scope;
  });
  boundBodies(app);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  app.post('/', { bodyLimit: 700 * 1024 }, async (request) => {
    if (request.headers.holds) await ended;
    return {};
  });
  // `inject` sends when it is awaited.
  const post = async (owner: number, body: string, headers = {}) =>
    await app.inject({
      method: 'POST',
      url: '/',
      headers: { owner: String(owner), 'content-type': 'application/json', ...headers },
      payload: body,
    });
  return { app, post, end, arrived: arrived.promise, gone: gone.promise };
};

it('a large body waits for others of its owner and then gets 503; small ones and other owners do not', async () => {
  const { post, end } = await openBounded();
  const held = post(1, kilobytes(400), { holds: 'yes' });
  const [again, small, other] = await Promise.all([
    post(1, kilobytes(400)),
    post(1, kilobytes(50)),
    post(2, kilobytes(400)),
  ]);
  expect([again.statusCode, again.headers['retry-after'], again.json().code]).toEqual([
    503,
    '1',
    'UNAVAILABLE',
  ]);
  expect([small.statusCode, other.statusCode]).toEqual([200, 200]);
  const waiting = post(1, kilobytes(400));
  end();
  expect([(await held).statusCode, (await waiting).statusCode]).toEqual([200, 200]);
});

it('a body above the limit is a 413 at once, whatever is under way', async () => {
  const { post, end } = await openBounded();
  const held = post(1, kilobytes(400), { holds: 'yes' });
  expect((await post(1, kilobytes(800))).statusCode).toBe(413);
  end();
  await held;
});

it('a client that leaves while it is authenticated holds nothing', async () => {
  const { app, post, arrived, gone } = await openBounded();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nHost: a\r\nOwner: 1\r\nLeaves: yes\r\nContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n',
  );
  await arrived;
  socket.destroy();
  await gone;
  expect((await post(1, kilobytes(400))).statusCode).toBe(200);
  expect((await post(1, kilobytes(400))).statusCode).toBe(200);
});

it('streams of an owner take turns between their parts', async () => {
  const app = Fastify() as unknown as App;
  onTestFinished(() => app.close());
  decorateBudget(app, openBudget(100, { longestMs: 100 }));
  const order: string[] = [];
  app.get('/:name', async (request, reply) => {
    request.scope = { organizationId: 1n } as typeof request.scope;
    const { name } = request.params as { name: string };
    const hold = await reply.holdStream(1);
    for (let part = 1; part <= 3; part++) {
      await hold(30);
      order.push(`${name}${part}`);
      await new Promise(setImmediate);
    }
    return {};
  });
  const sent = ['a', 'b'].map((name) => app.inject(`/${name}`).then(({ statusCode }) => statusCode));
  expect(await Promise.all(sent)).toEqual([200, 200]);
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
});

it('a large answer that its route did not count waits for room, and a written one is counted', async () => {
  const app = Fastify() as unknown as App;
  onTestFinished(() => app.close());
  const budget = openBudget(1024 * 1024, { longestMs: 100 });
  decorateReplies(app);
  decorateBudget(app, budget);
  app.setErrorHandler(sendError);
  const text = kilobytes(100);
  app.get('/read', (_, reply) => reply.json(text));
  app.post('/written', (_, reply) => reply.json(text, 201));
  const statusOf = async (method: 'GET' | 'POST', url: string) =>
    (await app.inject({ method, url })).statusCode;
  const begun = vi.spyOn(budget, 'begin');
  expect([await statusOf('GET', '/read'), await statusOf('POST', '/written')]).toEqual([200, 201]);
  expect(begun).toHaveBeenCalledOnce();
  await budget.take({ owner: 2n, bytes: 1024 * 1024 });
  expect([await statusOf('GET', '/read'), await statusOf('POST', '/written')]).toEqual([503, 201]);
});
