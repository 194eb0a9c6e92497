import type { KeyObject } from 'node:crypto';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Database, system } from '../../platform/db/database.ts';
import { databaseTime } from '../../platform/db/time.ts';
import { rateLimited } from '../../platform/errors.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import type { App } from '../../platform/http/http.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findSession } from '../authenticate.ts';
import { openSessionCookie } from '../sign-ins/session-cookie.ts';
import type { SessionLimits } from '../sign-ins/session-limits.ts';
import { hashToken } from '../sign-ins/sign-in.ts';
import { flowCookie } from './flow-cookie.ts';
import { openProvider, SsoRefused } from './provider.ts';
import { endSessions } from './queries.ts';
import { openLogouts } from './read-logout.ts';
import { callbackPath, logoutPath, type SsoSettings } from './settings.ts';
import { signInWithSso } from './sign-in-with-sso.ts';

const startPath = '/sso/start';
const longestForm = 65_536;

/** Returns the path only if it is one of this site: a link must not lead elsewhere after the sign-in. */
export const insidePath = (next: unknown, publicUrl: string): string => {
  if (typeof next !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]{0,2000}$/u.test(next)) return '/';
  const url = new URL(next, publicUrl);
  return url.origin === new URL(publicUrl).origin ? url.pathname + url.search + url.hash : '/';
};

type SsoDeps = { db: Database; settings: SsoSettings; sessions: SessionLimits; key: KeyObject };

/**
 * The addresses of single sign-on: two that a browser opens, and one that the provider calls when it ends a session. They are not part of the API:
 * the browser gets redirects, and a refused sign-in leads to the sign-in page, which explains it.
 */
export const ssoRoutes = async (app: App, deps: SsoDeps): Promise<void> => {
  const { db, settings, sessions, key } = deps;
  const { publicUrl } = settings;
  const provider = openProvider(settings);
  const readLogout = openLogouts(settings, provider);
  const cookie = flowCookie(key, publicUrl);
  const session = openSessionCookie(publicUrl, sessions);

  const timeWindow = '1 minute';
  const keyOf = ({ ip }: FastifyRequest) => normalizeIP(ip);
  // People of one office share an address. Each browser has a signed state, so that its attempts are counted alone.
  const limits = [
    app.createRateLimit({ max: 600, timeWindow, keyGenerator: keyOf }),
    app.createRateLimit({
      max: 30,
      timeWindow,
      keyGenerator: (request) => cookie.read(request)?.state ?? `none ${keyOf(request)}`,
      allowList: ({ url }) => url.startsWith(startPath) || url.startsWith(logoutPath),
    }),
  ];
  app.addHook('onRequest', async (request) => {
    for (const count of limits) {
      const counted = await count(request);
      if (!counted.isAllowed && counted.isExceeded)
        throw rateLimited(Math.ceil(counted.ttl / 1000), 'attempts to sign in');
    }
  });

  /** The member of the browser's session. */
  const signedInAs = async (request: FastifyRequest): Promise<Scope | undefined> => {
    const token = session.token(request);
    if (!token) return undefined;
    const [scope] = await db.lookUp(system, (sql) => findSession(sql, sessions, hashToken(token)));
    return scope;
  };

  const toSignIn = (reply: FastifyReply, problem: string) =>
    reply.redirect(`${publicUrl}/sign-in?problem=${problem}`);

  app.get(startPath, { schema: { hide: true } }, async (request, reply) => {
    const { next } = request.query as { next?: unknown };
    const { url, flow } = await provider.begin(insidePath(next, publicUrl));
    cookie.put(request, reply, flow, await databaseTime(deps.db));
    return reply.header('cache-control', 'no-store').redirect(url.href);
  });

  app.get(callbackPath, { schema: { hide: true } }, async (request: FastifyRequest, reply) => {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    const flow = cookie.take(request, reply, await databaseTime(deps.db));
    try {
      if (!flow) throw new SsoRefused('expired', 'the browser has no sign-in under way');
      const at = request.url.indexOf('?');
      const identity = await provider.finish(at < 0 ? '' : request.url.slice(at), flow);
      const signedIn = await signedInAs(request);
      const outcome = await signInWithSso(deps, identity, signedIn, request.ip);
      if ('question' in outcome) return reply.redirect(`${publicUrl}/welcome#${outcome.question}`);
      session.begin(request, reply, outcome.token);
      return reply.redirect(`${publicUrl}${insidePath(flow.next, publicUrl)}`);
    } catch (error) {
      if (!(error instanceof SsoRefused)) throw error;
      request.log.warn({ err: error, problem: error.problem }, 'single sign-on was refused');
      return toSignIn(reply, error.problem);
    }
  });

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: longestForm },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  );
  // OpenID Connect Back-Channel Logout 1.0: 200 also if no session is open, 400 for a token that is not the provider's.
  app.post(logoutPath, { schema: { hide: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
    try {
      if (!token) throw new SsoRefused('provider', 'the request has no logout_token');
      const logout = await readLogout(token, await databaseTime(db));
      await db.transaction(system, async (tx) => {
        for (const ended of await endSessions(tx, logout))
          await insertAuditEvent(
            tx,
            { ...ended, address: request.ip },
            { operation: 'endSignIn', resource: 'Sign-in' },
          );
      });
      return reply.send();
    } catch (error) {
      if (!(error instanceof SsoRefused)) throw error;
      request.log.warn({ err: error }, 'a logout of the provider was refused');
      return reply.code(400).send({ error: 'invalid_request', error_description: error.message });
    }
  });
};
