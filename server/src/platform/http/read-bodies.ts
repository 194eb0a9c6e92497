import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { invalid, tooManyValues, unsupportedMediaType } from '../errors.ts';
import { parseJson } from '../json/parse-json.ts';
import { isMoreThan } from '../json/scan-json.ts';
import { type App, bodyLimitMarks } from './http.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's text as sent; '' without a body. Free-form JSON is cut out of it. */
    rawBody: string;
  }
  interface FastifyContextConfig {
    /** Whether it accepts NDJSON as well as JSON. */
    ndjson?: boolean;
  }
}

export const notJson = () =>
  unsupportedMediaType('Send JSON, with the header Content-Type: application/json.');

const readText = (request: FastifyRequest, body: Buffer): string => {
  const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
  if (encoding && encoding !== 'identity')
    throw unsupportedMediaType(`Send the body without Content-Encoding: ${encoding}.`);
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(type)?.[1];
  if (charset && !/^utf-?8$/i.test(charset)) throw unsupportedMediaType('Send the body in UTF-8.');
  if (!isUtf8(body)) throw invalid('', 'must be UTF-8 text');
  return body.toString('utf8');
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether all of the request has arrived. Node marks one without a body as complete only after its first hooks. */
export const hasArrived = (request: FastifyRequest): boolean => request.raw.complete || !hasBody(request);

/** Reads JSON bodies, and NDJSON where a route takes it, and keeps their text. Any other type is a 415. */
export const readBodies = (app: App): void => {
  app.decorateRequest('rawBody', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined;
      request.rawBody = readText(request, body);
      if (body.length > bodyLimitMarks && isMoreThan(bodyLimitMarks, request.rawBody))
        throw tooManyValues(bodyLimitMarks);
      try {
        return parseJson(request.rawBody);
      } catch (error) {
        throw invalid('', `must be JSON: ${(error as Error).message}`);
      }
    },
  );
  app.addContentTypeParser(
    'application/x-ndjson',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (!request.routeOptions.config.ndjson) throw notJson();
      request.rawBody = readText(request, body);
      return undefined;
    },
  );
  // Without a body its type does not matter: `curl -d ''` declares a form.
  app.addContentTypeParser('*', (request, _payload, done) => done(hasBody(request) ? notJson() : null));
};
