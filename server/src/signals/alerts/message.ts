import type { EventType } from './schema.ts';

/** Message of an event for people, and its facts for programs. */
export type Message = {
  title: string;
  /** Sentences below the title. */
  lines: string[];
  /** Path of the page that shows it. */
  path: string;
  facts: Record<string, unknown>;
};

/** The page of a message, if the service knows its own address. */
export const linkOf = ({ path }: Message, publicUrl: string | undefined): string | null =>
  publicUrl === undefined ? null : `${publicUrl}${path}`;

/** The body of a webhook, as Standard Webhooks advises: type, time and data. */
export const webhookBody = (
  event: EventType | string,
  createdAt: string,
  message: Message,
  publicUrl: string | undefined,
): string =>
  JSON.stringify({
    type: event,
    timestamp: createdAt,
    data: {
      title: message.title,
      lines: message.lines,
      url: linkOf(message, publicUrl),
      ...message.facts,
    },
  });

/** No character of its own width: a program that looks for addresses and mentions finds none across it. */
const joiner = '\u2060';

/**
 * A text of names that users chose, on one line, in which no chat or mail program finds a mention or a link: Slack, Mattermost and
 * Rocket.Chat read `@here`, Markdown links and bare addresses.
 */
const plain = (text: string): string =>
  text
    .replaceAll(/\s*[\r\n\u2028\u2029]\s*/g, ' ')
    .replaceAll('@', `@${joiner}`)
    .replaceAll('](', `]${joiner}(`)
    .replaceAll('://', `:${joiner}//`);

/** Slack reads these three characters as markup: https://docs.slack.dev/messaging/formatting-message-text. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Most characters of a text in a message of Slack, which refuses 40,000. */
const longest = 3_000;

/** The body of a message to Slack. Names that users chose are plain text, without mentions and links. */
export const slackBody = (message: Message, publicUrl: string | undefined): string => {
  const url = linkOf(message, publicUrl);
  const [title, ...rest] = [message.title, ...message.lines].map((text) => escapeSlack(plain(text)));
  const lines = [`*${title}*`, ...rest];
  if (url) lines.push(`<${url}|Open in Dokima>`);
  const text = lines.join('\n');
  return JSON.stringify({ text: text.length > longest ? `${text.slice(0, longest)}…` : text });
};

/** The subject of a mail. */
export const mailSubject = ({ title }: Message): string => plain(title);

/** The plain text of a mail. */
export const mailText = (message: Message, publicUrl: string | undefined): string => {
  const url = linkOf(message, publicUrl);
  const lines = message.lines.map(plain);
  return `${[mailSubject(message), '', ...lines, ...(url ? ['', url] : [])].join('\n')}\n`;
};
