import type { App } from './http.ts';

/** When an operation was deprecated, and the day on which it may end (docs/versions.md). */
export type Deprecation = {
  /** ISO 8601 days. */
  since: string;
  sunset: string;
  /** Path of the operation that takes its place. */
  successor?: string;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    deprecation?: Deprecation;
  }
}

/** The headers of RFC 9745, RFC 8594 and, for the successor, RFC 5829. */
const headersOf = ({ since, sunset, successor }: Deprecation): Record<string, string> => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  sunset: new Date(sunset).toUTCString(),
  ...(successor !== undefined && { link: `<${successor}>; rel="successor-version"` }),
});

/** Marks the routes that have a `deprecation` in openapi.json, and each of their answers with when they end. */
export const tellDeprecations = (app: App): void => {
  app.addHook('onRoute', ({ config, schema }) => {
    if (config?.deprecation && schema) schema.deprecated = true;
  });
  app.addHook('onSend', ({ routeOptions }, reply, payload, done) => {
    const deprecation = routeOptions.config?.deprecation;
    if (deprecation) reply.headers(headersOf(deprecation));
    done(null, payload);
  });
};
