/**
 * The path at which the service is, such as `/dokima`; '' at the root. The service writes it into index.html. Tests of what has no page
 * load this without a document.
 */
export const base =
  globalThis.document
    ?.querySelector<HTMLMetaElement>('meta[name=dokima-base]')
    ?.content.replace(/^\.?\/$|\/$/, '') ?? '';

/** The address of the service. */
export const serviceUrl = `${globalThis.location?.origin ?? ''}${base}`;
