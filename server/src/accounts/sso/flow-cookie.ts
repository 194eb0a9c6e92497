import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { validator } from '../../platform/validation.ts';
import { openCookie } from '../cookie.ts';
import type { Flow } from './provider.ts';

const maxAgeSeconds = 600;

const isFlow = validator(
  Type.Object({
    state: Type.String(),
    nonce: Type.String(),
    verifier: Type.String(),
    next: Type.String(),
    until: Type.Number(),
  }),
);

/**
 * Keeps the state of a sign-in in a signed cookie of the browser that began it, for ten minutes: no other browser can finish the sign-in,
 * and any process of the service can.
 */
export const flowCookie = (key: KeyObject, publicUrl: string) => {
  const cookie = openCookie('dokima_sso', publicUrl, '/sso');
  const sign = (text: string) => createHmac('sha256', key).update(text).digest();

  const read = (request: FastifyRequest): (Flow & { until: number }) | undefined => {
    const [text, mac] = cookie.read(request)?.split('.') ?? [];
    if (!text || !mac) return undefined;
    const given = Buffer.from(mac, 'base64url');
    const expected = sign(text);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const flow = JSON.parse(Buffer.from(text, 'base64url').toString()) as Flow & { until: number };
    return isFlow(flow).length === 0 ? flow : undefined;
  };

  return {
    /** `now` is the time of the database: another process may take the flow. */
    put: (request: FastifyRequest, reply: FastifyReply, flow: Flow, now: Date): void => {
      const until = now.getTime() + maxAgeSeconds * 1000;
      const text = Buffer.from(JSON.stringify({ ...flow, until })).toString('base64url');
      cookie.set(request, reply, `${text}.${sign(text).toString('base64url')}`, maxAgeSeconds);
    },
    /** Returns the flow of this browser, once: the answer clears the cookie. */
    take: (request: FastifyRequest, reply: FastifyReply, now: Date): Flow | undefined => {
      cookie.set(request, reply, '', 0);
      const flow = read(request);
      return flow && now.getTime() < flow.until ? flow : undefined;
    },
    /** Returns the flow of this browser, ended or not, and keeps the cookie. */
    read,
  };
};
