import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { system } from '../../platform/db/database.ts';
import { invalid, rateLimited } from '../../platform/errors.ts';
import { type App, publicBodyLimitBytes, requireOne } from '../../platform/http/http.ts';
import { idempotencyKey } from '../../platform/http/idempotency.ts';
import { numericId } from '../../platform/http/ids.ts';
import { ApiErrorBody, Success, successBody } from '../../platform/http/openapi.ts';
import { clientLeaves } from '../../platform/http/reply.ts';
import { answerRoute, ownOrganization, writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import type { Asker } from '../../platform/turns.ts';
import { lockMember } from '../members/queries.ts';
import { member } from '../resources.ts';
import { hashPassword, verifyPassword } from './password.ts';
import {
  deleteSession,
  deleteSessions,
  findLink,
  findPasswordHash,
  updatePassword,
  updateProven,
} from './queries.ts';
import {
  Credentials,
  OrganizationSwitch,
  PasswordChange,
  SignIn,
  SignInLink,
  SignInLinkFind,
  SignInLinkRedeem,
  SignInLinkTarget,
  SignInOptions,
} from './schema.ts';
import { openSessionCookie } from './session-cookie.ts';
import type { SessionLimits } from './session-limits.ts';
import {
  changeOtherPasswords,
  createLink,
  hashToken,
  isStillPassword,
  linkEnded,
  passwordsOff,
  redeemLink,
  signIn,
  switchOrganization,
  welcomeUrl,
} from './sign-in.ts';

const tags = ['Sign-in'];

/** Single sign-on as the service offers it. */
export type SsoOffer = {
  /** Name of the provider; null when single sign-on is off. */
  name: string | null;
  /** Whether passwords are off. */
  isRequired: boolean;
};

const wrongPassword = () => invalid('/currentPassword', 'must be your current password');
const tooManyAttempts = (ttlMs: number) => rateLimited(Math.ceil(ttlMs / 1000), 'attempts to sign in');

/** Attempts for one e-mail address from one client address: too few to guess a password. */
const attempts = {
  max: 10,
  timeWindow: '1 minute',
  hook: 'preHandler' as const,
  errorResponseBuilder: (_request: unknown, { ttl }: { ttl: number }) => tooManyAttempts(ttl),
};
/** Attempts from one client address (of IPv6, one /64) for all e-mail addresses: too few to try one password on everyone. */
const attemptsOfAddress = { max: 30, timeWindow: '1 minute' };

const askerOf = ({ ip }: FastifyRequest, reply: FastifyReply): Asker => ({
  owner: normalizeIP(ip),
  signal: clientLeaves(reply),
});

type SignInDeps = RouteDeps & { publicUrl: string | undefined; sessions: SessionLimits; sso: SsoOffer };

export const sessionRoutes = (app: App, deps: SignInDeps): void => {
  const { db, write, publicUrl, sessions, sso } = deps;
  const cookie = openSessionCookie(publicUrl, sessions);
  const countOfAddress = app.createRateLimit({
    ...attemptsOfAddress,
    keyGenerator: ({ ip }) => normalizeIP(ip),
  });
  const limitAddress = async (request: FastifyRequest) => {
    const counted = await countOfAddress(request);
    if (!counted.isAllowed && counted.isExceeded) throw tooManyAttempts(counted.ttl);
  };

  app.post(
    '/sign-ins',
    {
      bodyLimit: publicBodyLimitBytes,
      onRequest: limitAddress,
      config: {
        public: true,
        rateLimit: {
          ...attempts,
          keyGenerator: ({ ip, body }) => `${ip} ${(body as Credentials).email.toLowerCase()}`,
        },
      },
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with e-mail address and password.',
        description: 'The answer sets the session cookie.',
        tags,
        security: [],
        body: Credentials,
        response: { 201: ref(SignIn) },
      },
    },
    async (request, reply) => {
      if (sso.isRequired) throw passwordsOff();
      const { token, body } = await signIn(db, sessions, request.body, askerOf(request, reply), request.ip);
      cookie.begin(request, reply, token);
      return reply.json(body, 201);
    },
  );

  answerRoute(app, 'GET', '/sign-in-options', {
    config: { public: true },
    operationId: 'getSignInOptions',
    summary: 'Get the ways to sign in.',
    tags,
    security: [],
    of: ownOrganization,
    response: ref(SignInOptions),
    answer: async () =>
      JSON.stringify({
        hasPasswords: !sso.isRequired,
        sso: sso.name === null ? null : { name: sso.name, path: '/sso/start' },
      }),
  });

  app.delete(
    '/sign-ins/current',
    {
      config: { session: true },
      schema: {
        operationId: 'signOut',
        summary: 'End the session of this request.',
        tags,
        response: { 200: ref(Success) },
      },
    },
    (request, reply) => {
      cookie.clear(request, reply);
      return write(request, reply, 200, async (tx, scope) => {
        await deleteSession(tx, scope);
        return successBody;
      });
    },
  );

  app.put(
    '/sign-ins/current/organization',
    {
      config: { session: true },
      schema: {
        operationId: 'switchOrganization',
        summary: 'Switch to another organization of yours.',
        description: 'The answer sets the cookie of a new session.',
        tags,
        body: OrganizationSwitch,
        response: { 200: ref(SignIn), 404: ref(ApiErrorBody), 409: ref(ApiErrorBody) },
      },
    },
    async (request, reply) => {
      const { organizationId: id, join = false } = request.body;
      const organizationId = numericId('organization', id);
      const { token, body } = await switchOrganization(deps, request.scope, organizationId, join);
      cookie.begin(request, reply, token);
      return reply.json(body);
    },
  );

  writeRoute(app, deps, 'PUT', '/me/password', {
    config: { session: true, rateLimit: { ...attempts, keyGenerator: ({ scope }) => scope.memberId } },
    operationId: 'updatePassword',
    summary: 'Change your password.',
    description: 'It also changes in your other organizations where it is the same. Your other sessions end.',
    tags,
    of: ownOrganization,
    body: PasswordChange,
    response: ref(Success),
    // Before the transaction, because a hash takes a tenth of a second.
    read: async ({ currentPassword, newPassword }, _raw, { scope, request, leaves }) => {
      const asker = { owner: normalizeIP(request.ip), signal: leaves() };
      const [found] = await db.read(scope, (sql) => findPasswordHash(sql, scope));
      const before = found?.passwordHash;
      if (!before || !(await verifyPassword(currentPassword, before, asker))) throw wrongPassword();
      const hash = await hashPassword(newPassword, asker);
      const others = await changeOtherPasswords(db, scope, currentPassword, hash, asker);
      return { before, hash, others };
    },
    work: async (tx, scope, _key, { before, hash, others }) => {
      if (!(await isStillPassword(tx, scope, before))) throw wrongPassword();
      await updatePassword(tx, scope, hash);
      await updateProven(tx, scope, [scope.memberId, ...others]);
      await deleteSessions(tx, scope, scope.signInId);
      return successBody;
    },
  });

  writeRoute(app, deps, 'POST', '/members/:userId/sign-in-links', {
    config: { admin: true, keyless: true },
    operationId: 'createSignInLink',
    summary: 'Create a link with which the member chooses a password.',
    description: 'It works once. Admins only.',
    tags,
    of: member,
    status: 201,
    response: ref(SignInLink),
    read: (_body, _raw, { request }) => {
      if (sso.isRequired) throw passwordsOff();
      // As with keys: a stored answer would hold the token that opens the member's account.
      if (idempotencyKey(request))
        throw invalid('/Idempotency-Key', 'is not accepted here: a new link is shown only once');
      return request;
    },
    work: async (tx, scope, memberId, request) => {
      requireOne(await lockMember(tx, scope, memberId), 'member', memberId);
      const { organizationId } = scope;
      const { token, expiresAt } = await createLink(tx, { organizationId, memberId }, 'admin');
      return JSON.stringify({ url: welcomeUrl(request, publicUrl, token), expiresAt });
    },
  });

  app.post(
    '/sign-in-links/find',
    {
      bodyLimit: publicBodyLimitBytes,
      config: { public: true },
      schema: {
        operationId: 'getSignInLink',
        summary: 'Get the member that a sign-in link is for.',
        description: 'It is a POST, so that no log contains the token.',
        tags,
        security: [],
        body: SignInLinkFind,
        response: { 200: ref(SignInLinkTarget) },
      },
    },
    async (request, reply) => {
      const session = cookie.token(request);
      const sessionHash = session === undefined ? null : hashToken(session);
      const [found] = await db.read(system, (sql) =>
        findLink(sql, hashToken(request.body.token), { limits: sessions, sessionHash }),
      );
      if (!found) throw linkEnded();
      return reply.json(found.body);
    },
  );

  app.post(
    '/sign-in-links/redeem',
    {
      bodyLimit: publicBodyLimitBytes,
      config: { public: true },
      schema: {
        operationId: 'redeemSignInLink',
        summary: 'Sign in with a sign-in link.',
        description:
          'The link works once. It needs a new password, unless it asks a person who came by single sign-on.',
        tags,
        security: [],
        body: SignInLinkRedeem,
        response: { 201: ref(SignIn) },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request, reply);
      const { token, body } = await redeemLink(deps, request.body, asker, request.ip);
      cookie.begin(request, reply, token);
      return reply.json(body, 201);
    },
  );
};
