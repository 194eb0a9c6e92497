import { Type } from 'typebox';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { oneOf } from '../../platform/one-of.ts';

/** Who can make a label: a person, a client that does not say who did, or a model. */
const stated = ['person', 'client', 'model'] as const;
export type Stated = (typeof stated)[number];

/** Who makes a score: a label's maker, or the code of a metric. */
export const makers = [...stated, 'code'] as const;

/** What a sender says about the maker. */
export const StatedMaker = Type.Optional(
  oneOf(
    stated,
    'Who made it. Default: `person` if it is sent in a browser session or with `userId`, else `client`. Labels made by models never calibrate a judge.',
  ),
);

export const MadeBy = Type.Union([oneOf(makers), Type.Null()], {
  description:
    'Who made the score: a person, a client that did not say who did, a model, or code. Null without a score.',
});

/** The maker of a row that a member gave. A session is a person's; what comes with a key says it, or a client made it. */
export const makerOf = (scope: Scope, said: Stated | undefined): Stated =>
  said ?? (scope.signInId === null ? 'client' : 'person');

/** The maker that a score's author implies: who names a member says that this person gave it. */
export const makerOfMember = (userId: string | undefined, said: Stated | undefined): Stated | undefined =>
  said ?? (userId === undefined ? undefined : 'person');

/** The maker of a score that a member gave, as SQL; null for a score of the service's workers. `s` is a row of score or span_score. */
export const givenBy = (sql: Sql, s: Fragment = sql`s`): Fragment => sql`
  coalesce(${s}.made_by, case when ${s}.scored_by is null then null when ${s}.in_session then 'person' else 'client' end)`;

/** The maker of any score, as SQL, beside its configuration `config`. */
export const madeBy = (sql: Sql, s: Fragment = sql`s`): Fragment => sql`
  case when ${s}.state <> 'scored' then null
    else coalesce(${givenBy(sql, s)}, case config.eval_type when 'ai' then 'model' when 'heuristic' then 'code' else 'client' end) end`;

/** The maker of a replaced score `h`. Its configuration is `config`. */
export const replacedMadeBy = (sql: Sql): Fragment => sql`
  case when h.state <> 'scored' then null
    else coalesce(h.made_by, case config.eval_type when 'ai' then 'model' when 'heuristic' then 'code' else 'client' end) end`;
