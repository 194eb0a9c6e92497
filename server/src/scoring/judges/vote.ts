import { quoted, refusalOf } from '../../engine/models/failure.ts';
import type { ResolvedModel } from '../../engine/models/provider.ts';
import type { RefusedSettings } from '../../engine/models/provider-health.ts';
import type { Ask, Content, Question, Reply } from '../../engine/models/question.ts';
import type { OutputType } from '../../evaluation/metrics/schema.ts';
import { repairMessage } from './judge-prompt.ts';
import { readVerdict, type Verdict, verdictSchema } from './verdict.ts';

/** One request to a provider, as it goes into the evidence. */
export type Call = {
  /** Undefined for a request that was refused. */
  finishReason?: string;
  /** Whether the request held the model to the verdict's schema. */
  schemaSent: boolean;
  text: string | null;
  modelAnswered: string | null;
  temperatureSent: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
};

export type Ballot = {
  ask: Ask;
  resolved: ResolvedModel;
  /** What the model does not accept. */
  refused: RefusedSettings;
  /** Called with what was left out of a request that was answered. */
  learn: (refused: RefusedSettings) => void;
  /** Longest reply, in tokens. */
  maxOutputTokens: number;
  system: string;
  prompt: Content;
  outputType: OutputType;
  temperature: number;
  signal: AbortSignal;
  /** Called with each request, answered or refused. */
  record: (call: Call) => void;
};
export type Vote =
  | { verdict: Verdict }
  /** `problem`: why the last reply is no verdict. */
  | { reason: 'invalid_judge_output'; problem: string }
  /** The model takes no files, or not these: `problem` is what its provider says. */
  | { reason: 'media_refused'; problem: string }
  | { reason: 'judge_refused' };

/** A reply; 'filtered' where the provider's filter stopped the question before the model. */
type Answered = Reply | 'filtered' | { refusedMedia: string };

/** Long replies are shown to the model in part when it is asked to repair them. */
const longestEcho = 8_000;

const requestRefused = new Set([400, 404, 415, 422, 501]);

/** Asks once, and again for each setting that the model refuses: it is then left out, and that is remembered if it helps. */
const askAccepting = async (ballot: Ballot, messages: Content[]): Promise<Answered> => {
  const { ask, resolved, refused, learn, system, outputType, temperature, maxOutputTokens, signal, record } =
    ballot;
  const leftOut = { ...refused };
  for (;;) {
    const question: Question = {
      system,
      messages,
      signal,
      ...(!leftOut.temperature && { temperature }),
      ...(!leftOut.maxOutputTokens && { maxOutputTokens }),
      ...(!leftOut.schema && { schema: verdictSchema(outputType) }),
    };
    try {
      const reply = await ask(question);
      learn(leftOut);
      record({ ...reply, schemaSent: !leftOut.schema });
      return reply;
    } catch (error) {
      const refusal = refusalOf(error);
      // A refused request is not charged; the cost of one that broke off is not known.
      const tokens = refusal && refusal.status >= 400 ? 0 : null;
      record({
        text: null,
        schemaSent: !leftOut.schema,
        modelAnswered: null,
        temperatureSent: leftOut.temperature ? null : temperature,
        inputTokens: tokens,
        outputTokens: tokens,
      });
      if (refusal?.ofContent) return 'filtered';
      if (refusal && refusesMedia(refusal, messages))
        return { refusedMedia: quoted((error as Error).message || refusal.text.trim(), resolved) };
      if (!refusal || refusal.ofKey || !requestRefused.has(refusal.status)) throw error;
      if (!leftOut.temperature && /temperature/i.test(refusal.text)) leftOut.temperature = true;
      else if (!leftOut.maxOutputTokens && lengthWords.test(refusal.text)) leftOut.maxOutputTokens = true;
      else if (!leftOut.schema && refusesSchema(refusal, resolved)) leftOut.schema = true;
      else throw error;
    }
  }
};

/**
 * Asks a model for one verdict, and once more if its reply is not a verdict. The prompt describes the verdict in any case, so a model
 * that refuses the schema is asked without it. Throws what the provider's library throws.
 */
export const vote = async (ballot: Ballot): Promise<Vote> => {
  const { prompt, outputType } = ballot;
  const first = await askAccepting(ballot, [prompt]);
  if (wasStopped(first)) return { reason: 'judge_refused' };
  if ('refusedMedia' in first) return { reason: 'media_refused', problem: first.refusedMedia };
  const read = readVerdict(first, outputType);
  if ('verdict' in read) return read;
  // What was cut off would be cut off again, were it continued.
  const echo =
    first.finishReason === 'length' ? '(cut off)' : first.text.slice(0, longestEcho) || '(nothing)';
  const second = await askAccepting(ballot, [prompt, echo, repairMessage(read.problem, outputType)]);
  if (wasStopped(second)) return { reason: 'judge_refused' };
  if ('refusedMedia' in second) return { reason: 'media_refused', problem: second.refusedMedia };
  const repaired = readVerdict(second, outputType);
  return 'verdict' in repaired ? repaired : { reason: 'invalid_judge_output', problem: repaired.problem };
};

type Stopped = 'filtered' | (Reply & { finishReason: 'content-filter' });
const wasStopped = (answered: Answered): answered is Stopped =>
  answered === 'filtered' || ('finishReason' in answered && answered.finishReason === 'content-filter');

/** The longest reply is longer than the model writes, or does not fit into its context beside the prompt. */
const lengthWords =
  /max_?(?:completion_|output_|new_)?tokens|maxOutputTokens|context.?(?:length|window|size)/i;

/** How servers say that a model reads no images, no audio or no documents, or that a file is too large or not readable. */
const mediaWords =
  /\bimages?\b|image_url|input_audio|\baudio\b|multi-?modal|\bvision\b|\bpdfs?\b|\bdocuments?\b|mmproj|modalit|media.?type|mime.?type|inline_?data|content.{0,40}(must be|should be|expected|not) a?.?string/i;

/** llama.cpp answers 500 for a model without eyes. */
const refusesMedia = ({ status, text }: { status: number; text: string }, messages: Content[]): boolean =>
  messages.some((message) => typeof message !== 'string') &&
  (status === 413 || ((requestRefused.has(status) || status === 500) && mediaWords.test(text))) &&
  !schemaWords.test(text);

const schemaWords =
  /response.?format|response.?schema|json.?schema|json.?object|json.?mode|structured|output_config|output_format/i;

/** Hosted providers name what they refuse. Self-hosted servers often only say that the request is not valid. */
const refusesSchema = (
  { status, text }: { status: number; text: string },
  { provider }: ResolvedModel,
): boolean => {
  if (schemaWords.test(text)) return true;
  // Bedrock holds models to a schema by a tool that they must call, which many of them can't.
  if (provider.kind === 'bedrock' && /tool/i.test(text)) return true;
  return provider.kind === 'openai-compatible' && status !== 404;
};
