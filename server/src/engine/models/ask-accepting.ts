import type { Models, OpenModel } from './ask.ts';
import { quoted, refusalOf } from './failure.ts';
import type { ResolvedModel } from './provider.ts';
import type { Content, Question, Reply } from './question.ts';

/** One request to a provider, as it goes into the evidence. */
export type Call = {
  /** Undefined for a request that was refused. */
  finishReason?: string;
  /** Whether the request held the model to the schema. */
  schemaSent: boolean;
  text: string | null;
  modelAnswered: string | null;
  temperatureSent: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  billedUsd: number | null;
};

/** A reply; 'filtered' if the provider's filter stopped the question before the model. */
export type Accepted = Reply | 'filtered' | { refusedMedia: string };

const requestRefused = new Set([400, 404, 415, 422, 501]);

/** The limit of the reply is longer than the model can write, or does not fit into its context beside the prompt. */
const lengthWords =
  /max_?(?:completion_|output_|new_)?tokens|maxOutputTokens|context.?(?:length|window|size)/i;

/** How servers say that a model reads no images, no audio or no documents, or that a file is too large or not readable. */
const mediaWords =
  /\bimages?\b|image_url|input_audio|\baudio\b|multi-?modal|\bvision\b|\bpdfs?\b|\bdocuments?\b|mmproj|modalit|media.?type|mime.?type|inline_?data|content.{0,40}(must be|should be|expected|not) a?.?string/i;

const schemaWords =
  /response.?format|response.?schema|json.?schema|json.?object|json.?mode|structured|output_config|output_format/i;

/** How servers say that a model takes no system message: Gemma, Mistral 7B, o1-mini and their chat templates. */
const systemWords =
  /system (?:role|message|prompt|instruction)s? (?:is |are )?(?:not |un)(?:supported|allowed|enabled)|developer instruction is not enabled|(?:n.t|not) support (?:the )?['"`]?(?:system|developer)|roles must alternate|only user(?:,| and| or) (?:model|assistant)|role:? ['"`]?system['"`]?/i;

type Refusal = { status: number; text: string };

/** vLLM and llama.cpp answer 400 or 500 with the error of the model's chat template. */
const refusesSystem = ({ status, text }: Refusal): boolean =>
  (requestRefused.has(status) || status === 500) && systemWords.test(text);

/** The question with its system message at the start of the user's. */
const withoutSystem = <Asked extends Pick<Question, 'system' | 'messages'>>(question: Asked): Asked => {
  const { system, messages } = question;
  const [first = '', ...rest] = messages;
  if (system === '') return question;
  const joined: Content = typeof first === 'string' ? `${system}\n\n${first}` : [`${system}\n\n`, ...first];
  return { ...question, system: '', messages: [joined, ...rest] };
};

/** llama.cpp answers 500 for a model without eyes. */
const refusesMedia = ({ status, text }: Refusal, messages: Content[]): boolean =>
  messages.some((message) => typeof message !== 'string') &&
  (status === 413 || ((requestRefused.has(status) || status === 500) && mediaWords.test(text))) &&
  !schemaWords.test(text);

/** Hosted providers name the setting that they refuse. Self-hosted servers often only say that the request is not valid. */
const refusesSchema = ({ status, text }: Refusal, { provider }: ResolvedModel): boolean => {
  if (schemaWords.test(text)) return true;
  // Bedrock enforces a schema by a tool that the model must call, and many models cannot call tools.
  if (provider.kind === 'bedrock' && /tool/i.test(text)) return true;
  return provider.kind === 'openai-compatible' && status !== 404;
};

/**
 * Asks once, and again without each setting that the model refuses. Remembers the setting if leaving it out helps. `record` gets
 * each request, answered or refused. Throws what the provider's library throws.
 */
export const askAccepting = async (
  { health }: Pick<Models, 'health'>,
  resolved: ResolvedModel,
  { ask }: Pick<OpenModel, 'ask'>,
  { temperature, maxOutputTokens, schema, ...question }: Omit<Question, 'signal'>,
  record: (call: Call) => void,
): Promise<Accepted> => {
  const leftOut = { ...health.refusedSettings(resolved) };
  for (;;) {
    const schemaSent = !leftOut.schema && schema !== undefined;
    try {
      const reply = await ask({
        ...(leftOut.system ? withoutSystem(question) : question),
        ...(!leftOut.temperature && temperature !== undefined && { temperature }),
        ...(!leftOut.maxOutputTokens && maxOutputTokens !== undefined && { maxOutputTokens }),
        ...(schemaSent && { schema }),
      });
      health.learnRefused(resolved, leftOut);
      record({ ...reply, schemaSent });
      return reply;
    } catch (error) {
      const refusal = refusalOf(error);
      // A refused request is not charged; the cost of one that broke off is not known.
      const tokens = refusal && refusal.status >= 400 ? 0 : null;
      record({
        text: null,
        schemaSent,
        modelAnswered: null,
        temperatureSent: leftOut.temperature ? null : (temperature ?? null),
        inputTokens: tokens,
        outputTokens: tokens,
        cachedTokens: tokens,
        cacheWriteTokens: tokens,
        billedUsd: null,
      });
      if (refusal?.ofContent) return 'filtered';
      if (refusal && refusesMedia(refusal, question.messages))
        return { refusedMedia: quoted((error as Error).message || refusal.text.trim(), resolved) };
      if (!refusal || refusal.ofKey) throw error;
      if (!leftOut.system && question.system !== '' && refusesSystem(refusal)) {
        leftOut.system = true;
        continue;
      }
      if (!requestRefused.has(refusal.status)) throw error;
      if (!leftOut.temperature && /temperature/i.test(refusal.text)) leftOut.temperature = true;
      else if (!leftOut.maxOutputTokens && lengthWords.test(refusal.text)) leftOut.maxOutputTokens = true;
      else if (!leftOut.schema && refusesSchema(refusal, resolved)) leftOut.schema = true;
      else throw error;
    }
  }
};
