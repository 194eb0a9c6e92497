import type { FastifyRequest } from 'fastify';
import { ApiError, methodNotAllowed } from '../errors.ts';
import type { App } from './http.ts';

/** 404 for an unknown path. */
export const noRoute = ({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): ApiError =>
  new ApiError('NOT_FOUND', `There is no ${method} ${url.split('?', 1)[0]}. See /docs.`);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A path with parameters (`/runs/:runId`) as a regular expression. */
const shapeOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part)))
      .join('/')}$`,
  );

/**
 * Returns the error for a request without a route: 405 if its path has other methods, else 404. Call it before the routes
 * are added.
 */
export const unknownPaths = (app: App): ((request: FastifyRequest) => ApiError) => {
  const paths = new Map<string, { shape: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    // Pages are served by wildcards, which would take each path.
    if (url.includes('*')) return;
    const path = paths.get(url) ?? { shape: shapeOf(url), methods: new Set() };
    for (const name of [method].flat()) path.methods.add(name);
    paths.set(url, path);
  });
  return ({ method, url }) => {
    const path = url.split('?', 1)[0]!;
    const allowed = [...paths.values()].filter(({ shape }) => shape.test(path));
    if (allowed.length > 0)
      return methodNotAllowed(method, path, [...new Set(allowed.flatMap(({ methods }) => [...methods]))]);
    return noRoute({ method, url });
  };
};
