import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { invalid } from '../errors.ts';
import type { App } from './http.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Sends JSON text that is already finished, whole or in parts that follow each other. */
    json(text: string | readonly string[], status?: 200 | 201): FastifyReply;
    /** Sends server-sent events, each as soon as it is written. */
    events(events: Readable): FastifyReply;
  }
}

/** Aborts when the client leaves before its answer, so that no more is done for it. */
export const clientLeaves = (reply: FastifyReply): AbortSignal => {
  const left = new AbortController();
  const leave = () => left.abort(invalid('', 'must wait for its answer'));
  reply.raw.once('close', leave);
  // It may have left while it was authenticated.
  if (reply.raw.destroyed) leave();
  return left.signal;
};

/** From this many characters on an answer is sent as bytes: Node takes three times a string's length to encode it. */
const longText = 16_384;

/** Encodes part by part: one long string would make V8 take memory from the system and give it back for each answer. */
const inBytes = (parts: readonly string[]): Buffer => {
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
  let at = 0;
  for (const part of parts) at += bytes.write(part, at);
  return bytes;
};

/** Adds `reply.json` and `reply.events`. */
export const decorateReplies = (app: App): void => {
  app.decorateReply('json', function (text, status = 200) {
    const parts = typeof text === 'string' ? [text] : text;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const payload = length < longText ? parts.join('') : inBytes(parts);
    return this.code(status).type('application/json; charset=utf-8').send(payload);
  });
  app.decorateReply('events', function (events) {
    // nginx holds back small parts of an answer unless a header forbids it.
    const headers = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
    return this.type('text/event-stream').headers(headers).send(events);
  });
};
