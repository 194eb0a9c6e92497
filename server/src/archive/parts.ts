import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { Interval, nullable } from '../engine/statistics/estimate-schema.ts';
import { Drift } from '../engine/statistics/trial-schema.ts';
import { archivedCriteria } from '../evaluation/metrics/criteria.ts';
import { archivedLabels } from '../evaluation/metrics/labels.ts';
import { laneOf, type MetricConfig } from '../evaluation/metrics/queries.ts';
import { archivedRules } from '../evaluation/testsets/schema.ts';
import { FreeForm } from '../platform/http/openapi.ts';
import type { Part } from './part.ts';

const ofConfig = (column: string) =>
  `(select config.${column} from metric_config config where config.id = item.metric_config_id::uuid)`;
const metricOfConfig = { metric_id: ofConfig('metric_id') };

const closed = { additionalProperties: false };
const optional = Type.Optional(Type.String());
const dropped = Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }));
const withAttributes = { attributes: FreeForm(''), droppedAttributesCount: dropped };
const nanoseconds = Type.String({ pattern: '^-?[0-9]{1,20}$' });
const event = Type.Object({ name: Type.String(), timeUnixNano: nanoseconds, ...withAttributes }, closed);
const link = Type.Object(
  { traceId: Type.String(), spanId: Type.String(), traceState: optional, ...withAttributes },
  closed,
);
const spanContent = Type.Object(
  {
    status: Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
    statusMessage: optional,
    traceState: optional,
    ...withAttributes,
    events: Type.Optional(Type.Array(event)),
    links: Type.Optional(Type.Array(link)),
    droppedEventsCount: dropped,
    droppedLinksCount: dropped,
  },
  closed,
);
const spanScope = { name: Type.String(), version: Type.String(), attributes: FreeForm('') };
const spanSource = Type.Object({ resource: FreeForm(''), scope: Type.Object(spanScope, closed) }, closed);
// With the schema of the interval in place of its name, which only the document knows.
const drift = Type.Object({ ...Drift.properties, interval: nullable(Interval.schema, '') });
const issues = Type.Array(Type.Object({ path: Type.String(), message: Type.String() }, closed));

const testcase: Part = {
  table: 'testcase',
  order: 'testset_id n',
  forms: { validation_errors: issues },
};

const past: Part = {
  table: 'testcase_past',
  order: 'testset_id n edition',
  forms: { validation_errors: issues },
};
const snapshot: Part = {
  table: 'testset_snapshot',
  order: 'testset_id n',
  check: 'octet_length(item.hash::bytea) = 32',
};

const config: Part = {
  table: 'metric_config',
  order: 'metric_id id',
  kind: 'config',
  joined: true,
  forms: { criteria: archivedCriteria, labels: archivedLabels },
  computed: {
    lane: ({ eval_type: evalType, guidelines }) => laneOf({ evalType, guidelines } as MetricConfig),
  },
  check: `not exists (select from metric where metric.project_id = $project and metric.current_config_id = item.id::uuid
    and metric.id <> item.metric_id::bigint)`,
};

const version: Part = {
  table: 'system_version',
  order: 'system_id id',
  kind: 'version',
  joined: true,
  check: `not exists (select from system where system.project_id = $project and system.production_version_id = item.id::uuid
    and system.id <> item.system_id::uuid)`,
};

const label: Part = {
  table: 'system_label',
  order: 'system_id name',
  // A version of another system must not get the label.
  check: `not exists (select from system_version version
    where version.id = item.system_version_id::uuid and version.system_id <> item.system_id::uuid)`,
};

const marks: Part[] = [
  { table: 'record_tag', order: 'run_id n text' },
  { table: 'record_assignment', order: 'run_id n assignee_id' },
  { table: 'annotation', order: 'run_id n id', kind: 'annotation' },
  { table: 'annotation_reply', order: 'run_id n annotation_id id' },
  { table: 'record_quote', order: 'run_id n metric_config_id quote' },
];

const scores: Part[] = [
  {
    table: 'score_history',
    order: 'run_id n id',
    check: `item.state in ('scored', 'unscored', 'failed') and (item.state = 'scored') = (item.score is not null)`,
  },
  {
    table: 'review_score',
    order: 'run_id n metric_config_id id',
    // Reviewers stay blind: only admins and reviewers of a pending score see other people's reviews of it.
    visible: `($admin or exists (
      select from score s where s.run_id = t.run_id and s.n = t.n and s.metric_config_id = t.metric_config_id
        and (s.state <> 'pending' or $member = any(s.reviewed_by))))`,
  },
  {
    table: 'score',
    order: 'run_id n metric_config_id',
    // An imported score has no input_hash, so it is not reused for equal questions. It has no due_at until the import is complete.
    derived: {
      lane: ofConfig('lane'),
      reviewed_by: `(
        select array_agg(review.member_id order by review.submitted_at, review.id) from review_score review
        where review.run_id = item.run_id::bigint and review.n = item.n::integer
          and review.metric_config_id = item.metric_config_id::uuid and review.stands)`,
    },
  },
  {
    table: 'span_score_history',
    order: 'run_id n id',
    check: `item.state in ('scored', 'unscored', 'failed') and (item.state = 'scored') = (item.score is not null)
      and octet_length(item.otel_trace_id::bytea) = 16 and octet_length(item.span_id::bytea) = 8`,
  },
  {
    table: 'span_score',
    order: 'run_id n metric_config_id otel_trace_id span_id',
    // Made of spans that masking may change.
    without: ['content_hash'],
    check: 'octet_length(item.otel_trace_id::bytea) = 16 and octet_length(item.span_id::bytea) = 8',
  },
  {
    table: 'review_claim',
    order: 'run_id n metric_config_id member_id',
    visible: 't.skipped_at is not null',
    derived: { expires_at: 'item.skipped_at::timestamptz' },
  },
];

const sample: Part = {
  table: 'review_sample',
  order: 'run_id id',
  kind: 'sample',
  derived: metricOfConfig,
  check: `${ofConfig('eval_type')} = 'human'`,
  children: [
    {
      table: 'review_stratum',
      order: 'sample_id position',
      check: 'item.wave::integer > 0',
    },
    {
      table: 'review_sample_record',
      order: 'sample_id stratum place n',
      check: `item.place::integer between 1 and (
        select stratum.num_records from review_stratum stratum
        where stratum.sample_id = item.sample_id::uuid and stratum.position = item.stratum::integer)`,
    },
  ],
};

const work: Part[] = [
  {
    table: 'execution',
    order: 'run_id n',
    // Two services must not call the same system.
    change: { column: 'state', when: ({ state }) => state === 'pending', to: 'cancelled' },
  },
];

const run: Part = {
  table: 'run',
  order: 'id',
  kind: 'run',
  weight: 't.last_record_n',
  isLarge: true,
  children: [
    { table: 'run_mark', order: 'run_id mark' },
    { table: 'run_verdict', order: 'run_id gate' },
    // With the payments that are not added up yet.
    {
      table: 'run_judging',
      order: 'run_id',
      values: {
        spent_usd: '(select spent_usd from run_spending(t.run_id))',
        unpriced: '(select unpriced from run_spending(t.run_id))',
      },
    },
    { table: 'run_simulation', order: 'run_id' },
    { table: 'run_metric', order: 'run_id position', derived: metricOfConfig },
    { table: 'record', order: 'run_id n' },
    ...marks,
    ...scores,
    sample,
    ...work,
  ],
};

const span: Part = {
  table: 'span',
  order: 'trace_id span_id',
  forms: { content: spanContent },
  packed: true,
  weight: 't.content_bytes',
  check: `octet_length(item.span_id::bytea) = 8 and item.span_id::bytea <> decode(repeat('00', 8), 'hex')
    and (item.parent_span_id is null or octet_length(item.parent_span_id::bytea) = 8)
    and item.kind::integer between 0 and 5
    and item.start_ns::numeric between -9223372036854775808 and 18446744073709551615
    and item.end_ns::numeric between -9223372036854775808 and 18446744073709551615`,
};

const trace: Part = {
  table: 'trace',
  order: 'created_at id',
  // The import counts as their arrival. Otherwise the retention could delete them at once.
  without: ['created_at'],
  check: `octet_length(item.otel_id::bytea) = 16 and item.otel_id::bytea <> decode(repeat('00', 16), 'hex')
    and concat(item.input_order, item.output_order) ~ '^([0-3][0-9]{20}[0-9a-f]{48}){0,2}$'`,
  weight: '(select count(*) from span where span.trace_id = t.id)',
  isLarge: true,
  children: [
    {
      table: 'span_source',
      order: 'id',
      kind: 'source',
      within: 't.id in (select span.source_id from span where span.trace_id = any($owners))',
      repeats: true,
      // Spans name it by the hash of what was exported: masking may change the content.
      computed: {
        hash: ({ content }) => `\\x${createHash('sha256').update(content!).digest('hex')}`,
      },
      forms: { content: spanSource },
    },
    span,
    { table: 'trace_link', order: 'trace_id link' },
  ],
};

const monitor: Part = {
  table: 'monitor',
  order: 'id',
  kind: 'monitor',
  // A monitor must not call models before someone has checked it.
  change: {
    column: 'paused_at',
    when: ({ paused_at, deleted_at }) => paused_at === null && deleted_at === null,
    to: 'now',
  },
  children: [
    { table: 'monitor_metric', order: 'monitor_id position' },
    { table: 'monitor_record', order: 'monitor_id run_id n', visible: 't.decided_at is not null' },
  ],
};

const study: Part = {
  table: 'preference_study',
  order: 'id',
  kind: 'study',
  weight: '(select count(*) from preference_pair pair where pair.study_id = t.id)',
  children: [
    { table: 'preference_run', order: 'study_id position' },
    {
      table: 'preference_pair',
      order: 'study_id n',
      // A model is not asked before someone has checked it.
      change: { column: 'state', when: ({ state }) => state === 'pending', to: 'unasked' },
    },
    { table: 'preference_vote', order: 'study_id n left_run created_at' },
  ],
};

const trial: Part = {
  table: 'trial',
  order: 'metric_id n',
  kind: 'trial',
  owners: 'metric',
  derived: metricOfConfig,
  weight: '(select count(*) from proposed_score proposed where proposed.trial_id = t.id)',
  children: [
    { table: 'trial_candidate', order: 'trial_id position', derived: metricOfConfig, forms: { drift } },
    { table: 'trial_run', order: 'trial_id position' },
    { table: 'trial_rescoring', order: 'trial_id' },
    {
      table: 'proposed_score',
      order: 'trial_id n',
      derived: { lane: ofConfig('lane'), due_at: 'null::timestamptz' },
    },
  ],
};

/** The tables in an archive, in the order of its lines: a row comes after the rows that it names. */
export const parts: readonly Part[] = [
  // Masking is set before the import, which then masks: its settings stay. Records keep their age, so the retention of records
  // is set after the import.
  { table: 'project_settings', order: 'project_id', without: ['masking', 'record_days'], repeats: true },
  {
    table: 'testset',
    order: 'id',
    kind: 'testset',
    // An archive has no fresh testcases, so their numbers begin again.
    without: ['last_fresh_n'],
    forms: { split_rules: archivedRules },
    children: [testcase, past, snapshot],
  },
  { table: 'metric', order: 'id', kind: 'metric', weight: '100', children: [config] },
  { table: 'judge_people', order: 'metric_id' },
  {
    table: 'metric_group',
    order: 'id',
    kind: 'group',
    weight: '100',
    children: [{ table: 'metric_group_metric', order: 'metric_group_id position' }],
  },
  { table: 'system', order: 'created_at id', kind: 'system', weight: '100', children: [version, label] },
  run,
  study,
  trace,
  { table: 'trace_run', order: 'day suite execution' },
  monitor,
  { table: 'saved_view', order: 'id', visible: '(t.shared or t.member_id = $member)' },
  { table: 'pinned_set', order: 'metric_id', owners: 'metric', derived: metricOfConfig },
  { table: 'pinned_label', order: 'metric_id place', owners: 'metric' },
  trial,
];
