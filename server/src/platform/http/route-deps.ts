import type { Database } from '../db/database.ts';
import type { Writer } from './idempotency.ts';
import type { Pager } from './pagination.ts';

/** Dependencies of the routes of every room: the database, paging and writing. */
export type RouteDeps = { db: Database; page: Pager; write: Writer };
