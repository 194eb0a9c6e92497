import { parseAsWritten } from '../../../client/src/written-number.ts';
import { dataFileOf, isImage } from './media.ts';
import { mediumOf } from './medium.ts';

/** Ways to show a value. */
export type Look = 'Image' | 'File' | 'Text' | 'Markdown' | 'JSON' | 'Chat' | 'Diff';

/** A message as providers send it, or as the service reads it from a trace (`toolCalls`). */
export type Message = {
  role: string;
  content?: unknown;
  tool_calls?: unknown;
  toolCalls?: unknown;
  /** Parts that are not text, as the service reads them from a trace. */
  media?: unknown;
};

const isMessage = (item: unknown): boolean =>
  item !== null &&
  typeof item === 'object' &&
  'role' in item &&
  typeof item.role === 'string' &&
  ('content' in item || 'tool_calls' in item);
const isChat = (value: unknown): value is Message[] =>
  Array.isArray(value) && value.length > 0 && value.every(isMessage);

/** The messages of a conversation: a list of them, or an object that holds nothing but one. */
export const messagesOf = (value: unknown): Message[] | undefined => {
  if (isChat(value)) return value;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const [only, ...others] = Object.entries(value);
  return only?.[0] === 'messages' && others.length === 0 && isChat(only[1]) ? only[1] : undefined;
};

export const isMarkdown = (text: string): boolean =>
  /^(#{1,6} |[-*] |\d+\. |> |```|\|.*\|$)|\*\*\S|`[^`\n]+`|\[[^\]\n]+\]\([^)\s]+\)/m.test(text);

/** The object or list that a text is the JSON of. */
export const jsonOf = (text: string): object | undefined => {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return parseAsWritten(text) as object;
  } catch {
    return undefined;
  }
};

/** A value as text, to be copied or held against another. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** How a value can be shown; the first is how it is shown until someone chooses. */
export const looksOf = (value: unknown, against: unknown): Look[] => {
  const differs =
    against !== undefined && against !== null && plainText(against) !== plainText(value)
      ? ['Diff' as const]
      : [];
  if (typeof value !== 'string') return [...(messagesOf(value) ? ['Chat' as const] : []), 'JSON', ...differs];
  const file = dataFileOf(value);
  if (file) return [isImage(file) ? 'Image' : 'File', 'Text'];
  if (jsonOf(value)) return ['JSON', 'Text', ...differs];
  return [...(isMarkdown(value) ? (['Markdown', 'Text'] as const) : (['Text'] as const)), ...differs];
};

/** A call of a tool as code writes it, for the shapes in which providers send one. */
const callText = (call: unknown): string => {
  if (call === null || typeof call !== 'object') return plainText(call);
  const said = ('function' in call ? call.function : call) as {
    name?: unknown;
    arguments?: unknown;
    args?: unknown;
  };
  if (typeof said?.name !== 'string') return plainText(call);
  const given = said.arguments ?? said.args ?? '';
  return `${said.name}(${typeof given === 'string' ? given : JSON.stringify(given)})`;
};

/** The parts of a message, with those of a tool's result that has files. */
const partsOf = (content: unknown): unknown[] =>
  (Array.isArray(content) ? content : [content]).flatMap((part) => {
    const inner = (part as { content?: unknown } | null)?.content;
    return Array.isArray(inner) && inner.some((each) => mediumOf(each) !== undefined) ? inner : [part];
  });

/** The files of a message: among its parts, and beside them. */
export const mediaOf = ({ content, media }: Message): unknown[] =>
  [content, media].flatMap((parts) =>
    Array.isArray(parts) ? partsOf(parts).filter((part) => mediumOf(part) !== undefined) : [],
  );

/** What a message says: its text, the texts of its parts, and the calls of tools. */
export const messageText = ({ content, tool_calls, toolCalls }: Message): string => {
  const calls = tool_calls ?? toolCalls;
  const isEmpty = content === null || content === undefined || (content === '' && calls !== undefined);
  const parts = isEmpty ? [] : partsOf(content);
  const texts = parts
    .filter((part) => mediumOf(part) === undefined)
    .map((part) =>
      part !== null && typeof part === 'object' && 'text' in part ? String(part.text) : plainText(part),
    );
  if (calls !== undefined && calls !== null) texts.push(...[calls].flat().map(callText));
  return texts.join('\n');
};
