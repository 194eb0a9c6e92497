/** A connection that failed for a reason that the operator can mend: the message says how. */
export class Unreachable extends Error {
  readonly code: string;
  /** Whether the same may work later without a change of the settings. */
  readonly isPassing: boolean;
  constructor(message: string, code: string, isPassing: boolean, cause: unknown) {
    super(message, { cause });
    this.code = code;
    this.isPassing = isPassing;
  }
}

/** Errors of TLS for a certificate whose authority is unknown here, such as that of a company or of a proxy that inspects TLS traffic. */
const unknownAuthority = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);

/** Returns what to do about a certificate that no known authority signed; undefined for any other error. */
export const untrusted = (code: string | undefined): string | undefined =>
  code && unknownAuthority.has(code)
    ? `its certificate is signed by an authority that this service does not know (${code}): set NODE_EXTRA_CA_CERTS to the file of your authority's certificate and restart (docs/operations.md)`
    : undefined;

/** Returns what to do about a request that failed for such a certificate, by the first cause that has a code. */
export const untrustedBy = (error: unknown): string | undefined => {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: unknown };
  return untrusted(code) ?? (cause ? untrustedBy(cause) : undefined);
};

/** Returns the error of a connection, in words if the proxy or an unknown authority is its cause. `through` is the proxy. */
export const unreachable = (error: NodeJS.ErrnoException, through: string | undefined): Error => {
  const { code } = error;
  const certificate = untrusted(code);
  if (certificate) return new Unreachable(certificate, code!, false, error);
  if (!through || !code) return error;
  if (code === 'ERR_PROXY_TUNNEL') {
    const { statusCode } = error as { statusCode?: number };
    const said = statusCode === undefined ? '' : ` (${statusCode})`;
    const advice = statusCode === 407 ? ': HTTPS_PROXY must hold a user and a password that it accepts' : '';
    return new Unreachable(
      `the proxy ${through} opens no connection to it${said}${advice}`,
      code,
      true,
      error,
    );
  }
  // Before a tunnel stands, these are errors of the way to the proxy.
  if (['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT', 'EAI_AGAIN'].includes(code))
    return new Unreachable(`the proxy ${through} can't be reached (${code})`, code, true, error);
  return error;
};
