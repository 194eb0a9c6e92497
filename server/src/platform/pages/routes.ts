import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../http/http.ts';
import { noRoute } from '../http/unknown-path.ts';

// Scripts only from this service and requests only to it, so data in a record can neither run nor send anything out. The
// editor and the dialogs write style attributes.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  // For a PDF among the attachments, in the browser's viewer.
  "frame-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The directory of the built pages; undefined when `npm run build` has not made them. */
export const builtPages = async (): Promise<string | undefined> => {
  const directory = fileURLToPath(new URL('../../../../web/dist/', import.meta.url));
  return access(`${directory}index.html`).then(
    () => directory,
    () => undefined,
  );
};

const isPage = ({ url, headers }: FastifyRequest): boolean =>
  !/^\/(api|otel|assets)(\/|$|\?)/.test(url) && /\btext\/html\b/.test(headers.accept ?? '');

/** The Markdown of a page of the guide, or the guide's contents: for programs and curl, which run no script. */
const markdownOf = (url: string): string | undefined => {
  const [, page] = /^\/guide(?:\/([\w-]+(?:\/[\w-]+)*))?\/?(?:\?|$)/.exec(url) ?? [undefined, null];
  if (page === null) return undefined;
  return page === undefined ? 'llms.txt' : `guide/${page}.md`;
};

/** The paths that are served as files. No other path is looked for, so that none leads out of the directory. */
const filesOf = async (directory: string): Promise<Set<string>> => {
  const paths = await readdir(directory, { recursive: true });
  return new Set(
    paths.filter((path) => /\.\w+$/.test(path) && !/\.(gz|br)$/.test(path) && path !== 'index.html'),
  );
};

/** index.html with the path of the service in its addresses, which are relative: it answers at every path. */
const startPage = async (directory: string, basePath: string) => {
  const built = await readFile(join(directory, 'index.html'), 'utf8');
  const text = built.replaceAll('="./', `="${basePath}/`);
  return { text, zipped: gzipSync(text) };
};

/** The web pages: the files of `directory`, its Markdown where a program asks for the guide, and index.html wherever a browser asks for a page. */
export const pageRoutes = async (app: App, directory: string, basePath: string): Promise<void> => {
  const page = await startPage(directory, basePath);
  const hashed = join(directory, 'assets/');
  const setHeaders = (reply: FastifyReply, path: string): void => {
    const isHashed = path.startsWith(hashed);
    reply.header('content-security-policy', contentSecurityPolicy);
    reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    // It is made of the file's time, which packages set to one constant: index.html could outlive an upgrade.
    if (!isHashed) reply.removeHeader('etag');
  };
  await app.register(fastifyStatic, {
    root: directory,
    setHeaders,
    // The one route below serves the files. A route for each of them, as the plugin makes them, would take a tenth of the start.
    serve: false,
    preCompressed: true,
    cacheControl: false,
    lastModified: false,
  });
  const files = await filesOf(directory);
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    setHeaders(reply, directory);
    reply.header('vary', 'accept, accept-encoding').type('text/html; charset=utf-8');
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(page.text);
    return reply.header('content-encoding', 'gzip').send(page.zipped);
  };
  for (const path of ['/', '/index.html']) app.get(path, { schema: { hide: true } }, sendPage);
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    const { '*': path } = request.params as { '*': string };
    if (files.has(path)) return reply.sendFile(path);
    const markdown = markdownOf(request.url);
    if (markdown) reply.header('vary', 'accept');
    if (isPage(request)) return sendPage(request, reply);
    if (!markdown) throw noRoute(request);
    return reply.sendFile(markdown);
  });
};
