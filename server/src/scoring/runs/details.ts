import { type Static, Type } from 'typebox';
import { findRunProgress } from '../../evaluation/runs/progress.ts';
import { findListedRun } from '../../evaluation/runs/queries.ts';
import { listedRunFields, RunProgress } from '../../evaluation/runs/schema.ts';
import { testsetOfRun } from '../../evaluation/testsets/queries.ts';
import { TestsetOfRun } from '../../evaluation/testsets/schema.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { findJudgeBudget } from '../budgets/queries.ts';
import { JudgeBudget } from '../budgets/schema.ts';
import { findExecutionSummary } from '../executions/queries.ts';
import { ExecutionSummary } from '../executions/schema.ts';
import { ModelEndings } from '../providers/judge-models.ts';

export type RunDetail = Static<typeof RunDetail.schema>;
export const RunDetail = named(
  'RunDetail',
  Type.Object(
    {
      ...listedRunFields,
      testset: TestsetOfRun,
      notes: Type.String({ description: 'Notes on the run, in Markdown or plain text; empty at first.' }),
      progress: RunProgress,
      executions: ref(ExecutionSummary),
      judgeBudget: ref(JudgeBudget),
      modelEndings: ModelEndings,
    },
    {
      description: 'A run with its notes, progress, calls of the system and judge budget.',
    },
  ),
);

/** A run with its details as JSON text, without `modelEndings`. Reads run_tally_run, execution_pkey and record_measure_pkey. */
export const findRunDetail = (sql: Sql, scope: Scope, runId: bigint) =>
  findListedRun(
    sql,
    scope,
    runId,
    sql`,
    'testset', ${testsetOfRun(sql, scope)}, 'notes', run.notes,
    'progress', (select found.body::json from (${findRunProgress(sql, scope, runId)}) found),
    'executions', (select found.body::json from (${findExecutionSummary(sql, scope, runId)}) found),
    'judgeBudget', (select found.body::json from (${findJudgeBudget(sql, scope, runId)}) found)`,
  );
