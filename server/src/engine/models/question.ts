import type { JSONSchema7 } from 'ai';

/** One question to a model. */
export type Question = {
  /** The system message; '' sends none. */
  system: string;
  /** The user's message, then alternately the model's reply and the next user message. */
  messages: string[];
  temperature?: number;
  maxOutputTokens?: number;
  /** What the answer must look like, for models that can be held to it. */
  schema?: JSONSchema7;
  signal: AbortSignal;
};
export type Reply = {
  text: string;
  /** The model's thoughts, where the provider gives them apart from the text. */
  reasoning: string;
  modelAnswered: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Why the model stopped; `content-filter` when it refused. */
  finishReason: string;
  /** null when none was sent, as where the library knows that the model takes none. */
  temperatureSent: number | null;
};
/** Makes one request. Throws the errors of the provider's library: see failure.ts. */
export type Ask = (question: Question) => Promise<Reply>;
