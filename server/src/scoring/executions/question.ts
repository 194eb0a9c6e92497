import type { Failed as NotAnswered, Usage } from '../../engine/models/ask.ts';
import type { Attached } from '../../engine/models/media.ts';
import type { RawJson } from '../../platform/json/json.ts';

export type Message = { role: string; content: string };

/** One testcase as it is sent to a system. It lacks the expected values, which no system should see. */
export type Question = {
  inputs: RawJson;
  /** Null for inputs that do not come from a testcase. */
  testcaseId: string | null;
  /** Null outside of a run. */
  runId: string | null;
  trial: number;
  /** The attachments that the inputs name. */
  attached?: Attached | undefined;
  /** In a simulation: the messages so far, the user's message last. */
  conversation?: { id: string; messages: readonly Message[] };
};
/** Cost of a simulated conversation: of the system, and of the user. */
export type Spent = Usage & { userCostUsd: number | null };
/** A conversation that broke off: its messages, its cost, and the rest of its evidence. */
export type BrokenOff = { messages: readonly Message[]; evidence: object } & Spent;
export type Failed = NotAnswered & { brokenOff?: BrokenOff };
/** A system's answer to a testcase, with its evidence and cost. */
export type Answer =
  | ({ state: 'answered'; outputs: RawJson; evidence: RawJson | null; userCostUsd?: number | null } & Usage)
  | Failed;
