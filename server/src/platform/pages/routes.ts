import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, unknownPath } from '../http/http.ts';
import type { WebFile, WebFiles } from './files.ts';

// Scripts from here alone, requests to here alone: what a record holds can neither run nor send anything out. Style
// attributes are what the editor and the dialogs write.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  // Our own pages refuse to be framed; what is left is a PDF among the attachments, in the browser's viewer.
  "frame-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const send = async (request: FastifyRequest, reply: FastifyReply, path: string, file: WebFile) => {
  // The build puts a hash of the content into the names below /assets/.
  const isHashed = path.startsWith('/assets/');
  reply
    .type(file.type)
    .header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
    .header('content-security-policy', contentSecurityPolicy)
    .header('referrer-policy', 'no-referrer');
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  if (!file.gzipped || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
    return reply.send(file.body);
  return reply.header('content-encoding', 'gzip').send(await file.gzipped());
};

const isPage = ({ headers }: FastifyRequest, path: string): boolean =>
  !/^\/(api|otel|assets)(\/|$)/.test(path) && /\btext\/html\b/.test(headers.accept ?? '');

/** The web pages: a file where there is one, and index.html wherever a browser asks for a page. */
export const webRoutes = (app: App, files: WebFiles): void => {
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const index = files.get('/index.html');
    if (!index) throw unknownPath(request);
    const file = path === '/' ? undefined : files.get(path);
    if (file) return send(request, reply, path, file);
    if (path === '/' || isPage(request, path)) return send(request, reply, '/index.html', index);
    throw unknownPath(request);
  });
};
