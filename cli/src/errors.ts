import { exitCodes } from '../../client/src/gate/check.ts';
import { RulesError } from '../../client/src/gate/rules-error.ts';
import { DokimaError } from '../../client/src/main.ts';

/** Exit codes. Every failure of the command itself is `broken`, so that it cannot be mistaken for a verdict. */
export const exit = {
  ...exitCodes,
  broken: 4,
  wrongVersion: 5,
  wrongJudge: 6,
  interrupted: 130,
} as const;

export const exitMeanings: [number, string][] = [
  [exit.pass, 'done; for gate: pass'],
  [
    exit.worse,
    'gate: worse, or below a required line; drift: drifted; judge battery: biased; judge verify: changed; audit verify: broken; verify: another verdict; eval: the program failed',
  ],
  [exit.inconclusive, 'gate: not enough data to decide; verify: tampered'],
  [
    exit.incomplete,
    'something is missing: unscored or failed scores, testcases, labels, a decision on a rescoring',
  ],
  [exit.broken, 'the command could not do its work; stderr says why and what to do next'],
  [exit.wrongVersion, 'judge verify: a passport of another version'],
  [exit.wrongJudge, 'judge verify: a passport of another judge, or one that was issued too early'],
  [exit.interrupted, 'interrupted by Ctrl-C'],
];

/** An error for the person at the terminal: what is wrong, and the next step. */
export class CliError extends Error {
  readonly next: string | undefined;
  readonly exitCode: number;

  constructor(message: string, next?: string, exitCode: number = exit.broken) {
    super(message);
    this.name = 'CliError';
    this.next = next;
    this.exitCode = exitCode;
  }
}

/** What to do about an error of TLS, by the code that Node gives it. */
const certificateSteps: Record<string, string> = {
  CERT_HAS_EXPIRED: "Renew the service's certificate, and check the clock of this machine.",
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use an address that the certificate names.',
};
for (const code of [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])
  certificateSteps[code] =
    "The certificate is signed by an authority that Node does not know. Set NODE_EXTRA_CA_CERTS to the file of your authority's certificate (PEM), and run the command again.";

/** Returns what is wrong with a service's certificate and what to do; undefined for any other error. */
export const certificateProblem = (error: unknown): { code: string; next: string } | undefined => {
  const { code = '', cause } = (error ?? {}) as { code?: string; cause?: unknown };
  const next = certificateSteps[code];
  if (next) return { code, next };
  return cause ? certificateProblem(cause) : undefined;
};

const nextSteps: Record<string, string> = {
  UNAUTHORIZED: 'Use a valid key: run dokima login, or set DOKIMA_API_KEY.',
  FORBIDDEN: 'Use a key with full access that belongs to a member who may write.',
  NO_ANSWER: 'Check that the service runs and that the address is right: dokima doctor',
  UNAVAILABLE: 'The service runs, but its database cannot do this now. Try again later.',
  NOT_FOUND: 'Check the id, and that the key belongs to the right organization: dokima doctor',
};

/** Converts any error to a message, a next step and an exit code. */
export const describeError = (error: unknown): CliError => {
  if (error instanceof CliError) return error;
  if (error instanceof RulesError) return new CliError(error.message, error.next);
  if (error instanceof DokimaError) {
    const issues = (error.details.issues as { path: string; message: string }[] | undefined) ?? [];
    const lines =
      issues.length > 1 ? issues.map(({ path, message }) => `\n  ${path} ${message}`).join('') : '';
    const id = error.requestId && (error.status ?? 0) >= 500 ? ` (request ${error.requestId})` : '';
    const next = certificateProblem(error)?.next ?? nextSteps[error.code];
    return new CliError(`${error.message}${lines}${id}`, next);
  }
  const { message, code, path } = error as { message?: string; code?: string; path?: string };
  if (code === 'ENOENT') return new CliError(`There is no file ${path ?? ''}.`, 'Check the path.');
  if (code === 'EISDIR') return new CliError('That is a directory, not a file.', 'Check the path.');
  return new CliError(message ?? String(error));
};
