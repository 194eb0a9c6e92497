import { type Called, callInTurn, longestReplyBytes } from '../../engine/models/ask.ts';
import { asJson } from '../../platform/db/text.ts';
import { askPrompt, type PromptDeps, type RenderedMessage } from './ask-prompt.ts';
import { callEndpoint } from './call-endpoint.ts';
import { askedOf, outputsOf } from './prompt-outputs.ts';
import type { Answer, Question } from './question.ts';
import { type EndpointSystem, messagesOf, type PromptSystem, type System } from './system-config.ts';

/** Ways to cancel a call, at once or before it begins; and the reader of a prompt's text while the model writes it. */
export type Wish = {
  signal: AbortSignal;
  isWanted?: () => Promise<boolean>;
  onText?: ((delta: string) => void) | undefined;
};

export type Systems = {
  /** Sends a testcase to a system, if it is still needed when its turn comes. Never throws for an error of the system. */
  answer(organizationId: bigint, system: System, question: Question, wish: Wish): Promise<Called<Answer>>;
};

/** Calls to one endpoint at a time. */
const endpointConcurrency = 8;

/**
 * The messages of a prompt that come before a conversation: all but the last, whose place the conversation takes. A prompt of one
 * message is the system message.
 */
const beforeConversation = (system: PromptSystem) => {
  const messages = messagesOf(system);
  return messages.length === 1 ? [{ role: 'system', content: messages[0]!.content }] : messages.slice(0, -1);
};

const answerByPrompt = async (
  deps: PromptDeps,
  organizationId: bigint,
  system: PromptSystem,
  { inputs, attached, conversation }: Question,
  wish: Wish,
): Promise<Called<Answer>> => {
  const data = { inputs, outputs: '{}', expected: '{}', guidelines: '', attached };
  const toQuestion = (rendered: readonly RenderedMessage[]) => {
    const [first] = rendered;
    const isSystem = first?.role === 'system';
    const asked = rendered.slice(isSystem ? 1 : 0).map(({ content }) => content);
    return {
      system: isSystem ? first.text : '',
      messages: [...asked, ...(conversation?.messages.map(({ content }) => content) ?? [])],
      ...askedOf(system),
    };
  };
  const messages = conversation ? beforeConversation(system) : messagesOf(system);
  const asked = { organizationId, system, messages, data };
  const { outcome, latencyMs } = await askPrompt(deps, asked, toQuestion, wish);
  if (outcome.state === 'failed') return { outcome, latencyMs };
  const { reply, usage, prompt, media } = outcome;
  const outputs = outputsOf(reply, system);
  if (outputs === undefined) {
    const error = 'the model did not answer with the JSON object of outputSchema';
    return { outcome: { state: 'failed', error, retryable: false, spent: usage }, latencyMs };
  }
  const { modelAnswered, finishReason } = reply;
  const evidence = asJson({
    modelAsked: system.modelName,
    modelAnswered,
    finishReason,
    prompt,
    ...(media.length > 0 && { media }),
  });
  return { outcome: { state: 'answered', outputs, evidence, ...usage }, latencyMs };
};

const answerByEndpoint = (
  { models }: PromptDeps,
  organizationId: bigint,
  system: EndpointSystem,
  question: Question,
  { signal, isWanted }: Wish,
): Promise<Called<Answer>> => {
  const name = new URL(system.endpoint).origin;
  const place = { name, maxConcurrency: endpointConcurrency, who: 'the system' };
  const budget = { timeoutMs: system.timeoutMs, signal, isWanted };
  return callInTurn<Answer>(models, organizationId, place, budget, (deadline) =>
    callEndpoint(models.fetchAtMost(longestReplyBytes), system, question, deadline),
  );
};

/** Opens the caller of systems under test. */
export const openSystems = (deps: PromptDeps): Systems => ({
  answer: (organizationId, system, question, wish) =>
    system.kind === 'prompt'
      ? answerByPrompt(deps, organizationId, system, question, wish)
      : answerByEndpoint(deps, organizationId, system, question, wish),
});
