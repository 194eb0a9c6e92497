import type { FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '../platform/http/base-path.ts';

export type Cookie = {
  /** Returns its value in a request; undefined without one. */
  read: (request: FastifyRequest) => string | undefined;
  set: (request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number) => void;
};

/**
 * Opens a cookie that scripts cannot read and forms of other sites cannot send. Over https the browser guards its name, and the plain
 * name is not read: `__Host-` keeps the neighbours of a domain from planting it, but it demands the path `/`. Below a base path that would
 * send it to all applications of the host, so it is `__Secure-` there, which browsers take over https only.
 * `below` is its path under the base path, where the prefix allows one.
 */
export const openCookie = (plainName: string, publicUrl: string | undefined, below = ''): Cookie => {
  const basePath = basePathOf(publicUrl);
  const kind = (name: string, path: string, flags: string) => ({
    name,
    pattern: new RegExp(`(?:^|;\\s*)${name}=([\\w.-]+)`),
    attributes: `Path=${path || '/'}; HttpOnly; SameSite=Lax${flags}`,
  });
  const plain = kind(plainName, basePath + below, '');
  const secure = basePath
    ? kind(`__Secure-${plainName}`, basePath + below, '; Secure')
    : kind(`__Host-${plainName}`, '/', '; Secure');
  const isPublicHttps = publicUrl?.startsWith('https:') ?? false;
  const kindFor = ({ headers }: FastifyRequest) =>
    isPublicHttps || headers['x-forwarded-proto'] === 'https' ? secure : plain;
  return {
    read: (request) => kindFor(request).pattern.exec(request.headers.cookie ?? '')?.[1],
    set: (request, reply, value, maxAgeSeconds) => {
      const { name, attributes } = kindFor(request);
      reply.header('set-cookie', `${name}=${value}; ${attributes}; Max-Age=${maxAgeSeconds}`);
    },
  };
};
