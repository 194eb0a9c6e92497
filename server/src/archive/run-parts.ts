import { Type } from 'typebox';
import { col, maybe } from './columns.ts';
import {
  atLeast0,
  attempts,
  cost,
  count,
  createdAt,
  metricConfigId,
  oneOf,
  type Part,
  recordId,
  scoreStates,
  updatedAt,
} from './part.ts';

const marks: Part[] = [
  {
    ...{ noun: 'run', path: 'tags', row: 'ExportedTag', tag: 'Tags', table: 'record_tag' },
    about: 'the tags of its records',
    order: [
      ['n', 'integer'],
      ['text', 'text'],
    ],
    columns: {
      id: col('id', 'id', 'Id of the tag.'),
      recordId,
      text: col('text', 'text', 'The tag.', {
        schema: Type.String({ minLength: 1, maxLength: 256, description: 'The tag.' }),
      }),
      source: col('text', 'source', 'Where it comes from.', {
        schema: oneOf(['user', 'otel'], 'user: somebody set it. otel: it came with a trace.'),
      }),
      userId: maybe('member', 'member_id', 'Who set it; null for one that came with a trace.'),
      createdAt,
    },
  },
  {
    ...{ noun: 'run', path: 'assignments', row: 'ExportedAssignment', tag: 'Assignees' },
    table: 'record_assignment',
    about: 'who its records are assigned to',
    order: [
      ['n', 'integer'],
      ['assignee_id', 'uuid'],
    ],
    columns: {
      id: col('id', 'id', 'Id of the assignment.'),
      recordId,
      assigneeUserId: col('assignee', 'assignee_id', 'Who is to look at it.'),
      assignedByUserId: col('member', 'assigned_by', 'Who said so.'),
      createdAt,
    },
  },
  {
    ...{ noun: 'run', path: 'annotations', row: 'ExportedAnnotation', tag: 'Annotations' },
    table: 'annotation',
    about: 'the annotations of its records',
    order: [
      ['n', 'integer'],
      ['id', 'uuid'],
    ],
    columns: {
      id: col('id', 'id', 'Id of the annotation.'),
      recordId,
      spanId: maybe('text', 'span_id', 'Span that it is about.'),
      rating: col('boolean', 'rating', 'Thumb up or down.'),
      comment: col('text', 'comment', 'What was said.'),
      passage: maybe('json', 'passage', 'The passage that it is on.'),
      userId: col('member', 'member_id', 'Who made it.'),
      createdAt,
      updatedAt,
      resolvedAt: maybe('time', 'resolved_at', 'When it was settled.'),
      resolvedByUserId: maybe('member', 'resolved_by', 'Who settled it.'),
    },
  },
  {
    ...{ noun: 'run', path: 'replies', row: 'ExportedReply', tag: 'Annotations', table: 'annotation_reply' },
    about: 'the replies to annotations of its records',
    order: [
      ['n', 'integer'],
      ['annotation_id', 'uuid'],
      ['id', 'uuid'],
    ],
    columns: {
      id: col('id', 'id', 'Id of the reply.'),
      recordId,
      annotationId: col('annotation', 'annotation_id', 'Annotation that it answers.'),
      comment: col('text', 'comment', 'What was said.'),
      userId: col('member', 'member_id', 'Who said it.'),
      createdAt,
      updatedAt: maybe('time', 'updated_at', 'When it was last changed.'),
    },
  },
];

const work: Part[] = [
  {
    ...{ noun: 'run', path: 'judging', row: 'ExportedJudging', tag: 'Runs', table: 'run_judging' },
    about: 'what its judges may cost and have cost',
    order: [['spent_usd', 'float']],
    replaces: 'run_id',
    columns: {
      budgetUsd: maybe('float', 'budget_usd', 'What they may cost; null without a limit.', atLeast0),
      spentUsd: col('float', 'spent_usd', 'What they have cost.', { schema: atLeast0 }),
      unpriced: col('integer', 'unpriced', 'Calls of which the price is not known.', {
        schema: count('Calls of which the price is not known.'),
      }),
    },
  },
  {
    ...{ noun: 'run', path: 'metrics', operation: 'RunMetrics', row: 'ExportedRunMetric', tag: 'Runs' },
    table: 'run_metric',
    about: 'its metrics with the configurations that it scores by',
    order: [['position', 'integer']],
    columns: {
      position: col('integer', 'position', 'Its place among them.', {
        schema: count('Its place among them.'),
      }),
      metricId: col('metric', 'metric_id', 'Id of the metric.'),
      metricConfigId,
      sampled: col('boolean', 'sampled', 'Whether it scores what monitors draw, not every record.'),
    },
  },
  {
    ...{ noun: 'run', path: 'records', row: 'ExportedRecordOrigin', tag: 'Records', table: 'record' },
    about: 'when its records were made, and of which testcases',
    order: [['n', 'integer']],
    made: 'n',
    columns: {
      recordId,
      testsetId: maybe('testset', 'testset_id', 'Testset of its testcase.'),
      testcaseN: maybe('integer', 'testcase_n', 'Number of its testcase, which may be gone.'),
      testcaseRevision: maybe('integer', 'testcase_revision', 'Revision that the testcase had.'),
      createdAt,
    },
  },
  {
    ...{ noun: 'run', path: 'sample-origins', row: 'ExportedSampleOrigin', tag: 'Reviews' },
    table: 'review_sample',
    about: 'who drew its review samples, and when',
    order: [['id', 'uuid']],
    made: 'id',
    columns: {
      sampleId: col('sample', 'id', 'Id of the sample.'),
      userId: col('member', 'created_by', 'Who drew it.'),
      createdAt,
    },
  },
  {
    ...{ noun: 'run', path: 'executions', row: 'ExportedExecution', tag: 'Executions', table: 'execution' },
    about: 'the calls of its system',
    order: [['n', 'integer']],
    columns: {
      n: col('integer', 'n', 'Its place in the order that they are made in.', {
        schema: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Its place.' }),
      }),
      testcaseId: col('testcase', 'testcase_n', 'Testcase that is put to the system.'),
      trial: col('integer', 'trial', 'Which time.', {
        schema: Type.Integer({ minimum: 1, maximum: 32_767, description: 'Which time.' }),
      }),
      state: col('text', 'state', 'Where it stands.', {
        schema: oneOf(['pending', 'done', 'failed', 'cancelled'], 'Where it stands.'),
      }),
      attempts,
      error: maybe('text', 'last_error', 'What the last call that failed came to.'),
      recordId: maybe('record', 'record_n', 'The record that it made.'),
      latencyMs: maybe('integer', 'latency_ms', 'How long the system took.'),
      ...cost,
      evidence: maybe('json', 'evidence', 'How a prompt system came to its answer.'),
      updatedAt,
    },
  },
  {
    ...{ noun: 'run', path: 'skips', row: 'ExportedSkip', tag: 'Reviews', table: 'review_claim' },
    about: 'which records people skipped in review',
    order: [
      ['n', 'integer'],
      ['metric_config_id', 'uuid'],
      ['member_id', 'uuid'],
    ],
    columns: {
      recordId,
      metricConfigId,
      userId: col('member', 'member_id', 'Who skipped it.'),
      skippedAt: col('time', 'skipped_at', 'When.'),
    },
    visible: (sql) => sql`t.skipped_at is not null`,
    derived: { expires_at: (sql) => sql`item.skipped_at::timestamptz` },
  },
  {
    ...{ noun: 'run', path: 'rescorings', row: 'ExportedRescoring', tag: 'Rescorings', table: 'rescoring' },
    about: 'its rescorings',
    order: [['id', 'uuid']],
    columns: {
      id: col('id', 'id', 'Id of the rescoring.'),
      metricId: col('metric', 'metric_id', 'Metric that scores.'),
      metricConfigId,
      recordIds: maybe('records', 'record_numbers', 'Records that it is about; null for all.'),
      sampleSize: maybe(
        'integer',
        'sample_size',
        'Records that went first.',
        count('Records that went first.'),
      ),
      sampleSeed: maybe('bigint', 'sample_seed', 'By what they were drawn.'),
      extended: col('boolean', 'extended', 'Whether all records were begun.'),
      createdByUserId: col('member', 'created_by', 'Who began it.'),
      createdAt,
      outcome: maybe(
        'text',
        'outcome',
        'How it ended; null while it is open.',
        oneOf(['kept', 'discarded'], 'How it ended.'),
      ),
      endedByUserId: maybe('member', 'ended_by', 'Who ended it.'),
      endedAt: maybe('time', 'ended_at', 'When it was ended.'),
      summary: maybe('json', 'summary', 'Its counts when it was ended.'),
    },
  },
  {
    ...{
      noun: 'run',
      path: 'proposals',
      row: 'ExportedProposal',
      tag: 'Rescorings',
      table: 'proposed_score',
    },
    about: 'the scores that rescorings propose',
    order: [
      ['n', 'integer'],
      ['metric_config_id', 'uuid'],
      ['rescoring_id', 'uuid'],
    ],
    columns: {
      recordId,
      metricConfigId,
      rescoringId: col('rescoring', 'rescoring_id', 'Rescoring that proposes it.'),
      state: col('text', 'state', 'Where it stands.', { schema: oneOf(scoreStates, 'Where it stands.') }),
      score: maybe('json', 'score', 'The score; null unless it is there.'),
      reason: maybe('text', 'reason', 'Why it is unscored or failed.'),
      attempts,
      lastError: maybe('text', 'last_error', 'What went wrong at the last try.'),
      evidence: maybe('json', 'evidence', 'What went into the verdict and came out.'),
      ...cost,
      createdAt,
      updatedAt,
      applied: maybe('boolean', 'applied', 'Whether it has become the score.'),
      beforeConfigId: maybe('config', 'before_config_id', 'Configuration of the score that it met.'),
      beforeState: maybe('text', 'before_state', 'State of that score.', oneOf(scoreStates, 'State.')),
      beforeScore: maybe('json', 'before_score', 'That score.'),
      beforeReason: maybe('text', 'before_reason', 'Why that was not there.'),
      beforeValue: maybe('float', 'before_value', 'What that score came to.'),
      beforeGiven: maybe('boolean', 'before_given', 'Whether a person or a client had given it.'),
    },
    derived: {
      lane: (sql) =>
        sql`(select lane from metric_config where metric_config.id = item.metric_config_id::uuid)`,
      due_at: (sql) => sql`case when item.state = 'pending' then now() end`,
    },
    value: 'value',
  },
];

/** What an archive carries of a run. */
export const runParts: readonly Part[] = [...marks, ...work];
