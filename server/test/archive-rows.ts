import { createHash } from 'node:crypto';
import { end, header, linesOf, type Row } from './archive-lines.ts';

const at = '2026-01-01T00:00:00.123456+00:00';
/** A UUID v7 of its own for each number. */
export const idOf = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [human, code, version, annotation, sample, rescoring, monitor, succession] = [
  1, 2, 3, 4, 5, 6, 7, 8,
].map(idOf);

const judged = { prompt_template: null, eval_model_name: null, temperature: null };
const config = {
  output_type: 'boolean',
  ...judged,
  passing_threshold: null,
  created_at: at,
  judge_repeats: 1,
  jury_models: [],
};
const unknownCost = { cost_usd: null, input_tokens: null, output_tokens: null };
const guidelines = 'function score() { return true }';
/** Larger than the ids that the database of a test has, so that none of them is by chance that of another project. */
export const numbers = { testset: 900_010, human: 900_020, code: 900_021, run: 900_030, second: 900_031 };
const ofRecord = { run_id: numbers.run, n: 1 };
const verdict = { state: 'scored', score: { binaryScore: true }, reason: null, evidence: { a: 1.5 } };
const content = { status: 0, attributes: { a: 1 } };
const source = { resource: {}, scope: { name: 's', version: '1', attributes: {} } };
const traceId = 'ab'.repeat(16);

/** An archive with a row of each part, by a person. */
export const archiveRows = (userId: string): Row[] => [
  header,
  { part: 'member', id: userId, email: 'unknown@example.org' },
  { part: 'project_settings', trace_days: 9 },
  {
    ...{ part: 'testset', id: numbers.testset, name: 'T', description: '', json_schema: { type: 'object' } },
    ...{ input_fields: ['q'], expected_fields: [], metadata_fields: [], last_testcase_n: 7, created_at: at },
    grouping_field: null,
  },
  {
    ...{
      part: 'testcase',
      testset_id: numbers.testset,
      n: 5,
      revision: 2,
      json_data: { q: 1 },
      created_at: at,
    },
    ...{ validation_errors: [{ path: '/q', message: 'must be text' }], updated_at: at },
  },
  {
    ...{ part: 'metric', id: numbers.human, name: 'Human', description: null, current_config_id: human },
    ...{ created_at: at, deleted_at: null, reviewers: 2, review_rule: 'majority' },
  },
  {
    ...{ part: 'metric', id: numbers.code, name: 'Code', description: 'd', current_config_id: code },
    ...{ created_at: at, deleted_at: null, reviewers: 1, review_rule: 'latest' },
  },
  {
    part: 'metric_config',
    id: human,
    metric_id: numbers.human,
    eval_type: 'human',
    guidelines: '',
    ...config,
  },
  { part: 'metric_config', id: code, metric_id: numbers.code, eval_type: 'heuristic', guidelines, ...config },
  {
    ...{ part: 'system', id: idOf(40), name: 'S', description: '', production_version_id: version },
    ...{ created_at: at, deleted_at: null, protected_labels: [] },
  },
  {
    part: 'system_version',
    id: version,
    system_id: idOf(40),
    name: 'v',
    config: { a: 1 },
    note: '',
    created_at: at,
  },
  { part: 'system_label', system_id: idOf(40), name: 'staging', system_version_id: version, updated_at: at },
  {
    ...{
      part: 'run',
      id: numbers.run,
      kind: 'evaluation',
      testset_id: numbers.testset,
      system_version_id: version,
      num_expected_records: 3,
    },
    ...{ last_record_n: 4, name: '', origin: 'tool: 1', notes: 'n', tags: [], created_at: at },
  },
  {
    ...{
      part: 'run',
      id: numbers.second,
      kind: 'trial',
      testset_id: null,
      system_version_id: null,
      num_expected_records: null,
    },
    ...{ last_record_n: 0, name: '', origin: null, notes: '', tags: [], created_at: at },
  },
  { part: 'run_mark', run_id: numbers.run, mark: 'main', created_at: at },
  {
    ...{ part: 'run_verdict', run_id: numbers.run, gate: 'dokima.yaml', outcome: 'worse' },
    ...{ baseline_run_id: numbers.run, against: 'run 1', reason: 'Right: falls', decided_at: at },
  },
  { part: 'run_judging', run_id: numbers.run, budget_usd: 2, spent_usd: 0.5, stopped_at: null, unpriced: 1 },
  { part: 'run_metric', run_id: numbers.run, position: 1, metric_config_id: human, sampled: false },
  {
    ...{
      part: 'record',
      ...ofRecord,
      testset_id: numbers.testset,
      testcase_n: 5,
      testcase_revision: 2,
      inputs: { q: 1 },
    },
    ...{ expected: {}, outputs: { a: 1 }, otel_link_id: 'l', session_id: 's' },
    ...{ origin_run_id: numbers.run, origin_n: 7, created_at: at },
  },
  {
    ...{ part: 'record_tag', id: idOf(50), ...ofRecord, text: 'tag', source: 'user', member_id: userId },
    created_at: at,
  },
  {
    ...{ part: 'record_assignment', id: idOf(51), ...ofRecord, assignee_id: userId, assigned_by: userId },
    created_at: at,
  },
  {
    ...{ part: 'annotation', id: annotation, ...ofRecord, span_id: null, rating: true, comment: '' },
    ...{ member_id: userId, created_at: at, updated_at: at, passage: null, resolved_at: at },
    resolved_by: userId,
  },
  {
    ...{ part: 'annotation_reply', id: idOf(52), ...ofRecord, annotation_id: annotation, comment: 'Yes.' },
    ...{ member_id: userId, created_at: at, updated_at: null },
  },
  {
    ...{ part: 'score_history', ...ofRecord, metric_config_id: human, ...verdict, scored_by: userId },
    ...{ scored_at: at, replaced_at: at },
  },
  {
    ...{ part: 'review_score', id: idOf(53), ...ofRecord, metric_config_id: human, member_id: userId },
    ...{ score: { binaryScore: true }, blind: true, stands: true, undone_at: null, submitted_at: at },
  },
  {
    ...{ part: 'score', ...ofRecord, metric_config_id: human, ...verdict, scored_by: userId },
    ...{ created_at: at, updated_at: at, attempts: 1, last_error: null, ...unknownCost },
  },
  { part: 'review_claim', ...ofRecord, metric_config_id: human, member_id: userId, skipped_at: at },
  {
    ...{ part: 'review_sample', id: sample, run_id: numbers.run, metric_config_id: human, seed: 3 },
    ...{
      strata_of: 'metricId',
      strata_name: String(numbers.code),
      allocation: 'equal',
      created_by: userId,
      created_at: at,
    },
  },
  {
    ...{ part: 'review_stratum', sample_id: sample, position: 1, wave: 1, value: 'pass', num_records: 2 },
    num_drawn: 1,
  },
  { part: 'review_sample_record', ...ofRecord, sample_id: sample, stratum: 1, place: 1 },
  {
    ...{ part: 'execution', run_id: numbers.run, n: 1, testcase_n: 5, trial: 1, state: 'done', attempts: 1 },
    ...{
      last_error: null,
      record_n: 1,
      latency_ms: 5,
      ...unknownCost,
      user_cost_usd: 0.25,
      evidence: null,
      updated_at: at,
    },
  },
  {
    ...{ part: 'trace', otel_id: `\\x${traceId}`, session_id: 's', linked: false, ...ofRecord },
    ...{ input_order: null, output_order: null, provisional: false, user_id: 'u', start_ns: 1, end_ns: 2 },
    ...{ num_spans: 1, num_errors: 0, input_tokens: 3, output_tokens: 4, cost_usd: 0.5 },
    ...{ root_order: 'r', name: 'S', service: '', model: null, input: 'i', output: 'o' },
  },
  { part: 'span_source', content: source },
  {
    ...{ part: 'span', trace_id: traceId, span_id: `\\x${'cd'.repeat(8)}`, parent_span_id: null },
    ...{ source_id: createHash('sha256').update(JSON.stringify(source)).digest('hex'), link: null },
    ...{ name: 'S', service: '', kind: 1, operation: null, model: null, failed: false },
    ...{ start_ns: 1, end_ns: 2, input_tokens: 3, output_tokens: 4, cost_usd: 0.5, content },
  },
  { part: 'trace_link', link: 'l', trace_id: traceId },
  { part: 'trace_run', day: '2026-01-01', run_id: numbers.run },
  {
    ...{ part: 'monitor', id: monitor, name: 'M', sampling_rate: 0.5, settle_seconds: 60, service: null },
    ...{ span_name: null, model: null, error: null, tag: null, min_duration_ms: null, defined_at: at },
    ...{ paused_at: at, deleted_at: null, created_at: at },
  },
  {
    ...{ part: 'preference_study', id: idOf(60), name: 'P', criterion: 'C', seed: 1, judge_model: 'm' },
    ...{ budget_usd: 1, spent_usd: 0.5, stopped_at: null, created_by: userId, created_at: at },
  },
  { part: 'preference_run', study_id: idOf(60), position: 1, run_id: numbers.run },
  { part: 'preference_run', study_id: idOf(60), position: 2, run_id: numbers.second },
  {
    ...{ part: 'preference_pair', study_id: idOf(60), n: 1, unit: 1, run_a: 1, n_a: 1, run_b: 2, n_b: 1 },
    ...{ state: 'scored', attempts: 1, last_error: null, cost_usd: 0.5, partial_verdict: null },
  },
  {
    ...{ part: 'preference_vote', study_id: idOf(60), n: 1, member_id: userId, left_run: 1, preferred: 2 },
    ...{ rating_shown: null, rating_swapped: null, comment: '', evidence: null, created_at: at },
  },
  {
    ...{ part: 'preference_vote', study_id: idOf(60), n: 1, member_id: null, left_run: 1, preferred: null },
    ...{ rating_shown: 1, rating_swapped: 1, comment: 'C', evidence: { shown: {} }, created_at: at },
  },
  { part: 'judge_people', metric_id: numbers.code, people_metric_id: numbers.human },
  { part: 'metric_group', id: numbers.run, name: 'G', description: '', created_at: at, updated_at: at },
  { part: 'metric_group_metric', metric_group_id: numbers.run, position: 1, metric_id: numbers.human },
  { part: 'monitor_metric', monitor_id: monitor, position: 1, metric_id: numbers.human },
  {
    ...{ part: 'monitor_record', ...ofRecord, monitor_id: monitor, decided_at: at, drawn: true },
    ...{ inclusion_probability: 0.5, spans: 2, ends: 12345 },
  },
  {
    ...{ part: 'saved_view', id: idOf(54), member_id: userId, name: 'V', shared: true },
    ...{
      search: `run:${numbers.run} "run:${numbers.run}"`,
      display: { order: [`score.${numbers.human}`] },
      created_at: at,
      updated_at: at,
    },
  },
  {
    ...{ part: 'pinned_set', metric_config_id: code, served_models: ['m'], source: 'metric' },
    ...{ automatic: false, pinned_by: userId, pinned_at: at },
  },
  {
    part: 'pinned_label',
    metric_id: numbers.code,
    ...ofRecord,
    place: 1,
    human_passed: true,
    judge_passed: false,
  },
  {
    ...{ part: 'trial', id: succession, n: 7, kind: 'succession', run_id: null, metric_config_id: code },
    ...{ margin: 0.05, seed: null, created_by: userId, created_at: at },
    ...{ outcome: 'adopted', ended_by: userId, ended_at: at, adopted_config_id: code, evidence: {} },
  },
  {
    ...{ part: 'trial', id: rescoring, n: 8, kind: 'rescoring', run_id: numbers.run, metric_config_id: code },
    ...{ margin: null, seed: null, created_by: userId, created_at: at },
    ...{ outcome: 'discarded', ended_by: userId, ended_at: at, adopted_config_id: null, evidence: null },
  },
  {
    ...{ part: 'trial_candidate', trial_id: succession, metric_config_id: code, position: 1, how: 'model' },
    ...{ run_id: numbers.second, due_models: [], drift: null },
  },
  { part: 'trial_run', trial_id: succession, position: 1, run_id: numbers.run },
  {
    ...{ part: 'trial_rescoring', trial_id: rescoring, metric_config_id: code, record_numbers: [1] },
    ...{ sample_size: 2, sample_seed: 5, extended: true, summary: { numRecords: 1 } },
  },
  {
    ...{ part: 'proposed_score', ...ofRecord, metric_config_id: code, trial_id: rescoring, ...verdict },
    ...{ attempts: 1, last_error: null, ...unknownCost, created_at: at, updated_at: at, applied: null },
    ...{ before_config_id: human, before_state: 'scored', before_score: {}, before_reason: null },
    ...{ before_value: 0, before_given: false },
  },
  end,
];

export const partsOf = (rows: Row[]): string[] => [...new Set(rows.map(({ part }) => part as string))];
/** The parts that are tables. */
export const dataParts = (rows: Row[]): string[] =>
  partsOf(rows).filter((part) => !['archive', 'member', 'end'].includes(part));

/** An archive with the first row of a part changed, and the number of its line. */
export const changed = (rows: Row[], part: string, changes: Row): { line: number; raw: string } => {
  const at = rows.findIndex((row) => row.part === part);
  return { line: at + 1, raw: linesOf(rows.with(at, { ...rows[at], ...changes })) };
};
