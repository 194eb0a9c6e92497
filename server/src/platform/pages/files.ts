import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export type WebFile = {
  body: Buffer;
  /** Undefined for what is compressed by its own format. */
  gzipped: (() => Promise<Buffer>) | undefined;
  type: string;
  etag: string;
};
/** The built pages by their path in the URL. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const compressed = new Set(['.html', '.js', '.css', '.svg']);

/** Gzips when first asked, once: to do it for all files would be a fifth of the start. */
const gzipOnce = (body: Buffer) => {
  let gzipped: Promise<Buffer> | undefined;
  return () => {
    gzipped ??= promisify<Buffer, Buffer>(gzip)(body);
    return gzipped;
  };
};

const load = async (path: string): Promise<WebFile> => {
  const body = await readFile(path);
  const extension = extname(path);
  return {
    body,
    gzipped: compressed.has(extension) ? gzipOnce(body) : undefined,
    type: types[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  };
};

const dist = fileURLToPath(new URL('../../../../web/dist/', import.meta.url));

/**
 * Reads what the build made, a few megabytes that don't change while the service runs; so a path is looked up and never
 * leads anywhere else. Undefined when nothing was built.
 */
export const loadWeb = async (directory = dist): Promise<WebFiles | undefined> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  if (paths.length === 0) return undefined;
  const files = await Promise.all(
    paths.map(
      async (path) => [`/${path.slice(directory.length).replaceAll('\\', '/')}`, await load(path)] as const,
    ),
  );
  return new Map(files);
};
