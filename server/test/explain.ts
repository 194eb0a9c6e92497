import type { Fragment, Sql } from '../src/platform/db/database.ts';

/** Part of what EXPLAIN says of a step of a plan. */
type Step = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Step[];
};

const rowsOf = (step: Step, of: string[] | undefined): number => {
  const name = step['Relation Name'];
  const rows =
    name === undefined || (of && !of.includes(name))
      ? 0
      : step['Actual Loops'] *
        (step['Actual Rows'] +
          (step['Rows Removed by Filter'] ?? 0) +
          (step['Rows Removed by Index Recheck'] ?? 0));
  return (step.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner, of), rows);
};

const explained = async (tx: Sql, statement: Fragment): Promise<Step> => {
  const [row] = await tx<{ 'QUERY PLAN': [{ Plan: Step }] }[]>`explain (analyze, format json) ${statement}`;
  return row!['QUERY PLAN'][0].Plan;
};

const mostLoops = (step: Step): number =>
  Math.max(
    step['Node Type'] === 'Aggregate' ? step['Actual Loops'] : 0,
    ...(step.Plans ?? []).map(mostLoops),
  );

/** Runs a statement. Returns how often its plan grouped the same rows: more than once if a grouping is inside a nested loop. */
export const timesGrouped = async (tx: Sql, statement: Fragment): Promise<number> =>
  mostLoops(await explained(tx, statement));

/**
 * Runs a statement. Returns how many rows its plan read, those included that it read and left out: of all tables, or of those named. A
 * small table may rightly be read whole for each row of another.
 */
export const rowsRead = async (tx: Sql, statement: Fragment, of?: string[]): Promise<number> =>
  rowsOf(await explained(tx, statement), of);
