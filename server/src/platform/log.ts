import { pino } from 'pino';

/** The process's log: lines for people on a terminal, JSON elsewhere; never a secret. */
export const createLogger = (level: string) =>
  pino({
    level,
    redact: ['req.headers.authorization', 'headers.authorization'],
    ...(process.stdout.isTTY && {
      // One line an event: a request by what was asked and answered, its id at the end.
      transport: {
        target: 'pino-pretty',
        options: {
          singleLine: true,
          ignore: 'pid,hostname,method,path,status,ms',
          messageFormat: '{msg}{if method} {method} {path} {status} in {ms} ms{end}',
        },
      },
    }),
  });
