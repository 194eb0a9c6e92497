import { pino } from 'pino';

/** Readable lines for a terminal: one for each event, with the id of the request at its end. */
const readable = async () => {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    singleLine: true,
    ignore: 'pid,hostname,method,path,status,ms',
    messageFormat: '{msg}{if method} {method} {path} {status} in {ms} ms{end}',
  });
};

/** Opens the log of the process: readable lines on a terminal, JSON elsewhere. It never contains secrets. */
export const createLogger = async (level: string) => {
  const options = { level, redact: ['req.headers.authorization', 'headers.authorization'] };
  return process.stdout.isTTY ? pino(options, await readable()) : pino(options);
};
