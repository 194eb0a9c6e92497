import { Type } from 'typebox';
import { col, maybe } from './columns.ts';
import { count, createdAt, issues, metricConfigId, oneOf, type Part, recordId, updatedAt } from './part.ts';
import { runParts } from './run-parts.ts';

const ofMetrics: Part[] = [
  {
    ...{ noun: 'metric', path: 'pinned-set', row: 'ExportedPinnedSet', tag: 'Drift', table: 'pinned_set' },
    about: 'its pinned set',
    order: [['metric_config_id', 'uuid']],
    columns: {
      metricConfigId,
      servedModels: col('texts', 'served_models', 'Models that gave the verdicts of the reference.'),
      source: col('text', 'source', 'Where the labels come from.', {
        schema: oneOf(['metric', 'overrides', 'thumbs'], 'Where the labels come from.'),
      }),
      automatic: col('boolean', 'automatic', 'Whether the service itself starts checks.'),
      pinnedByUserId: col('member', 'pinned_by', 'Who pinned it.'),
      pinnedAt: col('time', 'pinned_at', 'When.'),
    },
  },
  {
    ...{
      noun: 'metric',
      path: 'pinned-labels',
      row: 'ExportedPinnedLabel',
      tag: 'Drift',
      table: 'pinned_label',
    },
    about: 'the labelled records of its pinned set',
    order: [['place', 'integer']],
    columns: {
      recordId,
      place: col('integer', 'place', 'Its place in the set.', { schema: count('Its place in the set.') }),
      humanPassed: col('boolean', 'human_passed', 'Whether people pass it.'),
      judgePassed: col('boolean', 'judge_passed', 'Whether the reference passes it.'),
    },
  },
  {
    ...{
      noun: 'metric',
      path: 'drift-checks',
      row: 'ExportedDriftCheck',
      tag: 'Drift',
      table: 'drift_check',
    },
    about: 'the checks of its pinned set',
    order: [['run_id', 'bigint']],
    columns: {
      runId: col('run', 'run_id', 'The run that holds the new verdicts.'),
      metricConfigId,
      forModels: col('texts', 'for_models', 'Models that it was started for.'),
      createdAt,
    },
  },
];

const ofProjects: Part[] = [
  {
    ...{ noun: 'project', path: 'testsets', row: 'ExportedTestsetOrigin', tag: 'Testsets', table: 'testset' },
    about: 'when its testsets were made, and which number their last testcase had',
    order: [['id', 'bigint']],
    made: 'id',
    columns: {
      testsetId: col('testset', 'id', 'Id of the testset.'),
      lastTestcaseN: col('integer', 'last_testcase_n', 'Number that the last testcase had; it may be gone.', {
        schema: count('Number that the last testcase had; it may be gone.'),
      }),
      createdAt,
    },
  },
  {
    ...{ noun: 'testset', path: 'testcases', row: 'ExportedTestcase', tag: 'Testsets', table: 'testcase' },
    about: 'its testcases with their revisions',
    order: [['n', 'integer']],
    columns: {
      n: col('integer', 'n', 'Its number in the testset.', {
        schema: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Its number in the testset.' }),
      }),
      revision: col('integer', 'revision', 'How often it was written.', {
        schema: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'How often it was written.' }),
      }),
      jsonData: col('json', 'json_data', 'Its data.'),
      validationErrors: maybe('json', 'validation_errors', 'What of it does not fit the schema.', issues),
      createdAt,
      updatedAt,
    },
  },
  {
    ...{ noun: 'project', path: 'runs', row: 'ExportedRunOrigin', tag: 'Runs', table: 'run' },
    about: 'when its runs were made, and how many records they expect',
    order: [['id', 'bigint']],
    made: 'id',
    columns: {
      runId: col('run', 'id', 'Id of the run.'),
      numExpectedRecords: maybe(
        'integer',
        'num_expected_records',
        'Records that it expects.',
        count('Records.'),
      ),
      createdAt,
    },
  },
  {
    ...{ noun: 'project', path: 'systems', row: 'ExportedSystemOrigin', tag: 'Systems', table: 'system' },
    about: 'when its systems were made, in whose order they are listed',
    order: [['id', 'uuid']],
    made: 'id',
    columns: { systemId: col('system', 'id', 'Id of the system.'), createdAt },
  },
  {
    ...{ noun: 'project', path: 'monitors', row: 'ExportedMonitorOrigin', tag: 'Monitors', table: 'monitor' },
    about: 'since when its monitors are, and are what they are',
    order: [['id', 'uuid']],
    made: 'id',
    columns: {
      monitorId: col('monitor', 'id', 'Id of the monitor.'),
      createdAt,
      definedAt: col('time', 'defined_at', 'Since when its metrics, rate and filter are what they are.'),
    },
    visible: (sql) => sql`t.deleted_at is null`,
  },
  {
    ...{ noun: 'project', path: 'views', row: 'ExportedView', tag: 'Views', table: 'saved_view' },
    about: 'its saved views that the caller sees',
    order: [['id', 'uuid']],
    columns: {
      id: col('id', 'id', 'Id of the view.'),
      name: col('text', 'name', 'What it is called.'),
      shared: col('boolean', 'shared', 'Whether everybody sees it.'),
      search: col('text', 'search', 'The search, as it is typed.'),
      display: col('json', 'display', 'How the records are shown.'),
      userId: col('member', 'member_id', 'Who made it.'),
      createdAt,
      updatedAt,
    },
    visible: (sql, scope) => sql`(t.shared or t.member_id = ${scope.memberId})`,
  },
  {
    ...{ noun: 'monitor', path: 'draws', row: 'ExportedDraw', tag: 'Monitors', table: 'monitor_record' },
    about: 'the records that it could draw, and with which chance it drew them',
    order: [
      ['run_id', 'bigint'],
      ['n', 'integer'],
    ],
    columns: {
      recordId,
      decidedAt: col('time', 'decided_at', 'When it was decided.'),
      inclusionProbability: col('float', 'inclusion_probability', 'The chance that it had.', {
        schema: Type.Number({ exclusiveMinimum: 0, maximum: 1, description: 'The chance that it had.' }),
      }),
      drawn: col('boolean', 'drawn', 'Whether it was drawn.'),
      spans: maybe('bigint', 'spans', 'How many spans its trace had then.'),
      ends: maybe('numeric', 'ends', 'Sum of their ends, by which a change is seen.'),
    },
    visible: (sql) => sql`t.decided_at is not null`,
  },
];

/** Every part of an archive that is rows as they are stored. */
export const parts: readonly Part[] = [...runParts, ...ofMetrics, ...ofProjects];
