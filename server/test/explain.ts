import type { Fragment, Sql } from '../src/platform/db/database.ts';

/** Part of what EXPLAIN says of a step of a plan. */
type Step = {
  'Relation Name'?: string;
  'CTE Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Step[];
};

const rowsOf = (step: Step): number => {
  const rows =
    step['Relation Name'] === undefined && step['CTE Name'] === undefined
      ? 0
      : step['Actual Loops'] *
        (step['Actual Rows'] +
          (step['Rows Removed by Filter'] ?? 0) +
          (step['Rows Removed by Index Recheck'] ?? 0));
  return (step.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), rows);
};

/** Runs a statement. Returns how many rows of tables and WITH lists its plan read, those included that it read and left out. */
export const rowsRead = async (tx: Sql, statement: Fragment): Promise<number> => {
  const [explained] = await tx<
    { 'QUERY PLAN': [{ Plan: Step }] }[]
  >`explain (analyze, format json) ${statement}`;
  return rowsOf(explained!['QUERY PLAN'][0].Plan);
};
