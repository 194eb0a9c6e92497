import { PassThrough, type Readable } from 'node:stream';

/** Sends one event to a client while its answer is made. The data is sent as JSON. */
export type Tell = (event: string, data: unknown) => void;

/** Does the work of an answer as server-sent events: those that it tells, then `result` with the JSON text that it returns. */
export const tellEvents = (work: (tell: Tell) => Promise<string>): Readable => {
  const events = new PassThrough();
  work((event, data) => events.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)).then(
    (answer) => {
      // Free-form JSON is as it was written; a line break in it would end the event.
      const lines = answer.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
      events.end(`event: result\n${lines.join('')}\n`);
    },
    (error) => events.destroy(error),
  );
  return events;
};
