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
/** What a simulated conversation cost: of the system, and of the user. */
export type Spent = Usage & { userCostUsd: number | null };
/** A conversation that ended before its time: what was said, what it cost, and the rest of its evidence. */
export type BrokenOff = { messages: readonly Message[]; evidence: object } & Spent;
export type Failed = {
  state: 'failed';
  brokenOff?: BrokenOff;
  /** What a reply cost that was no answer. */
  spent?: Usage;
} & Failure;
/** A system's answer to a testcase, with its evidence and cost. */
export type Answer =
  | ({ state: 'answered'; outputs: RawJson; evidence: RawJson | null; userCostUsd?: number | null } & Usage)
  | Failed;
