import type { Failed } from '../../engine/models/ask.ts';
import type { Accepted } from '../../engine/models/ask-accepting.ts';
import type { Content, Reply } from '../../engine/models/question.ts';
import type { Scale } from '../../evaluation/metrics/scale.ts';
import { repairMessage } from './judge-prompt.ts';
import { type Read, readVerdict, type Verdict, verdictFormat } from './verdict.ts';

export type Vote =
  | { verdict: Verdict }
  /**
   * `error`: why the last reply is not a verdict. A walk has two further reasons: its evidence is not in the trace, or it called tools until
   * its budget was used up.
   */
  | { reason: 'invalid_judge_output' | 'evidence_not_found' | 'walk_unfinished'; error: string }
  /** The model takes no files, or not these: `error` is what its provider says. */
  | { reason: 'media_refused'; error: string }
  | { reason: 'judge_refused' };

/** How the replies to one question are read. */
export type Form = {
  /** Returns the verdict, what is wrong with the reply, or the answer to a question that the model asked back. */
  read(
    reply: Reply,
  ):
    | Read
    | Promise<
        Read | { problem: string; reason: 'evidence_not_found' | 'walk_unfinished' } | { answer: string }
      >;
  /** The verdict in words, for a repair. */
  format: string;
};

/** A verdict alone, as most judges give it. */
export const plainForm = (scale: Scale): Form => ({
  read: (reply) => readVerdict(reply, scale),
  format: verdictFormat(scale),
});

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
  ask: (messages: Content[]) => Promise<Accepted | Failed>,
  prompt: Content,
  form: Form,
): Promise<Vote | Failed> => {
  const messages = [prompt];
  for (let isRepair = false; ; ) {
    const reply = await ask(messages);
    if (typeof reply === 'object' && 'state' in reply) return reply;
    if (wasStopped(reply)) return { reason: 'judge_refused' };
    if ('refusedMedia' in reply) return { reason: 'media_refused', error: reply.refusedMedia };
    const read = await form.read(reply);
    if ('verdict' in read) return read;
    // A continued reply would be cut off again.
    const echo =
      reply.finishReason === 'length' ? '(cut off)' : reply.text.slice(0, longestEcho) || '(nothing)';
    if ('answer' in read) {
      messages.push(echo, read.answer);
      isRepair = false;
      continue;
    }
    if (isRepair)
      return { reason: 'reason' in read ? read.reason : 'invalid_judge_output', error: read.problem };
    isRepair = true;
    messages.push(echo, repairMessage(read.problem, form.format));
  }
};
