import fastify from 'fastify';
import { expect, it } from 'vitest';
import { tellDeprecations } from './deprecations.ts';
import type { App } from './http.ts';

it('a deprecated operation says since when, until when, and what takes its place, in errors too', async () => {
  const app = fastify() as unknown as App;
  tellDeprecations(app);
  const deprecation = { since: '2027-01-31', sunset: '2027-08-01', successor: '/api/v2/new' };
  const schema = { operationId: 'old' };
  app.get('/old', { schema, config: { deprecation } }, async () => ({}));
  app.get('/broken', { config: { deprecation: { since: '2027-01-31', sunset: '2027-08-01' } } }, async () => {
    throw new Error('No.');
  });
  app.get('/new', async () => ({}));
  const said = async (url: string) => {
    const { statusCode, headers } = await app.inject({ url });
    return [statusCode, headers.deprecation, headers.sunset, headers.link];
  };
  const [since, sunset] = ['@1801353600', 'Sun, 01 Aug 2027 00:00:00 GMT'];
  expect(await said('/old')).toEqual([200, since, sunset, '</api/v2/new>; rel="successor-version"']);
  expect(await said('/broken')).toEqual([500, since, sunset, undefined]);
  expect(await said('/new')).toEqual([200, undefined, undefined, undefined]);
  expect(schema).toHaveProperty('deprecated', true);
  await app.close();
});
