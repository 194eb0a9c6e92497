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
import { applyEvents } from '../events/apply-events.ts';
import { receiveEvents, receiveSpanEvents } from '../events/receive-events.ts';
import { eachOnce, type OnTraces } from '../store/arrived.ts';
import type { SpansWithoutProject } from '../store/find-projects.ts';
import { ingest, type Outcome } from '../store/ingest.ts';
import { joinTraces } from '../store/join-traces.ts';
import { Malformed } from '../store/span.ts';
import { protobufType, reasonsText, type Signal, sendEmpty, sendOutcome, sendStatus } from './answer.ts';
import { decodeJson, maxJsonBytes } from './decode-json.ts';
import { decodeJsonLogs, decodeProtobufLogs } from './decode-logs.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { grpcPath, grpcTypes, isGrpc, receiveMessage } from './grpc.ts';
import { openIntake } from './intake.ts';
import { maxBodyBytes, type Received, receive } from './receive.ts';

/** Requests that are decoded and written at a time. More would take connections that reads need. */
const maxWriting = 4;

/** Bytes of requests that are decoded at a time: 64 MB of JSON become half a gigabyte of values. */
const maxDecodingBytes = 4 * 1024 * 1024;

type Body = Received & { isJson: boolean };
type OtlpDeps = { authenticate: Authenticate } & {
  db: Database;
  onTraces: OnTraces;
  withoutProject: SpansWithoutProject;
  masking: Masking;
  /** Returns the prices by which the spans of an organization cost. */
  prices: (tx: Sql, scope: Scope) => Promise<PriceTable>;
  /** Called after spans were stored: their records may have scores to make. */
  wake: () => void;
};

/** Outcome of a request, with the reasons for which items are not stored although nothing is wrong with them. */
type Stored = Omit<Outcome, 'traces'> & { ignored?: Map<string, number> };

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
  const parse = (type: string, isJson: boolean, mostBytes: number) =>
    app.addContentTypeParser(
      type,
      async (request: FastifyRequest, payload: Readable): Promise<Body> => ({
        ...(await receive(request, payload, { budget, owner: request.scope.organizationId, mostBytes })),
        isJson,
      }),
    );
  parse(protobufType, false, maxBodyBytes);
  parse('application/json', true, maxJsonBytes);
  app.addContentTypeParser(grpcTypes, async (request: FastifyRequest, payload: Readable): Promise<Body> => {
    if (!isGrpc(request)) throw unsupportedMediaType('gRPC has its own port: see DOKIMA_OTLP_GRPC_PORT.');
    const owner = request.scope.organizationId;
    return { ...(await receiveMessage(request, payload, { budget, owner })), isJson: false };
  });

  /** Adds the paths of a signal. `store` stores a request's items and returns the answer's reasons and how many it took. */
  const exporting = (signal: Signal, store: (body: Body, scope: Scope) => Promise<Stored>) => {
    for (const path of pathsOf(signal))
      app.post(path, { schema: { hide: true } }, async (request, reply) => {
        const received = request.body as Body | undefined;
        if (!received) throw invalid('', `must be an export request of ${signal}`);
        try {
          const {
            accepted,
            rejected,
            warned,
            ignored = [],
          } = await intake(received.body.length, () => store(received, request.scope));
          // Exporters do not report a partial success, so a request without a stored item must be an error.
          if (accepted === 0 && rejected.size > 0)
            throw invalid('', `was refused: ${reasonsText(signal, rejected)}`);
          if (accepted > 0) wake();
          return sendOutcome(request, reply, signal, {
            rejected: new Map([...rejected, ...ignored]),
            warned,
          });
        } finally {
          received.release();
        }
      });
  };

  const onArrival: OnTraces = async (tx, scope, traces) => {
    const { changed } = await applyEvents(tx, scope, traces, { now: new Date(), masking });
    await onTraces(tx, scope, eachOnce([...traces, ...changed]));
  };

  exporting('traces', async ({ body, isJson }, scope) => {
    const options = {
      now: new Date(),
      withoutProject,
      masking,
      onSpans: receiveSpanEvents,
    };
    const stored = await withRetries(() =>
      db.transaction(scope, async (tx) => {
        const spans = isJson ? decodeJson(body) : decodeProtobuf(body);
        const outcome = await ingest(tx, scope, spans, { ...options, prices: await prices(tx, scope) });
        await onArrival(tx, scope, outcome.traces);
        await auditTraces(tx, scope, outcome);
        return outcome;
      }),
    );
    await withRetries(() => joinTraces(db, scope, stored.traces, onArrival, masking));
    return stored;
  });

  exporting('logs', ({ body, isJson }, scope) =>
    withRetries(() =>
      db.transaction(scope, (tx) => {
        const options = { now: new Date(), withoutProject, masking, onTraces };
        return receiveEvents(tx, scope, isJson ? decodeJsonLogs(body) : decodeProtobufLogs(body), options);
      }),
    ),
  );

  // SDKs export them by default, and log an error for each export that is refused.
  const sayOnce = once(() =>
    app.log.info('OpenTelemetry metrics are dropped: only traces and events are stored'),
  );
  for (const path of pathsOf('metrics'))
    app.post(path, { schema: { hide: true } }, (request, reply) => {
      (request.body as Body | undefined)?.release();
      sayOnce();
      return sendEmpty(request, reply);
    });
};
