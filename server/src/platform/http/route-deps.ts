import type { Database } from '../db/database.ts';
import type { Writer } from './idempotency.ts';
import type { Pager } from './pagination.ts';

/** What the routes of every room get: the database, the one way to page and the one way to write. */
export type RouteDeps = { db: Database; page: Pager; write: Writer };
