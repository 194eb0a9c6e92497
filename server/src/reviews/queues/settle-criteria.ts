import { type Criterion, type CriterionVerdict, criteriaOf, weigh } from '../../../../client/src/criteria.ts';
import { storedCriteria } from '../../evaluation/metrics/criteria.ts';
import type { Stated } from '../../evaluation/scores/made-by.ts';
import { membersOf, withMembers } from '../../evaluation/scores/score-criteria.ts';
import type { Fragment, Sql } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';

/** A review of a score by criteria. */
export type CriteriaReview = { memberId: string; score: RawJson };

type Reviewed = {
  runId: bigint;
  n: number;
  configId: string;
  criteria: string;
  expected: string | null;
  /** JSON of `CriteriaReview[]`, the newest first; each score is text, so that its digits stay. */
  reviews: string;
  maker: Stated;
};

/** The maker of a label by those of its reviews: a model if one is a model's, and a person only if all are people's. `over`: a window, or nothing. */
export const makerOfReviews = (sql: Sql, over: Fragment) => sql`
  case when bool_or(review.made_by = 'model') ${over} then 'model'
    when bool_and(review.made_by = 'person') ${over} then 'person' else 'client' end`;

/** The current reviews of each score by criteria that has enough of them. */
const findReviewed = (
  tx: Sql,
  scope: Scope,
  numReviewers: number,
  which: { reviews: Fragment; scores: Fragment },
) => tx<Reviewed[]>`
  select review.run_id as "runId", review.n, review.metric_config_id as "configId", config.criteria::text as criteria,
    case when (config.criteria ->> 'fromExpected')::boolean then (
      select r.expected::text from record r
      where r.run_id = review.run_id and r.n = review.n and r.organization_id = ${scope.organizationId}) end as expected,
    json_agg(json_build_object('memberId', review.member_id, 'score', review.score::text)
      order by review.submitted_at desc, review.id desc)::text as reviews,
    ${makerOfReviews(tx, tx``)} as maker
  from review_score review
  join metric_config config on config.id = review.metric_config_id and config.organization_id = ${scope.organizationId}
    and config.criteria is not null
  join score s on s.run_id = review.run_id and s.n = review.n and s.metric_config_id = review.metric_config_id
    and s.organization_id = ${scope.organizationId} and ${which.scores}
  where review.organization_id = ${scope.organizationId} and review.stands and ${which.reviews}
  group by review.run_id, review.n, review.metric_config_id, config.id
  having count(*) >= ${numReviewers}`;

type Said = { memberId: string; score: RawJson; met: Map<string, boolean> };

const saidIn = ({ memberId, score }: CriteriaReview): Said => {
  const { criteria } = parseJson(score) as { criteria?: CriterionVerdict[] };
  return {
    memberId,
    score,
    met: new Map(
      (Array.isArray(criteria) ? criteria : []).flatMap((verdict) =>
        'met' in verdict ? [[verdict.id, verdict.met]] : [],
      ),
    ),
  };
};

/** The majority on one criterion. A tie counts as the verdict that lowers the score, as the median of two scores is the lower one. */
const majority = ({ id, weight }: Criterion, all: readonly Said[]): CriterionVerdict => {
  const said = all.flatMap(({ met }) => met.get(id) ?? []);
  const yes = said.filter(Boolean).length;
  if (said.length === 0) return { id, state: 'unscored', why: 'no reviewer gave a verdict' };
  const met = yes * 2 === said.length ? weight < 0 : yes * 2 > said.length;
  return { id, met, ...(said.length > 1 && { yes, of: said.length }) };
};

/**
 * Makes one score of several reviews, the newest first: the majority on each criterion. Everything else is of the review whose verdicts
 * differ least from it. Undefined if a criterion has no verdict.
 */
export const majorityOf = (
  criteria: readonly Criterion[],
  reviews: readonly CriteriaReview[],
): { score: RawJson; value: number; memberId: string } | undefined => {
  const all = reviews.map(saidIn);
  const verdicts = criteria.map((criterion) => majority(criterion, all));
  const weighed = weigh(criteria, verdicts);
  if ('unscored' in weighed) return undefined;
  const distance = ({ met }: Said) =>
    verdicts.filter((verdict) => 'met' in verdict && met.get(verdict.id) !== verdict.met).length;
  const closest = all.reduce((best, each) => (distance(each) < distance(best) ? each : best));
  const { criteria: own } = parseJson(closest.score) as { criteria?: CriterionVerdict[] };
  const merged = verdicts.map((verdict) => {
    const same = own?.find(
      (each) => each.id === verdict.id && 'met' in each && 'met' in verdict && each.met === verdict.met,
    );
    return { ...same, ...verdict };
  });
  return {
    score: withMembers(membersOf(weighed, merged), closest.score),
    value: weighed.value,
    memberId: closest.memberId,
  };
};

/** Scores that are written by one statement. */
const atOnce = 500;

/**
 * Sets each score by criteria that has enough reviews to the majority on each criterion (docs/decisions/0231). Returns the number of scores.
 */
export const settleCriteria = async (
  tx: Sql,
  scope: Scope,
  numReviewers: number,
  which: { reviews: Fragment; scores: Fragment },
): Promise<number> => {
  const settled = (await findReviewed(tx, scope, numReviewers, which)).flatMap((reviewed) => {
    const expected = reviewed.expected === null ? undefined : parseJson(reviewed.expected);
    const found = criteriaOf(storedCriteria(reviewed.criteria)!, expected);
    const reviews = parseJson(reviewed.reviews) as CriteriaReview[];
    const chosen = 'criteria' in found ? majorityOf(found.criteria, reviews) : undefined;
    return chosen ? [{ ...reviewed, ...chosen, reviewerIds: reviews.map(({ memberId }) => memberId) }] : [];
  });
  for (let i = 0; i < settled.length; i += atOnce) {
    const some = settled.slice(i, i + atOnce).map(({ runId, reviewerIds, ...review }) => ({
      ...review,
      runId: String(runId),
      evidence: JSON.stringify({ rule: 'majority', reviewerIds }),
    }));
    const columns = {
      run_id: 'bigint',
      n: 'integer',
      config_id: 'uuid',
      score: 'text',
      value: 'double precision',
      member_id: 'uuid',
      evidence: 'text',
      maker: 'text',
    } as const;
    await tx`
      update score s set
        state = 'scored', score = chosen.score::json, value = chosen.value, validation_errors = null, reason = null,
        scored_by = chosen.member_id, made_by = chosen.maker, sent = false, updated_at = now(), evidence = chosen.evidence::json
      from ${rowsOf(tx, some, columns, { as: 'chosen' })}
      where s.run_id = chosen.run_id and s.n = chosen.n and s.metric_config_id = chosen.config_id
        and s.organization_id = ${scope.organizationId}`;
  }
  return settled.length;
};
