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

/** A mail to one address. */
export type Mail = { to: string; subject: string; text: string; headers?: Record<string, string> };

/** Links for the owner of an address that belongs to no member, and for their mail program. */
export type OwnerLinks = { stopUrl: string; oneClickUrl: string };

/** RFC 2369 and RFC 8058: the button of a mail program that ends the mails. */
const stopHeaders = ({ oneClickUrl }: OwnerLinks): Record<string, string> => ({
  'List-Unsubscribe': `<${oneClickUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The mail of an event in plain text. An address that belongs to no member also gets links with which its owner stops the mails. */
export const mailOf = (
  to: string,
  message: Message,
  publicUrl: string | undefined,
  links: OwnerLinks | undefined,
): Mail => {
  const url = linkOf(message, publicUrl);
  const subject = plain(message.title);
  const lines = [subject, '', ...message.lines.map(plain), ...(url ? ['', url] : [])];
  if (links)
    lines.push('', '-- ', `You confirmed that ${to} gets these mails. Stop them here:`, links.stopUrl);
  const mail = { to, subject, text: `${lines.join('\n')}\n` };
  return links ? { ...mail, headers: stopHeaders(links) } : mail;
};

/** Longest name in a mail to a person who has not asked for it. */
const longestName = 80;

/** A name in which mail programs find no address of a site either. */
const inert = (name: string): string => plain(name).slice(0, longestName).replaceAll('.', `.${joiner}`);

/** The mail that asks the owner of an address. It has no text of users but the name of the organization: it comes unasked. */
export const questionMail = (
  to: string,
  organizationName: string,
  { confirmUrl, days, ...links }: OwnerLinks & { confirmUrl: string; days: number },
): Mail => {
  const name = inert(organizationName);
  const lines = [
    `“${name}” wants to send alerts of its evaluation service Dokima to ${to}.`,
    '',
    `You get them only if you confirm this address within ${days} days:`,
    confirmUrl,
    '',
    'If you do not want them, ignore this mail. To be asked no more:',
    links.stopUrl,
  ];
  const subject = `Confirm that you want alerts of ${name}`;
  return { to, subject, text: `${lines.join('\n')}\n`, headers: stopHeaders(links) };
};
