import { pino } from 'pino';

/** Opens the log of the process: readable lines on a terminal, JSON elsewhere. It never contains secrets. */
export const createLogger = (level: string) =>
  pino({
    level,
    redact: ['req.headers.authorization', 'headers.authorization'],
    ...(process.stdout.isTTY && {
      // One line for each event, with the id of the request at its end.
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
