import type { Json } from '../conventions/attribute.ts';
import type { Message, ToolCall } from '../conventions/understand.ts';

/** A message of a conversation and where it comes from. */
export type Entry = Message & {
  traceId: string;
  spanId: string;
  /** The sub-agent whose conversation it belongs to; null for the conversation itself. */
  agentSpanId: string | null;
  /** JSON Pointer to the text in the span as the API returns it; null when the span does not hold it as it is. */
  path: string | null;
  time: string;
  modelName: string | null;
  error: string | null;
};

/** A message that a span holds, with the path of its text. */
export type Held = { message: Message; path: string | null };
/** Source and time of a message, without the path of its text. */
export type Place = Omit<Entry, keyof Message | 'path'>;

const keyOf = ({ role, content, toolCalls = [], toolCallId, media = [] }: Message): string =>
  role === 'tool' && toolCallId !== undefined
    ? `tool ${toolCallId}`
    : JSON.stringify([
        role,
        content.trim(),
        toolCalls.map(({ id, name, arguments: args }) => [id, name, args]),
        media,
      ]);

/** One conversation with each message once, although every call of a model is sent all earlier messages. */
export class Thread {
  readonly entries: Entry[] = [];
  readonly #keys: string[] = [];
  /** The last call of a model, and its answer if that was sent. */
  #call: { place: Place; answer: Entry | null } | null = null;
  /** Messages whose calls of tools are known from the tools alone. */
  readonly #inferred = new Set<Entry>();

  /**
   * Returns the position of a message from `at` on; -1 if it is not there. Some instrumentations send the earlier answers of tools without
   * their ids, so such a message is the next answer, if only calls come before it.
   */
  #find(message: Message, key: string, at: number): number {
    const found = this.#keys.indexOf(key, at);
    if (found >= 0 || at === 0 || message.role !== 'tool' || message.toolCallId !== undefined) return found;
    const next = this.entries.findIndex(({ toolCalls }, i) => i >= at && toolCalls === undefined);
    const isAnswer =
      this.entries[next]?.role === 'tool' &&
      (message.name === undefined ||
        this.entries[next].name === undefined ||
        this.entries[next].name === message.name);
    return isAnswer ? next : -1;
  }

  /** Adds the messages that are not there yet, in their order. */
  add(messages: Held[], place: Place): void {
    let at = 0;
    for (const { message, path } of messages) {
      const key = keyOf(message);
      const found = this.#find(message, key, at);
      if (found >= 0) {
        // A tool's span may lack its answer; then the next call of the model holds it.
        const entry = this.entries[found]!;
        if (entry.content === '' && message.content !== '') {
          entry.content = message.content;
          // The text is in the other span.
          entry.path = null;
        }
        entry.error ??= place.error;
        at = found + 1;
        continue;
      }
      this.#push({ ...message, ...place, path });
      at = this.#keys.length;
    }
  }

  #push(entry: Entry): void {
    this.#keys.push(keyOf(entry));
    this.entries.push(entry);
  }

  /** Adds the words of an agent whose calls of models hold none: one message even if it was said before. */
  tell(messages: Held[], place: Place): void {
    const [only] = messages;
    if (only && messages.length === 1) this.#push({ ...only.message, ...place, path: only.path });
    else this.add(messages, place);
  }

  /** Adds a run of a tool, even one that returned what an earlier one did: without an id, only its span tells them apart. */
  run(held: Held, place: Place): void {
    if (held.message.toolCallId !== undefined) this.add([held], place);
    else this.#push({ ...held.message, ...place, path: held.path });
  }

  /** Adds the answer of a call of a model, even one that was said before. */
  say(answers: Held[], place: Place): void {
    for (const { message, path } of answers) this.#push({ ...message, ...place, path });
    this.#call = { place, answer: answers.length > 0 ? this.entries.at(-1)! : null };
  }

  /**
   * Adds a call of a tool to the answer of the model that came before it, if no message has it: some instrumentations send what a model
   * said, and not the calls that it asked for. Without an id, only an answer that says nothing asked for it.
   */
  ask(call: ToolCall): void {
    if (!this.#call || this.#isAsked(call)) return;
    const { place, answer } = this.#call;
    const entry = answer ?? { role: 'assistant', content: '', ...place, path: null };
    const isOpen = this.#inferred.has(entry) || entry.toolCalls === undefined;
    if (entry.role !== 'assistant' || !isOpen || (call.id === null && entry.content !== '')) return;
    if (!answer) {
      this.#push(entry);
      this.#call.answer = entry;
    }
    this.#inferred.add(entry);
    entry.toolCalls = [...(entry.toolCalls ?? []), call];
    this.#keys[this.entries.indexOf(entry)] = keyOf(entry);
  }

  #isAsked({ id, name }: ToolCall): boolean {
    const calls = this.entries.flatMap(({ toolCalls = [] }) => toolCalls);
    if (id !== null && calls.some((call) => call.id === id)) return true;
    // Calls without ids can only be counted.
    const asked = calls.filter((call) => call.name === name && (call.id === null || id === null));
    return asked.length > this.entries.filter((entry) => entry.role === 'tool' && entry.name === name).length;
  }

  /**
   * Returns the id of the first call of a tool that has no answer yet; of several with its name, the one with these arguments.
   * Undefined when there is none: many instrumentations do not write the id into the tool's span.
   */
  openCall(name: string, args: Json): string | undefined {
    const answered = new Set(this.entries.flatMap((entry) => entry.toolCallId ?? []));
    const open = this.entries
      .flatMap(({ toolCalls = [] }) => toolCalls)
      .filter((call) => call.name === name && call.id !== null && !answered.has(call.id));
    const text = JSON.stringify(args);
    return (open.find((call) => JSON.stringify(call.arguments) === text) ?? open[0])?.id ?? undefined;
  }
}
