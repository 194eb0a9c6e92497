/** The path at which the service is, such as `/dokima`; '' at the root. The service writes it into index.html. */
export const base =
  document.querySelector<HTMLMetaElement>('meta[name=dokima-base]')?.content.replace(/^\.?\/$|\/$/, '') ?? '';

/** The address of the service. */
export const serviceUrl = `${window.location.origin}${base}`;
