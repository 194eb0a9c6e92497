/** First parts of the service's own paths. A base path that begins with one is ambiguous: a request below it may be one to the service's own path. */
const own = new Set(
  'api otel v1 scim sso mcp docs assets guide projects settings sign-in welcome healthz readyz metrics'.split(
    ' ',
  ),
);

/** Returns the path of DOKIMA_PUBLIC_URL, such as `/dokima`; '' if it has none. */
export const basePathOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

/** Whether the service can be at this path of an address. */
export const isBasePath = (path: string): boolean =>
  path === '' || (/^(\/[\w~-][\w.~-]*)+$/.test(path) && !own.has(path.split('/')[1]!));

/** Returns the function that takes the base path off a URL. A proxy that has taken it off already changes nothing. */
export const withoutBasePath =
  (base: string) =>
  (url: string): string => {
    if (base === '' || !url.startsWith(base)) return url;
    const rest = url.slice(base.length);
    if (rest === '' || rest.startsWith('?')) return `/${rest}`;
    return rest.startsWith('/') ? rest : url;
  };
