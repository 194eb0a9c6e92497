import type { Sql } from '../../platform/db/database.ts';

/** How long a session lasts after its sign-in, and how long without use. */
export type SessionLimits = {
  hours: number;
  /** 0: no limit. */
  idleMinutes: number;
};

export const sessionLimits = (config: {
  DOKIMA_SESSION_HOURS: number;
  DOKIMA_SESSION_IDLE_MINUTES: number;
}): SessionLimits => ({
  hours: config.DOKIMA_SESSION_HOURS,
  idleMinutes: config.DOKIMA_SESSION_IDLE_MINUTES,
});

/** When the session `made` ends, however much it is used. */
export const endOf = (sql: Sql, { hours }: SessionLimits) =>
  sql`made.signed_in_at + make_interval(hours => ${hours}::int)`;

/**
 * Whether a row of `sign_in` is still a session. The settings of now decide, so that a shorter limit ends older sessions too. The last use
 * is noted once a minute: an idle session ends up to a minute late, never early.
 */
export const isOpen = (sql: Sql, { hours, idleMinutes }: SessionLimits) => sql`
  (sign_in.signed_in_at > now() - make_interval(hours => ${hours}::int)
    and (${idleMinutes}::int = 0 or sign_in.last_used_at > now() - make_interval(mins => ${idleMinutes}::int + 1)))`;
