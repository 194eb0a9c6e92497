import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../platform/errors.ts';
import type { App } from '../../platform/http/http.ts';
import { endCall, grpcPath, grpcTypes } from './grpc.ts';

const [resourceExhausted, unimplemented] = [8, 12];
/** Calls of one connection at the same time, as many as of all connections, and connections. Exporters send again later. */
const [maxCallsOfConnection, maxCalls, maxConnections] = [100, 1_000, 1_000];
/** Time in which the message of a call must come. */
const messageMs = 60_000;
/** A connection on which nothing moves for this long is closed. Exporters open another. */
const idleMs = 600_000;
/** Calls that are open after this time are cut off when the service stops. */
const stopMs = 10_000;

const paths = new Set(['traces', 'metrics', 'logs'].map((signal) => grpcPath(signal as 'traces')));

const isExport = ({ method, url, headers }: Http2ServerRequest): boolean =>
  method === 'POST' &&
  paths.has(url) &&
  grpcTypes.includes(String(headers['content-type']).split(';', 1)[0]!);

const tooSlow = (ms: number) =>
  new ApiError('UNAVAILABLE', `The message did not come in ${ms / 1000} s. Nothing was written.`, {
    retryAfterSeconds: 1,
  });

export type GrpcServer = { port: number; close: () => Promise<void> };

/**
 * Listens for OTLP over gRPC, without TLS, and hands its calls to the routes of the app. Nothing else of the app can be reached
 * on this port. Rejects if the port can't be used.
 */
export const listenGrpc = async (
  app: App,
  { host, port }: { host: string; port: number },
  limits = { maxCalls, messageMs, idleMs },
): Promise<GrpcServer> => {
  const sessions = new Set<ServerHttp2Session>();
  let calls = 0;
  const receive = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    calls++;
    const timer = setTimeout(() => {
      app.log.warn(
        { address: request.socket.remoteAddress },
        'a gRPC call was ended: its message did not come',
      );
      request.destroy(tooSlow(limits.messageMs));
    }, limits.messageMs);
    // The route reports it.
    request.on('error', () => {});
    request.once('end', () => clearTimeout(timer));
    response.once('close', () => {
      clearTimeout(timer);
      calls--;
    });
    // Fastify takes the requests and responses of HTTP/2 too, but its types allow only those of the app's own server.
    app.routing(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  };
  const handle = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    if (!isExport(request))
      endCall(request, response, {
        code: unimplemented,
        message: `There is no ${request.url}. This port takes OTLP over gRPC.`,
      });
    else if (calls >= limits.maxCalls)
      endCall(request, response, {
        code: resourceExhausted,
        message: 'Too many calls are under way.',
        retryAfterSeconds: 1,
      });
    else receive(request, response);
  };
  const server = createServer({ settings: { maxConcurrentStreams: maxCallsOfConnection } }, handle);
  server.maxConnections = maxConnections;
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    // Calls that are under way end first.
    session.setTimeout(limits.idleMs, () => session.close());
  });
  // Errors of broken connections: without a listener, they would end the process.
  server.on('sessionError', (error) => app.log.debug({ err: error }, 'a gRPC connection failed'));
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      listening();
    });
  });

  const close = async (): Promise<void> => {
    const timer = setTimeout(() => {
      for (const session of sessions) session.destroy();
    }, stopMs);
    const closed = new Promise((done) => server.close(done));
    for (const session of sessions) session.close();
    await closed;
    clearTimeout(timer);
  };
  return { port: (server.address() as AddressInfo).port, close };
};
