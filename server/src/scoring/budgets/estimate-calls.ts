import { type ProviderConfig, resolveModel } from '../../engine/models/provider.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { readSystemConfig } from '../executions/system-config.ts';
import type { Judge } from '../judges/judge.ts';
import { bytesOf, systemConfigOf } from './estimate-simulation.ts';
import type { RunEstimateRequest } from './schema.ts';

type Size = { numRecords: number; recordBytes: number; outputBytes: number };
const bytesPerToken = 4;

/**
 * Estimates the cost of calling a prompt once for each record, in US dollars: its messages and the whole testcase are read, and a page of
 * text is written, or as much as the prompt may write. Null without a system, for an endpoint and for an unknown price.
 */
export const estimateCalls = async (
  db: Database,
  scope: Scope,
  { judge, providers }: { judge: Judge; providers: ProviderConfig[] },
  projectId: bigint,
  asked: RunEstimateRequest,
  { numRecords, recordBytes, outputBytes }: Size,
): Promise<number | null> => {
  if (asked.simulation !== undefined) return null;
  if (asked.systemVersionId === undefined && asked.systemConfig === undefined) return null;
  const system = readSystemConfig(await systemConfigOf(db, scope, projectId, asked));
  if ('problem' in system || system.kind === 'endpoint') return null;
  const model = resolveModel(system.modelName, providers);
  if ('error' in model) return null;
  const written = outputBytes / bytesPerToken;
  const each = judge.costOf(model, {
    inputTokens: Math.ceil((bytesOf(system) + recordBytes) / bytesPerToken),
    outputTokens: Math.ceil(Math.min(written, system.maxOutputTokens ?? written)),
  });
  return each === null ? null : each * numRecords;
};
