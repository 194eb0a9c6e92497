import type { JSONSchema7 } from 'ai';

/** Describes the JSON that a model is to write. */
export type JsonSchema = JSONSchema7;

/** A function that the model may ask to call. */
export type Tool = { name: string; description?: string; inputSchema: JsonSchema };
/** A call that the model asks for; `arguments` is the text of the model: JSON, unless it made a mistake. */
export type ToolCall = { name: string; arguments: string };

/** A file that a message shows to a model. */
export type Media = { mediaType: string; base64: string };
/** A message: its text, or text and files in turn. */
export type Content = string | (string | Media)[];

/** One question to a model. */
export type Question = {
  /** The system message; '' sends none. */
  system: string;
  /** The user's message, then alternately the model's reply and the next user message. */
  messages: Content[];
  temperature?: number;
  maxOutputTokens?: number;
  /** Schema of the answer, for models that can enforce it. */
  schema?: JsonSchema;
  /** Name of the schema, which models see. Default `verdict`. */
  schemaName?: string;
  tools?: readonly Tool[];
  /** Receives the text while the model writes it. The reply has the whole text again. */
  onText?: (delta: string) => void;
  signal: AbortSignal;
};
export type Reply = {
  text: string;
  /** The model's thoughts, where the provider gives them apart from the text. */
  reasoning: string;
  toolCalls: ToolCall[];
  modelAnswered: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Tokens of the input that the provider had in its cache, and tokens that it stored there. */
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  /** Cost of the call as reported by the provider, such as OpenRouter's `usage.cost`; null if none is reported. */
  billedUsd: number | null;
  /** Why the model stopped; `content-filter` when it refused. */
  finishReason: string;
  /** null if none was sent, for example because the library knows that the model takes none. */
  temperatureSent: number | null;
};
/** Makes one request. Throws the errors of the provider's library: see failure.ts. */
export type AskOnce = (question: Question) => Promise<Reply>;
