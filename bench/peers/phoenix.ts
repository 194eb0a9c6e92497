import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../postgres.ts';
import { ask, chunks, type Item, type Peer, startProgram } from './peer.ts';

const hexOf = (id: number, length: number) => (id + 1).toString(16).padStart(length, '0');

/** A trace of one span by OpenInference. */
const spanOf = ({ id, inputs, expected, outputs }: Item, place: number) => ({
  name: 'answer',
  context: { trace_id: hexOf(place * 1_000_000 + id, 32), span_id: hexOf(place * 1_000_000 + id, 16) },
  span_kind: 'CHAIN',
  start_time: new Date(1_790_000_000_000 + id).toISOString(),
  end_time: new Date(1_790_000_001_000 + id).toISOString(),
  status_code: 'OK',
  attributes: {
    'input.value': JSON.stringify(inputs),
    'output.value': JSON.stringify(outputs),
    'metadata.expected': JSON.stringify(expected),
  },
});

type Span = { context: { span_id: string }; attributes: Record<string, string> };
type Annotation = { span_id: string; name: string; result: { score: number; explanation: string } };

const expectedOf = ({ attributes }: Span) => {
  const flat = attributes['metadata.expected'] ?? attributes.metadata!;
  const parsed = JSON.parse(flat);
  return parsed.expected === undefined ? parsed : JSON.parse(parsed.expected);
};

const itemOf = (span: Span, notes: Annotation[]): Item => {
  const inputs = JSON.parse(span.attributes['input.value']!);
  const outputs = JSON.parse(span.attributes['output.value']!);
  const scores = notes.map(({ name, result }) => ({ name, value: result.score, reason: result.explanation }));
  return { id: inputs.id, inputs, expected: expectedOf(span), outputs, scores };
};

/** Phoenix on PostgreSQL. It queues spans and answers before they are stored, so `send` waits until they can be read. */
export const startPhoenix = async (programs: string, folder: string, databaseUrl: string): Promise<Peer> => {
  const [port, grpcPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  await mkdir(folder, { recursive: true });
  const program = await startProgram(
    join(programs, 'phoenix/bin/python'),
    ['-m', 'phoenix.server.main', 'serve'],
    {
      PHOENIX_PORT: String(port),
      PHOENIX_GRPC_PORT: String(grpcPort),
      PHOENIX_HOST: '127.0.0.1',
      PHOENIX_WORKING_DIR: folder,
      PHOENIX_SQL_DATABASE_URL: databaseUrl.replace('postgres:', 'postgresql:'),
      PHOENIX_TELEMETRY_ENABLED: 'false',
    },
    folder,
    `${url}/healthz`,
  );
  let places = 0;
  const open = async () => {
    const place = ++places;
    const project = `${url}/v1/projects/benchmark${place}`;
    await ask(`${url}/v1/projects`, { name: `benchmark${place}` });
    let sent = 0;
    const spans = async (): Promise<Span[]> => {
      const found: Span[] = [];
      for (let cursor = ''; ; ) {
        const page = await ask(`${project}/spans?limit=1000${cursor && `&cursor=${cursor}`}`);
        found.push(...page.data);
        cursor = page.next_cursor ?? '';
        if (!cursor) return found;
      }
    };
    const send = async (items: Item[]) => {
      for (const batch of chunks(items, 500))
        await ask(`${project}/spans`, { data: batch.map((item) => spanOf(item, place)) });
      sent += items.length;
      while ((await spans()).length < sent) await delay(500);
      const annotations = items.flatMap((item) =>
        item.scores.map(({ name, value, reason }) => ({
          name,
          annotator_kind: 'CODE',
          span_id: spanOf(item, place).context.span_id,
          result: { score: value, explanation: reason },
        })),
      );
      for (const batch of chunks(annotations, 500))
        await ask(`${url}/v1/span_annotations?sync=true`, { data: batch });
    };
    const read = async () => {
      const found = await spans();
      const notes = new Map<string, Annotation[]>();
      for (const batch of chunks(found, 50)) {
        const query = batch.map(({ context }) => `span_ids=${context.span_id}`).join('&');
        const page = await ask(`${project}/span_annotations?limit=1000&${query}`);
        for (const note of page.data as Annotation[])
          notes.set(note.span_id, [...(notes.get(note.span_id) ?? []), note]);
      }
      return found.map((span) => itemOf(span, notes.get(span.context.span_id) ?? []));
    };
    return { send, read };
  };
  return { ...program, open };
};
