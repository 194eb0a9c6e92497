import { readSpanSearch } from '../../evaluation/metrics/span-search.ts';
import { noSpan } from '../../evaluation/scores/requeue.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { RecordKey } from '../../platform/http/ids.ts';
import { chooseSpans } from '../../traces/read/scored-spans.ts';

type Asked = RecordKey & { organizationId: bigint; configId: string; search: string; state: string | null };

/**
 * Finds the records among `wanted` (records with configurations) that people are to score by a metric of spans: those without a score, those
 * that wait, and those that had no span. Reads score_pkey.
 */
const findAsked = (tx: Sql, wanted: Fragment) => tx<Asked[]>`
  select wanted.organization_id as "organizationId", wanted.run_id as "runId", wanted.n, wanted.config_id as "configId",
    config.span_search as search, s.state
  from (${wanted}) wanted
  join metric_config config on config.id = wanted.config_id and config.organization_id = wanted.organization_id
    and config.eval_type = 'human' and config.span_search is not null
  left join score s on s.run_id = wanted.run_id and s.n = wanted.n and s.metric_config_id = wanted.config_id
    and s.organization_id = wanted.organization_id
  where s.state is null or s.state = 'pending' or s.reason = ${noSpan}
  order by 2, 3, 4`;

const store = (tx: Sql, scores: (Asked & { isChosen: boolean })[]) => tx`
  insert into score (organization_id, run_id, n, metric_config_id, state, reason)
  select organization_id, run_id, n, config_id, case when is_chosen then 'pending' else 'unscored' end,
    case when not is_chosen then ${noSpan} end
  from ${rowsOf(
    tx,
    scores.map(({ organizationId, runId, n, configId, isChosen }) => ({
      organizationId,
      runId,
      n,
      configId,
      isChosen,
    })),
    { organization_id: 'bigint', run_id: 'bigint', n: 'integer', config_id: 'uuid', is_chosen: 'boolean' },
  )}
  on conflict (run_id, n, metric_config_id) do update set state = excluded.state, reason = excluded.reason, updated_at = now()`;

/**
 * Makes records wait for people whose spans a metric of people chooses. A record without such a span is unscored: no one can score it.
 * `wanted`: rows of organization_id, run_id, n and config_id.
 */
export const waitForPeople = async (tx: Sql, wanted: Fragment): Promise<void> => {
  const changed: (Asked & { isChosen: boolean })[] = [];
  for (const score of await findAsked(tx, wanted)) {
    const { spans } = await chooseSpans(tx, score, score, readSpanSearch(score.search));
    const isChosen = spans.length > 0;
    if (score.state === null || (score.state === 'pending') !== isChosen)
      changed.push({ ...score, isChosen });
  }
  if (changed.length > 0) await store(tx, changed);
};
