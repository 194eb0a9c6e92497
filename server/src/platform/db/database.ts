import postgres from 'postgres';

/** Runs SQL: a pooled connection, a reserved one, or a transaction. int8 comes back as bigint, json must be read as text. */
export type Sql = postgres.ISql<{ bigint: bigint }>;
/** A part of a statement. */
export type Fragment = postgres.Fragment;
/** A statement that has not run yet. */
export type Statement<T> = postgres.PendingQuery<T[] & postgres.MaybeRow[]>;

/**
 * The rows of a finished statement, which is left without them. While one old statement has not been collected, V8's collector of
 * young objects keeps the later ones too, and with them all that was read: 170 KB a page of records (docs/decisions/0045).
 */
export const takeRows = <T extends object>(result: (T & postgres.MaybeRow)[]): T[] => result.splice(0);

/** Tenant whose rows a transaction may see: one organization, or all of them for the service's own work. */
export type Tenant = {
  organizationId: bigint | '*';
  /** For deletions: they may use most of the space that is reserved for a full disk. */
  frees?: boolean;
  /** Reads one state of the database, and fails with class 40 if another transaction changes a row that this one changes too. */
  isSnapshot?: boolean;
};

/** The service itself: authentication, background work, the first start. Sees every organization. */
export const system: Tenant = { organizationId: '*' };

export type Engine = 'embedded' | 'server';

/** Tells processes on one database that there may be work. A hint may get lost, so listeners poll too. */
export type Hints = {
  /** Tells the other processes, a moment later and once for all calls of that moment. */
  send: () => void;
  /** Calls the function at each hint of another process, until the database is closed. */
  hear: (heard: () => void) => void;
  /** Whether hints are heard now. */
  areHeard: () => boolean;
};

/** Long reads that went to the replica, and those that went to the primary instead. */
export type ReplicaReads = { replica: number; primary: number };

/** The only access to the database, the same for both engines. */
export type Database = {
  readonly engine: Engine;
  /** Place of its rows, for the lines that a start prints. */
  readonly description: string;
  /** Runs one statement, seeing only the tenant's rows. */
  read<T extends object>(tenant: Tenant, statement: (sql: Sql) => Statement<T>): Promise<T[]>;
  /**
   * The same for a statement that reads a few rows by their keys. Statements at the same time are sent together, and each waits for the
   * ones before it, so none may take longer than a millisecond or two.
   */
  lookUp<T extends object>(tenant: Tenant, statement: (sql: Sql) => Statement<T>): Promise<T[]>;
  /** Runs `work` in a transaction: commits its changes, or none of them if it throws. Sees only the tenant's rows. */
  transaction<T>(tenant: Tenant, work: (tx: Sql) => Promise<T>): Promise<T>;
  /**
   * A transaction whose statements are all known before it begins: `work` must send every statement before it awaits one. They
   * travel in one message with the beginning and the commit.
   */
  batch<T>(tenant: Tenant, work: (tx: Sql) => Promise<T>): Promise<T>;
  /** Copies the files of the database into a directory, as one snapshot. Only the embedded engine does. */
  copyTo?: (directory: string) => Promise<void>;
  /** Tells the other processes on this database that there may be work. Only on a server that is reached without a pooler. */
  hints?: Hints;
  /** Numbers of statements and transactions that run and wait now, on a server. */
  load?: () => { running: number; waiting: number };
  /** Reads of analyses and exports on a replica. Only where there is one. */
  replica?: { read: Database['read']; reads: ReplicaReads };
  /** Ends the connections after the statements under way. */
  close(): Promise<void>;
};

/** Returns the database for long reads: on the replica, where there is one. */
export const readingReplica = (db: Database): Database =>
  db.replica ? { ...db, read: db.replica.read } : db;

export const clientOptions = {
  types: { bigint: postgres.BigInt },
  onnotice: () => {},
} as const;

export type Pool = postgres.Sql<{ bigint: bigint }>;

/**
 * The statement that sets the tenant of the transaction. An organization's id is a bigint or '*', so it can be a part of the text: one
 * message instead of a prepared statement.
 */
export const setTenant = ({ organizationId }: Tenant) =>
  `set local dokima.organization = '${organizationId}'`;

const connectionErrors = new Set([
  'BEGIN_REFUSED',
  'CONNECT_REFUSED',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code);

/** Whether an error says that the connection has ended, or is about to: PostgreSQL's classes 08 and 57P (shutdown). */
export const isConnectionLost = (error: unknown): boolean =>
  connectionErrors.has(codeOf(error)) || /^(08|57P)/.test(codeOf(error));

/**
 * Whether an error says that the database is unavailable now, and not that a statement was wrong. Nothing was written.
 * Beside lost connections, PostgreSQL's classes 40 (deadlock) and 53 (out of resources), a statement that was stopped (57014:
 * what it waited for is locked, or it took too long), and a server that only reads (25006, as after a failover).
 */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionLost(error) || /^(25006|40|53|57014)/.test(codeOf(error));

/** Whether an error says that a statement was stopped: it took too long, or waited too long for a lock. */
export const isStopped = (error: unknown): boolean => codeOf(error) === '57014';

/** Whether an error is a unique violation (of that constraint, when one is named). */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  error instanceof postgres.PostgresError &&
  error.code === '23505' &&
  (constraint === undefined || error.constraint_name === constraint);

/**
 * Whether an error says that PostgreSQL ended the transaction because it and others waited for each other (class 40). Nothing
 * was written, and the others have gone on.
 */
export const isDeadlock = (error: unknown): boolean => /^40/.test(codeOf(error));

/** The run or project that a transaction was about to write to was deleted since it was read. */
export class ParentDeleted extends Error {}

/**
 * Whether an error comes from a concurrent transaction: the parent of a row was deleted after it was read, or two transactions
 * waited for each other. A retry sees the other's result.
 */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof ParentDeleted || isDeadlock(error) || codeOf(error) === '23503';

/** Whether an error says that the member who acts no longer exists. */
export const isMemberGone = (error: unknown): boolean =>
  error instanceof postgres.PostgresError &&
  error.code === '23503' &&
  error.constraint_name?.endsWith('_member_id_fkey') === true;
