import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { App } from '../../platform/http/http.ts';
import { endCall, grpcPath, grpcTypes } from './grpc.ts';

const unimplemented = 12;
/** Calls of one connection at the same time. */
const maxCalls = 100;
/** Calls that are open after this time are cut off when the service stops. */
const stopMs = 10_000;

const paths = new Set(['traces', 'metrics', 'logs'].map((signal) => grpcPath(signal as 'traces')));

const isExport = ({ method, url, headers }: Http2ServerRequest): boolean =>
  method === 'POST' &&
  paths.has(url) &&
  grpcTypes.includes(String(headers['content-type']).split(';', 1)[0]!);

export type GrpcServer = { port: number; close: () => Promise<void> };

/**
 * Listens for OTLP over gRPC, without TLS, and hands its calls to the routes of the app. Nothing else of the app can be reached
 * on this port. Rejects if the port can't be used.
 */
export const listenGrpc = async (
  app: App,
  { host, port }: { host: string; port: number },
): Promise<GrpcServer> => {
  const sessions = new Set<ServerHttp2Session>();
  const handle = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    if (isExport(request))
      // Fastify takes the requests and responses of HTTP/2 too, but its types allow only those of the app's own server.
      app.routing(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    else
      endCall(request, response, {
        code: unimplemented,
        message: `There is no ${request.url}. This port takes OTLP over gRPC.`,
      });
  };
  const server = createServer({ settings: { maxConcurrentStreams: maxCalls } }, handle);
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
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
