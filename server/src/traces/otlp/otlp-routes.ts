import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { authorize } from '../../accounts/authorize.ts';
import type { PriceTable } from '../../engine/models/provider.ts';
import type { Masking } from '../../evaluation/masking/masking.ts';
import { type Database, isOvertaken, type Sql } from '../../platform/db/database.ts';
import { retry } from '../../platform/db/retry.ts';
import { ApiError, forbidden, invalid, unavailable, unsupportedMediaType } from '../../platform/errors.ts';
import { insertAuditEvent } from '../../platform/http/audit.ts';
import type { App } from '../../platform/http/http.ts';
import type { Authenticate, Scope } from '../../platform/http/scope.ts';
import { toApiError } from '../../platform/http/send-error.ts';
import type { SpansWithoutProject } from '../store/find-projects.ts';
import { ingest, type OnTraces, type Outcome } from '../store/ingest.ts';
import { joinTraces } from '../store/join-traces.ts';
import { Malformed, type Span } from '../store/span.ts';
import { protobufType, reasonsText, sendEmpty, sendOutcome, sendStatus } from './answer.ts';
import { decodeJson, maxJsonBytes } from './decode-json.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { grpcPath, grpcTypes, isGrpc, receiveMessage } from './grpc.ts';
import { openIntake } from './intake.ts';
import { maxBodyBytes, type Received, receive } from './receive.ts';

/** Requests that are decoded and written at a time. More would take connections that reads need. */
const maxWriting = 4;

/** Bytes of requests that are decoded at a time: 64 MB of JSON become half a gigabyte of values. */
const maxDecodingBytes = 4 * 1024 * 1024;

type Body = Received & { decode: (buffer: Buffer) => Iterable<Span> };
type OtlpDeps = { authenticate: Authenticate } & {
  db: Database;
  onTraces: OnTraces;
  withoutProject: SpansWithoutProject;
  masking: Masking;
  prices: () => PriceTable;
  /** Called after spans were stored: their records may have scores to make. */
  wake: () => void;
};

/** Puts errors that only OTLP has into the API's. */
const toOtlpError = (error: unknown): unknown => {
  if (error instanceof Malformed) return new ApiError('VALIDATION_ERROR', `Not OTLP: ${error.message}.`);
  const { code } = error as { code?: unknown };
  return code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    ? unsupportedMediaType(`Send OTLP with Content-Type ${protobufType} or application/json.`)
    : error;
};

/** Returns the Authorization header, also for exporters that send the key in their own way. */
const authorizationOf = ({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string | undefined => {
  // LangSmith sends it as X-API-Key.
  if (authorization === undefined) return typeof key === 'string' ? `Bearer ${key}` : undefined;
  // Langfuse sends it by the Basic scheme: a public key as the user name, the secret key as the password.
  const [, basic] = /^Basic (\S+)$/i.exec(authorization) ?? [];
  if (basic) return `Bearer ${/:(.*)/s.exec(Buffer.from(basic, 'base64').toString())?.[1]}`;
  // Values in OTEL_EXPORTER_OTLP_HEADERS are percent-encoded, and not every exporter decodes them (Claude Code's does not).
  return authorization.replace(/^Bearer%20/i, 'Bearer ');
};

/** Returns the service's own path for a signal, those of OpenTelemetry's collectors and of Langfuse's SDKs, and that of gRPC. */
const pathsOf = (signal: 'traces' | 'metrics' | 'logs'): string[] => [
  ...['/otel/v1', '/v1', '/api/public/otel/v1'].flatMap((base) => [
    `${base}/${signal}`,
    `${base}/${signal}/`,
  ]),
  grpcPath(signal),
];

/** Returns the function that runs `task` at its first call and then does nothing. */
const once = (task: () => void) => {
  let isDone = false;
  return () => {
    if (!isDone) task();
    isDone = true;
  };
};

/** Retries `write` when a deletion came in between. Throws 503 in the end: after any other error an exporter drops its spans. */
const withRetries = <T>(write: () => Promise<T>): Promise<T> =>
  retry(isOvertaken, write).catch((error) => {
    throw isOvertaken(error) ? unavailable(error) : error;
  });

/** Adds an entry to the audit log for each project that got spans of a request. */
const auditTraces = async (tx: Sql, scope: Scope, { traces, accepted }: Outcome): Promise<void> => {
  const projects = [...Map.groupBy(traces, ({ projectId }) => projectId)];
  const entries = projects.map(([projectId, { length }]) => {
    const details = { spansOfRequest: accepted, traces: length };
    return insertAuditEvent(tx, scope, { operation: 'sendSpans', resource: 'Traces', projectId, details });
  });
  await Promise.all(entries);
};

/** OTLP over HTTP and gRPC, https://opentelemetry.io/docs/specs/otlp. A 2xx means that the spans are committed and readable. */
export const otlpRoutes = async (app: App, deps: OtlpDeps): Promise<void> => {
  const { db, authenticate, onTraces, withoutProject, masking, prices, wake } = deps;
  const { budget } = app;
  const intake = openIntake(maxWriting, maxDecodingBytes);

  app.addHook('onRequest', async (request) => {
    request.headers.authorization = authorizationOf(request.headers);
    request.scope = { ...(await authenticate(request)), address: request.ip };
    // A member whom projects limit may send traces to some projects: find-projects.ts finds them.
    if (!request.scope.isLimited) authorize(request);
    else if (request.scope.access === 'read')
      throw forbidden('This key may only read. Use a key with full access.');
  });
  app.setErrorHandler((error, request, reply) => {
    const answer = toApiError(toOtlpError(error), request);
    if (answer.status >= 500) request.log.error({ err: answer.cause ?? answer }, answer.message);
    return sendStatus(request, reply, answer);
  });

  app.removeAllContentTypeParsers();
  const parse = (type: string, decode: Body['decode'], mostBytes = maxBodyBytes) =>
    app.addContentTypeParser(
      type,
      async (request: FastifyRequest, payload: Readable): Promise<Body> => ({
        ...(await receive(request, payload, { budget, owner: request.scope.organizationId, mostBytes })),
        decode,
      }),
    );
  parse(protobufType, decodeProtobuf);
  parse('application/json', decodeJson, maxJsonBytes);
  app.addContentTypeParser(grpcTypes, async (request: FastifyRequest, payload: Readable): Promise<Body> => {
    if (!isGrpc(request)) throw unsupportedMediaType('gRPC has its own port: see DOKIMA_OTLP_GRPC_PORT.');
    const owner = request.scope.organizationId;
    return { ...(await receiveMessage(request, payload, { budget, owner })), decode: decodeProtobuf };
  });

  for (const path of pathsOf('traces')) {
    app.post(path, { schema: { hide: true } }, async (request, reply) => {
      const received = request.body as Body | undefined;
      if (!received) throw invalid('', 'must be an ExportTraceServiceRequest');
      const { body, decode, release } = received;
      try {
        const outcome = await intake(body.length, () =>
          withRetries(() =>
            db.transaction(request.scope, async (tx, scope = request.scope) => {
              const stored = await ingest(tx, scope, decode(body), {
                now: new Date(),
                withoutProject,
                masking,
                prices: prices(),
              });
              await onTraces(tx, scope, stored.traces);
              await auditTraces(tx, scope, stored);
              return stored;
            }),
          ),
        );
        await withRetries(() => joinTraces(db, request.scope, outcome.traces, onTraces, masking));
        // Exporters do not report a partial success, so a request without a stored span must be an error.
        if (outcome.accepted === 0 && outcome.rejected.size > 0)
          throw invalid('', `was refused: ${reasonsText(outcome.rejected)}`);
        if (outcome.accepted > 0) wake();
        return sendOutcome(request, reply, outcome);
      } finally {
        release();
      }
    });
  }

  // SDKs export these by default, and log an error for each export that is refused.
  for (const signal of ['metrics', 'logs'] as const) {
    const sayOnce = once(() => app.log.info(`OpenTelemetry ${signal} are dropped: only traces are stored`));
    for (const path of pathsOf(signal))
      app.post(path, { schema: { hide: true } }, (request, reply) => {
        (request.body as Body | undefined)?.release();
        sayOnce();
        return sendEmpty(request, reply);
      });
  }
};
