import type { Failure } from '../../engine/models/failure.ts';
import type { RawJson } from '../../platform/json/json.ts';

/** One testcase, as it is put to a system. The expected values are not in it: no system should see them. */
export type Question = { inputs: RawJson; testcaseId: string; runId: string; trial: number };
export type Usage = { inputTokens: number | null; outputTokens: number | null; costUsd: number | null };
export type Failed = { state: 'failed' } & Failure;
/** What a system made of a testcase, and what is kept of how it came about. */
export type Answer = ({ state: 'answered'; outputs: RawJson; evidence: RawJson | null } & Usage) | Failed;
