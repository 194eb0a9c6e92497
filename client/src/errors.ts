import { fixes } from './fixes.ts';
import { retryAfterMs } from './retry.ts';

/** An error that the service answered with, or that no answer came. */
export class DokimaError extends Error {
  /** One of the codes of docs/errors.md, `NO_ANSWER` if the service was not reached, or `HTTP_` and the status. */
  readonly code: string;
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** What to do about it; empty if that is not known. */
  readonly fix: string;
  /** More about the error. `details.issues` names each problem of a refused request. */
  readonly details: Record<string, unknown>;
  /** Id of the request in the server's log. */
  readonly requestId: string | undefined;
  /** Milliseconds after which the service expects a retry to succeed; undefined if it gives no time. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: string,
    message: string,
    about: {
      status?: number | undefined;
      details?: Record<string, unknown> | undefined;
      requestId?: string | undefined;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: about.cause });
    this.name = 'DokimaError';
    this.code = code;
    this.fix = fixes[code] ?? (code === 'NO_ANSWER' ? 'Check the address, and that the service runs.' : '');
    this.status = about.status;
    this.details = about.details ?? {};
    this.requestId = about.requestId;
    this.retryAfterMs = about.retryAfterMs;
  }

  /** The problem of the request's body at this JSON Pointer; undefined without one. */
  issueAt(path: string): string | undefined {
    const issues = (this.details.issues ?? []) as { path: string; message: string }[];
    return issues.find((issue) => issue.path === path)?.message;
  }
}

type Body = { code?: unknown; message?: unknown; details?: unknown };

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null;

/** Reads the error of an answer. If the answer is not the service's JSON (a proxy sent it), the code is its HTTP status. */
export const errorOf = (response: Response, text: string, request: string): DokimaError => {
  const about = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
  };
  try {
    const body: unknown = JSON.parse(text);
    if (isBody(body) && typeof body.code === 'string' && typeof body.message === 'string') {
      const details = isBody(body.details) ? (body.details as Record<string, unknown>) : {};
      return new DokimaError(body.code, body.message, { ...about, details });
    }
  } catch {
    // The answer is not the service's JSON.
  }
  const start = text.slice(0, 200).trim();
  return new DokimaError(
    `HTTP_${response.status}`,
    `${request} was answered with ${response.status}${start && `: ${start}`}`,
    about,
  );
};
