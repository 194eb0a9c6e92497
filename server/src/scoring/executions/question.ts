import type { Attached } from '../../engine/media/media.ts';
import type { Failure } from '../../engine/models/failure.ts';
import type { RawJson } from '../../platform/json/json.ts';

export type Message = { role: string; content: string };

/** One testcase as it is sent to a system. It lacks the expected values, which no system should see. */
export type Question = {
  inputs: RawJson;
  testcaseId: string;
  runId: string;
  trial: number;
  /** The attachments that the inputs name. */
  attached?: Attached | undefined;
  /** In a simulation: what was said so far, the user's message last. */
  conversation?: { id: string; messages: readonly Message[] };
};
export type Usage = { inputTokens: number | null; outputTokens: number | null; costUsd: number | null };
export type Failed = { state: 'failed' } & Failure;
/** A system's answer to a testcase, with its evidence and cost. */
export type Answer = ({ state: 'answered'; outputs: RawJson; evidence: RawJson | null } & Usage) | Failed;
