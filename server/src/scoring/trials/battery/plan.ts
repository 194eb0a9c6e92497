import { type Bias, biases, type Edit } from '../../../engine/statistics/trial-schema.ts';
import type { EditedCopy } from '../../../evaluation/records/copy.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Owner } from '../../../platform/http/scope.ts';
import { pinnedRecords } from '../pinned-queries.ts';
import { perturb } from './perturb.ts';

/** The pinned records as JSON text, by the numbers of their copies. */
export const listPinnedParts = (sql: Sql, scope: Owner, metricId: bigint) => sql<EditedCopy[]>`
  select pinned.place as n, r.inputs::text, r.expected::text, r.outputs::text
  from (${pinnedRecords(sql, scope, metricId, { seed: null })}) pinned
  join record r on r.run_id = pinned.run_id and r.n = pinned.n and r.organization_id = ${scope.organizationId}
  order by pinned.place`;

const noText = 'no pinned record has a text in its outputs';

/** Why an edit that applies to no pinned record does not. */
export const whyNot: Record<Edit, string> = {
  padding: noText,
  order: 'no pinned record has a list of two or more in its inputs or expectations',
  author: noText,
  authority: noText,
  format: 'no pinned record has a text without code in its outputs',
  language: noText,
};

export const isEdit = (bias: Bias): bias is Edit => bias !== 'selfPreference';

/** The edited copies of each edit that was asked for; none where it does not apply. */
export const planEdits = (asked: readonly Bias[], records: readonly EditedCopy[]) =>
  biases.filter(isEdit).flatMap((edit): { edit: Edit; copies: EditedCopy[] }[] =>
    asked.includes(edit)
      ? [
          {
            edit,
            copies: records.flatMap((record) => {
              const parts = perturb(edit, record, { place: record.n });
              return parts ? [{ ...parts, n: record.n }] : [];
            }),
          },
        ]
      : [],
  );
