import {
  anchor,
  type JudgeSwitch,
  type Rate,
  reversed,
  splitChange,
} from '../../engine/statistics/judge-switch.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** An adopted successor of a judge. */
export type Switch = { metricId: string; from: string; to: string; found: JudgeSwitch };

type SwitchRow = Omit<Switch, 'found'> & { evidence: string };

const findSwitches = (sql: Sql, scope: Scope, metricIds: string[]) => sql<SwitchRow[]>`
  select metric_id::text as "metricId", metric_config_id as from, adopted_config_id as to, evidence::text as evidence
  from trial
  where metric_id = any(${metricIds}::bigint[]) and organization_id = ${scope.organizationId} 
    and kind <> 'rescoring' and outcome = 'adopted'
  order by metric_id, n`;

/** Reads the switches of metrics, oldest first. */
export const readSwitches = async (
  db: Database,
  scope: Scope,
  metricIds: Iterable<string>,
): Promise<Switch[]> => {
  const rows = await db.read(scope, (sql) => findSwitches(sql, scope, [...new Set(metricIds)]));
  return rows.map(({ evidence, ...row }) => ({ ...row, found: JSON.parse(evidence) as JudgeSwitch }));
};

/** The switches that lead from a configuration, in order: to another one, or as far as they go. Null if they do not lead to it. */
export const chainFrom = (switches: readonly Switch[], from: string, to?: string): Switch[] | null => {
  const chain: Switch[] = [];
  const seen = new Set([from]);
  for (let at = from; at !== to; ) {
    const next = switches.findLast((one) => one.from === at && !seen.has(one.to));
    if (!next) return to === undefined ? chain : null;
    chain.push(next);
    seen.add(next.to);
    at = next.to;
  }
  return chain;
};

const found = (chain: readonly Switch[]) => chain.map((one) => one.found);

/** Returns a rate as the newest judge after `configId` would have given it; null without a switch since. */
export const anchorRate = (switches: readonly Switch[], configId: string, rate: Rate, level: number) => {
  const chain = chainFrom(switches, configId)!;
  const last = chain.at(-1);
  return last ? { metricConfigId: last.to, ...anchor(found(chain), rate, level) } : null;
};

type Judged = { configId: string; rate: Rate };

/** Splits a change of a rate between two judges into the system's part and the judge's; null if no switch leads from one to the other. */
export const splitBetween = (
  switches: readonly Switch[],
  before: Judged,
  after: Judged,
  options: { level: number; ofDifference?: number | null },
) => {
  if (before.configId === after.configId) return null;
  const forward = chainFrom(switches, before.configId, after.configId);
  if (forward) return splitChange(found(forward), before.rate, after.rate, options);
  const back = chainFrom(switches, after.configId, before.configId);
  return back && reversed(splitChange(found(back), after.rate, before.rate, options));
};
