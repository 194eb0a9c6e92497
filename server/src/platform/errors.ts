/** A problem of a request: its place (a JSON Pointer into body or query) and what the value must be. */
export type Issue = { path: string; message: string };

/** HTTP status of each error code. docs/errors.md documents the codes. */
export const statusOf = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  LIMIT_REACHED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof statusOf;

/** An error for the client. Every other error becomes INTERNAL_ERROR, and only the log has its cause. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Record<string, unknown>;
  /** Seconds after which a retry makes sense; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = statusOf[code];
    this.details = options.details ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  toJSON() {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/** 400 with all problems. */
export const invalidAll = (issues: Issue[]) =>
  new ApiError('VALIDATION_ERROR', summary(issues), { details: { issues } });

/** 400 with one problem. `path` is a JSON Pointer; '' is the whole body. */
export const invalid = (path: string, message: string) => invalidAll([{ path, message }]);

const summary = (issues: Issue[]) => {
  const [first] = issues;
  const where = first?.path ? `${first.path} ` : 'The request ';
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more: see details.issues)` : '';
  return `${where}${first?.message ?? 'is not valid for this operation'}${more}.`;
};

/** 404, the same for an id that is unknown, ill-formed or of another organization. */
export const notFound = (resource: string, id: string) =>
  new ApiError(
    'NOT_FOUND',
    `There is no ${resource} with the id '${id}', or it belongs to another organization.`,
  );

/** 405 for a known path; lists the allowed methods. */
export const methodNotAllowed = (method: string, path: string, allowed: string[]) =>
  new ApiError('METHOD_NOT_ALLOWED', `${path} takes ${allowed.join(', ')}, not ${method}. See /docs.`, {
    details: { allowed },
  });

export const unauthorized = (
  message = 'The authentication token is invalid or missing. Send "Authorization: Bearer ak_…".',
) => new ApiError('UNAUTHORIZED', message);

export const forbidden = (message: string) => new ApiError('FORBIDDEN', message);

export const conflict = (message: string, details: Record<string, unknown>) =>
  new ApiError('CONFLICT', message, { details });

/** 422 for a resource beyond the `limit` of a project, with the page that lists all limits. */
export const limitReached = (resources: string, limit: number) =>
  new ApiError(
    'LIMIT_REACHED',
    `A project has at most ${limit} ${resources}. Delete one first; docs/limits.md lists the limits.`,
    { details: { resources, limit, docs: '/guide/limits#projects' } },
  );

export const payloadTooLarge = (limitBytes: number, what = 'The body') =>
  new ApiError('PAYLOAD_TOO_LARGE', `${what} is larger than ${limitBytes} bytes. Send it in smaller parts.`, {
    details: { limitBytes },
  });

/** 413 for a body with more commas, colons and opening brackets than `limitMarks`. */
export const tooManyValues = (limitMarks: number) =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The body holds more than ${limitMarks / 2} keys or ${limitMarks} values. Send it in smaller parts.`,
    { details: { limitMarks } },
  );

export const unsupportedMediaType = (message: string) => new ApiError('UNSUPPORTED_MEDIA_TYPE', message);

export const rateLimited = (retryAfterSeconds: number, what = 'requests with this key') =>
  new ApiError('RATE_LIMITED', `Too many ${what}. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });

export const unavailable = (cause?: unknown) =>
  new ApiError('UNAVAILABLE', 'The database is not available now. Nothing was written; try again shortly.', {
    retryAfterSeconds: 2,
    cause,
  });

/** 503 for a statement that the database has stopped. A repeated search would take as long. */
export const tookTooLong = (cause?: unknown) =>
  new ApiError(
    'UNAVAILABLE',
    'The database has stopped this request: a statement took more than 60 s, or an operator ended it. Nothing was written. Narrow a search by time or by run; try a write again later.',
    { retryAfterSeconds: 30, cause },
  );

/** 503 for a full disk. A retry helps only after the operator has freed space. */
export const outOfSpace = (cause?: unknown) =>
  new ApiError(
    'UNAVAILABLE',
    'The disk is full. Nothing was written. Reading still works; the operator must free space.',
    { retryAfterSeconds: 30, cause },
  );

export const internalError = (cause: unknown) =>
  new ApiError('INTERNAL_ERROR', 'An unexpected error occurred while processing the request.', { cause });
