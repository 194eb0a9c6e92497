import { setTimeout as sleep } from 'node:timers/promises';
import type { Called } from '../../../engine/models/ask.ts';
import { type Database, system } from '../../../platform/db/database.ts';
import { asJson } from '../../../platform/db/text.ts';
import { doubling, retryOf } from '../../../platform/jobs/retry.ts';
import { pick, type RawJson } from '../../../platform/json/json.ts';
import { parseJson } from '../../../platform/json/parse-json.ts';
import type { PromptDeps } from '../ask-prompt.ts';
import type { Systems, Wish } from '../open-systems.ts';
import { type ClaimedExecution, findConversation, type RunSystem, type TestcaseData } from '../queries.ts';
import type { Answer, Failed, Message, Question } from '../question.ts';
import { readSystemConfig, type System } from '../system-config.ts';
import { nextMessage } from './next-message.ts';
import { addUsage, noUsage } from './usage.ts';
import { openUser, rules, type SimulatedUser, scriptedUser } from './user.ts';

/** The fields of a testcase that describe the user. The system does not get them: it would know the goal before the user tells it. */
export const fieldsOfUser: ReadonlySet<string> = new Set([
  'persona',
  'traits',
  'scenario',
  'situation',
  'goal',
  'opening',
]);

/** Maximum number of attempts of one call within a conversation: a new conversation would repeat all earlier calls. */
const backOff = doubling(4);

type Deps = { db: Database; systems: Systems; prompts: PromptDeps };
export type Conversation = {
  claim: ClaimedExecution;
  run: RunSystem;
  testcase: TestcaseData;
  target: System;
  question: Question;
};

/** A conversation that is about to begin. */
type Held = {
  id: string;
  organizationId: bigint;
  user: SimulatedUser;
  target: System;
  /** Its inputs lack the fields of the user. */
  question: Question;
  maxTurns: number;
  /** Called with each message as it is said. */
  onMessage?: ((message: Message) => void) | undefined;
};

type Answered = Extract<Answer, { state: 'answered' }>;
/** Until when a conversation goes on. */
type Asking = Required<Pick<Wish, 'signal' | 'isWanted'>>;

const failed = (error: string): Failed => ({ state: 'failed', error, retryable: false });

const noText = 'the outputs have no text: answer, content, or one field that is a text';

const hasFailed = (outcome: { state: string }): outcome is Failed => outcome.state === 'failed';

/** Repeats a call until it succeeds, fails for good, or is no longer needed. */
const retryUntil = async <T extends { state: 'said' | 'answered' }>(
  call: () => Promise<T | Failed>,
  { isWanted, signal }: Asking,
): Promise<T | Failed> => {
  for (let attempts = 0; ; ) {
    const outcome = await call();
    if (!hasFailed(outcome) || signal.aborted || !(await isWanted())) return outcome;
    const next = retryOf(outcome, attempts, backOff, Math.random);
    const { because, error, spent } = outcome;
    if (next.retryInMs === null) return { ...failed(because ?? error), ...(spent && { spent }) };
    attempts = next.attempts;
    await sleep(next.retryInMs, undefined, { signal }).catch(() => {});
  }
};

/**
 * Reads the message in the outputs of a system: `answer`, `content`, or the only field. Tools that the system called stay with the message.
 */
const messageIn = (outputs: string): (Message & { toolCalls?: unknown }) | undefined => {
  const { toolCalls, ...fields } = parseJson(outputs) as Record<string, unknown>;
  const names = Object.keys(fields);
  const text = fields.answer ?? fields.content ?? (names.length === 1 ? fields[names[0]!] : undefined);
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  return { role: 'assistant', content: text, ...(toolCalls !== undefined && { toolCalls }) };
};

const userOf = async (
  { db, prompts }: Deps,
  { claim, run, testcase }: Conversation,
  asking: Asking,
): Promise<SimulatedUser | { problem: string }> => {
  const { organizationId, testcaseN, trial } = claim;
  const inputs = pick(testcase.jsonData, run.inputFields!);
  if (run.userConfig !== null) {
    const prompt = readSystemConfig(run.userConfig);
    if ('problem' in prompt) return prompt;
    if (prompt.kind !== 'prompt') return { problem: 'the version that plays the user is not a prompt' };
    const expected = pick(testcase.jsonData, run.expectedFields!);
    const { opening } = parseJson(inputs) as { opening?: unknown };
    const described = { organizationId, system: prompt, inputs, expected, rules };
    return openUser(prompt.modelName, opening, (messages) =>
      nextMessage(prompts, described, messages, asking),
    );
  }
  const { replayedRunId } = run;
  if (replayedRunId === null) return { problem: 'the run whose messages are replayed was deleted' };
  const [told] = await db.read(system, (sql) => findConversation(sql, replayedRunId, testcaseN, trial));
  return told
    ? scriptedUser(replayedRunId, told.outputs)
    : { problem: `run ${replayedRunId} has no conversation of this testcase and trial` };
};

/** The inputs that the system gets, from the fields of a testcase. */
export const inputsOfSystem = (jsonData: RawJson, fields: readonly string[]): RawJson =>
  pick(
    jsonData,
    fields.filter((name) => !fieldsOfUser.has(name)),
  );

/** Holds the conversation of an execution. */
export const converse = async (deps: Deps, job: Conversation, asking: Asking): Promise<Called<Answer>> => {
  const { claim, run, testcase, target, question } = job;
  const user = await userOf(deps, job, asking);
  if ('problem' in user) return { outcome: failed(user.problem), latencyMs: 0 };
  const { organizationId, trial, fence } = claim;
  const id = `${question.runId}-${question.testcaseId}-${trial}-${fence}`;
  const inputs = inputsOfSystem(testcase.jsonData, run.inputFields!);
  const held = { id, organizationId, user, target, question: { ...question, inputs } };
  return hold(deps.systems, { ...held, maxTurns: run.maxTurns! }, asking);
};

/**
 * Holds a conversation between the simulated user and the system. Its answer has the messages, the number of the system's replies and
 * why the conversation ended; tokens, cost and latency are the system's, and those of the user are in the evidence.
 */
export const hold = async (
  systems: Pick<Systems, 'answer'>,
  { id, organizationId, user, target, question, maxTurns, onMessage }: Held,
  asking: Asking,
): Promise<Called<Answer>> => {
  const messages: Message[] = [];
  const say = (message: Message) => {
    messages.push(message);
    onMessage?.(message);
  };
  const latencies: number[] = [];
  let usage = noUsage;
  const evidence = () => ({ conversationId: id, user: user.evidence(), latenciesMs: latencies });
  const spent = () => ({ ...usage, userCostUsd: user.evidence().costUsd });
  const fail = ({ because, spent: _, ...outcome }: Failed, who: string): Called<Answer> => {
    const error = `turn ${latencies.length + 1}, ${who}: ${because ?? outcome.error}`;
    // The earlier messages are kept: they cost money, and they show why the next call failed.
    const hasSpent = messages.length > 0 || user.evidence().costUsd !== 0;
    const brokenOff = hasSpent && { brokenOff: { messages, evidence: evidence(), ...spent() } };
    return { outcome: { ...outcome, error, ...brokenOff }, latencyMs: 0 };
  };
  const end = (stop: string): Called<Answer> => {
    const outputs = asJson({ messages, turns: latencies.length, stop });
    const total = latencies.reduce((sum, each) => sum + each, 0);
    const outcome = { state: 'answered' as const, outputs, evidence: asJson(evidence()), ...spent() };
    return { outcome, latencyMs: total };
  };
  const ask = async () => {
    const conversation = { id, messages };
    const asked = { ...question, conversation };
    const called = await systems.answer(organizationId, target, asked, asking);
    latencyMs = called.latencyMs;
    return called.outcome;
  };
  let latencyMs = 0;

  for (;;) {
    // Before the first message, a failure costs nothing: the queue repeats it, and the place is free for others.
    const next = () => user.next(messages);
    const said = await (messages.length === 0 ? next() : retryUntil(next, asking));
    if (hasFailed(said)) return fail(said, 'user');
    if (said.text !== '') say({ role: 'user', content: said.text });
    if (said.stop !== null) return end(said.stop);
    const answer = await retryUntil<Answered>(ask, asking);
    usage = addUsage(usage, hasFailed(answer) ? (answer.spent ?? noUsage) : answer);
    if (hasFailed(answer)) return fail(answer, 'system');
    const message = messageIn(answer.outputs);
    if (!message) return fail(failed(noText), 'system');
    say(message);
    latencies.push(latencyMs);
    if (latencies.length === maxTurns) return end('maxTurns');
  }
};
