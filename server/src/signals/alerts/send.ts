import { AddressRefused } from '../../engine/models/allowed-addresses.ts';
import { type GuardedFetch, type Network, openGuardedFetch } from '../../engine/models/guarded-fetch.ts';
import { Unreachable } from '../../engine/models/unreachable.ts';
import { protobufType, readResponse } from '../../traces/otlp/answer.ts';
import { type Mail, type Message, slackBody, webhookBody } from './message.ts';
import type { AlertKind } from './schema.ts';
import { signedHeaders } from './sign.ts';

/** Destination of a message. */
export type Destination = {
  kind: AlertKind;
  target: string;
  url?: string;
  signingSecret?: string;
  headers?: Record<string, string>;
};
export type Sending = {
  id: string;
  event: string;
  createdAt: string;
  /** When the attempt began, by the clock of the database: receivers refuse a signature that is minutes off. */
  sentAt: string;
  message: Message;
  /** otlp: the request. */
  request?: Buffer<ArrayBuffer>;
};
export type Sent =
  | { ok: true; status: number | null }
  | { ok: false; status: number | null; error: string; retryable: boolean };

export type Sender = {
  /** Sends a message to another program. Never throws for an error of the receiver. */
  send(to: Destination, sending: Sending): Promise<Sent>;
  /** Sends a mail. The id is the same at each attempt. Never throws for an error of the mail server. */
  mail(id: string, mail: Mail): Promise<Sent>;
  /** Whether the operator has set up e-mail. */
  canMail: boolean;
  /** Address of the service, without which no link can stand in a mail. */
  publicUrl: string | undefined;
  close(): void;
};

/** A connection to a mail server. */
type Transport = {
  sendMail: (mail: {
    from: string;
    to: { name: string; address: string };
    subject: string;
    text: string;
    messageId: string;
    headers?: Record<string, string>;
    disableFileAccess: true;
    disableUrlAccess: true;
  }) => Promise<unknown>;
  close: () => void;
};
export type OpenTransport = (smtpUrl: string) => Promise<Transport>;

export type MailSettings = {
  smtpUrl: string | undefined;
  from: string | undefined;
  openTransport?: OpenTransport;
};

/** Time that a receiver has to answer. */
const timeoutMs = 15_000;
/** The receiver's answer is only shown when it failed. */
const maxAnswerBytes = 100_000;
const longestAnswer = 200;

const refusalIn = (error: unknown): AddressRefused | undefined => {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof AddressRefused) return at;
  return undefined;
};

/** The library is loaded for the first mail. */
const openSmtp: OpenTransport = async (smtpUrl) => {
  const { createTransport } = await import('nodemailer');
  return createTransport(smtpUrl, {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  } as object);
};

/** Opens the way to the mail server. */
const openMailer = ({ smtpUrl, from, openTransport = openSmtp }: MailSettings) => {
  let transport: ReturnType<OpenTransport> | undefined;

  const mail = async (id: string, { to, ...mail }: Mail): Promise<Sent> => {
    if (!smtpUrl || !from) {
      const error = 'The operator has not set up e-mail: DOKIMA_SMTP_URL and DOKIMA_MAIL_FROM.';
      return { ok: false, status: null, error, retryable: false };
    }
    try {
      transport ??= openTransport(smtpUrl);
      await (await transport).sendMail({
        from,
        // Not as text, in which parentheses would be read as a comment.
        to: { name: '', address: to },
        ...mail,
        messageId: `<${id}@dokima>`,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return { ok: true, status: null };
    } catch (error) {
      const { responseCode, message: why } = error as Error & { responseCode?: number };
      // A mail server answers 5xx if a retry would not help.
      const retryable = responseCode === undefined || responseCode < 500;
      return { ok: false, status: responseCode ?? null, error: why.slice(0, longestAnswer), retryable };
    }
  };

  return {
    mail,
    close: () => {
      transport?.then((open) => open.close()).catch(() => {});
    },
  };
};

/** Returns why a receiver of OTLP refused a part of a request. */
const otlpRefusal = async (answer: Response): Promise<string | undefined> => {
  const { rejected, message } = readResponse(
    answer.headers.get('content-type') ?? '',
    Buffer.from(await answer.arrayBuffer()),
  );
  return rejected > 0 ? `refused ${rejected} scores: ${message}` : undefined;
};

/** Opens the sender of alerts. */
export const openSender = (
  network: Network,
  publicUrl: string | undefined,
  settings: MailSettings,
  guarded: Pick<GuardedFetch, 'fetch' | 'close'> = openGuardedFetch({ ...network, maxBytes: maxAnswerBytes }),
): Sender => {
  const mailer = openMailer(settings);

  const post = async (
    url: string,
    body: string | Buffer<ArrayBuffer>,
    headers: Record<string, string>,
    refusalOf: (answer: Response) => Promise<string | undefined> = async () => undefined,
  ): Promise<Sent> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await guarded.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Dokima', ...headers },
        body,
        signal: timeout,
      });
      const { status } = response;
      if (response.ok) {
        const refused = await refusalOf(response);
        return refused === undefined
          ? { ok: true, status }
          : { ok: false, status, error: refused.slice(0, longestAnswer), retryable: false };
      }
      const said = (await response.text()).slice(0, longestAnswer).replaceAll('\0', '');
      const error =
        status >= 300 && status < 400
          ? `answered with a redirect (${status}), which is not followed: set the URL to its target`
          : `answered ${status}${said ? `: ${said}` : ''}`;
      // 410 says that the receiver is gone for good.
      return { ok: false, status, error, retryable: status !== 410 };
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal) return { ok: false, status: null, error: refusal.message, retryable: false };
      const { code, message } = error as NodeJS.ErrnoException;
      const short = error instanceof Unreachable ? message : (code ?? message);
      const why = timeout.aborted
        ? `gave no answer within ${timeoutMs / 1000} s`
        : `could not be reached: ${short}`;
      return { ok: false, status: null, error: why, retryable: true };
    }
  };

  return {
    canMail: settings.smtpUrl !== undefined && settings.from !== undefined,
    publicUrl,
    mail: mailer.mail,
    send: (to, sending) => {
      if (to.kind === 'slack') return post(to.url!, slackBody(sending.message, publicUrl), {});
      if (to.kind === 'otlp') {
        const headers = { ...to.headers, 'content-type': protobufType };
        return post(to.url!, sending.request!, headers, otlpRefusal);
      }
      const body = webhookBody(sending.event, sending.createdAt, sending.message, publicUrl);
      return post(
        to.url!,
        body,
        signedHeaders(to.signingSecret!, sending.id, body, Date.parse(sending.sentAt)),
      );
    },
    close: () => {
      guarded.close();
      mailer.close();
    },
  };
};
