import {
  type Answered,
  askInTurn,
  type Budget,
  type Called,
  type Failed,
  type Models,
  orCancelled,
} from '../../engine/models/ask.ts';
import { type Attached, placeMedia, type ShownMedia, takeMedia } from '../../engine/models/media.ts';
import { type ProviderKind, resolveModel } from '../../engine/models/provider.ts';
import type { Content, Question } from '../../engine/models/question.ts';
import { marks, type TemplateData } from '../../engine/templates/render-template.ts';
import type { Renderer } from '../../engine/templates/template.ts';
import type { Asker } from '../../platform/turns.ts';
import { nonceFor } from '../judges/judge-prompt.ts';
import type { PromptSystem } from './system-config.ts';

/** Dependencies of calls of a prompt system. */
export type PromptDeps = { models: Models; renderer: Pick<Renderer, 'render'> };
type PromptData = TemplateData & { attached?: Attached | undefined };
/** A prompt system with its messages as templates, and the values that fill them. */
export type Prompt = {
  organizationId: bigint;
  system: PromptSystem;
  messages: { role: string; content: string }[];
  data: PromptData;
};
export type RenderedMessage = { role: string; text: string; content: Content; media: ShownMedia[] };
type Failing = { ok: false; reason: string };

/** Renders a template without the marks that a judge gets around untrusted text, with the files of the inputs in their places. */
const renderPlain = async (
  renderer: PromptDeps['renderer'],
  template: string,
  { attached, ...data }: PromptData,
  { kind, asker }: { kind: ProviderKind; asker: Asker },
): Promise<Failing | { ok: true; content: Content; text: string; media: ShownMedia[] }> => {
  const nonce = nonceFor('system', data);
  const { texts, found } = takeMedia({ inputs: data.inputs }, nonce, attached);
  const rendered = await renderer.render(template, { ...data, ...texts }, nonce, asker);
  if (!rendered.ok) return rendered;
  if (rendered.compared) return { ok: false, reason: 'template_error: similarity() is for metrics' };
  const { open, close } = marks(nonce);
  const plain = rendered.prompt.replaceAll(open, '').replaceAll(close, '');
  const placed = await placeMedia(plain, found, { attached, kind });
  return 'reason' in placed ? { ok: false, ...placed } : { ok: true, ...placed };
};

const renderMessages = async (
  renderer: PromptDeps['renderer'],
  { messages, data, organizationId }: Prompt,
  { kind, signal }: { kind: ProviderKind; signal: AbortSignal | undefined },
): Promise<Failing | { ok: true; rendered: RenderedMessage[] }> => {
  const rendered: RenderedMessage[] = [];
  const asker = { owner: organizationId, signal };
  for (const { role, content } of messages) {
    const one = await renderPlain(renderer, content, data, { kind, asker });
    if (!one.ok) return one;
    if (one.media.length > 0 && role !== 'user')
      return {
        ok: false,
        reason: `a message of role ${role} can't show files: name them in one of role user`,
      };
    rendered.push({ role, ...one });
  }
  return { ok: true, rendered };
};

export const plainText = (rendered: readonly RenderedMessage[]): string =>
  rendered.map(({ text }) => text).join('\n\n');

/** The prompt as it is shown in evidence: with roles, unless it is the user's message alone. */
const shownText = (rendered: readonly RenderedMessage[]): string =>
  rendered.length === 1
    ? plainText(rendered)
    : rendered.map(({ role, text }) => `${role}:\n${text}`).join('\n\n');

/** Why nothing was asked. */
const never = (error: string): Called<never> => ({
  outcome: { state: 'failed', error, retryable: false } satisfies Failed,
  latencyMs: 0,
});

/** Asks the model of a system that is a prompt. `toQuestion` makes the question of the rendered messages. */
export const askPrompt = async (
  { models, renderer }: PromptDeps,
  prompt: Prompt,
  toQuestion: (
    rendered: readonly RenderedMessage[],
  ) => Pick<Question, 'system' | 'messages' | 'tools' | 'schema'>,
  { onText, ...wish }: Omit<Budget, 'timeoutMs'> & { onText?: ((delta: string) => void) | undefined },
): Promise<Called<Answered & { prompt: string; media: ShownMedia[] }>> => {
  const { organizationId, system } = prompt;
  const { modelName, temperature, maxOutputTokens, timeoutMs } = system;
  const found = resolveModel(modelName, await models.providersOf(organizationId));
  // An error of rendering is reported first.
  const kind = 'error' in found ? 'fake' : found.provider.kind;
  const made = await orCancelled(
    renderMessages(renderer, prompt, { kind, signal: wish.signal }),
    wish.signal,
  );
  if ('state' in made) return { outcome: made, latencyMs: 0 };
  if (!made.ok) return never(made.reason);
  if ('error' in found) return never(found.error);
  const question = {
    ...toQuestion(made.rendered),
    schemaName: 'answer',
    ...(onText && { onText }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
  const model = { organizationId, modelName, provider: found.provider, who: 'the system' };
  const { outcome, latencyMs } = await askInTurn(models, model, question, { timeoutMs, ...wish });
  if (outcome.state === 'failed') return { outcome, latencyMs };
  const sent = { prompt: shownText(made.rendered), media: made.rendered.flatMap(({ media }) => media) };
  return { outcome: { ...outcome, ...sent }, latencyMs };
};
