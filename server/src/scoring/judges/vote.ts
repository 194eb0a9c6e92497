import type { Accepted } from '../../engine/models/ask-accepting.ts';
import type { Content, Reply } from '../../engine/models/question.ts';
import type { OutputType } from '../../evaluation/metrics/schema.ts';
import { repairMessage } from './judge-prompt.ts';
import { readVerdict, type Verdict } from './verdict.ts';

export type Vote =
  | { verdict: Verdict }
  /** `error`: why the last reply is not a verdict. */
  | { reason: 'invalid_judge_output'; error: string }
  /** The model takes no files, or not these: `error` is what its provider says. */
  | { reason: 'media_refused'; error: string }
  | { reason: 'judge_refused' };

/** Long replies are shown to the model in part when it is asked to repair them. */
const longestEcho = 8_000;

type Stopped = 'filtered' | (Reply & { finishReason: 'content-filter' });
const wasStopped = (answered: Accepted): answered is Stopped =>
  answered === 'filtered' || ('finishReason' in answered && answered.finishReason === 'content-filter');

/**
 * Asks a model for one verdict, and once more if its reply is not a verdict. The prompt describes the verdict in any case, so a model
 * that refuses the schema is asked without it. Throws what the provider's library throws.
 */
export const vote = async (
  ask: (messages: Content[]) => Promise<Accepted>,
  prompt: Content,
  outputType: OutputType,
): Promise<Vote> => {
  const messages = [prompt];
  for (let isRepair = false; ; isRepair = true) {
    const reply = await ask(messages);
    if (wasStopped(reply)) return { reason: 'judge_refused' };
    if ('refusedMedia' in reply) return { reason: 'media_refused', error: reply.refusedMedia };
    const read = readVerdict(reply, outputType);
    if ('verdict' in read) return read;
    if (isRepair) return { reason: 'invalid_judge_output', error: read.problem };
    // A continued reply would be cut off again.
    const echo =
      reply.finishReason === 'length' ? '(cut off)' : reply.text.slice(0, longestEcho) || '(nothing)';
    messages.push(echo, repairMessage(read.problem, outputType));
  }
};
