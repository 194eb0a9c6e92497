import { parseAsWritten } from '../../platform/json/parse-as-written.ts';
import type { Json } from '../conventions/attribute.ts';
import { errorOf, toolRunOf } from '../conventions/understand.ts';
import type { ConversationSpan } from './conversation.ts';
import type { Entry } from './thread.ts';

/** A tool call with its result, from the model's request, the tool's span, the message that answers, or all of them. */
export type CalledTool = {
  id: string | null;
  name: string;
  arguments: Json;
  /** null when it is unknown. */
  result: Json;
  error: string | null;
  /** Span of the tool, else of the model's call that asked for it. */
  spanId: string;
};

/** Parses arguments that come as JSON text, as providers send them. */
const parsedArguments = (given: Json): Json => {
  if (typeof given !== 'string') return given;
  try {
    return parseAsWritten(given) as Json;
  } catch {
    return given;
  }
};

/**
 * Returns the tool calls of a record by start: calls that models asked for, each with the span of its tool or else the message
 * that answers it, and tools' spans that no model asked for. A span belongs to a call by the call's id, or without an id by
 * the tool's name.
 */
export const toolCallsOf = (entries: Entry[], spans: ConversationSpan[]): CalledTool[] => {
  const runs = spans.flatMap((span) => {
    if (span.operation !== 'tool' || !span.content) return [];
    const { content } = span;
    const error = span.failed ? (errorOf(content.statusMessage, content) ?? 'failed') : null;
    return [{ ...toolRunOf(content), error, spanId: span.spanId, start: span.start }];
  });
  const left = new Set(runs);
  const answers = new Map(
    entries.flatMap((entry) =>
      entry.role === 'tool' && entry.toolCallId !== undefined ? [[entry.toolCallId, entry]] : [],
    ),
  );
  const starts = new Map(spans.map((span) => [span.spanId, span.start]));
  const asked = entries.flatMap((entry) =>
    (entry.toolCalls ?? []).map((call) => {
      const candidates = [...left];
      const run =
        candidates.find(({ id }) => id !== null && id === call.id) ??
        candidates.find(({ id, name }) => id === null && name === call.name);
      if (run) left.delete(run);
      const answer = call.id === null ? undefined : answers.get(call.id);
      return {
        id: call.id,
        name: call.name,
        arguments: parsedArguments(call.arguments ?? run?.arguments ?? null),
        result: run?.result ?? (answer?.content || null),
        error: run ? run.error : (answer?.error ?? null),
        spanId: run?.spanId ?? entry.spanId,
        start: starts.get(entry.spanId) ?? 0n,
      };
    }),
  );
  const unasked = [...left].map((run) => ({ ...run, arguments: parsedArguments(run.arguments) }));
  return [...asked, ...unasked]
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))
    .map(({ start: _, ...call }) => ({
      id: call.id,
      name: call.name,
      arguments: call.arguments,
      result: call.result,
      error: call.error,
      spanId: call.spanId,
    }));
};
