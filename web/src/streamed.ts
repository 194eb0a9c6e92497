import { DokimaError } from '../../client/src/errors.ts';
import { parseAnswer } from '../../client/src/written-number.ts';

/** Splits a stream of server-sent events; each has one kind and its data. */
async function* eventsOf(body: ReadableStream<BufferSource>): AsyncGenerator<{ kind: string; data: string }> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [first = '', ...lines] = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const data = lines.map((line) => line.replace(/^data: ?/, '')).join('\n');
      yield { kind: first.replace('event: ', ''), data };
    }
  }
}

/** Sends a body to one of `streams`, passes on what the service tells while it makes the answer, and returns the answer. */
export const askStreamed = async <Result>(
  url: string,
  body: object,
  signal: AbortSignal,
  onEvent: (kind: string, data: unknown) => void,
): Promise<Result> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      'x-requested-with': 'Dokima',
    },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok || !response.body) {
    const { message } = (await response.json().catch(() => ({}))) as { message?: string };
    throw new Error(message ?? `The service answered ${response.status}.`);
  }
  for await (const { kind, data } of eventsOf(response.body as ReadableStream<BufferSource>)) {
    if (kind === 'result') return parseAnswer(data) as Result;
    onEvent(kind, parseAnswer(data));
  }
  throw new DokimaError('NO_ANSWER', 'The connection broke before the answer was complete. Try again.');
};
